import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownProperty,
  pickProperties,
  setProperty,
} from '../../core/json/json-value';
import { foldedName, singularWords, wordsOf } from '../../core/text/inflection';
import type { Key } from '../../lists/sort-values';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Property, ResponseSpec, Schema } from '../../openapi/model/operation';
import { isTaskName, taskProgress, type TaskProgress } from '../../openapi/naming/states';
import { lastLiteral, parseTemplate, type Segment } from '../../openapi/view/path-template';
import { viewOf, typesOf } from '../../openapi/view/schema-view';
import type { Behaviour, Binding, ResourceModel } from '../../resources/model/binding';
import type { Call } from '../calls/call';
import { indicatesErrorOrEnd, timestampFormat } from '../fitting/new-item-hints';
import type { ServerValues } from '../fitting/server-values';
import { coerceKey, type ItemDraft } from '../state/item';
import type { Resource } from '../state/prepared-resource';
import { jsonEntry } from '../../openapi/view/operation-bodies';

/** A resource whose items tell how work goes that other operations were asked for: tasks, actions, operations. */
export interface TaskKind extends TaskProgress {
  readonly resource: Resource;
  /** One that finds its items by their keys. */
  readonly read: Binding;
  readonly bindings: readonly Binding[];
}

/** Where a response has a task, or a list of them; the way is empty for the response itself. */
export interface TaskLocation {
  readonly kind: TaskKind;
  readonly member: string | undefined;
  readonly isList: boolean;
  /** What a task is there: as it is read, or a part of it. */
  readonly members: ReadonlyMap<string, Property>;
}

/** What clients do themselves with things that are no tasks. */
const BY_CLIENTS: ReadonlySet<Behaviour> = new Set(['create-many', 'replace', 'update', 'upsert']);

/**
 * The tasks among resources: their states lead to success or to failure, or operations tell whether they are done; no
 * operation changes them, and none makes them in their own collection, unless that is one of actions below an item.
 */
export function taskKinds(api: ApiModel, model: ResourceModel, resources: readonly Resource[]): TaskKind[] {
  return resources.flatMap((resource) => {
    const bindings = [...model.bindings.values()].filter(({ resource: { path } }) => path === resource.path);
    const isTask = resource.kind === 'collection' && !bindings.some((each) => isByClients(each, resource));
    const read = bindings.find(({ behaviour, keyParameter }) => behaviour === 'read' && keyParameter !== undefined);
    const state =
      isTask && read !== undefined ? taskProgress(viewOf(api), resource.properties, resource.name) : undefined;
    return read === undefined || state === undefined ? [] : [{ resource, read, bindings, ...state }];
  });
}

function isByClients({ behaviour, restrictions }: Binding, { scope, name }: Resource): boolean {
  const isAskedBelow = restrictions.length > 0 || (scope.length > 0 && isTaskName(name));
  return BY_CLIENTS.has(behaviour) || (behaviour === 'create' && !isAskedBelow);
}

/** Does a property of a response hold the key of a task: under its own name, or with the noun before it, `taskUid`? */
export function holdsKey({ resource }: TaskKind, name: string): boolean {
  const { keyMember: keyProperty } = resource;
  const folded = foldedName(name);
  return folded === foldedName(keyProperty) || folded === `${foldedName(resource.name)}${foldedName(keyProperty)}`;
}

/** Where the response of a write has tasks that are stored elsewhere. */
export function taskLocations(
  api: ApiModel,
  kinds: readonly TaskKind[],
  success: ResponseSpec | undefined,
): TaskLocation[] {
  const view = viewOf(api);
  const schema = jsonEntry(success?.content ?? [])?.schema;
  const body = view.unwrap(schema);
  if (body === undefined || kinds.length === 0) return [];
  const placed = (property: string | undefined, at: Schema | undefined): TaskLocation[] => {
    const items = at === undefined ? undefined : view.items(at);
    const each = items ?? at;
    const properties = each === undefined ? undefined : view.properties(each);
    const kind =
      kinds.find(({ resource }) => each !== undefined && resource.schema.pointer === each.pointer) ??
      kinds.find((one) => properties !== undefined && isPartOf(one, properties));
    if (kind === undefined || properties === undefined) return [];
    return [{ kind, member: property, isList: items !== undefined, members: properties }];
  };
  const whole = placed(undefined, body);
  if (whole.length > 0) return whole;
  return [...view.properties(body).values()].flatMap((property) => placed(property.name, view.schemaOf(property)));
}

