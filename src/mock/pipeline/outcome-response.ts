import { BODY_HEADERS, withoutHeaders } from '../../core/http/headers';
import type { HttpResponse } from '../../core/http/message';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty, pickProperties } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import type { ResponseSpec, Schema } from '../../openapi/model/operation';
import { viewOf, type SchemaView } from '../../openapi/view/schema-view';
import { fillTemplate } from '../../resources/model/resource';
import type { Call, ItemOutcome, ListOutcome, Outcome } from '../calls/call';
import type { MockContext } from '../context/context';
import { compoundDocument } from './compound-document';
import { fileResponse } from '../effects/uploads';
import { fillFrom, PageMetadata } from '../lists/page-metadata';
import type { BodyPlan } from '../plans/body-plan';
import type { OperationPlan, PlannedBehaviour } from '../plans/operation-plan';
import { EXPANDS } from '../plans/operation-planner';
import type { Draft } from '../state/draft';
import { CONTENT } from '../state/item-paths';
import { represent, representOnce, visible } from '../state/item-representation';
import { isRooted, keyOf, type Resource } from '../state/prepared-resource';
import { jsonEntry } from '../../openapi/view/operation-bodies';

/** Steps that one name leads: `data.invoice.customer`. */
const MOST_STEPS = 8;
const MOST_NAMES = 20;
const NO_NAMES: readonly string[] = [];

/**
 * Shows whole what a request asks for by name, `expand=customer`, where a property is documented as either the key of an item
 * or the item itself. What is not kept stays as it is.
 */
export function expandResponse(
  context: MockContext,
  plan: OperationPlan,
  call: Call,
  response: HttpResponse,
  draft: Draft,
): HttpResponse {
  const names = namesAsked(call, plan.expandedBy);
  if (names.length === 0) return response;
  const { body, status, headers } = response;
  const content = jsonEntry(plan.response(status)?.content ?? []);
  if (typeof body !== 'string' || content?.schema === undefined) return response;
  const { schema } = content;
  const { resources, api } = context;
  const expander = new Expander(viewOf(api), [...resources.values()], draft);
  const before = parseJson(body);
  const whole = names.reduce((value, name) => expander.at(value, schema, name.split('.').slice(0, MOST_STEPS)), before);
  const { resource } = plan.behaviour ?? {};
  const isCompound = resource !== undefined && viewOf(api).along(schema, ['included']) !== undefined;
  const after = isCompound ? compoundDocument(whole, names, resource, { draft, resources }) : whole;
  const text = stringifyJson(after);
  if (text === stringifyJson(before) || !schema.accepts(after, 'response')) return response;
  return { ...response, headers: withoutHeaders(headers, BODY_HEADERS), body: text };
}

function namesAsked({ parameters, body }: Call, inQuery: readonly string[]): readonly string[] {
  const inBody = isJsonObject(body) ? Object.keys(body).filter((name) => EXPANDS.test(name)) : NO_NAMES;
  if (inQuery.length === 0 && inBody.length === 0) return NO_NAMES;
  const asked = [
    ...inQuery.map((name) => parameters.query.get(name)),
    ...inBody.map((name) => (isJsonObject(body) ? ownProperty(body, name) : undefined)),
  ];
  return asked.flatMap(textsIn).slice(0, MOST_NAMES);
}

