import {
  contentTypeOf,
  isReturnMinimal,
  mayHaveBody,
  type ObservedResponse,
  type ResponseCheck,
} from '../../response-check';
import type { CheckFinding } from '../../../core/errors/finding';
import { headerValue } from '../../../core/http/headers';
import { isJsonMediaType } from '../../../core/http/media-type';

/** There is no body where HTTP has none, nor where the description shows none. */
export const noBody: ResponseCheck = {
  id: 'no-body',
  area: 'http',
  source: 'RFC 9110 §6.4.1, §8.6, §15.3.5, §15.3.6, §15.4.5; OAS 3.0.3 §4.7.17',
  basis: 'description',
  scope: 'service',
  run(observed) {
    if (!mayHaveBody(observed)) return checkForbiddenBody(observed);
    const { documented, status, body } = observed;
    // Errors are for `error-contract`.
    if (documented === undefined || status >= 400 || documented.content.length > 0) return undefined;
    if (body.kind === 'empty') return [];
    const message = `A body was sent, and none is documented for ${status}`;
    return [{ ...findingBase(observed), severity: 'warning', message, expected: 'no body', actual: body.kind }];
  },
};

function checkForbiddenBody(observed: ObservedResponse): CheckFinding[] {
  const { method, status, body, headers } = observed;
  const what = method === 'HEAD' ? 'a response to HEAD' : `a ${status}`;
  if (body.kind !== 'empty') {
    const message = `${capitalised(what)} must not have a body`;
    return [{ ...findingBase(observed), message, expected: 'no body', actual: 'a body' }];
  }
  // To HEAD, and with 304, the length is that of the body which GET would give (RFC 9110 §8.6).
  if (status !== 204 || method === 'HEAD') return [];
  const length = headerValue(headers, 'content-length');
  if (length === undefined) return [];
  const isEmpty = Number(length) === 0;
  return [
    {
      ...findingBase(observed),
      severity: isEmpty ? 'warning' : 'error',
      at: '/response/headers/content-length',
      message: `${capitalised(what)} must not have Content-Length`,
      expected: 'no such header',
      actual: length,
      hint: isEmpty ? undefined : 'The server intended to send a body; choose another status, or send none.',
    },
  ];
}

function findingBase({ documented, operation }: ObservedResponse): Pick<CheckFinding, 'at' | 'spec'> {
  return { at: '/response/body', spec: documented?.pointer ?? operation?.pointer };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * There is a body where the description shows one. With `Preference-Applied: return=minimal` a missing one is right
 * (RFC 7240 §4.2).
 */
export const bodyPresent: ResponseCheck = {
  id: 'body-present',
  area: 'schema',
  source: 'OAS 3.0.3 §4.7.17 Response Object; RFC 7240 §4.2',
  basis: 'description',
  run(observed) {
    const { documented, status, body } = observed;
    // Errors are for `error-contract`.
    if (documented === undefined || documented.content.length === 0 || status >= 400) return undefined;
    if (!mayHaveBody(observed)) return undefined;
    if (body.kind !== 'empty' || isReturnMinimal(observed)) return [];
    return [
      {
        at: '/response/body',
        message: `The body of the ${status} is empty`,
        expected: documented.mediaTypes.join(' or '),
        actual: 'no body',
        spec: documented.pointer,
        hint: 'An empty body is right only with "Preference-Applied: return=minimal".',
      },
    ];
  },
};

/** A body that calls itself JSON is JSON: UTF-8, one value, no property twice. */
export const bodyJson: ResponseCheck = {
  id: 'body-json',
  area: 'schema',
  source: 'RFC 8259 §2, §4, §8.1',
  basis: 'http',
  scope: 'service',
  run(observed) {
    const { body, status, documented } = observed;
    // Errors are for `error-contract`.
    if (body.kind === 'empty' || status >= 400) return undefined;
    if (!isJsonMediaType(contentTypeOf(observed) ?? '')) return undefined;
    if (body.kind === 'json') return [];
    return [
      {
        at: '/response/body',
        message: `The body is not valid JSON: ${body.reason}`,
        expected: 'JSON',
        spec: documented?.pointer,
      },
    ];
  },
};
