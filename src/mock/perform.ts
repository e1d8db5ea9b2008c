import { checkBody } from '../checks/request/body';
import type { SentFile } from '../checks/request/body-check';
import { bodyKind } from '../http/body-kind';
import { missingMembers } from '../checks/request/may-be-missing';
import { checkParameters, type ParameterCheck, type ParameterValues } from '../checks/request/parameters';
import { problem, type Problem } from '../checks/problem';
import { decodeContent } from '../http/content-coding';
import type { RequestHead } from '../http/message';
import { effectiveHost } from '../http/request-target';
import type { JsonValue } from '../json/json-value';
import { credentialPlaces, withoutUndeclaredSecrets } from '../openapi/credential-places';
import type { ApiModel, MediaTypeEntry, Operation, Property, RequestBody, Schema } from '../openapi/model';
import { isFileBody } from '../resources/files';
import { readerOf } from '../resources/schema-reader';
import { bodyTooLarge, maxBodyBytes, type Admitted } from './admit';
import { UNDECODABLE_PATH } from './check-message';
import { performBehaviour } from './behaviours/perform-behaviour';
import { checkStrictMembers } from './behaviours/strict-members';
import { refused, type Call, type Outcome } from './call';
import type { MockContext } from './context';
import { checkIdempotencyKey } from './idempotency';
import type { Draft } from './draft';
import { askedIn } from './asked-in';
import type { Warnings } from '../checks/warnings';
import { withElsewhere } from './elsewhere';
import { namesForSubject } from './task-effects';
import type { Binding } from '../resources/resource-model';

export type Prepared =
  { readonly kind: 'prepared'; readonly call: Call } | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * The checks that need the body: its size, parameters, presence, grammar, schema, unknown members.
 *
 * @returns a promise only for a body whose parts come one by one
 */
export function prepare(
  context: MockContext,
  admitted: Admitted,
  head: RequestHead,
  body: Uint8Array,
): Prepared | Promise<Prepared> {
  const decoded = decodeBody(context, admitted, head, body);
  if ('code' in decoded && decoded.status !== 400) return refuse(decoded);
  const isStrict = admitted.preferences.get('handling') === 'strict';
  const asked = admitted.isAsked && !('code' in decoded) ? askedIn(head, decoded) : '';
  const found = asked === '' ? admitted : { ...admitted, query: joinQueries(admitted.query, asked) };
  const parameters = readParameters(found, head, isStrict, credentialPlaces(context.api).query);
  if (parameters.kind === 'refused') return parameters;
  if ('code' in decoded) return refuse(decoded);
  const toPrepared = (parsed: ParsedBody): Prepared => {
    if (parsed.kind === 'refused') return parsed;
    const call = toCall(context, admitted, head, parameters.values, parsed, isStrict);
    const { behaviour } = admitted.plan;
    const unknown = behaviour === undefined ? undefined : checkStrictMembers(call, behaviour);
    return unknown === undefined ? { kind: 'prepared', call } : refuse(unknown);
  };
  const parsed = parseBody(context, admitted, head, decoded);
  return parsed instanceof Promise ? parsed.then(toPrepared) : toPrepared(parsed);
}

function joinQueries(first: string, second: string): string {
  return first === '' ? second : `${first}&${second}`;
}

function refuse(fault: Problem): { readonly kind: 'refused'; readonly problem: Problem } {
  return { kind: 'refused', problem: fault };
}

/** The declared parameters, and the Idempotency-Key, whose grammar no schema can state. */
function readParameters(
  { operation, match, query, plan, warnings }: Admitted,
  head: RequestHead,
  strict: boolean,
  credentialNames: ReadonlySet<string>,
): ParameterCheck {
  if (match.isUndecodable) return refuse(UNDECODABLE_PATH);
  const { rawPathParameters: pathParameters } = match;
  const checked = checkParameters(operation, { head, pathParameters, query, strict, credentialNames, warnings });
  if (checked.kind === 'refused' || !plan.idempotencyHeader) return checked;
  const malformed = checkIdempotencyKey(head);
  return malformed === undefined ? checked : refuse(malformed);
}

const NO_PROPERTIES: ReadonlyMap<string, Property> = new Map();

function toCall(
  { api }: MockContext,
  { operation, plan, match, principal, preferences, query, content, warnings }: Admitted,
  head: RequestHead,
  parameters: ParameterValues,
  parsed: Extract<ParsedBody, { kind: 'valid' }>,
  isStrict: boolean,
): Call {
  return {
    operation,
    head,
    principal,
    parameters: withElsewhere(plan.behaviour?.binding, parameters, parsed.value),
    body: parsed.value,
    file: parsed.file,
    mediaType: content?.mediaType,
    bodyProperties: content?.schema === undefined ? NO_PROPERTIES : propertiesIn(api, content.schema),
    isStrict,
    isMinimal: preferences.get('return') === 'minimal',
    baseUrl: serverUrlOf(head) + match.basePath,
    query: withoutUndeclaredSecrets(query, api, operation),
    warnings,
  };
}

/** Scheme, host and mount path of the server, as the client reached it. */
export function serverUrlOf(head: RequestHead): string {
  const host = head.headers['host'] ?? head.usualHost;
  return `http://${effectiveHost(head.target, String(host))}${head.mountPath ?? ''}`;
}