/** Are these the key and the state of such a task, and little that it has not? */
function isPartOf(kind: TaskKind, properties: ReadonlyMap<string, Property>): boolean {
  const names = [...properties.keys()];
  const keys = names.filter((name) => holdsKey(kind, name));
  const shared = names.filter((name) => kind.resource.properties.has(name) || keys.includes(name));
  // A key with the noun, `job_id`, says without a state that it is one.
  const noun = foldedName(kind.resource.name);
  const isTold = properties.has(kind.state) || keys.some((name) => foldedName(name).startsWith(noun));
  return isTold && keys.length > 0 && shared.length >= names.length * 0.8;
}

/** What a task is about: the thing by its noun and its key, and what was done with it. */
export interface Subject {
  readonly noun: string;
  readonly key: Key | undefined;
  readonly verb: string;
  /** The things that the path names on its way to it. */
  readonly around: readonly Pick<Subject, 'noun' | 'key'>[];
}

const BY_METHOD: Readonly<Record<string, string>> = { DELETE: 'delete', PUT: 'update', PATCH: 'update' };

/** @param made - key of the item that the request made or changed, where that is known */
export function subjectOf({ operation, parameters: { path } }: Call, made: Key | undefined): Subject {
  const segments = parseTemplate(operation.path)?.segments ?? [];
  const word = lastWord(segments);
  const index = segments.findLastIndex((segment) => segment.kind === 'variable');
  const variable = segments[index];
  const isAction = index !== -1 && isVerb(word);
  const verb = isAction ? word : (BY_METHOD[operation.method] ?? 'create');
  // What was made is called by the last word of the path; else the last variable says what is meant.
  const isMade = word !== '' && !isAction && made !== undefined;
  const around = segments.flatMap((segment, at) =>
    segment.kind === 'variable'
      ? [{ noun: nounOf(lastLiteral(segments.slice(0, at))), key: toKey(path.get(segment.name)) }]
      : [],
  );
  if (variable?.kind !== 'variable' || isMade) return { noun: nounOf(word), key: made, verb, around };
  const noun = nounOf(lastLiteral(segments.slice(0, index)));
  return { noun, key: toKey(path.get(variable.name)), verb, around };
}

function lastWord(segments: readonly Segment[]): string {
  const last = segments.at(-1);
  return last?.kind === 'literal' ? last.text : '';
}

/** Verbs before what they are done to: `enable_backups`. */
const BEFORE_NOUNS =
  /^(?:enable|disable|activate|deactivate|add|remove|attach|detach|assign|unassign|change|set|reset|update|create|delete)$/;

/** Does a word of a path say what is done? It is not a plural, as those for things are. */
export function isVerb(word: string): boolean {
  const [first = '', ...more] = wordsOf(word);
  if (more.length > 0 && BEFORE_NOUNS.test(first)) return true;
  return word !== '' && singularWords(word).join() === wordsOf(word).join();
}

function toKey(value: JsonValue | undefined): Key | undefined {
  return coerceKey(value, 'any');
}

function nounOf(word: string): string {
  return singularWords(word).join('_');
}

const OF_WHAT = /^(?:resource|target|entity|object|subject)$/;
/** Does a property of a task, or of what asks for one, hold the word for what is done? */
export function namesVerb(name: string): boolean {
  return NAMES_VERB.test(foldedName(name));
}

const NAMES_VERB = /^(?:type|command|action|operation|kind|verb|(?:task|job|action|operation)type)$/;

/**
 * Sets what a task says of what it is about, in the properties that it has for that.
 *
 * @param shown - the task in the example of the response, which has a word for what was done
 */
export function linkTask(
  api: ApiModel,
  kind: TaskKind,
  making: ServerValues,
  subject: Subject,
  item: ItemDraft,
  shown: JsonObject = {},
): void {
  const { properties, keyMember: keyProperty } = kind.resource;
  for (const property of properties.values()) {
    const { name } = property;
    if (name === keyProperty || name === kind.state || ownProperty(item, name) !== undefined) continue;
    const found = linksIn(api, property, subject, ownProperty(shown, name)).find((value) =>
      making.accepts(name, value),
    );
    if (found !== undefined) setProperty(item, name, found);
  }
}

function linksIn(api: ApiModel, property: Property, subject: Subject, shown: JsonValue | undefined): JsonValue[] {
  const { noun, verb, around } = subject;
  const listed = (): JsonValue | undefined => viewOf(api).schemaOf(property)?.value['enum'];
  if (namesVerb(property.name)) return verbIn(listed(), noun.replaceAll('_', ''), verb, shown);
  return [subject, ...around.toReversed()].flatMap((thing) => keysIn(property, thing));
}

