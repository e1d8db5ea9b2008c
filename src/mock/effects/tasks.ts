import { BODY_HEADERS, headerValue, withoutHeaders } from '../../core/http/headers';
import { isJsonMediaType } from '../../core/http/media-type';
import type { HttpResponse } from '../../core/http/message';
import { mergePatch } from '../../core/json/json-patches';
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  pickProperties,
  setProperty,
} from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import { wordsOf } from '../../core/text/inflection';
import type { Key } from '../../lists/sort-values';
import type { ApiModel } from '../../openapi/model/api-model';
import { parseTemplate } from '../../openapi/view/path-template';
import { viewOf } from '../../openapi/view/schema-view';
import { examplesOf } from '../../payload/content-choice';
import { effectOfWord } from '../../resources/actions/action-effects';
import { fillTemplate } from '../../resources/model/resource';
import type { Call, ItemOutcome, Outcome } from '../calls/call';
import type { MockContext } from '../context/context';
import { showAddress } from '../fitting/item-address';
import type { OperationPlan } from '../plans/operation-plan';
import {
  begin,
  finished,
  holdsKey,
  isVerb,
  linkTask,
  namesVerb,
  sentOfTask,
  type Subject,
  subjectOf,
  type TaskKind,
  type TaskLocation,
} from '../plans/task-resources';
import type { Draft } from '../state/draft';
import { coerceKey, type Item, type ItemDraft } from '../state/item';
import { arrange, represent, violationsOf, visible } from '../state/item-representation';
import { keyOf, type Resource } from '../state/prepared-resource';
import { acceptsProperties, findStoredParent, storeProperties } from './parent-item-changes';
import { jsonEntry } from '../../openapi/view/operation-bodies';

/** Verbs of tasks whose bodies say what properties of the thing are to be. */
const CHANGES = /^(?:rename|resize|rescale|scale|change|update|set|modify|edit|reassign)$/;

/**
 * Does to an item what a task that was asked for below it says in plain words, for a task is done when it is read:
 * `{ "type": "power_off" }` and `POST /things/{id}/actions/power_off` make its `status` `off`, `rename` gives it the name
 * that was sent. A word that says nothing of the item, and what the item cannot hold, change nothing; so do operations
 * that are bound to the item, which they changed already, and those that a rule speaks of.
 */
function applyToParent(context: MockContext, plan: OperationPlan, call: Call, draft: Draft): void {
  const word = wordOf(context, call);
  const subject = word === undefined ? undefined : findStoredParent(context, plan, call, draft);
  if (word === undefined || subject === undefined || changes(plan, subject.resource)) return;
  const { resource, stored } = subject;
  const properties = { ...propertiesSent(word, resource, call.body), ...effect(context, word, resource, stored.item) };
  storeProperties(subject, properties, draft);
}

/** Names of properties that were sent with a task for the item that it is asked for. */
export function propertiesForParent(context: MockContext, plan: OperationPlan, call: Call, draft: Draft): string[] {
  const word = plan.tasks().length === 0 ? undefined : wordOf(context, call);
  const subject = word === undefined ? undefined : findStoredParent(context, plan, call, draft);
  if (word === undefined || subject === undefined || changes(plan, subject.resource)) return [];
  const properties = propertiesSent(word, subject.resource, call.body);
  return acceptsProperties(subject, properties) ? Object.keys(properties) : [];
}

/** Is the operation bound to the item, so that it changed it already? */
function changes({ behaviour }: OperationPlan, resource: Resource): boolean {
  const isIdle = behaviour?.kind === 'act' && behaviour.binding.action?.assignments.length === 0;
  return behaviour?.resource === resource && !isIdle;
}

function effect({ api }: MockContext, word: string, { name, properties }: Resource, item: Item): ItemDraft {
  const found = effectOfWord(word, name, properties, viewOf(api));
  if (found === undefined) return {};
  const { property, value, isMerged } = found;
  return { [property]: isMerged === true ? mergePatch(ownProperty(item, property), value) : value };
}

/** The word of a task that no rule speaks of. */
function wordOf({ rules }: MockContext, call: Call): string | undefined {
  return rules?.operations?.[call.operation.id] === undefined ? wordIn(call) : undefined;
}

/** The word for what is done: in the body, else at the end of the path. */
function wordIn({ body, operation }: Call): string | undefined {
  const named = Object.entries(isJsonObject(body) ? body : {}).find(
    ([name, value]) => namesVerb(name) && typeof value === 'string',
  );
  if (typeof named?.[1] === 'string') return named[1];
  const last = parseTemplate(operation.path)?.segments.at(-1);
  return operation.method === 'POST' && last?.kind === 'literal' && isVerb(last.text) ? last.text : undefined;
}

