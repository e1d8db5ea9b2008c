import { checkJsonBody } from '../checks/request/body';
import { checkParameters, type ParameterCheck, type ParameterValues } from '../checks/request/parameters';
import { problem, type Problem } from '../checks/problem';
import { decodeContent } from '../http/content-coding';
import { isJsonMediaType } from '../http/media-type';
import type { RequestHead } from '../http/message';
import { effectiveHost } from '../http/request-target';
import type { JsonValue } from '../json/json-value';
import type { Property } from '../openapi/model';
import { bodyTooLarge, UNDECODABLE_PATH, type Admitted } from './admit';
import { create } from './behaviours/create';
import { list } from './behaviours/list';
import { read } from './behaviours/read';
import { remove } from './behaviours/remove';
import { replace } from './behaviours/replace';
import { update } from './behaviours/update';
import { checkStrictMembers, type WriteContext } from './behaviours/write-context';
import { refused, type Call, type Outcome } from './call';
import type { MockContext } from './context';
import { checkIdempotencyKey } from './idempotency';
import type { Draft } from './draft';

export type Prepared =
  { readonly kind: 'prepared'; readonly call: Call } | { readonly kind: 'refused'; readonly problem: Problem };

/** The checks that need the body: its size, parameters, presence, JSON, schema, unknown members. */
export function prepare(context: MockContext, admitted: Admitted, head: RequestHead, body: Uint8Array): Prepared {
  const decoded = decodeBody(context, admitted, head, body);
  if ('code' in decoded && decoded.status !== 400) return refuse(decoded);
  const isStrict = admitted.preferences.get('handling') === 'strict';
  const parameters = readParameters(admitted, head, isStrict);
  if (parameters.kind === 'refused') return parameters;
  if ('code' in decoded) return refuse(decoded);
  const parsed = parseBody(admitted, decoded);
  if (parsed.kind === 'refused') return parsed;
  const call = toCall(context, admitted, head, parameters.values, parsed.value, isStrict);
  const resource = admitted.plan.behaviour?.resource;
  const unknown = resource === undefined ? undefined : checkStrictMembers(call, resource);
  return unknown === undefined ? { kind: 'prepared', call } : refuse(unknown);
}

function refuse(fault: Problem): { readonly kind: 'refused'; readonly problem: Problem } {
  return { kind: 'refused', problem: fault };
}

/** The declared parameters, and the Idempotency-Key, whose grammar no schema can state. */
function readParameters(
  { operation, match, query, plan }: Admitted,
  head: RequestHead,
  strict: boolean,
): ParameterCheck {
  if (match.isUndecodable) return refuse(UNDECODABLE_PATH);
  const { pathParameters } = match;
  const checked = checkParameters(operation, { head, pathParameters, query, strict });
  if (checked.kind === 'refused' || !plan.idempotencyHeader) return checked;
  const malformed = checkIdempotencyKey(head);
  return malformed === undefined ? checked : refuse(malformed);
}

const NO_PROPERTIES: ReadonlyMap<string, Property> = new Map();

function toCall(
  { api, basePath }: MockContext,
  { operation, principal, preferences, query, content }: Admitted,
  head: RequestHead,
  parameters: ParameterValues,
  body: JsonValue | undefined,
  isStrict: boolean,
): Call {
  return {
    operation,
    head,
    principal,
    parameters,
    body,
    bodyProperties: content?.schema === undefined ? NO_PROPERTIES : api.propertiesOf(content.schema),
    isStrict,
    isMinimal: preferences.get('return') === 'minimal',
    baseUrl: serverUrlOf(head) + basePath,
    query,
  };
}

/** Scheme, host and mount path of the server, as the client reached it. */
export function serverUrlOf(head: RequestHead): string {
  return `http://${effectiveHost(head.target, String(head.headers['host']))}${head.mountPath ?? ''}`;
}

type ParsedBody =
  | { readonly kind: 'parsed'; readonly value: JsonValue | undefined }
  | { readonly kind: 'refused'; readonly problem: Problem };

function parseBody({ operation, content }: Admitted, decoded: Uint8Array): ParsedBody {
  const { requestBody } = operation;
  if (requestBody === undefined || content === undefined) return { kind: 'parsed', value: undefined };
  if (decoded.length === 0) {
    if (!requestBody.required) return { kind: 'parsed', value: undefined };
    return refuse(problem('missing_body', `The body is missing; send ${requestBody.mediaTypes.join(' or ')}`));
  }
  if (!isJsonMediaType(content.mediaType)) {
    return refuse(problem('not_implemented', `Bodies of ${content.mediaType} are not read by this version, only JSON`));
  }
  const checked = checkJsonBody(content, decoded);
  return checked.kind === 'valid' ? { kind: 'parsed', value: checked.value } : checked;
}

function decodeBody(
  context: MockContext,
  { content }: Admitted,
  head: RequestHead,
  sent: Uint8Array,
): Uint8Array | Problem {
  const coding = head.headers['content-encoding'];
  if (typeof coding !== 'string' || content === undefined) return sent;
  const decoded = decodeContent(sent, coding, context.options.limits.bodyBytes);
  switch (decoded.kind) {
    case 'decoded':
      return decoded.body;
    case 'too-large':
      return bodyTooLarge(context);
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
  const { behaviour } = admitted.plan;
  if (behaviour === undefined) return refused(problem('not_implemented', 'No behaviour is known for this operation'));
  const { kind, resource } = behaviour;
  if (kind === 'list') return list(call, resource, draft);
  if (kind === 'read') return read(call, resource, draft);
  const { rules, resources, options } = context;
  const write: WriteContext = {
    draft,
    resources,
    rules,
    nowMs,
    requireIfMatch: options.requireIfMatch,
    idStart: options.idStart,
  };
  switch (kind) {
    case 'create':
      return create(call, resource, write);
    case 'replace':
      return replace(call, resource, write);
    case 'update':
      return update(call, resource, write);
    case 'remove':
      return remove(call, resource, write);
  }
}
