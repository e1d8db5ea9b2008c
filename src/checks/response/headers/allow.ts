import type { CheckFinding } from '../../../core/errors/finding';
import { parseTarget } from '../../../core/http/request-target';
import { joinedHeader, type ObservedResponse, type ResponseCheck } from '../../response-check';
import { previewText } from '../../../core/json/stringify-json';

const METHOD = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/;

/**
 * A 405 lists the methods that the resource does have, without the one that was rejected; any Allow is such a list. In that
 * of a 405, and of an OPTIONS that succeeded, those of the description are to be expected.
 */
export const allow: ResponseCheck = {
  id: 'allow',
  area: 'http',
  source: 'RFC 9110 §9.3.7, §10.2.1, §15.5.6',
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
    if (status !== 405 || !methods.includes(method)) return lacking(observed, methods, value);
    const message = `Allow lists ${method}, which was rejected`;
    const identity = { rule: `Allow lists ${method}, which was refused` };
    return [{ ...about, message, identity, expected: `no ${method}`, actual: value }];
  },
};

/** Methods of the description that are not listed: which there are may depend on the caller and on the state of the thing. */
function lacking({ api, status, method, target }: ObservedResponse, methods: string[], value: string): CheckFinding[] {
  const isAsked = method === 'OPTIONS' && status >= 200 && status <= 299;
  const path = target === undefined ? undefined : parseTarget(target)?.path;
  if ((!isAsked && status !== 405) || path === undefined) return [];
  const described = [...(api.routes.match(path)?.route.operations.keys() ?? [])].filter((each) => each !== method);
  const missing = described.filter((each) => !methods.includes(each));
  if (missing.length === 0) return [];
  const message = `Allow does not list ${missing.join(', ')}, which the description has at this path`;
  return [
    { severity: 'warning', at: '/response/headers/allow', message, expected: described.join(', '), actual: value },
  ];
}
