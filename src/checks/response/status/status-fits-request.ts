import { bestMediaType } from '../../../core/http/media-type';
import { headerValue, headerValues } from '../../../core/http/headers';
import type { Operation } from '../../../openapi/model/operation';
import { type ObservedResponse, previewStatus, type ResponseCheck } from '../../response-check';

/** Says what is wrong with a status as the response to this request; `undefined` when it may be right. */
type Rule = (observed: ObservedResponse) => string | undefined;

const RULES: Readonly<Record<number, Rule>> = {
  201: ({ method }) => {
    return ['GET', 'HEAD', 'DELETE'].includes(method)
      ? `${method} creates nothing that a 201 could speak of`
      : undefined;
  },
  206: ({ requestHeaders }) => {
    return requestHeaders === undefined || headerValue(requestHeaders, 'range') !== undefined
      ? undefined
      : 'A part was sent, and the request asked for no Range';
  },
  304: ({ method }) => {
    return method === 'GET' || method === 'HEAD' ? undefined : `304 is for GET and HEAD, not for ${method}`;
  },
  401: ({ operation, requestHeaders }) => {
    // Credentials that nobody asked for may be rejected when they are bad.
    if (operation?.security.length !== 0 || headerValue(requestHeaders ?? [], 'authorization') !== undefined) {
      return undefined;
    }
    return `${operation.id} asks for no credentials`;
  },
  405: ({ operation, method }) => {
    return operation?.method === method ? `The description has ${method} ${operation.path}` : undefined;
  },
  406: (observed) => {
    const type = acceptableType(observed);
    return type === undefined ? undefined : `The request accepts ${type}, which the operation can return`;
  },
  413: ({ requestBodyLength }) =>
    requestBodyLength === 0 ? 'The request has no body that could be too large' : undefined,
  415: ({ requestBodyLength }) =>
    requestBodyLength === 0 ? 'The request has no body that could be in a wrong form' : undefined,
};

/** The status is one that HTTP has for such a request: its method, its headers, its body. */
export const statusFitsRequest: ResponseCheck = {
  id: 'status-fits-request',
  source: 'RFC 9110 §15.3.2, §15.3.7, §15.4.5, §15.5; WFC 951, 952, 955, 956, 957, 959, 960',
  basis: 'http',
  supersededBy: { checks: ['status-documented'], at: '/response/status' },
  run(observed) {
    const { status, expected, operation, documented } = observed;
    const rule = RULES[status];
    // A contract that expects the status knows why.
    if (rule === undefined || expected?.statuses.includes(status) === true) return undefined;
    const message = rule(observed);
    if (message === undefined) return [];
    return [
      {
        at: '/response/status',
        message,
        expected: `another status than ${status}`,
        actual: previewStatus(observed),
        spec: documented?.pointer ?? operation?.pointer,
      },
    ];
  },
};

/** What the operation answers a success with and the request accepts; `undefined` when that cannot be told. */
function acceptableType({ operation, requestHeaders }: ObservedResponse): string | undefined {
  if (operation === undefined || requestHeaders === undefined) return undefined;
  // Language, charset and coding are negotiated too, and the description says nothing of them.
  const isNarrow = ['accept-language', 'accept-charset'].some(
    (name) => headerValue(requestHeaders, name) !== undefined,
  );
  if (isNarrow || /;\s*q=0(?:\.0*)?\s*(?:,|$)/.test(headerValue(requestHeaders, 'accept-encoding') ?? ''))
    return undefined;
  const accept = headerValues(requestHeaders, 'accept').join(', ');
  return successTypes(operation).find((type) => bestMediaType(accept, [type]) !== undefined);
}

function successTypes({ responses }: Operation): string[] {
  return [...responses.values()].filter(({ status }) => status.startsWith('2')).flatMap(({ mediaTypes }) => mediaTypes);
}