function propertiesSent(
  word: string,
  { properties, keyMember: keyProperty }: Resource,
  body: JsonValue | undefined,
): ItemDraft {
  if (!CHANGES.test(wordsOf(word)[0] ?? '') || !isJsonObject(body)) return {};
  return pickProperties(
    body,
    (name, value) => name !== keyProperty && !namesVerb(name) && value !== null && properties.has(name),
  );
}

/**
 * Stores the tasks that the response of a write tells of where they are read. What a mock does is done at once: the response
 * tells how the task began, and who reads it finds it done.
 *
 * @param outcome - what the write did; `undefined` where no state stands behind it
 */
export function storeTasks(
  context: MockContext,
  plan: OperationPlan,
  call: Call,
  response: HttpResponse,
  draft: Draft,
  outcome?: Outcome,
): HttpResponse {
  const places = plan.tasks();
  if (places.length === 0 || response.status >= 300) return response;
  applyToParent(context, plan, call, draft);
  const own = plan.behaviour?.resource;
  const done = outcome !== undefined && 'item' in outcome ? outcome.item : undefined;
  const made = own === undefined || done === undefined ? undefined : keyOf(own, done);
  const work = { context, call, plan, draft, subject: subjectOf(call, made), nowMs: context.clock.now(), puts: [] };
  const ownKind = places.find(({ kind: { resource } }) => resource === own)?.kind;
  if (ownKind === undefined) return inResponse(work, plan, response);
  if (outcome?.kind === 'created') finishOwn(work, ownKind, outcome);
  return response;
}

/** A task that the write made itself, which says what it is about. */
export function linkOwnTask(api: ApiModel, plan: OperationPlan, call: Call, draft: Draft, outcome: Outcome): Outcome {
  const behaviour = outcome.kind === 'created' ? plan.behaviour : undefined;
  const kind = behaviour && plan.tasks().find(({ kind: { resource } }) => resource === behaviour.resource)?.kind;
  if (outcome.kind !== 'created' || behaviour === undefined || kind === undefined) return outcome;
  const { scope, item } = outcome;
  const key = keyOf(kind.resource, item);
  const linked: ItemDraft = { ...item };
  linkTask(api, kind, behaviour.serverValues, subjectOf(call, undefined), linked);
  const task = arrange(kind.resource, linked);
  if (key === undefined || violationsOf(kind.resource, task).length > 0) return outcome;
  return { ...outcome, item: draft.put(scope.collection, key, task) };
}

/**
 * Stores a new item as it is read after its creation, whose response shows how it began.
 *
 * @returns the response with the tag of what is stored (RFC 9110 §8.8.3), so that a change on its condition goes through
 */
export function settleItem(
  { rules }: MockContext,
  { behaviour }: OperationPlan,
  draft: Draft,
  nowMs: number,
  made: Outcome,
  response: HttpResponse,
): HttpResponse {
  if (made.kind !== 'created' || behaviour === undefined) return response;
  const { resource, serverValues, binding } = behaviour;
  const key = keyOf(resource, made.item);
  const isRuled = rules?.operations?.[binding.operation.id] !== undefined;
  const settled = key === undefined || isRuled ? undefined : behaviour.settle(made.item, serverValues, nowMs);
  const item = settled && arrange(resource, settled);
  if (key === undefined || item === undefined || violationsOf(resource, item).length > 0) return response;
  const { etag } = represent(draft.put(made.scope.collection, key, item), resource);
  const isTag = (index: number): boolean => index % 2 === 1 && response.headers[index - 1] === 'ETag';
  return { ...response, headers: response.headers.map((text, index) => (isTag(index) ? etag : text)) };
}

/** One write that tells of tasks. */
interface Work {
  readonly context: MockContext;
  readonly call: Call;
  readonly plan: OperationPlan;
  readonly draft: Draft;
  readonly subject: Subject;
  readonly nowMs: number;
  /** Stores what the response shows, once it is sure that it may. */
  readonly puts: (() => void)[];
}

function inResponse(work: Work, plan: OperationPlan, response: HttpResponse): HttpResponse {
  const { body, status, headers } = response;
  const schema = jsonEntry(plan.response(status)?.content ?? [])?.schema;
  if (typeof body !== 'string' || !isJsonMediaType(headerValue(headers, 'Content-Type') ?? '')) return response;
  const before = parseJson(body);
  const after = plan
    .tasks()
    .reduce((value, place) => inPlace(value, place, (shown) => storeOne(work, place, shown)), before);
  if (stringifyJson(after) === body || schema?.accepts(after, 'response') === false) return response;
  for (const put of work.puts) put();
  return { ...response, headers: withoutHeaders(headers, BODY_HEADERS), body: stringifyJson(after) };
}

