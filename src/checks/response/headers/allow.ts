import { joinedHeader, type ResponseCheck } from '../../response-check';
import { previewText } from '../../../core/json/stringify-json';

const METHOD = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

/** A 405 lists the methods that the resource does have, without the one that was rejected; any Allow is such a list. */
export const allow: ResponseCheck = {
  id: 'allow',
  area: 'http',
  source: 'RFC 9110 §10.2.1, §15.5.6',
  basis: 'http',
  scope: 'service',
  run(observed) {
    const { status, method } = observed;
    const value = joinedHeader(observed, 'allow');
    if (status !== 405 && value === undefined) return undefined;
    const about = { at: '/response/headers/allow' } as const;
    if (value === undefined) {
      return [{ ...about, message: 'The 405 has no Allow', expected: 'the methods there are', actual: 'no header' }];
    }
    // An empty list is right, and so are empty elements (RFC 9110 §5.6.1).
    const methods = value.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
    if (!methods.every((name) => METHOD.test(name))) {
      const message = 'Allow must be a list of methods';
      return [{ ...about, message, expected: 'methods such as GET, HEAD', actual: previewText(value) }];
    }
    if (status !== 405 || !methods.includes(method)) return [];
    const message = `Allow lists ${method}, which was rejected`;
    const identity = { rule: `Allow lists ${method}, which was refused` };
    return [{ ...about, message, identity, expected: `no ${method}`, actual: value }];
  },
};
