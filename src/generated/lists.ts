import { type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import type { Binding } from '../resources/model/binding';
import type { Draft } from './draft';
import type { MadeThing } from './thing';
import { addFilters, alwaysShown, seen } from './observations';
import { along, headerNamed, listOf, nextPage } from './expectations';
import { written } from './bodies';
import { pathWith, wordsFor } from './parameters';
import { addRanges } from './ranges';
import { type Subject, successStatuses } from './subject';

/** More of them say nothing new. */
const MOST_WORDS = 8;

/** Lists: filtered, cut into pages and ordered, with things of the run's own among whatever else is there. */
export function addLists(draft: Draft, subject: Subject): void {
  const list = subject.of('list');
  if (list?.response?.form !== 'list' || subject.comesWith !== undefined) return;
  const first = draft.ingredients(subject);
  const second = first === undefined ? undefined : draft.ingredients(subject);
  if (first === undefined || second === undefined) return;
  const things = [draft.make(first, 'setup'), draft.make(second, 'setup', `add another ${draft.noun}`)] as const;
  const context: Lists = { draft, list, things };
  addFilters(draft, things[0], valuesOf(draft, things[0]));
  words(context);
  addRanges(draft, subject, list);
}

interface Lists {
  readonly draft: Draft;
  readonly list: Binding;
  readonly things: readonly [MadeThing, MadeThing];
}

function ask({ draft, list, things: [thing] }: Lists, name: string, parameters: JsonObject, body?: JsonObject): void {
  const status = successStatuses(list.operation, [200]);
  draft.add('steps', {
    name,
    ...draft.beside(thing, list, parameters),
    expect: { status, ...(body === undefined ? {} : { body }) },
  });
}

/** What a thing has that a list may be asked for: its key, what was sent, and what the service gave it. */
function valuesOf(draft: Draft, thing: MadeThing): JsonObject {
  const { key, properties } = thing.subject.resource;
  const sent = [...properties.keys()].flatMap((name): [string, JsonValue][] => {
    const value = sentOf(thing, name);
    return value === undefined ? [] : [[name, value]];
  });
  const known = { ...Object.fromEntries(sent), ...(key.isClientChosen ? {} : { [key.name]: thing.key }) };
  const given = alwaysShown(draft, thing.subject.resource).filter((name) => !Object.hasOwn(known, name));
  return { ...known, ...seen(draft, thing, given) };
}

/** A value that was sent, as a step has it: a scalar that comes back as it is. */
function sentOf({ subject, plain, substitutions }: MadeThing, property: string): JsonValue | undefined {
  const value = valueAlong(written(plain, substitutions), [...(subject.create.request?.path ?? []), property]);
  const format = subject.resource.properties.get(property)?.schema['format'];
  // A time may come back in another form of it.
  const isTime = typeof format === 'string' && /date|time/.test(format);
  return value === null || typeof value === 'object' || isTime ? undefined : value;
}

/** Each word that a filter may ask for leaves nothing that has another one. */
function words(context: Lists): void {
  const { draft, list } = context;
  for (const { parameter, property, operator, innerPath } of list.parameters.filters) {
    if (operator !== 'equal' || innerPath.length > 0) continue;
    const own = list.resource.properties.get(property);
    for (const word of wordsFor(draft.api, parameter, own).slice(0, MOST_WORDS)) {
      const entry = along(list.response?.entryPath ?? [], { [property]: word });
      const by = { [parameter.name]: parameter.items === undefined ? word : [word] };
      nextOfWord(context, { word, property, by, entry });
      ask(
        context,
        `list by ${property} ${word}: nothing else is in the list`,
        by,
        listOf(list, { $each: entry, $minItems: 0 }),
      );
    }
  }
}

interface AskedWord {
  readonly word: string;
  readonly property: string;
  readonly by: JsonObject;
  readonly entry: JsonValue;
}

/** A link to the next page keeps the filter; where there is no next page nothing is known. */
function nextOfWord({ draft, list, things: [thing] }: Lists, { word, property, by, entry }: AskedWord): void {
  const link = headerNamed(list, /^link$/i);
  const { limit } = list.parameters;
  const path = pathWith(list.operation, draft.beside(thing, list));
  if (link === undefined || limit === undefined || path === undefined) return;
  const next = draft.freeName('next page');
  draft.add('steps', {
    name: `the first page by ${property} ${word}`,
    ...draft.beside(thing, list, { ...by, [limit.name]: 1 }),
    mayBeRefused: true,
    expect: { status: successStatuses(list.operation, [200]) },
    capture: { [next]: nextPage(link) },
  });
  draft.add('steps', {
    name: `the next page by ${property} ${word} has the same filter`,
    method: 'GET',
    path: `${path}\${${next}}`,
    expect: { status: 200, body: listOf(list, { $each: entry, $minItems: 0 }) ?? {} },
  });
}
