import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import type { Parameter } from '../openapi/model/operation';
import type { Binding } from '../resources/model/binding';
import { withArticle } from '../traffic/contract/names';
import { addLengths, addListReads, addPagesTogether } from './list-reads';
import { withOwnName, written } from './bodies';
import { flatOf, pathWith, wordsOf } from './parameters';
import type { Draft } from './draft';
import type { Ingredients, MadeThing } from './thing';
import { along, headerNamed, itemOf, listOf, nextPage } from './expectations';
import { isAddress } from './sample-body';
import { keyPathOf, pointerTo, requestOf, type Subject, successStatuses } from './subject';

/** A list that is asked for things of the run alone, so that all of it is known: its items, its pages, its order. */
interface OwnList {
  readonly draft: Draft;
  readonly list: Binding;
  readonly things: readonly MadeThing[];
  /** What leaves nothing but them. */
  readonly by: JsonObject;
  /** As each of them shows what was asked for. */
  readonly shown: JsonObject;
  /** Another one of them. */
  readonly more: Ingredients;
}

const COUNT = 3;

/**
 * Pages, orders and counts of a list: of one that can be asked for what nobody but the run has by what has to be there,
 * of others by reads that are held against each other.
 */
export function addPages(draft: Draft, subject: Subject): void {
  const own = subject.comesWith === undefined ? ownListOf(draft, subject) : undefined;
  if (own === undefined) {
    otherPages(draft, subject);
    return;
  }
  const called = own.things.map(() => draft.freeName('in the list'));
  const capture = Object.fromEntries(called.map((name, index) => [name, keyAt(own, index)]));
  ask(own, `all, and no other ${draft.noun}`, onOnePage(own), inAnyOrder(own), { ...countHeader(own), capture });
  const again = called.map((name) => entryWith(own, `\${${name}}`));
  ask(own, 'all of them again, in the same order', onOnePage(own), listOf(own.list, again));
  placedPages(own);
  orders(own);
  linkedPages(own);
  const { list, by, things } = own;
  const [first] = things;
  if (first === undefined) return;
  const reads = { draft, list, at: first, made: things.length };
  const isPaged = hasPlaces(own) || headerNamed(list, /^link$/i) !== undefined;
  if (isPaged) addLengths(reads);
  else addPagesTogether({ ...reads, by });
}

function hasPlaces({ list: { parameters } }: OwnList): boolean {
  return parameters.offset !== undefined || parameters.page !== undefined;
}

function otherPages(draft: Draft, subject: Subject): void {
  const list = subject.of('list');
  if (list?.response?.form !== 'list' || !draft.canMake(subject)) return;
  const ingredients =
    subject.comesWith === undefined ? Array.from({ length: COUNT }, () => draft.ingredients(subject) ?? []).flat() : [];
  const things = ingredients.map((each, index) =>
    draft.make(each, 'setup', `add ${withArticle(draft.noun)}, ${index + 1} of ${COUNT}`),
  );
  const scope = things[0]?.scope ?? draft.scopeOf(subject.resource);
  if (scope !== undefined) addListReads({ draft, list, at: { scope }, made: things.length });
}

function ownListOf(draft: Draft, subject: Subject): OwnList | undefined {
  const list = subject.of('list');
  const schema = requestOf(subject.create);
  const made = list?.response?.form === 'list' ? draft.ingredients(subject) : undefined;
  if (list === undefined || schema === undefined || made === undefined) return undefined;
  const first = { ...made, plain: withOwnName(schema, made.plain, OWN) };
  const asked = askedOf(list, subject, made, first);
  if (asked === undefined) return undefined;
  const { parameter, property, path, value } = asked;
  const others = Array.from({ length: COUNT }, () => sameIn(draft.ingredients(subject), first, path) ?? []).flat();
  const [more, ...rest] = others;
  if (more === undefined || rest.length < COUNT - 1) return undefined;
  const things = [first, ...rest].map((each, index) =>
    draft.make(each, 'setup', `add ${withArticle(draft.noun)}, ${index + 1} of ${COUNT}`),
  );
  const by = { [parameter.name]: parameter.items === undefined ? value : [value] };
  return { draft, list, things, by, shown: { [property]: value }, more };
}

interface Asked {
  readonly parameter: Parameter;
  readonly property: string;
  readonly path: readonly string[];
  readonly value: string;
}

/**
 * By what a list can be asked for things that nobody else has: a filter, and the value that they have, which is none that
 * only one may have.
 */
function askedOf(list: Binding, { create }: Subject, made: Ingredients, own: Ingredients): Asked | undefined {
  for (const { parameter, property, operator, innerPath } of list.parameters.filters) {
    if (operator !== 'equal' || innerPath.length > 0) continue;
    const path = [...(create.request?.path ?? []), property];
    const [usual, value] = [made, own].map((each) => valueAlong(written(each.plain, each.substitutions), path));
    if (isOwn(value, value !== usual) && !isAddress(property, value)) return { parameter, property, path, value };
  }
  return undefined;
}

