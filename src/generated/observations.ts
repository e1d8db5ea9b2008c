import { pointerTo } from '../core/json/json-pointer';
import type { JsonObject, JsonValue } from '../core/json/json-value';
import { samplerOf } from '../payload/sampler/sampler';
import type { ResourceDescription } from '../resources/model/resource';
import { withArticle } from '../traffic/contract/names';
import type { Draft } from './draft';
import type { Thing } from './thing';
import { read } from './lifecycle';
import { along, hasEntry, itemOf, longestPage } from './expectations';
import { addListReads, ask, type ListReads } from './list-reads';
import { takesValuesOf, wordsFor } from './parameters';
import { isSubject, keyPathOf, type Kind } from './subject';

/** More of them say nothing new. */
const MOST_VALUES = 6;

/** What is there already, of kinds that a run cannot make, or not there: read as it is listed, and found by what it has. */
export function addObservations(draft: Draft, kind: Kind): void {
  if (draft.canMake(kind) && (!isSubject(kind) || draft.canFill(kind))) return;
  const names = alwaysShown(draft, kind.resource);
  const called = new Map(names.map((name) => [name, draft.freeName(`${kind.resource.name} ${name}`)]));
  const thing = draft.lookUp(kind.resource.path, 0, called);
  if (thing === undefined) return;
  const values = Object.fromEntries([...called].map(([name, own]) => [name, `\${${own}}`]));
  read(draft, thing, `read the ${draft.noun} as it was listed`, values);
  addFilters(draft, thing, values);
  const list = kind.of('list');
  if (list !== undefined) addListReads({ draft, list, at: thing, made: 0 });
}

/** Filters by what a thing was seen to have, each alone and two together: it is in the list, and nothing that has another value. */
export function addFilters(draft: Draft, thing: Thing, values: JsonObject): void {
  const { of, resource } = thing.subject;
  const [list, item] = [of('list'), itemOf(resource, thing.key)];
  if (list === undefined || item === undefined) return;
  const asked = list.parameters.filters.flatMap(({ parameter, property, operator, innerPath }): Asked[] => {
    const [own, value] = [resource.properties.get(property), values[property]];
    const isAsked = operator === 'equal' && innerPath.length === 0 && takesValuesOf(draft.api, parameter, own);
    if (!isAsked || value === undefined) return [];
    const filter = (wanted: JsonValue): Filter => ({
      by: { [parameter.name]: parameter.items === undefined ? wanted : [wanted] },
      shown: { [property]: wanted },
    });
    return [{ ...filter(value), others: wordsFor(draft.api, parameter, own).map(filter) }];
  });
  const [first, second] = asked;
  const reads = { draft, list, at: thing, made: 1 };
  for (const filter of [...asked, ...(second === undefined ? [] : [together(first, second)])])
    addFilter(reads, filter, item);
  const worded = asked.find(({ others }) => others.length > 1);
  const beside = asked.find((each) => each !== worded);
  if (beside === undefined) return;
  // One of two words is not the one that the thing has.
  for (const word of worded?.others.slice(0, 2) ?? []) addFilter(reads, together(beside, word));
}

/** A filter as it is sent, and what each item shows then. */
interface Filter {
  readonly by: JsonObject;
  readonly shown: JsonObject;
}

interface Asked extends Filter {
  /** The same filter by each word that it may have. */
  readonly others: readonly Filter[];
}

function together(one: Filter | undefined, other: Filter): Filter {
  return { by: { ...one?.by, ...other.by }, shown: { ...one?.shown, ...other.shown } };
}

/** @param item - what is in the list, if anything is known to be */
function addFilter(reads: ListReads, { by, shown }: Filter, item?: JsonObject): void {
  const { draft, list } = reads;
  const page = longestPage(draft.api, list);
  const own = item === undefined || page === undefined ? {} : hasEntry(list, { ...item, ...shown }, page);
  const words = Object.entries(shown).map(([name, value]) =>
    item === undefined && typeof value === 'string' && !value.startsWith('$') ? `${name} ${value}` : name,
  );
  const called = item === undefined ? words.join(' and ') : `${words.join(' and ')} of ${withArticle(draft.noun)}`;
  const matcher = { ...own, $each: along(list.response?.entryPath ?? [], shown), $minItems: 0 };
  ask(reads, `list by ${called}`, { ...page?.parameters, ...by }, { matcher, isAwaited: item !== undefined });
}

/** Captures what a thing that was made shows of itself. @returns placeholders for it, by name of the property */
export function seen(draft: Draft, thing: Thing, names: readonly string[]): JsonObject {
  const { resource } = thing.subject;
  const reading = thing.subject.of('read');
  if (reading?.response?.form !== 'item' || names.length === 0) return {};
  const { path } = reading.response;
  const called = names.map((name) => [name, draft.freeName(`${resource.name} ${name}`)] as const);
  draft.addAt('setup', thing, reading, {
    name: `look at the ${draft.noun}`,
    mayBeRefused: true,
    capture: Object.fromEntries(called.map(([name, own]) => [own, `$response.body#${pointerTo([...path, name])}`])),
  });
  return Object.fromEntries(called.map(([name, own]) => [name, `\${${own}}`]));
}

/** A thing that was listed, as far as it can be read as well: what goes on with it is skipped where it cannot. */
export function confirmed(draft: Draft, thing: Thing): Thing | undefined {
  const [name, ...inner] = keyPathOf(thing.subject.resource);
  if (name === undefined || inner.length > 0) return undefined;
  const key = seen(draft, thing, [name])[name];
  return typeof key === 'string' ? { ...thing, key } : undefined;
}

/** Names of properties that every such thing shows, as a text, a whole number or a boolean. */
export function alwaysShown(draft: Draft, { schema, key }: ResourceDescription): string[] {
  return samplerOf(draft.api)
    .nodeOf(schema, 'response')
    .properties.filter(({ name, isRequired, node: { flat } }) => {
      const types = [...(flat.types ?? [])];
      const isPlain = types.length === 1 && types.every((type) => /^(?:string|integer|boolean)$/.test(type));
      return (
        isRequired && isPlain && name !== key.name && ![...flat.formats].some((format) => /date|time/.test(format))
      );
    })
    .slice(0, MOST_VALUES)
    .map(({ name }) => name);
}
