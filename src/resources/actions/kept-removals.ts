import { wordsOf } from '../../core/text/inflection';
import type { Operation, Property } from '../../openapi/model/operation';
import { isRemovalMark } from '../../openapi/naming/states';
import { typesOf, type SchemaView } from '../../openapi/view/schema-view';
import type { Action, KeptRemoval, PropertyAssignment } from '../model/binding';
import { effectOf, leadsBack, timestampsOf } from './verb-effects';

/** Verbs for an end that by themselves say that the thing stays. */
const STAYS = new Set(['deactivate', 'disable', 'archive', 'suspend']);
/** Parameters by which a removal removes for good. */
const PURGES =
  /^(?:is)?(?:hard|purge|permanent(?:ly)?)(?:delet(?:e|ion)|remov(?:e|al))?$|^delet(?:e|ion)permanent(?:ly)?$/;
/** What is said of a thing that is there after its removal. */
const KEPT =
  /\b(?:can|may) still be (?:read|retriev|fetch|view|seen|found|listed)\w*|\b(?:is|are|be) (?:only |just )?marked (?:as )?(?:deleted|removed|archived|inactive)\b|\bremains? (?:readable|visible|retrievable)\b/i;
const KEPT_READABLE = /\b(?:deleted|removed|archived)\b[^.]{0,30}\b(?:can|may) still be\b/i;
/** What is said of a thing that lists show no more. */
const UNLISTED =
  /\bleaves? the list|\b(?:no longer|not|never) (?:\w+ )?(?:listed|in (?:the )?lists?)|\b(?:excluded|hidden|left out|disappears?|omitted) from (?:\w+ )?(?:lists?|listings?|results)/i;
const GOES = /\b(?:delet|remov|destroy|eras)\w*\b/i;

/**
 * What a DELETE makes of an item that it keeps: "Deactivates the user", beside a flag that removes it for good or with no
 * word for that it goes; and one that is said to stay, in the words of its removal or of its read, by the mark that it has.
 *
 * @param read - the read of such an item
 */
export function keptRemoval(
  operation: Operation,
  read: Operation | undefined,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): KeptRemoval | undefined {
  const { summary, description, parameters } = operation;
  const told = `${summary}. ${description}`;
  const flag = parameters.find(({ in: place, name }) => place === 'query' && PURGES.test(wordsOf(name).join('')));
  const action =
    endingOf(operation, flag !== undefined || !GOES.test(told), properties, view) ??
    markingOf(told, read?.description ?? '', properties);
  return action && { action, purgedBy: flag?.name, isUnlisted: UNLISTED.test(told) };
}

/** @param stays - does nothing say that the thing goes, or only where a flag asks for it? */
function endingOf(
  { summary, description, id }: Operation,
  stays: boolean,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): Action | undefined {
  const texts = [...`${summary}. ${description}`.split(/(?<=[.!?])\s+|\bOR\b/), wordsOf(id).join(' ')];
  const verb = stays ? leadingVerbs(texts).find((each) => STAYS.has(each)) : undefined;
  const assignments = verb === undefined ? [] : effectsOf(verb, properties, view);
  if (verb === undefined || assignments.length === 0) return undefined;
  return { verb, assignments, timestamps: timestampsOf(verb, properties), mergesBody: false };
}

function markingOf(told: string, read: string, properties: ReadonlyMap<string, Property>): Action | undefined {
  const isKept = KEPT.test(told) || KEPT_READABLE.test(read);
  const marks = isKept ? [...properties.values()].filter(({ name, schema }) => isRemovalMark(name, schema)) : [];
  return marks.length === 0 ? undefined : { verb: 'delete', ...marked(marks), mergesBody: false };
}

function marked(marks: readonly Property[]): Pick<Action, 'assignments' | 'timestamps'> {
  const isFlag = ({ schema }: Property): boolean => typesOf(schema).includes('boolean');
  const assignments = marks.flatMap((mark): PropertyAssignment[] => {
    if (isFlag(mark)) return [{ property: mark.name, value: true }];
    const words = Array.isArray(mark.schema['enum']) ? mark.schema['enum'] : [];
    const word = words.find((each) => typeof each === 'string' && /^(?:deleted|archived|removed)$/i.test(each));
    return word === undefined ? [] : [{ property: mark.name, value: word }];
  });
  const set = new Set(assignments.map(({ property }) => property));
  return { assignments, timestamps: marks.flatMap(({ name }) => (set.has(name) ? [] : [name])) };
}

/** The first word of each text, as a verb. */
function leadingVerbs(texts: readonly string[]): string[] {
  return texts
    .map((text) => wordsOf(text).find((word) => !word.endsWith('ly')) ?? '')
    .flatMap((word) => [word, word.replace(/s$/, '')]);
}

/** What a verb makes of the flag of a thing, and of its state: both where it has both. */
function effectsOf(verb: string, properties: ReadonlyMap<string, Property>, view: SchemaView): PropertyAssignment[] {
  const isFlag = ([, { schema }]: [string, Property]): boolean => typesOf(schema).includes('boolean');
  const parts = [[...properties].filter(isFlag), [...properties].filter((each) => !isFlag(each))];
  return parts.flatMap((part) => effectOf(verb, new Map(part), view) ?? []);
}

/** What brings an item back that was ended or marked as removed: `reactivate` and `active: true`, `restore` and no `deletedAt`. */
export function bringBack(
  verb: string,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): readonly PropertyAssignment[] {
  if (!leadsBack(verb)) return [];
  const found = effectsOf(verb, properties, view);
  if (found.length > 0 || !/^(?:restore|undelete|unarchive|reinstate|recover)/.test(wordsOf(verb).join('')))
    return found;
  return [...properties.values()].flatMap(({ name, schema }): PropertyAssignment[] => {
    if (!isRemovalMark(name, schema) || schema['enum'] !== undefined) return [];
    return [{ property: name, value: typesOf(schema).includes('boolean') ? false : null }];
  });
}

/** The query parameter by which a change brings an item back: `PUT /things/{id}?reactivate=true`. */
export function bringBackFlag(
  { parameters }: Operation,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): { readonly parameter: string; readonly action: Action } | undefined {
  for (const { name, in: place } of parameters) {
    const isFlag = place === 'query' && wordsOf(name).length === 1;
    const assignments = isFlag ? bringBack(name, properties, view) : [];
    if (assignments.length > 0)
      return { parameter: name, action: { verb: name, assignments, timestamps: [], mergesBody: true } };
  }
  return undefined;
}