/** The number of a name that nothing else in a run has. */
const OWN = 9000;

/** Has nobody else that value: a name of its own, or the key of what was made for this contract? */
function isOwn(value: JsonValue | undefined, isOther: boolean): value is string {
  return typeof value === 'string' && (isOther || /^\$\{(?!runId\})\w+\}$/.test(value));
}

/** Ingredients with the value that others have at a place. */
function sameIn(own: Ingredients | undefined, first: Ingredients, path: readonly string[]): Ingredients | undefined {
  const value = valueAlong(first.plain, path);
  if (own === undefined || value === undefined || own.substitutions.some((each) => each.path.join() === path.join()))
    return own;
  return { ...own, plain: replaced(own.plain, path, value) };
}

function replaced(body: JsonObject, [name = '', ...inner]: readonly string[], value: JsonValue): JsonObject {
  const below = body[name];
  return { ...body, [name]: inner.length === 0 ? value : replaced(isJsonObject(below) ? below : {}, inner, value) };
}

function ask(
  { draft, list, things: [thing], by }: OwnList,
  name: string,
  parameters: JsonObject,
  body: JsonObject | undefined,
  more: { readonly headers?: JsonObject; readonly capture?: JsonObject } = {},
): void {
  if (thing === undefined) return;
  const { headers, capture } = more;
  draft.add('steps', {
    name,
    ...draft.beside(thing, list, { ...by, ...parameters }),
    expect: {
      status: successStatuses(list.operation, [200]),
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    },
    ...(capture === undefined ? {} : { capture }),
  });
}

/** A service may make its pages as short as it likes where nobody says how long they are to be. */
function onOnePage({ draft, list: { parameters } }: OwnList): JsonObject {
  const { limit } = parameters;
  const { minimum, maximum } = limit === undefined ? {} : flatOf(draft.api, limit);
  const [least, most] = [minimum, maximum].map((each) => (typeof each === 'number' ? each : undefined));
  const size = Math.max(Math.min(2 * COUNT, most ?? Infinity), least ?? 1);
  return limit === undefined || size <= COUNT ? {} : { [limit.name]: size };
}

function inAnyOrder({ list, things }: OwnList): JsonObject | undefined {
  const items = things.flatMap((thing) => itemOf(thing.subject.resource, thing.key) ?? []);
  const [key = '', value] = Object.entries(items[0] ?? {})[0] ?? [];
  const isPlain = (list.response?.entryPath ?? []).length === 0 && typeof value === 'string';
  return listOf(list, isPlain ? { $unordered: { by: key, items } } : { $length: COUNT });
}

/** How many there are on all pages, where a header of that name is documented. */
function countHeader({ list }: OwnList): { headers?: JsonObject } {
  const name = headerNamed(list, /^x-total(?:-count)?$|^total-count$/i);
  return name === undefined ? {} : { headers: { [name]: COUNT } };
}

/** Pages that are asked for by their place: one item each, each another one, and nothing behind them. */
function placedPages(own: OwnList): void {
  const { draft, list } = own;
  const { limit, offset, page } = list.parameters;
  const place = offset === undefined ? page?.parameter : offset;
  if (limit === undefined || place === undefined) return;
  const start = offset === undefined ? (page?.first ?? 1) : 0;
  let before: string | undefined;
  for (let number = 0; number < COUNT; number += 1) {
    const called = draft.freeName('on a page');
    const parameters = { [limit.name]: 1, [place.name]: start + number };
    const body = before === undefined ? listOf(list, { $length: 1 }) : listOf(list, [anotherThan(own, before)]);
    ask(own, `page ${number + 1} of ${COUNT}`, parameters, body, { capture: { [called]: keyAt(own, 0) } });
    before = called;
  }
  ask(own, 'the page behind the last', { [limit.name]: 1, [place.name]: start + COUNT }, listOf(list, { $length: 0 }));
}

/** An entry with another key than one that was captured. */
function anotherThan(own: OwnList, captured: string): JsonValue {
  return entryWith(own, { $not: `\${${captured}}` });
}

function entryWith({ list, things: [thing] }: OwnList, key: JsonValue): JsonValue {
  const path = thing === undefined ? [] : keyPathOf(thing.subject.resource);
  return along([...(list.response?.entryPath ?? []), ...path], key);
}

function keyAt({ list, things: [thing] }: OwnList, index: number): string {
  const path = thing === undefined ? [] : keyPathOf(thing.subject.resource);
  const { path: root = [], entryPath = [] } = list.response ?? {};
  return `$response.body#${pointerTo([...root, String(index), ...entryPath, ...path])}`;
}