/** Members of a body, also behind a wrapper of one branch. */
function propertiesIn(api: ApiModel, schema: Schema): ReadonlyMap<string, Property> {
  const direct = api.propertiesOf(schema);
  const inner = direct.size > 0 ? undefined : readerOf(api).unwrap(schema);
  return inner === undefined ? direct : api.propertiesOf(inner);
}

type ParsedBody =
  | { readonly kind: 'valid'; readonly value: JsonValue | undefined; readonly file?: SentFile | undefined }
  | { readonly kind: 'refused'; readonly problem: Problem };

const NO_BODY: ParsedBody = { kind: 'valid', value: undefined };

function parseBody(
  { api, options: { limits } }: MockContext,
  { operation, content, match, warnings }: Admitted,
  head: RequestHead,
  decoded: Uint8Array,
): ParsedBody | Promise<ParsedBody> {
  const { requestBody } = operation;
  if (requestBody === undefined || content === undefined) return NO_BODY;
  if (decoded.length > 0) {
    const asked = missingMembers(api, content.schema, Object.keys(match.rawPathParameters), warnings);
    const checked = checkBody(content, contentTypeOf(content, head), decoded, {
      warnings,
      asked,
      bounds: { names: limits.formNames, textBytes: limits.bodyBytes },
    });
    return checked instanceof Promise || checked.kind === 'refused' || !isFileBody(content)
      ? checked
      : { ...checked, file: wholeFile(head, decoded) };
  }
  if (!requestBody.required || isReadWithoutBody(operation, content, warnings)) return NO_BODY;
  return refuse(missingBody(requestBody));
}

/** A body that is a file as a whole. Its name may stand in Content-Disposition, as browsers' uploads have it (RFC 6266 §4.3). */
function wholeFile({ headers }: RequestHead, bytes: Uint8Array): SentFile {
  const type = headers['content-type'];
  const named = /;\s*filename="?([^";]+)"?/i.exec(String(headers['content-disposition'] ?? ''))?.[1];
  return { member: '', name: named, mediaType: typeof type === 'string' && type !== '' ? type : OCTETS, bytes };
}

const OCTETS = 'application/octet-stream';

/** What a removal is told in a body has no meaning of its own (RFC 9110 §9.3.5): few clients send one. */
function isReadWithoutBody({ method }: Operation, { schema }: MediaTypeEntry, warnings: Warnings): boolean {
  const needsNothing = schema === undefined || schema.validate('request')({}).length === 0;
  return (
    method === 'DELETE' &&
    needsNothing &&
    warnings.allows('missing_body', 'The body is missing: nothing in it must be there')
  );
}

/** As it was sent; where that is no name for what was taken, as the description has it. */
function contentTypeOf({ mediaType, shape }: MediaTypeEntry, { headers }: RequestHead): string {
  const sent = headers['content-type'];
  if (typeof sent !== 'string' || sent === '') return mediaType;
  const isOctets = bodyKind(mediaType) === 'binary' && (shape.isBinary || !mediaType.includes('*'));
  return isOctets ? mediaType : sent;
}

export function missingBody({ mediaTypes }: Pick<RequestBody, 'mediaTypes'>): Problem {
  return problem('missing_body', `The body is missing; send ${mediaTypes.join(' or ')}`);
}

function decodeBody(
  context: MockContext,
  { content }: Admitted,
  head: RequestHead,
  sent: Uint8Array,
): Uint8Array | Problem {
  const coding = head.headers['content-encoding'];
  if (typeof coding !== 'string' || content === undefined) return sent;
  const decoded = decodeContent(sent, coding, maxBodyBytes(context, content));
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

/** Lets the operation's behaviour work on a draft. Only its changes are kept, and only when it did not refuse. */
export function perform(context: MockContext, admitted: Admitted, call: Call, draft: Draft, nowMs: number): Outcome {
  const { behaviour: plan } = admitted.plan;
  if (plan === undefined) return refused(problem('not_implemented', 'No behaviour is known for this operation'));
  const scope = plan.scope(call, draft);
  if ('code' in scope) return refused(scope);
  const missing = admitted.plan.above?.missing(call, draft);
  if (missing !== undefined) return refused(missing);
  const { rules, resources, options } = context;
  const { requireIfMatch, idStart, limits } = options;
  const { resource } = plan;
  return performBehaviour({
    call,
    plan,
    resource,
    scope,
    draft,
    resources,
    rules,
    nowMs,
    requireIfMatch,
    idStart,
    namesForSubject: () => namesForSubject(context, admitted.plan, call, draft),
    maxItemLength: limits.bodyBytes,
  });
}

/** Nothing can be stored of text and octets, such as XML, unless they are a file: they are answered as if nothing stood behind. */
export function isModelled({ plan: { behaviour } }: Admitted, call: Call): boolean {
  if (behaviour === undefined || namesNone(behaviour.binding, call)) return false;
  const { body, file } = call;
  return typeof body !== 'string' || (file !== undefined && behaviour.fileMember !== undefined);
}

/** `POST /things.open { users }`: the key of an action may be left out where something else says what is meant. */
function namesNone({ behaviour, keyParameter = '', elsewhere }: Binding, { parameters }: Call): boolean {
  return behaviour === 'act' && elsewhere.has(keyParameter) && !parameters.path.has(keyParameter);
}
