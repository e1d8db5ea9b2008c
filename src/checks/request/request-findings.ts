import { type CheckFinding, limitFindings } from '../../core/errors/finding';
import { bodyKind } from '../../core/http/media-type';
import { sentHeader } from '../../core/http/headers';
import type { RequestHead } from '../../core/http/message';
import type { Problem, ProblemDetail } from '../../core/http/problem';
import { rawQueryValues } from '../../core/http/raw-values';
import { joinPointer } from '../../core/json/json-pointer';
import { previewText } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { MediaTypeEntry, Operation, Parameter } from '../../openapi/model/operation';
import type { RouteMatch } from '../../openapi/model/operation-selection';
import { pointerOfSchema } from '../../openapi/view/schema-place';
import { REQUEST_BODY, REQUEST_PARAMETER, REQUEST_UNDOCUMENTED } from '../traffic-checks';
import { undocumentedIn } from '../undocumented-properties';
import { checkBody, checkBodyParts } from './body';
import { type BodyCheck, rejectUnreadable } from './body-validation';
import { checkContentType, contentTypeOf, missingBody } from './content-type';
import type { MultipartPart } from './multipart-body';
import { parameterTitle } from './parameter-values';
import { checkParameters, undeclaredNames } from './parameters';
import { Warnings } from './warnings';

/** A request that somebody else made, as far as it is known. */
export interface ObservedRequest {
  readonly api: ApiModel;
  readonly operation: Operation;
  readonly match: RouteMatch;
  readonly head: RequestHead;
  /** Raw, without the question mark. */
  readonly query: string;
  /** Empty for none; `undefined` where it was not kept. */
  readonly body: Uint8Array | undefined;
  /** Those of the body, where it is `multipart/form-data` and has any. */
  readonly parts: readonly MultipartPart[];
  /** Names in the query that carry credentials, which are known although they are no parameters. */
  readonly credentialNames: ReadonlySet<string>;
}

/** So many faults of a body are listed; the rest are counted. */
const MAX_LISTED = 10;

/**
 * Judges a request by the description and nothing else: no lenient reading applies. A break has severity `error`; what
 * the description merely does not name, a query parameter or a property, is a `warning`. In the order in which a service
 * would look at it.
 *
 * @throws SpecError when a schema does not compile
 */
export function requestFindings(request: ObservedRequest): CheckFinding[] {
  return [...parameterFindings(request), ...unknownParameters(request), ...bodyFindings(request)];
}

function parameterFindings({ operation, match, head, query }: ObservedRequest): CheckFinding[] {
  const check = REQUEST_PARAMETER.id;
  if (match.isUndecodable) {
    const message = 'The path holds a percent sequence that is not UTF-8 text, or %00';
    return [{ check, at: '/request/path', message, spec: operation.pointer }];
  }
  const { rawPathParameters: pathParameters } = match;
  const checked = checkParameters(operation, { head, pathParameters, query, strict: false });
  if (checked.kind === 'valid') return [];
  const { details = [], message } = checked.problem;
  if (details.length === 0) return [{ check, at: '/request/query', message, spec: operation.pointer }];
  return details.map((detail): CheckFinding => {
    const { in: place, name = '', message: rule } = detail;
    const parameter = operation.parameters.find((each) => each.in === place && each.name === name);
    const sent = parameter === undefined ? undefined : sentText(parameter, match, head, query);
    return {
      check,
      at: joinPointer(`/request/${place}`, name),
      message: `${parameter === undefined ? `The ${place} parameter "${name}"` : parameterTitle(parameter)} ${rule}`,
      expected: sent === undefined ? 'a value' : rule.replace(/^must (?:be |have )?/, ''),
      actual: sent === undefined ? 'nothing' : previewText(sent),
      spec: parameter?.pointer ?? operation.pointer,
    };
  });
}

/** What was sent for a parameter, as it was sent. */
function sentText(
  { in: place, name, key }: Parameter,
  match: RouteMatch,
  head: RequestHead,
  query: string,
): string | undefined {
  if (place === 'path') return match.rawPathParameters[name];
  if (place === 'querystring') return query;
  if (place === 'header') return sentHeader(head, key);
  // A cookie may be a credential: what it held is not shown.
  if (place === 'cookie') return undefined;
  const values = rawQueryValues(query);
  return typeof values === 'string' ? undefined : values.get(name)?.join(', ');
}