/** Each order that the description lists, by what was sent. */
function orders(own: OwnList): void {
  const { draft, list, things } = own;
  const { sort } = list.parameters;
  if (sort === undefined) return;
  const words = wordsOf(draft.api, sort);
  for (const word of words) {
    const property = word.replace(/^[-+]/, '');
    const sorted = things.toSorted((one, other) => orderBy(property, one, other));
    const isKnown = sorted.every((thing, index) => {
      const next = sorted[index + 1];
      return next === undefined || orderBy(property, thing, next) < 0;
    });
    if (!isKnown) continue;
    const items = (word.startsWith('-') ? sorted.toReversed() : sorted).flatMap(
      (thing) => itemOf(thing.subject.resource, thing.key) ?? [],
    );
    const entryPath = list.response?.entryPath ?? [];
    ask(
      own,
      `sorted by ${word}`,
      { [sort.name]: word, ...onOnePage(own) },
      listOf(
        list,
        items.map((item) => along(entryPath, item)),
      ),
    );
  }
}

/** Which of two things comes first by a property, below zero the one; 0 where that is not known. */
function orderBy(property: string, first: MadeThing, second: MadeThing): number {
  const root = first.subject.create.request?.path ?? [];
  const [one, other] = [first, second].map(({ plain }) => valueAlong(plain, [...root, property]));
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return typeof one === 'string' && typeof other === 'string' && one !== other ? orderOfTexts(one, other) : 0;
}

/** Whatever the language of the service, a beginning comes before what goes on from it, and 1 before 2. */
function orderOfTexts(one: string, other: string): number {
  if (other.startsWith(one)) return -1;
  if (one.startsWith(other)) return 1;
  const [left, right] = [one, other].map((text) => /^(.*?)(\d)$/.exec(text)?.slice(1) ?? []);
  return left?.[0] !== undefined && left[0] === right?.[0] ? Number(left[1]) - Number(right[1]) : 0;
}

/** Pages that link to the next one (RFC 8288): none skips or repeats an entry, also while others are added. */
function linkedPages(own: OwnList): void {
  const { sort, cursor } = own.list.parameters;
  const key = own.things[0]?.subject.resource.key.name ?? '';
  const backwards = sort === undefined ? undefined : wordsOf(own.draft.api, sort).find((word) => word === `-${key}`);
  linkedPage(own, {});
  // What is added comes first then, so that a page that counts what is before it is not the same any more.
  if (sort !== undefined && backwards !== undefined && cursor !== undefined)
    linkedPage(own, { [sort.name]: backwards });
}

function linkedPage(own: OwnList, order: JsonObject): void {
  const { draft, list, things } = own;
  const { limit, cursor } = list.parameters;
  const [thing] = things;
  const link = headerNamed(list, /^link$/i);
  if (limit === undefined || link === undefined || thing === undefined) return;
  const next = draft.freeName('next page');
  const [one, other] = [draft.freeName('on the first page'), draft.freeName('on the first page')];
  ask(own, 'the first page, of two', { [limit.name]: 2, ...order }, listOf(list, { $length: 2 }), {
    headers: { [link]: { $pattern: 'rel="?next' } },
    capture: {
      [next]: nextPage(link),
      [one]: keyAt(own, 0),
      [other]: keyAt(own, 1),
    },
  });
  const path = pathWith(list.operation, draft.beside(thing, list));
  if (path === undefined) return;
  const isPlain = Object.keys(order).length === 0;
  const follow = (name: string, entry: JsonValue): void => {
    draft.add('steps', {
      name,
      method: 'GET',
      path: `${path}\${${next}}`,
      expect: {
        status: 200,
        body: listOf(list, [entry]) ?? {},
        headers: { [link]: { $not: { $pattern: 'rel="?next' } } },
      },
    });
  };
  follow('follow the link to the last page', withShown(own, anotherThan(own, one)));
  follow('follow it once more', withShown(own, anotherThan(own, other)));
  if (cursor === undefined || (isPlain && wordsOf(draft.api, list.parameters.sort).length > 0)) return;
  draft.make(own.more, 'steps', `add another ${draft.noun} meanwhile`, { mayBeRefused: true });
  const last = anotherThan(own, other);
  draft.add('steps', {
    name: 'follow it after another one was added',
    method: 'GET',
    path: `${path}\${${next}}`,
    expect: { status: 200, body: listOf(list, { $each: withShown(own, last) }) ?? {} },
  });
}

function withShown({ list, shown }: OwnList, entry: JsonValue): JsonValue {
  const path = list.response?.entryPath ?? [];
  const inner = valueAlong(entry, path);
  return along(path, isJsonObject(inner) ? { ...inner, ...shown } : shown);
}
