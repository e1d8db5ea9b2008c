import { checkBody } from '../../checks/request/body';
import { contentTypeOf, missingBody } from '../../checks/request/content-type';
import type { PlannedBehaviour } from '../plans/operation-plan';
import type { UploadedFile } from '../../checks/request/body-validation';
import { ignoreMissingOptional } from '../../checks/request/missing-properties';
import type { ParameterValues } from '../../checks/request/parameter-values';
import { checkParameters, type ParameterCheck } from '../../checks/request/parameters';
import type { Warnings } from '../../checks/request/warnings';
import { decodeContent } from '../../core/http/content-coding';
import { bodyKind } from '../../core/http/media-type';
import type { RequestHead } from '../../core/http/message';
import { problem, type Problem, type Refused, refused } from '../../core/http/problem';
import { effectiveHost } from '../../core/http/request-target';
import { isJsonObject, type JsonValue, ownProperty, valueAlong } from '../../core/json/json-value';
import { decodeUtf8, parseJson } from '../../core/json/parse-json';
import { scalarText } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { MediaTypeEntry, Operation, Property, Schema } from '../../openapi/model/operation';
import { isFileBody } from '../../openapi/view/operation-bodies';
import { viewOf } from '../../openapi/view/schema-view';
import type { Binding } from '../../resources/model/binding';
import { credentialLocations, withoutUndeclaredSecrets } from '../../security/credential-locations';
import { checkStrictProperties } from '../behaviours/preconditions';
import type { Call } from '../calls/call';
import { bodyTooLarge, maxBodyBytes } from './body-admission';
import { readIdempotencyKey } from './idempotency';
import type { AdmittedRequest } from './request-context';
import { UNDECODABLE_PATH } from './request-routing';

/** Properties of a form or of JSON as a query, for an operation that takes parameters alone; empty for any other body. */
function queryFromBody({ headers }: RequestHead, body: Uint8Array): string {
  const type = headers['content-type'];
  const kind = typeof type === 'string' && body.length > 0 ? bodyKind(type) : undefined;
  if (kind !== 'form' && kind !== 'json') return '';
  try {
    const text = decodeUtf8(body);
    return kind === 'form' ? text.trim() : queryOf(parseJson(text));
  } catch {
    // What cannot be read asks for nothing; parameters that must be there are missed.
    return '';
  }
}

function queryOf(value: JsonValue): string {
  const properties = isJsonObject(value) ? Object.entries(value) : [];
  return properties
    .flatMap(([name, property]) =>
      Array.isArray(property) ? property.map((each: JsonValue) => [name, each] as const) : [[name, property] as const],
    )
    .filter(([, member]) => member !== null && typeof member !== 'object')
    .map(([name, member]) => `${encodeURIComponent(name)}=${encodeURIComponent(scalarText(member))}`)
    .join('&');
}

/**
 * The parameters of a request with the variables of its place that stand in its query or its body, see
 * {@link Binding.outsidePath}, and with what a list is asked for in a body, see {@link Binding.bodyParameters}.
 */
function withRelocatedParameters(
  binding: Binding | undefined,
  parameters: ParameterValues,
  body: JsonValue | undefined,
): ParameterValues {
  if (binding === undefined) return parameters;
  const asked =
    binding.bodyParameters.size === 0
      ? parameters
      : { ...parameters, query: withProperties(binding, parameters, body) };
  if (binding.outsidePath.size === 0) return asked;
  const path = new Map(parameters.path);
  for (const [variable, place] of binding.outsidePath) {
    // Who asks is reported by what is stored.
    if (place.in === 'caller') continue;
    const properties = isJsonObject(body) ? body : {};
    const value = place.in === 'query' ? parameters.query.get(place.name) : ownProperty(properties, place.name);
    if (value !== undefined) path.set(variable, value);
  }
  const { query, header, cookie, querystring } = asked;
  return { path, query, header, cookie, querystring };
}

function withProperties(
  { bodyParameters }: Binding,
  { query }: ParameterValues,
  body: JsonValue | undefined,
): ParameterValues['query'] {
  const values = new Map(query);
  for (const [name, path] of bodyParameters) {
    const value = valueAlong(body, path);
    if (value !== undefined && value !== null) values.set(name, value);
  }
  return values;
}

/**
 * The checks that need the body: its size, parameters, presence, grammar, schema, unknown properties.
 *
 * @returns why the request is rejected, `undefined` for a {@link PreparedRequest}; a promise only for a body whose parts
 *   are parsed one by one
 */