function keysIn({ name, schema }: Property, { noun, key }: Pick<Subject, 'noun' | 'key'>): JsonValue[] {
  const own = noun.replaceAll('_', '');
  const folded = foldedName(name);
  const forms = formsOf(key);
  if (typesOf(schema).includes('array')) return folded === 'resource' ? forms.map((id) => [{ id, type: noun }]) : [];
  if (folded === 'target' || folded === own) return forms;
  const aspect = aspectOf(name, own);
  if (/^(?:type|kind)$/.test(aspect)) return [noun];
  return /^(?:id|uid|uuid|key)$/.test(aspect) ? forms : [];
}

/** `id` of `target_id`; empty for what does not speak of what the task is about. */
function aspectOf(name: string, own: string): string {
  const [what = '', aspect = '', ...more] = wordsOf(name);
  return more.length === 0 && (OF_WHAT.test(what) || what === own) ? aspect : '';
}

/** A key as a text and as a number: the path knows no difference. */
function formsOf(key: Key | undefined): Key[] {
  if (key === undefined) return [];
  return typeof key === 'string' ? [key, ...(/^\d{1,15}$/.test(key) ? [Number(key)] : [])] : [key, String(key)];
}

/** A listed word that has the verb and the noun, else that of the example, or one that has the verb; the verb itself where none are listed. */
function verbIn(listed: JsonValue | undefined, noun: string, verb: string, shown: JsonValue | undefined): JsonValue[] {
  if (!Array.isArray(listed)) return [...(shown === undefined ? [] : [shown]), verb];
  const stem = foldedName(verb).slice(0, 5);
  const words = listed.filter((word) => typeof word === 'string').filter((word) => foldedName(word).includes(stem));
  const both = words.filter((word) => foldedName(word).includes(noun.slice(0, 5)));
  return [...both, ...(shown === undefined ? [] : [shown]), ...words];
}

const ENDED =
  /^(?:finish(?:ed)?|completed|ended|(?:finish|finished|complete|completed|completion|end|ended|done)(?:at|on|date|time|timestamp))$/;
const QUEUED = /^(?:enqueued|queued|submitted|requested|scheduled)(?:at|on|date|time|timestamp)$/;
const STARTED = /^(?:started|(?:start|started|begun|began)(?:at|on|date|time|timestamp))$/;
const PROGRESS =
  /^(?:progress|percentage|percent|(?:progress|complete|completed)(?:percent|percentage)|percentcomplete)$/;

/** Sets what a task has while it is under way: its state, no time of an end, no trouble, no progress. */
export function begin(kind: TaskKind, making: ServerValues, item: ItemDraft, nowMs: number): void {
  setProperty(item, kind.state, kind.first);
  for (const property of kind.resource.properties.values()) {
    const { name } = property;
    if (QUEUED.test(wordsOf(name).join(''))) making.setTimestamp(item, name, nowMs);
    const isLater = isEnd(name) || indicatesErrorOrEnd(name);
    const found = isProgress(property) ? (property.schema['minimum'] ?? 0) : isLater ? null : undefined;
    if (found !== undefined && ownProperty(item, name) === undefined && making.accepts(name, found))
      setProperty(item, name, found);
  }
}

/** The same task after all went well: its state, the times of its end, and how far it is. */
export function finished(kind: TaskKind, making: ServerValues, item: ItemDraft, nowMs: number): ItemDraft {
  const done: ItemDraft = { ...item, [kind.state]: kind.last };
  for (const property of kind.resource.properties.values()) {
    const found = atEnd(property, ownProperty(item, property.name), nowMs);
    if (found !== undefined && making.accepts(property.name, found)) setProperty(done, property.name, found);
  }
  return done;
}

/** Returns what a property of work holds after it went well: the time of its end, or how far it is. */
export function atEnd(property: Property, before: JsonValue | undefined, nowMs: number): JsonValue | undefined {
  const { name, schema } = property;
  const isUnset = before === undefined || before === null;
  if (isEnd(name) || (isUnset && STARTED.test(wordsOf(name).join('')))) {
    const isFlag = typesOf(schema).includes('boolean');
    return isFlag ? true : timestampFormat(property)?.(nowMs);
  }
  return isProgress(property) ? (schema['maximum'] ?? 100) : undefined;
}

function isEnd(name: string): boolean {
  return ENDED.test(wordsOf(name).join(''));
}

function isProgress({ name, schema }: Property): boolean {
  const isNumber = typesOf(schema).some((type) => type === 'integer' || type === 'number');
  return isNumber && PROGRESS.test(wordsOf(name).join(''));
}

/** What of a body a task has too: `{ "type": "reboot" }`. */
export function sentOfTask(kind: TaskKind, making: ServerValues, body: JsonValue | undefined): ItemDraft {
  const { properties, keyMember: keyProperty } = kind.resource;
  return pickProperties(
    isJsonObject(body) ? body : {},
    (name, value) => name !== keyProperty && name !== kind.state && properties.has(name) && making.accepts(name, value),
  );
}
