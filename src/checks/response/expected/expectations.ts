import { matchValue } from '../../matchers/match-value';
import { type Mismatch, mismatchMessage, notEvaluated } from '../../matchers/mismatch';
import { type ObservedResponse, previewStatus, type ResponseCheck } from '../../response-check';
import { type CheckFinding, limitFindings } from '../../../core/errors/finding';
import { headerValue, headerValues } from '../../../core/http/headers';
import { joinPointer, parsePointer } from '../../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../../core/json/json-value';
import { scalarText, previewText, previewValue } from '../../../core/json/stringify-json';
import type { Expectation } from '../../../formats/contract/contract';
import { ownForm, ownFormMessage } from '../../matchers/own-forms';
import { saysMore, toldOfPage } from '../../../lists/page-told';
import { codeProperty, documentedErrors } from '../../../openapi/view/responses';
import { viewOf } from '../../../openapi/view/schema-view';
import { inferResourceModel } from '../../../resources/infer-resource-model';

/** The status is the one, or one of those, that the contract expects. */
export const statusExpected: ResponseCheck = {
  id: 'status-expected',
  area: 'status',
  source: 'the contract, expect.status',
  basis: 'contract',
  run(observed) {
    const { expected, status } = observed;
    // Who looks at something and expects nothing of it names no status.
    if (expected === undefined || expected.statuses.length === 0) return undefined;
    if (expected.statuses.includes(status)) return [];
    const wanted = statusWords(expected.statuses);
    return [
      {
        at: '/response/status',
        message: `Expected status ${wanted}, got ${status}`,
        expected: wanted,
        statuses: expected.statuses,
        actual: previewStatus(observed),
        spec: observed.documented?.pointer ?? observed.operation?.pointer,
        hint: hintFor(expected.statuses, observed),
      },
    ];
  },
};

/** More of them nobody reads. */
const MOST_STATUSES = 8;

function statusWords(statuses: readonly number[]): string {
  if (statuses.length <= MOST_STATUSES) return statuses.join(' or ');
  return `one of ${statuses.length} from ${Math.min(...statuses)} to ${Math.max(...statuses)}`;
}

function hintFor(
  wanted: readonly number[],
  { status, requestHeaders = [] }: Pick<ObservedResponse, 'status' | 'requestHeaders'>,
): string | undefined {
  if (status === 304) return 'The request had a condition: was the tag that it names the one of before?';
  if (status >= 300 && status < 400) return 'Redirects are not followed: name the final base URL.';
  if (wanted.length === 1 && wanted[0] === 401) return hintForLetIn(status);
  if (status !== 401) return undefined;
  return /^[a-z]+ /.test(headerValue(requestHeaders, 'authorization') ?? '')
    ? 'The name of a scheme is the same in capitals and in small letters.'
    : 'Is the API key one that this deployment accepts?';
}

/** Where the caller was to be rejected for its key. */
function hintForLetIn(status: number): string {
  if (status < 300) return 'The operation is open to callers without a valid key.';
  if (status === 403) return '403 is for a caller who is known; without a valid key it is 401.';
  return 'Check credentials before the rest of the request.';
}

/**
 * The error code is the one, or one of those, that the contract expects. Where the response is not an error object at all,
 * `error-contract` says so, and one finding is enough for one cause.
 */
export const codeExpected: ResponseCheck = {
  id: 'code-expected',
  area: 'errors',
  source: 'the contract, expect.code',
  basis: 'contract',
  priority: -2,
  supersededBy: { checks: ['error-contract'], at: '/response/body' },
  run(observed) {
    const { expected, status, documented } = observed;
    if (expected === undefined || expected.codes.length === 0 || !expected.statuses.includes(status)) return undefined;
    const { name, value } = codeOf(observed);
    if (typeof value === 'string' && expected.codes.includes(value)) return [];
    const wanted = expected.codes.join(' or ');
    return [
      {
        at: `/response/body/${name}`,
        message: `Expected error code ${wanted}, got ${previewValue(value)}`,
        expected: wanted,
        actual: previewStatus(observed),
        spec: documented?.pointer,
        identity: { rule: `The error code is ${previewValue(value)}, not ${wanted}` },
      },
    ];
  },
};

/** The property that the error schema keeps the code in. */
function codeOf(observed: ObservedResponse): { readonly name: string; readonly value: JsonValue | undefined } {
  const { api, operation, status, commonError, body } = observed;
  const name = codeProperty(api, documentedErrors(operation, status, commonError)[0]?.schema) ?? 'code';
  const value = body.kind === 'json' && isJsonObject(body.value) ? body.value[name] : undefined;
  return { name, value };
}

/** Every item is compared; so many mismatches are listed. */
const MAX_LISTED = 10;