function inPlace(
  value: JsonValue,
  { member: property, isList }: TaskLocation,
  store: (shown: JsonValue) => JsonValue,
): JsonValue {
  if (property === undefined) return stored(value, isList, store);
  if (!isJsonObject(value)) return value;
  const shown = ownProperty(value, property);
  // A response that may tell of a task tells of it.
  const inner = shown === undefined && !isList ? {} : shown;
  const after = inner === undefined ? undefined : stored(inner, isList, store);
  return after === undefined || after === inner ? value : { ...value, [property]: after };
}

function stored(value: JsonValue, isList: boolean, store: (shown: JsonValue) => JsonValue): JsonValue {
  if (value === null || Array.isArray(value) !== isList) return value;
  return Array.isArray(value) ? value.map((each: JsonValue) => store(each)) : store(value);
}

/** A task that the write made itself: it was answered as it began, and is done by now. */
function finishOwn({ context, call, draft, nowMs }: Work, kind: TaskKind, { scope, item }: ItemOutcome): void {
  const key = keyOf(kind.resource, item);
  const making = context.plans.get(kind.read.operation).behaviour?.serverValues;
  const isRuled = context.rules?.operations?.[call.operation.id] !== undefined;
  if (key === undefined || making === undefined || isRuled) return;
  const done = arrange(kind.resource, finished(kind, making, item, nowMs));
  if (violationsOf(kind.resource, done).length === 0) draft.put(scope.collection, key, done);
}

/** @returns what is answered of the task; what was there before where none can be stored */
function storeOne(work: Work, place: TaskLocation, shown: JsonValue): JsonValue {
  const { kind } = place;
  const { context, call, plan, draft, subject, nowMs } = work;
  const { resource } = kind;
  const making = context.plans.get(kind.read.operation).behaviour?.serverValues;
  const scope = resource.scope.flatMap(({ name }) => coerceKey(call.parameters.path.get(name), 'any') ?? []);
  if (making === undefined || !isJsonObject(shown) || scope.length < resource.scope.length) return shown;
  const collection = fillTemplate(resource.path, scope);
  const key = making.keys.take(collection, draft, context.options.idStart);
  if (key === undefined) return shown;
  const item: ItemDraft = { ...sentOfTask(kind, making, call.body), [resource.keyMember]: key, ...placed(kind, call) };
  resource.scope.forEach(({ property }, index) => {
    if (property !== undefined) setProperty(item, property, scope[index]);
  });
  showAddress(resource, scope, item);
  linkTask(context.api, kind, making, subject, item, inExample(plan, place));
  begin(kind, making, item, nowMs);
  making.addDefaults(item);
  making.complete(item, nowMs);
  const begun = arrange(resource, making.fillParts(item));
  const done = arrange(resource, finished(kind, making, begun, nowMs));
  if ([begun, done].some((each) => violationsOf(resource, each).length > 0)) return shown;
  work.puts.push(() => draft.put(collection, key, done));
  return showTask(context.api, place, shown, visible(begun, resource), key);
}

/** The task as the example of the response shows it. */
function inExample({ success }: OperationPlan, { member: property }: TaskLocation): JsonObject | undefined {
  const entry = jsonEntry(success?.content ?? []);
  const [body] = entry === undefined ? [] : examplesOf(entry).map(({ value }) => value);
  const held = property === undefined ? body : isJsonObject(body) ? ownProperty(body, property) : undefined;
  const [first] = Array.isArray(held) ? held : [held];
  return isJsonObject(first) ? first : undefined;
}

/** By what the lists below other items choose: `/things/{id}/tasks` has those that were made below that thing. */
function placed(kind: TaskKind, { operation, parameters: { path } }: Call): Record<string, Key> {
  const found: Record<string, Key> = {};
  for (const { operation: other, restrictions } of kind.bindings)
    for (const { parameter, property } of restrictions) {
      const variable = `{${parameter}}`;
      const above = other.path.slice(0, other.path.indexOf(variable) + variable.length);
      const value = operation.path.startsWith(above) ? coerceKey(path.get(parameter), 'any') : undefined;
      if (value !== undefined) found[property] = value;
    }
  return found;
}

/** The task as the response has it: what it tells beside what tasks have stays as it was. */
function showTask(
  api: ApiModel,
  { kind, members: properties }: TaskLocation,
  before: JsonObject,
  task: Item,
  key: Key,
): JsonObject {
  const after: Record<string, JsonValue> = {};
  for (const { name, required, pointer } of properties.values()) {
    const isOfTask = kind.resource.properties.has(name);
    const old = isOfTask && !required ? undefined : ownProperty(before, name);
    const shown = [ownProperty(task, name), holdsKey(kind, name) ? key : undefined, old];
    const place = api.schemaAt(pointer);
    const own = shown.find((each) => each !== undefined && place?.accepts(each, 'response') === true);
    if (own !== undefined) setProperty(after, name, own);
  }
  return after;
}
