import { headerValue } from '../http/headers';
import { isJsonMediaType } from '../http/media-type';
import type { HttpResponse } from '../http/message';
import { memberOf, setMember } from '../json/member';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import { stringifyJson } from '../json/stringify-json';
import type { ApiModel } from '../openapi/model';
import { examplesOf } from '../payload/choose-example';
import { fillTemplate } from '../resources/collection-name';
import type { Call, ItemOutcome, Outcome } from './call';
import { arrange, violationsOf } from './conform';
import type { MockContext } from './context';
import type { Draft } from './draft';
import type { Item, ItemDraft } from './item';
import { coerceKey } from './key';
import type { OperationPlan } from './operation-plan';
import type { Key } from './order';
import { visible } from './representation';
import { keyOf } from './resource';
import { showAddress } from './show-address';
import { doToSubject } from './task-effects';
import { begin, finished, linkTask, sentOfTask, subjectOf, type Subject } from './task-facts';
import { holdsKey, type TaskKind, type TaskPlace } from './task-kind';

/**
 * Stores the tasks that the answer of a write tells of where they are read. What a mock does is done at once: the answer
 * tells how the task began, and whoever reads it finds it done.
 *
 * @param outcome - what the write did; `undefined` where no state stands behind it
 */
export function storeTasks(
  context: MockContext,
  plan: OperationPlan,
  call: Call,
  answer: HttpResponse,
  draft: Draft,
  outcome?: Outcome,
): HttpResponse {
  const places = plan.tasks();
  if (places.length === 0 || answer.status >= 300) return answer;
  doToSubject(context, plan, call, draft);
  const own = plan.behaviour?.resource;
  const done = outcome !== undefined && 'item' in outcome ? outcome.item : undefined;
  const made = own === undefined || done === undefined ? undefined : keyOf(own, done);
  const work = { context, call, plan, draft, subject: subjectOf(call, made), nowMs: context.clock.now(), puts: [] };
  const ownKind = places.find(({ kind: { resource } }) => resource === own)?.kind;
  if (ownKind === undefined) return inAnswer(work, plan, answer);
  if (outcome?.kind === 'created') finishOwn(work, ownKind, outcome);
  return answer;
}

/** A task that the write made itself, which says what it is about. */
export function linkOwnTask(api: ApiModel, plan: OperationPlan, call: Call, draft: Draft, outcome: Outcome): Outcome {
  const behaviour = outcome.kind === 'created' ? plan.behaviour : undefined;
  const kind = behaviour && plan.tasks().find(({ kind: { resource } }) => resource === behaviour.resource)?.kind;
  if (outcome.kind !== 'created' || behaviour === undefined || kind === undefined) return outcome;
  const { scope, item } = outcome;
  const key = keyOf(kind.resource, item);
  const linked: ItemDraft = { ...item };
  linkTask(api, kind, behaviour.making, subjectOf(call, undefined), linked);
  const task = arrange(kind.resource, linked);
  if (key === undefined || violationsOf(kind.resource, task).length > 0) return outcome;
  return { ...outcome, item: draft.put(scope.collection, key, task) };
}

/** One write that tells of tasks. */
interface Work {
  readonly context: MockContext;
  readonly call: Call;
  readonly plan: OperationPlan;
  readonly draft: Draft;
  readonly subject: Subject;
  readonly nowMs: number;
  /** Stores what the answer shows, once it is sure that it may. */
  readonly puts: (() => void)[];
}

function inAnswer(work: Work, plan: OperationPlan, answer: HttpResponse): HttpResponse {
  const { body, status, headers } = answer;
  const schema = plan.response(status)?.content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schema;
  if (typeof body !== 'string' || !isJsonMediaType(headerValue(headers, 'Content-Type') ?? '')) return answer;
  const before = parseJson(body);
  const after = plan
    .tasks()
    .reduce((value, place) => inPlace(value, place, (shown) => storeOne(work, place, shown)), before);
  if (stringifyJson(after) === body || (schema?.validate('response')(after).length ?? 0) > 0) return answer;
  for (const put of work.puts) put();
  const isKept = (index: number): boolean => !/^(?:content-length|etag)$/i.test(headers[index - (index % 2)] ?? '');
  return { ...answer, headers: headers.filter((_, index) => isKept(index)), body: stringifyJson(after) };
}

