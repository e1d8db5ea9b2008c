import type { JsonObject } from '../core/json/json-value';
import { samplerOf } from '../payload/sampler/sampler';
import type { Binding } from '../resources/model/binding';
import type { ResourceDescription } from '../resources/model/resource';
import { withArticle } from '../traffic/contract/names';
import type { Draft } from './draft';
import type { Thing } from './thing';
import { along, bodyWith, itemOf, listOf, listWith, longestPage } from './expectations';
import { addListReads } from './list-reads';
import { takesValuesOf } from './parameters';
import { keyPathOf, type Kind, pointerTo, successStatuses } from './subject';

/** More of them say nothing new. */
const MOST_VALUES = 6;

/** What is there already, of kinds that a run cannot make, or not there: read as it is listed, and found by what it has. */
export function addObservations(draft: Draft, kind: Kind): void {
  if (draft.canMake(kind)) return;
  const names = alwaysShown(draft, kind.resource);
  const called = new Map(names.map((name) => [name, draft.freeName(`${kind.resource.name} ${name}`)]));
  const thing = draft.lookUp(kind.resource.path, 0, called);
  if (thing === undefined) return;
  const values = Object.fromEntries([...called].map(([name, own]) => [name, `\${${own}}`]));
  const read = kind.of('read');
  const shown = read === undefined ? undefined : bodyWith(read, itemOf(kind.resource, thing.key, values));
  if (read !== undefined)
    draft.add('steps', {
      name: `read the ${draft.noun} as it was listed`,
      ...draft.at(thing, read),
      expect: { status: successStatuses(read.operation, [200]), ...(shown === undefined ? {} : { body: shown }) },
    });
  addFilters(draft, thing, values);
  const list = kind.of('list');
  if (list !== undefined) addListReads({ draft, list, at: thing, made: 0 });
}

/** Each filter by what a thing was seen to have: it is in the list, and nothing that has another value. */
export function addFilters(draft: Draft, thing: Thing, values: JsonObject): void {
  const list = thing.subject.of('list');
  const item = itemOf(thing.subject.resource, thing.key);
  if (list === undefined || item === undefined) return;
  const asked: Asked[] = [];
  for (const { parameter, property, operator, innerPath } of list.parameters.filters) {
    const value = values[property];
    if (operator !== 'equal' || innerPath.length > 0 || value === undefined) continue;
    if (!takesValuesOf(draft.api, parameter, thing.subject.resource.properties.get(property))) continue;
    const by = { [parameter.name]: parameter.items === undefined ? value : [value] };
    asked.push({ by, shown: { [property]: value } });
    addFilter(draft, thing, list, by, { item, shown: { [property]: value } });
  }
  const [first, second] = asked;
  if (first !== undefined && second !== undefined) addBoth(draft, thing, list, { item, first, second });
}

/** A filter as it is sent, and what each item shows then. */
interface Asked {
  readonly by: JsonObject;
  readonly shown: JsonObject;
}

/** Two filters together leave what has both; that nothing lacks one the checks of the whole run see. */
function addBoth(draft: Draft, thing: Thing, list: Binding, { item, first, second }: Both): void {
  const page = longestPage(draft.api, list);
  const body = page && listWith(list, { ...item, ...first.shown, ...second.shown }, page);
  if (body === undefined) return;
  draft.add('steps', {
    name: `list by ${Object.keys({ ...first.shown, ...second.shown }).join(' and ')} of ${withArticle(draft.noun)}`,
    ...draft.beside(thing, list, { ...page?.parameters, ...first.by, ...second.by }),
    expect: { status: successStatuses(list.operation, [200]), body },
  });
}

interface Both {
  readonly item: JsonObject;
  readonly first: Asked;
  readonly second: Asked;
}

function addFilter(draft: Draft, thing: Thing, list: Binding, by: JsonObject, { item, shown }: Filtered): void {
  const page = longestPage(draft.api, list);
  const request = draft.beside(thing, list, { ...page?.parameters, ...by });
  const status = successStatuses(list.operation, [200]);
  const name = `list by ${Object.keys(shown).join()} of ${withArticle(draft.noun)}`;
  const within = page === undefined ? undefined : listWith(list, { ...item, ...shown }, page);
  if (within !== undefined)
    draft.add('steps', { name: `${name}: it is in the list`, ...request, expect: { status, body: within } });
  const all = listOf(list, { $each: along(list.response?.entryPath ?? [], shown), $minItems: 0 });
  if (all !== undefined)
    draft.add('steps', { name: `${name}: nothing with another one is`, ...request, expect: { status, body: all } });
}

interface Filtered {
  readonly item: JsonObject;
  readonly shown: JsonObject;
}

/** Captures what a thing that was made shows of itself. @returns placeholders for it, by name of the property */
export function seen(draft: Draft, thing: Thing, names: readonly string[]): JsonObject {
  const { resource } = thing.subject;
  const read = thing.subject.of('read');
  if (read?.response?.form !== 'item' || names.length === 0) return {};
  const { path } = read.response;
  const called = names.map((name) => [name, draft.freeName(`${resource.name} ${name}`)] as const);
  draft.add('setup', {
    name: `look at the ${draft.noun}`,
    ...draft.at(thing, read),
    mayBeRefused: true,
    expect: { status: successStatuses(read.operation, [200]) },
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
