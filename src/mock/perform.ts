import { checkJsonBody } from '../checks/request/body';
import { checkParameters, type ParameterValues } from '../checks/request/parameters';
import { problem, type Problem } from '../checks/problem';
import { decodeContent } from '../http/content-coding';
import type { RequestHead } from '../http/message';
import type { JsonValue } from '../json/json-value';
import { bodyTooLarge, type Admitted } from './admit';
import { create } from './behaviours/create';
import { list } from './behaviours/list';
import { read } from './behaviours/read';
import { remove } from './behaviours/remove';
import { replace } from './behaviours/replace';
import { update } from './behaviours/update';
import { checkStrictMembers, type WriteContext } from './behaviours/write-context';
import { refused, type Call, type Outcome } from './call';
import type { MockContext } from './context';
import type { Draft } from './state';

export type Prepared =
  { readonly kind: 'prepared'; readonly call: Call } | { readonly kind: 'refused'; readonly problem: Problem };

/** The checks that need the body: parameters, presence, JSON, schema, unknown members. */
export function prepare(context: MockContext, admitted: Admitted, head: RequestHead, body: Uint8Array): Prepared {
  const isStrict = admitted.preferences.get('handling') === 'strict';
  const parameters = checkParameters(admitted.operation, {
    head,
    pathParameters: admitted.match.pathParameters,
    query: admitted.query,
    strict: isStrict,
  });
  if (parameters.kind === 'refused') return parameters;
  const parsed = parseBody(context, admitted, head, body);
  if (parsed.kind === 'refused') return parsed;
  const call = toCall(context, admitted, head, parameters.values, parsed.value, isStrict);
  const resource = admitted.plan.behaviour?.resource;
  const unknown = resource === undefined ? undefined : checkStrictMembers(call, resource);
  return unknown === undefined ? { kind: 'prepared', call } : { kind: 'refused', problem: unknown };
}

function toCall(
  { basePath }: MockContext,
  { operation, principal, preferences, query }: Admitted,
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
    isStrict,
    isMinimal: preferences.get('return') === 'minimal',
    baseUrl: baseUrlOf(head, basePath),
    query,
  };
}

/** Scheme, host, mount path and base path of the server, as the client reached it. */
export function baseUrlOf(head: RequestHead, basePath: string): string {
  return `http://${String(head.headers['host'])}${head.mountPath ?? ''}${basePath}`;
}

type ParsedBody =
  | { readonly kind: 'parsed'; readonly value: JsonValue | undefined }
  | { readonly kind: 'refused'; readonly problem: Problem };

function parseBody(context: MockContext, admitted: Admitted, head: RequestHead, sent: Uint8Array): ParsedBody {
  const { requestBody } = admitted.operation;
  if (requestBody === undefined || admitted.content === undefined) return { kind: 'parsed', value: undefined };
  const decoded = decodeBody(context, head, sent);
  if ('code' in decoded) return { kind: 'refused', problem: decoded };
  if (decoded.length === 0) {
    if (!requestBody.required) return { kind: 'parsed', value: undefined };
    return {
      kind: 'refused',
      problem: problem('missing_body', `The body is missing; send ${requestBody.mediaTypes.join(' or ')}`),
    };
  }
  const checked = checkJsonBody(admitted.content, decoded);
  return checked.kind === 'valid' ? { kind: 'parsed', value: checked.value } : checked;
}

function decodeBody(context: MockContext, head: RequestHead, sent: Uint8Array): Uint8Array | Problem {
  const coding = head.headers['content-encoding'];
  if (typeof coding !== 'string') return sent;
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
