import { memberOf, setMember } from '../json/member';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Property } from '../openapi/model';
import { foldedName, singularWords, wordsOf } from '../resources/inflection';
import { lastLiteral, parseTemplate, type Segment } from '../resources/path-template';
import { readerOf, typesOf } from '../resources/schema-reader';
import type { Call } from './call';
import type { ItemDraft } from './item';
import type { MakingPlan } from './making-plan';
import { coerceKey } from './key';
import { tellsTroubleOrEnd } from './new-item/member-meaning';
import { clockOf } from './new-item/times';
import type { Key } from './order';
import type { TaskKind } from './task-kind';

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

/** Does a word of a path say what is done? It is no plural, as those for things are. */
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
/** Does a member of a task, or of what asks for one, hold the word for what is done? */
export function namesVerb(name: string): boolean {
  return NAMES_VERB.test(foldedName(name));
}

const NAMES_VERB = /^(?:type|command|action|operation|kind|verb|(?:task|job|action|operation)type)$/;

/**
 * Sets what a task says of what it is about, in the members that it has for that.
 *
 * @param shown - the task in the example of the answer, which has a word for what was done
 */
export function linkTask(
  api: ApiModel,
  kind: TaskKind,
  making: MakingPlan,
  subject: Subject,
  item: ItemDraft,
  shown: JsonObject = {},
): void {
  const { properties, keyMember } = kind.resource;
  for (const property of properties.values()) {
    const { name } = property;
    if (name === keyMember || name === kind.state || memberOf(item, name) !== undefined) continue;
    const found = linksIn(api, property, subject, memberOf(shown, name)).find((value) => making.takes(name, value));
    if (found !== undefined) setMember(item, name, found);
  }
}

function linksIn(api: ApiModel, property: Property, subject: Subject, shown: JsonValue | undefined): JsonValue[] {
  const { noun, verb, around } = subject;
  const listed = (): JsonValue | undefined => readerOf(api).member(property)?.value['enum'];
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
export function begin(kind: TaskKind, making: MakingPlan, item: ItemDraft, nowMs: number): void {
  setMember(item, kind.state, kind.first);
  for (const property of kind.resource.properties.values()) {
    const { name } = property;
    if (QUEUED.test(wordsOf(name).join(''))) making.stamp(item, name, nowMs);
    const isLater = isEnd(name) || tellsTroubleOrEnd(name);
    const found = isProgress(property) ? (property.schema['minimum'] ?? 0) : isLater ? null : undefined;
    if (found !== undefined && memberOf(item, name) === undefined && making.takes(name, found))
      setMember(item, name, found);
  }
}

/** The same task after all went well: its state, the times of its end, and how far it is. */
export function finished(kind: TaskKind, making: MakingPlan, item: ItemDraft, nowMs: number): ItemDraft {
  const done: ItemDraft = { ...item, [kind.state]: kind.last };
  for (const property of kind.resource.properties.values()) {
    const found = atEnd(property, memberOf(item, property.name), nowMs);
    if (found !== undefined && making.takes(property.name, found)) setMember(done, property.name, found);
  }
  return done;
}

function atEnd(property: Property, before: JsonValue | undefined, nowMs: number): JsonValue | undefined {
  const { name, schema } = property;
  const isUnset = before === undefined || before === null;
  if (isEnd(name) || (isUnset && STARTED.test(wordsOf(name).join('')))) {
    const isFlag = typesOf(schema).includes('boolean');
    return isFlag ? true : clockOf(property)?.(nowMs);
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
export function sentOfTask(kind: TaskKind, making: MakingPlan, body: JsonValue | undefined): ItemDraft {
  const { properties, keyMember } = kind.resource;
  const own = Object.entries(isJsonObject(body) ? body : {}).filter(
    ([name, value]) => name !== keyMember && name !== kind.state && properties.has(name) && making.takes(name, value),
  );
  return Object.fromEntries(own);
}
