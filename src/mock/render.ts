import type { HttpResponse } from '../http/message';
import type { ResponseSpec } from '../openapi/model';
import { memberOf } from '../json/member';
import type { Call, ItemOutcome, ListOutcome, Outcome } from './call';
import type { BodyPlan } from './body-plan';
import type { OperationPlan, PlannedBehaviour } from './operation-plan';
import { planFill, pushListHeaders } from './page-facts';
import { fillTemplate } from '../resources/collection-name';
import { represent, representOnce } from './representation';
import { CONTENT } from './file-places';
import { keyOf } from './resource';
import { fileAnswer } from './uploaded';

type Rendered = Exclude<Outcome, { kind: 'refused' }>;

/** Writes what a behaviour did as the response that the description documents for it. */
export function renderOutcome(outcome: Rendered, call: Call, plan: OperationPlan): HttpResponse {
  const { behaviour } = plan;
  if (behaviour === undefined) throw new Error(`${plan.operation.id} acts on no resource`);
  const { body } = behaviour;
  switch (outcome.kind) {
    case 'listed':
      return renderPage(outcome, call, plan, behaviour);
    case 'not-modified': {
      const headers = [...baseHeaders(call, false), 'ETag', represent(outcome.item, behaviour.resource).etag];
      return { status: 304, headers, body: undefined };
    }
    case 'many':
      return withBody(plan, call, body, () => (behaviour.many?.body ?? body).list(outcome.items, () => undefined));
    case 'counted':
      return withBody(plan, call, body, () => body.value(outcome.counts));
    case 'told':
      return withBody(plan, call, body, () => body.value(outcome.value));
    case 'removed':
      return withBody(plan, call, body, () => body.item(outcome.item));
    case 'found':
      return fileOf(outcome, plan) ?? renderItem(outcome, call, plan, behaviour);
    case 'created':
    case 'changed':
      return renderItem(outcome, call, plan, behaviour);
  }
}

/** The file that an item is, where it is nothing else. */
function fileOf({ item }: ItemOutcome, { behaviour, successStatus }: OperationPlan): HttpResponse | undefined {
  return behaviour?.readsFile === true ? fileAnswer(memberOf(item, CONTENT), successStatus) : undefined;
}

function renderItem(outcome: ItemOutcome, call: Call, plan: OperationPlan, behaviour: PlannedBehaviour): HttpResponse {
  const { kind, item } = outcome;
  const { resource, body } = behaviour;
  const minimalStatus = call.isMinimal ? plan.minimalStatus : undefined;
  const isMinimal = minimalStatus !== undefined;
  const status = minimalStatus ?? (kind === 'created' ? plan.createdStatus : plan.successStatus);
  const spec = plan.response(status);
  const { text, length, etag } = kind === 'found' ? represent(item, resource) : representOnce(item, resource);
  const headers = baseHeaders(call, isMinimal);
  if (declares(spec, 'etag')) headers.push('ETag', etag);
  if (kind === 'created') pushLocation(headers, outcome, call, behaviour, spec, status);
  if (isMinimal || spec === undefined || spec.content.length === 0) return { status, headers, body: undefined };
  headers.push('Content-Type', body.contentType);
  if (!body.isPlainItem) return { status, headers, body: body.item(item) };
  headers.push('Content-Length', length);
  return { status, headers, body: text };
}

/** Where the new item can be read; told for every 201, and for others where they document it (RFC 9110 §15.3.2). */
function pushLocation(
  headers: string[],
  { scope, item }: ItemOutcome,
  call: Call,
  { resource }: PlannedBehaviour,
  spec: ResponseSpec | undefined,
  status: number,
): void {
  const { itemPath } = resource;
  const key = keyOf(resource, item);
  if (itemPath === undefined || key === undefined || (status !== 201 && !declares(spec, 'location'))) return;
  headers.push('Location', call.baseUrl + fillTemplate(itemPath, [...scope.values, key]));
}

function withBody(plan: OperationPlan, call: Call, body: BodyPlan, write: () => string): HttpResponse {
  const headers = baseHeaders(call, false);
  if (body.isEmpty) return { status: plan.successStatus, headers, body: undefined };
  headers.push('Content-Type', body.contentType);
  return { status: plan.successStatus, headers, body: write() };
}

function renderPage(outcome: ListOutcome, call: Call, plan: OperationPlan, { body }: PlannedBehaviour): HttpResponse {
  const headers = baseHeaders(call, false);
  pushListHeaders(headers, outcome, call, plan);
  headers.push('Content-Type', body.contentType);
  const text = body.list(outcome.page.items, planFill(outcome, call, plan.behaviour?.list.parameters), outcome.fields);
  return { status: plan.successStatus, headers, body: text };
}

/** `no-cache` lets a client keep what it has and ask with If-None-Match; other answers are not to be kept. */
function baseHeaders(call: Call, isMinimal: boolean): string[] {
  const headers = ['Cache-Control', call.operation.method === 'GET' ? 'no-cache' : 'no-store'];
  if (!isMinimal && !call.isStrict) return headers;
  const applied = [isMinimal ? 'return=minimal' : '', call.isStrict ? 'handling=strict' : ''].filter(
    (text) => text !== '',
  );
  headers.push('Preference-Applied', applied.join(', '), 'Vary', 'Prefer');
  return headers;
}

function declares(response: ResponseSpec | undefined, header: string): boolean {
  return response?.headers.has(header) === true;
}
