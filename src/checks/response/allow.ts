import { headerValue } from '../../http/headers';
import type { ResponseCheck } from './response-check';

const AT = '/response/headers/allow';

/** A 405 lists the methods that the resource does have, without the one that was refused. */
export const allow: ResponseCheck = {
  id: 'allow',
  source: 'RFC 9110 §10.2.1, §15.5.6',
  run({ status, method, headers }) {
    if (status !== 405) return undefined;
    const value = headerValue(headers, 'allow');
    const about = { check: 'allow', severity: 'error', at: AT } as const;
    if (value === undefined) {
      return [{ ...about, message: 'The 405 has no Allow', expected: 'the methods there are', actual: 'no header' }];
    }
    const methods = value.split(',').map((name) => name.trim());
    if (!methods.includes(method)) return [];
    return [{ ...about, message: `Allow lists ${method}, which was refused`, expected: `no ${method}`, actual: value }];
  },
};
