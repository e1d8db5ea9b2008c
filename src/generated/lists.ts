import { type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import { written } from './bodies';
import type { Draft } from './draft';
import { along } from './expectations';
import { ask, isLinked, leadOn, type ListReads } from './list-reads';
import { addFilters, alwaysShown, seen } from './observations';
import { wordsFor } from './parameters';
import { addRanges } from './ranges';
import type { Subject } from './subject';
import type { MadeThing } from './thing';

/** More of them say nothing new. */
const MOST_WORDS = 8;

/** Lists that are filtered, with things of the run's own among whatever else is there. */
export function addLists(draft: Draft, subject: Subject): void {
  const list = subject.of('list');
  if (list?.response?.form !== 'list' || subject.comesWith !== undefined) return;
  const first = draft.ingredients(subject);
  const second = first === undefined ? undefined : draft.ingredients(subject);
  if (first === undefined || second === undefined) return;
  const thing = draft.make(first, 'setup');
  draft.make(second, 'setup', `add another ${draft.noun}`);
  addFilters(draft, thing, valuesOf(draft, thing));
  words({ draft, list, at: thing, made: 2 });
  addRanges(draft, subject, list);
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

/** Each word that a filter may ask for leaves nothing that has another one, and a link to the next page keeps it. */
function words(reads: ListReads): void {
  const { draft, list } = reads;
  for (const { parameter, property, operator, innerPath } of list.parameters.filters) {
    if (operator !== 'equal' || innerPath.length > 0) continue;
    const own = list.resource.properties.get(property);
    for (const word of wordsFor(draft.api, parameter, own).slice(0, MOST_WORDS)) {
      const by = { [parameter.name]: parameter.items === undefined ? word : [word] };
      const matcher = { $each: along(list.response?.entryPath ?? [], { [property]: word }), $minItems: 0 };
      const asked = `by ${property} ${word}`;
      if (list.parameters.limit !== undefined && isLinked(list))
        leadOn(reads, {
          name: `the first page ${asked}`,
          size: 1,
          by,
          steps: 1,
          followedName: `the next page ${asked} has the same filter`,
          followed: matcher,
        });
      ask(reads, `list ${asked}: nothing else is in the list`, by, { matcher });
    }
  }
}