/** The body is what the contract expects; what nothing could be compared with is a warning. */
export const bodyExpected: ResponseCheck = {
  id: 'body-expected',
  area: 'state',
  source: 'the contract, expect.body',
  basis: 'contract',
  priority: -3,
  run(observed) {
    const { expected, body } = observed;
    // Where the status is another one, the body is another one too: one cause, one finding.
    if (expected?.body === undefined || !expected.statuses.includes(observed.status)) return undefined;
    const spec = observed.documented?.pointer;
    if (body.kind === 'not-json') {
      const message = 'The body must be JSON';
      return [{ at: '/response/body', message, expected: 'JSON', actual: body.reason, spec }];
    }
    const { mismatches, unevaluated } = matchValue(expected.body, body.kind === 'json' ? body.value : undefined);
    const partial = placeOfPart(observed);
    const others = mismatches.filter(({ pointer }) => pointer !== partial);
    const findings = limitFindings(others, MAX_LISTED, ({ pointer, rule, message, ...mismatch }): CheckFinding => {
      const own = observed.isGuessed === true ? inOwnForm(pointer, mismatch) : undefined;
      if (own !== undefined) return { ...own, spec };
      const wanted = mismatch.expected === undefined ? undefined : previewText(mismatch.expected);
      const actual = previewValue(mismatch.actual);
      const isRoot = pointer === '';
      return {
        at: `/response/body${pointer}`,
        message: mismatchMessage(isRoot ? 'The body' : pointer, message, wanted, actual),
        expected: wanted,
        actual,
        spec,
        identity: {
          subject: isRoot ? 'The body' : `The value ${pointer}`,
          rule,
          // What is not there at all, or was made up, is so whichever value it should have.
          expected: mismatch.actual === undefined || observed.isGuessed === true ? '' : undefined,
        },
      };
    });
    return [...findings, ...unevaluated.map((part) => notEvaluated(part, '/response/body', spec))];
  },
};

/** Where a list stands whose page leads on: what nobody wrote asks of it to be whole. */
function placeOfPart({ api, operation, body, headers, isGuessed }: ObservedResponse): string | undefined {
  if (isGuessed !== true || body.kind !== 'json' || operation === undefined) return undefined;
  const { behaviour, response } = inferResourceModel(api).bindings.get(operation) ?? {};
  if (behaviour !== 'list' || response?.form !== 'list') return undefined;
  const told = toldOfPage(viewOf(api), response, { body: body.value, headers });
  return saysMore(told, { headers }) ? response.path.reduce(joinPointer, '') : undefined;
}

/** That a value comes back as it was sent is a guess where nobody wrote it: a service may set it, or have a form of its own. */
function inOwnForm(
  pointer: string,
  { wanted, actual }: Omit<Mismatch, 'pointer' | 'rule' | 'message'>,
): CheckFinding | undefined {
  const name = parsePointer(pointer).at(-1);
  const form = name === undefined || wanted === undefined ? undefined : ownForm(name, wanted, actual);
  if (name === undefined || form === undefined) return undefined;
  const message = ownFormMessage(name, form);
  return {
    ...{ severity: 'warning', at: `/response/body${pointer}`, message, identity: { rule: message } },
    expected: previewValue(wanted),
    actual: previewValue(actual),
  };
}

/** The headers are what the contract expects; several lines of one name are joined with a comma. */
export const headersExpected: ResponseCheck = {
  id: 'headers-expected',
  area: 'http',
  source: 'the contract, expect.headers',
  basis: 'contract',
  priority: -4,
  run(observed) {
    const { expected, status } = observed;
    // Where the status is another one, the headers are other ones too: one cause, one finding.
    if (expected === undefined || expected.headers.length === 0 || !expected.statuses.includes(status))
      return undefined;
    return expected.headers.flatMap((header) => checkHeader(observed, header));
  },
};

function checkHeader(
  { headers, documented }: ObservedResponse,
  { name, matcher }: Expectation['headers'][number],
): CheckFinding[] {
  const lines = headerValues(headers, name);
  const text = lines.length === 0 ? undefined : lines.join(', ');
  const at = `/response/headers/${name.toLowerCase()}`;
  const spec = documented?.headers.get(name.toLowerCase())?.pointer ?? documented?.pointer;
  const { mismatches, unevaluated } = matchValue(matcher, text);
  return [
    ...mismatches.map(({ rule, message, ...mismatch }): CheckFinding => {
      const expected = previewText(matcher.kind === 'value' ? scalarText(matcher.value) : (mismatch.expected ?? ''));
      const actual = text === undefined ? 'no header' : previewText(text);
      return {
        at,
        message: mismatchMessage(text === undefined ? `The header ${name}` : name, message, expected, actual),
        expected,
        actual,
        spec,
        identity: { subject: `The header ${name}`, rule },
      };
    }),
    ...unevaluated.map((part) => notEvaluated(part, at, spec)),
  ];
}