export function prepare(request: AdmittedRequest): Problem | undefined | Promise<Problem | undefined> {
  const decoded = decodeBody(request);
  if ('code' in decoded && decoded.status !== 400) return decoded;
  const more = request.hasParametersInBody && !('code' in decoded) ? queryFromBody(request.head, decoded) : '';
  const query = more === '' ? request.query : joinQueries(request.query, more);
  const parameters = readParameters(request, query);
  if (parameters.kind === 'refused') return parameters.problem;
  if ('code' in decoded) return decoded;
  const parsed = parseBody(request, decoded);
  return parsed instanceof Promise
    ? parsed.then((ready) => setCall(request, parameters.values, ready))
    : setCall(request, parameters.values, parsed);
}

function setCall(request: AdmittedRequest, parameters: ParameterValues, parsed: ParsedBody): Problem | undefined {
  if (parsed.kind === 'refused') return parsed.problem;
  const call = toCall(request, parameters, parsed);
  request.call = call;
  const { behaviour } = request.plan;
  return behaviour === undefined ? undefined : checkStrictProperties(call, behaviour);
}

function isStrict({ preferences }: AdmittedRequest): boolean {
  return preferences.get('handling') === 'strict';
}

function joinQueries(first: string, second: string): string {
  return first === '' ? second : `${first}&${second}`;
}

/** The declared parameters, and the Idempotency-Key, whose grammar no schema can state. */
function readParameters(request: AdmittedRequest, query: string): ParameterCheck {
  const { context, operation, match, plan, warnings, head } = request;
  if (match.isUndecodable) return refused(UNDECODABLE_PATH);
  const { rawPathParameters: pathParameters } = match;
  const credentialNames = credentialLocations(context.api).query;
  const strict = isStrict(request);
  const isStoredKey = (name: string, value: JsonValue): boolean => holdsKey(request, name, value);
  const input = { head, pathParameters, query, strict, credentialNames, warnings, isStoredKey };
  const checked = checkParameters(operation, input);
  if (checked.kind === 'refused' || !plan.idempotencyHeader) return checked;
  const key = readIdempotencyKey(head);
  if (typeof key === 'object') return refused(key);
  request.idempotencyKey = key;
  return checked;
}

/** Is there an item with that key in the collection that the path names before the parameter, or was there one when it began? */
function holdsKey({ sandbox, operation, match }: AdmittedRequest, name: string, value: JsonValue): boolean {
  const [before, after] = operation.path.split(`/{${name}}`);
  if (before === undefined || after === undefined || typeof value === 'object') return false;
  const path = before.replaceAll(/\{([^{}]*)\}/g, (_, variable: string) =>
    encodeURIComponent(match.pathParameters[variable] ?? ''),
  );
  const { live } = sandbox;
  return [value, String(value)].some(
    (key) =>
      typeof key !== 'boolean' && [live, live.seeds].some((each) => each?.collection(path)?.get(key) !== undefined),
  );
}

const NOTHING = new Uint8Array(0);
const NO_PROPERTIES: ReadonlyMap<string, Property> = new Map();

function toCall(
  request: AdmittedRequest,
  parameters: ParameterValues,
  parsed: Extract<ParsedBody, { kind: 'valid' }>,
): Call {
  const { operation, head, principal, plan, content, match, query, preferences, warnings } = request;
  const { api } = request.context;
  return {
    operation,
    head,
    principal,
    parameters: withRelocatedParameters(plan.behaviour?.binding, parameters, parsed.value),
    body: parsed.value,
    file: parsed.file,
    mediaType: content?.mediaType,
    bodyProperties: declaredProperties(request),
    isStrict: isStrict(request),
    isMinimal: preferences.get('return') === 'minimal',
    baseUrl: serverUrlOf(head) + match.basePath,
    query: withoutUndeclaredSecrets(query, api, operation),
    warnings,
  };
}

function declaredProperties({ context: { api }, content, operation, plan }: AdmittedRequest): Call['bodyProperties'] {
  const undeclared = operation.requestBody === undefined ? plan.behaviour?.binding.request?.item : undefined;
  const schema = content?.schema ?? undeclared;
  return schema === undefined ? NO_PROPERTIES : propertiesIn(api, schema);
}

/** Scheme, host and mount path of the server, as the client reached it. */
export function serverUrlOf(head: RequestHead): string {
  const host = head.headers['host'] ?? head.defaultHost;
  return `http://${effectiveHost(head.target, String(host))}${head.mountPath ?? ''}`;
}