function inPlace(value: JsonValue, { member, isList }: TaskPlace, store: (shown: JsonValue) => JsonValue): JsonValue {
  if (member === undefined) return stored(value, isList, store);
  if (!isJsonObject(value)) return value;
  const shown = memberOf(value, member);
  // An answer that may tell of a task tells of it.
  const inner = shown === undefined && !isList ? {} : shown;
  const after = inner === undefined ? undefined : stored(inner, isList, store);
  return after === undefined || after === inner ? value : { ...value, [member]: after };
}

function stored(value: JsonValue, isList: boolean, store: (shown: JsonValue) => JsonValue): JsonValue {
  if (value === null || Array.isArray(value) !== isList) return value;
  return Array.isArray(value) ? value.map((each: JsonValue) => store(each)) : store(value);
}

/** A task that the write made itself: it was answered as it began, and is done by now. */
function finishOwn({ context, call, draft, nowMs }: Work, kind: TaskKind, { scope, item }: ItemOutcome): void {
  const key = keyOf(kind.resource, item);
  const making = context.plans.get(kind.read.operation).behaviour?.making;
  const isRuled = context.rules?.operations?.[call.operation.id] !== undefined;
  if (key === undefined || making === undefined || isRuled) return;
  const done = arrange(kind.resource, finished(kind, making, item, nowMs));
  if (violationsOf(kind.resource, done).length === 0) draft.put(scope.collection, key, done);
}

/** @returns what is answered of the task; what was there before where none can be stored */
function storeOne(work: Work, place: TaskPlace, shown: JsonValue): JsonValue {
  const { kind } = place;
  const { context, call, plan, draft, subject, nowMs } = work;
  const { resource } = kind;
  const making = context.plans.get(kind.read.operation).behaviour?.making;
  const scope = resource.scope.flatMap(({ name }) => coerceKey(call.parameters.path.get(name), 'any') ?? []);
  if (making === undefined || !isJsonObject(shown) || scope.length < resource.scope.length) return shown;
  const collection = fillTemplate(resource.path, scope);
  const key = making.keys.take(collection, draft, context.options.idStart);
  if (key === undefined) return shown;
  const item: ItemDraft = { ...sentOfTask(kind, making, call.body), [resource.keyMember]: key, ...placed(kind, call) };
  resource.scope.forEach(({ member }, index) => {
    if (member !== undefined) setMember(item, member, scope[index]);
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

/** The task as the example of the answer shows it. */
function inExample({ success }: OperationPlan, { member }: TaskPlace): JsonObject | undefined {
  const entry = success?.content.find(({ mediaType }) => isJsonMediaType(mediaType));
  const [body] = entry === undefined ? [] : examplesOf(entry).map(({ value }) => value);
  const held = member === undefined ? body : isJsonObject(body) ? memberOf(body, member) : undefined;
  const [first] = Array.isArray(held) ? held : [held];
  return isJsonObject(first) ? first : undefined;
}

/** By what the lists below other items choose: `/things/{id}/tasks` has those that were made below that thing. */
function placed(kind: TaskKind, { operation, parameters: { path } }: Call): Record<string, Key> {
  const found: Record<string, Key> = {};
  for (const { operation: other, restrictions } of kind.bindings)
    for (const { parameter, member } of restrictions) {
      const variable = `{${parameter}}`;
      const above = other.path.slice(0, other.path.indexOf(variable) + variable.length);
      const value = operation.path.startsWith(above) ? coerceKey(path.get(parameter), 'any') : undefined;
      if (value !== undefined) found[member] = value;
    }
  return found;
}

/** The task as the answer has it: what it tells beside what tasks have stays as it was. */
function showTask(api: ApiModel, { kind, members }: TaskPlace, before: JsonObject, task: Item, key: Key): JsonObject {
  const after: Record<string, JsonValue> = {};
  for (const { name, required, pointer } of members.values()) {
    const isOfTask = kind.resource.properties.has(name);
    const old = isOfTask && !required ? undefined : memberOf(before, name);
    const shown = [memberOf(task, name), holdsKey(kind, name) ? key : undefined, old];
    const place = api.schemaAt(pointer);
    const own = shown.find((each) => each !== undefined && place?.validate('response')(each).length === 0);
    if (own !== undefined) setMember(after, name, own);
  }
  return after;
}