function textsIn(value: JsonValue | undefined): string[] {
  const values: readonly JsonValue[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return values.flatMap((each) => (typeof each === 'string' ? each.split(',') : [])).filter((text) => text !== '');
}

class Expander {
  private readonly view: SchemaView;
  private readonly resources: readonly Resource[];
  private readonly draft: Draft;

  constructor(view: SchemaView, resources: readonly Resource[], draft: Draft) {
    this.view = view;
    this.resources = resources;
    this.draft = draft;
  }

  /** @param path - properties that lead on to what is to be whole; those of lists are meant of each entry */
  at(value: JsonValue, schema: Schema, path: readonly string[]): JsonValue {
    const place = this.view.unwrap(schema) ?? schema;
    if (Array.isArray(value)) {
      const items = this.view.items(place);
      return items === undefined ? value : value.map((entry: JsonValue) => this.at(entry, items, path));
    }
    const whole = isJsonObject(value) ? value : this.whole(value, place);
    return whole === undefined ? value : this.inside(whole, place, path);
  }

  private inside(value: JsonObject, place: Schema, [name, ...rest]: readonly string[]): JsonObject {
    const property = name === undefined ? undefined : this.view.properties(place).get(name);
    const inner = property === undefined ? undefined : ownProperty(value, property.name);
    const next = property === undefined ? undefined : this.view.schemaOf(property);
    if (property === undefined || inner === undefined || next === undefined) return value;
    const expanded = this.at(inner, next, rest);
    return expanded === inner ? value : { ...value, [property.name]: expanded };
  }

  /** The item that a key means, where a place takes either. */
  private whole(key: JsonValue, place: Schema): JsonObject | undefined {
    for (const branch of this.view.alternatives(place)) {
      if (!this.view.isObject(branch)) continue;
      const resource = this.resources.find((each) => isRooted(each) && each.schema.pointer === branch.pointer);
      const known = resource?.toKey(key);
      const item = resource === undefined || known === undefined ? undefined : this.draft.get(resource.path, known);
      if (resource !== undefined && item !== undefined) return visible(item, resource);
    }
    return undefined;
  }
}

type Rendered = Exclude<Outcome, { kind: 'rejected' }>;

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
    case 'value':
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
  return behaviour?.readsFile === true ? fileResponse(ownProperty(item, CONTENT), successStatus) : undefined;
}

function renderItem(outcome: ItemOutcome, call: Call, plan: OperationPlan, behaviour: PlannedBehaviour): HttpResponse {
  const { kind, item } = outcome;
  const { resource, body } = behaviour;
  const minimalStatus = call.isMinimal ? plan.minimalStatus : undefined;
  const isMinimal = minimalStatus !== undefined;
  const status = minimalStatus ?? statusOf(kind, plan, behaviour);
  const spec = plan.response(status);
  const { text, length, etag } = kind === 'found' ? represent(item, resource) : representOnce(item, resource);
  const headers = baseHeaders(call, isMinimal);
  if (declares(spec, 'etag')) headers.push('ETag', etag);
  if (kind === 'created') pushLocation(headers, outcome, call, behaviour, spec, status);
  if (isMinimal || spec === undefined || spec.content.length === 0) return { status, headers, body: undefined };
  headers.push('Content-Type', body.contentType);
  const fields = behaviour.list.fields(call);
  if (!body.isPlainItem || fields !== undefined)
    return echoBeside({ status, headers, body: body.item(item, fields) }, call, plan, behaviour);
  headers.push('Content-Length', length);
  return { status, headers, body: text };
}

function statusOf(kind: ItemOutcome['kind'], plan: OperationPlan, behaviour: PlannedBehaviour): number {
  if (kind === 'created') return plan.createdStatus;
  return behaviour.kind === 'create' ? plan.foundStatus : plan.successStatus;
}

/** Where a response is no item, what was sent is shown in it as far as items do not hold it. */
function echoBeside(
  response: HttpResponse,
  call: Call,
  { requestEcho }: OperationPlan,
  { resource }: PlannedBehaviour,
): HttpResponse {
  if (requestEcho === undefined) return response;
  const { body } = call;
  const beside = isJsonObject(body) ? pickProperties(body, (name) => !resource.properties.has(name)) : undefined;
  return requestEcho(response, { ...call, body: beside });
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

function renderPage(
  outcome: ListOutcome,
  call: Call,
  { successStatus }: OperationPlan,
  { body, list, listHeaders }: PlannedBehaviour,
): HttpResponse {
  const page = new PageMetadata(outcome, call, list.parameters);
  const headers = baseHeaders(call, false);
  for (const { name, value } of listHeaders) {
    const text = value(page);
    if (text !== undefined) headers.push(name, text);
  }
  headers.push('Content-Type', body.contentType);
  return { status: successStatus, headers, body: body.list(outcome.page.items, fillFrom(page), outcome.fields) };
}

/** `no-cache` lets a client keep what it has and ask with If-None-Match; other responses are not to be kept. */
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