/** Properties of a body, also behind a wrapper of one branch. */
function propertiesIn(api: ApiModel, schema: Schema): ReadonlyMap<string, Property> {
  const direct = api.propertiesOf(schema);
  const inner = direct.size > 0 ? undefined : viewOf(api).unwrap(schema);
  return inner === undefined ? direct : api.propertiesOf(inner);
}

type ParsedBody =
  | { readonly kind: 'valid'; readonly value: JsonValue | undefined; readonly file?: UploadedFile | undefined }
  | Refused;

const NO_BODY: ParsedBody = { kind: 'valid', value: undefined };

function parseBody(request: AdmittedRequest, decoded: Uint8Array): ParsedBody | Promise<ParsedBody> {
  const { operation, content, match, warnings, head } = request;
  const {
    api,
    options: { limits },
  } = request.context;
  const { requestBody } = operation;
  if (requestBody === undefined) return readUndeclaredBody(request, decoded);
  if (content === undefined) return NO_BODY;
  if (decoded.length > 0) {
    const filterViolations = ignoreMissingOptional(api, content.schema, Object.keys(match.rawPathParameters), warnings);
    const checked = checkBody(content, contentTypeOf(content, head), decoded, {
      warnings,
      filterViolations,
      limits: { names: limits.formNames, textBytes: limits.bodyBytes },
    });
    return checked instanceof Promise || checked.kind === 'refused' || !isFileBody(content)
      ? checked
      : { ...checked, file: wholeFile(head, decoded) };
  }
  if (!requestBody.required || isReadWithoutBody(operation, content, warnings)) return NO_BODY;
  return refused(missingBody(requestBody));
}

/**
 * A body that the description forgot to declare, or that OpenAPI ignores, where the operation writes or removes items.
 * One that cannot be read is none.
 */
function readUndeclaredBody({ plan, head, warnings, operation }: AdmittedRequest, decoded: Uint8Array): ParsedBody {
  if (decoded.length === 0 || !readsBody(plan.behaviour)) return NO_BODY;
  const value = readText(head.headers['content-type'], decoded);
  if (value === undefined) return NO_BODY;
  const isTaken =
    operation.ignoredBody !== undefined || warnings.allows('undeclared_body', `${operation.method} ${operation.path}`);
  return isTaken ? { kind: 'valid', value } : NO_BODY;
}

function readsBody(behaviour: PlannedBehaviour | undefined): boolean {
  const { kind, binding } = behaviour ?? {};
  return binding?.request !== undefined || kind === 'each' || kind === 'clear' || kind === 'relate';
}

function readText(type: JsonValue | readonly string[] | undefined, decoded: Uint8Array): JsonValue | undefined {
  const kind = bodyKind(typeof type === 'string' ? type : 'application/json');
  try {
    const text = decodeUtf8(decoded);
    return kind === 'json' ? parseJson(text) : kind === 'form' ? propertiesOfForm(text) : undefined;
  } catch {
    return undefined;
  }
}

function propertiesOfForm(text: string): JsonValue {
  return Object.fromEntries(new URLSearchParams(text));
}

/** A body that is a file as a whole. Its name may stand in Content-Disposition, as browsers' uploads have it (RFC 6266 §4.3). */
function wholeFile({ headers }: RequestHead, bytes: Uint8Array): UploadedFile {
  const type = headers['content-type'];
  const named = /;\s*filename="?([^";]+)"?/i.exec(String(headers['content-disposition'] ?? ''))?.[1];
  return { property: '', name: named, mediaType: typeof type === 'string' && type !== '' ? type : OCTETS, bytes };
}

const OCTETS = 'application/octet-stream';

/** What a removal is reported in a body has no meaning of its own (RFC 9110 §9.3.5): few clients send one. */
function isReadWithoutBody({ method }: Operation, { schema }: MediaTypeEntry, warnings: Warnings): boolean {
  const needsNothing = schema === undefined || schema.accepts({}, 'request');
  return method === 'DELETE' && needsNothing && warnings.allows('missing_body');
}

function decodeBody({ context, content, head, body = NOTHING }: AdmittedRequest): Uint8Array | Problem {
  const coding = head.headers['content-encoding'];
  if (typeof coding !== 'string' || content === undefined) return body;
  const decoded = decodeContent(body, coding, maxBodyBytes(context, content));
  switch (decoded.kind) {
    case 'decoded':
      return decoded.body;
    case 'too-large':
      return bodyTooLarge(context, content);
    case 'corrupt':
      return problem('bad_request', `The body is not valid ${decoded.coding}, which Content-Encoding says it is`);
    case 'unknown-coding':
      return problem(
        'unsupported_content_encoding',
        'The Content-Encoding is not known; send gzip, deflate, br or none',
      );
  }
}