function unknownParameters({ operation, query, credentialNames }: ObservedRequest): CheckFinding[] {
  const sent = rawQueryValues(query);
  if (typeof sent === 'string') return [];
  const known = operation.parameters.flatMap(({ in: place, name }) => (place === 'query' ? [name] : []));
  return undeclaredNames(operation, sent)
    .filter((name) => !credentialNames.has(name))
    .map((name) => ({
      check: REQUEST_UNDOCUMENTED.id,
      severity: 'warning',
      at: joinPointer('/request/query', name),
      message: `The query parameter "${previewText(name)}" is not documented`,
      expected: known.length === 0 ? 'no query' : previewText(known.join(', ')),
      spec: operation.pointer,
    }));
}

function bodyFindings(request: ObservedRequest): CheckFinding[] {
  const { api, operation, head, body } = request;
  if (body === undefined) return [];
  if (body.length === 0) return missingBodyFindings(operation);
  const choice = checkContentType(operation, head, { warnings: new Warnings(true), isLenient: false });
  if (choice.kind === 'no-body-declared') return [undeclaredBody(operation)];
  if (choice.kind === 'refused') return [wrongType(request)];
  return schemaFindings(api, choice.entry, readBody(choice.entry, request, body));
}

function readBody(entry: MediaTypeEntry, { head, parts }: ObservedRequest, body: Uint8Array): BodyCheck {
  const contentType = contentTypeOf(entry, head);
  if (bodyKind(contentType) === 'multipart' && parts.length > 0) return checkBodyParts(entry, parts);
  const checked = checkBody(entry, contentType, body);
  return checked instanceof Promise
    ? rejectUnreadable('The body has no parts between the boundary that its Content-Type names')
    : checked;
}

function missingBodyFindings({ requestBody }: Operation): CheckFinding[] {
  if (requestBody?.required !== true) return [];
  const { message } = missingBody(requestBody);
  const about = { check: REQUEST_BODY.id, at: '/request/body', spec: requestBody.pointer };
  return [{ ...about, message, expected: 'a body', actual: 'nothing' }];
}

function undeclaredBody({ id, pointer: spec }: Operation): CheckFinding {
  const about = { check: REQUEST_UNDOCUMENTED.id, at: '/request/body', spec } as const;
  return { ...about, severity: 'warning', message: `${id} documents no body`, expected: 'no body' };
}

function wrongType({ operation, head }: ObservedRequest): CheckFinding {
  const sent = head.headers['content-type'];
  return {
    check: REQUEST_BODY.id,
    at: '/request/headers/content-type',
    message: sent === undefined ? 'The header Content-Type is missing' : 'The Content-Type is not documented',
    expected: operation.requestBody?.mediaTypes.join(' or '),
    actual: sent === undefined ? 'no header' : previewText(String(sent)),
    spec: operation.requestBody?.pointer ?? operation.pointer,
  };
}

function schemaFindings(api: ApiModel, entry: MediaTypeEntry, checked: BodyCheck): CheckFinding[] {
  if (checked.kind === 'refused') return problemFindings(api, checked.problem, entry);
  if (entry.schema === undefined || typeof checked.value !== 'object' || checked.value === null) return [];
  return undocumentedIn(api, entry.schema, checked.value).map(({ pointer, ...rest }) => ({
    check: REQUEST_UNDOCUMENTED.id,
    severity: 'warning',
    at: `/request/body${pointer}`,
    ...rest,
  }));
}

function problemFindings(
  api: ApiModel,
  { message, pointer = '', details }: Problem,
  { schema, pointer: spec }: MediaTypeEntry,
): CheckFinding[] {
  const about = { check: REQUEST_BODY.id, spec: schema?.pointer ?? spec } as const;
  if (details === undefined || details.length === 0) return [{ ...about, at: `/request/body${pointer}`, message }];
  return limitFindings(details, MAX_LISTED, ({ pointer: place = '', message: rule }: ProblemDetail): CheckFinding => {
    const subject = place === '' ? 'The body' : `The field ${place}`;
    return {
      ...about,
      spec: schema === undefined ? spec : pointerOfSchema(api, schema, place),
      at: `/request/body${place}`,
      message: `${subject} ${rule}`,
      expected: rule === 'is missing' ? 'a value' : rule.replace(/^must (?:be |have )?/, ''),
      identity: { subject, rule },
    };
  });
}
