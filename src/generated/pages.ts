import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import { foldedName, namesInWords } from '../core/text/inflection';
import type { Parameter } from '../openapi/model/operation';
import type { Binding } from '../resources/model/binding';
import { withArticle } from '../traffic/contract/names';
import { withOwnName, written } from './bodies';
import type { Draft } from './draft';
import { along, headerNamed, itemOf, pageSizes } from './expectations';
import { addListReads, ask, entryWith, keyAt, leadOn, type ListReads, sized, WHOLE } from './list-reads';
import { wordsOf } from './parameters';
import { RUN_ID } from './run-text';
import { isAddress } from './sample-body';
import { requestOf, type Subject } from './subject';
import type { Ingredients, MadeThing } from './thing';

/** A list that is asked for things of the run alone, so that all of it is known. */
interface OwnList extends ListReads {
  readonly things: readonly MadeThing[];
  /** As each of them shows what was asked for. */
  readonly shown: JsonObject;
  /** Another one of them. */
  readonly more: Ingredients;
}

/** Pages and orders of a list, and of one that can be asked for what nobody but the run has all that is in it. */
export function addPages(draft: Draft, subject: Subject): void {
  const own = subject.comesWith === undefined ? ownListOf(draft, subject) : undefined;
  const reads = own ?? othersListOf(draft, subject);
  if (own !== undefined) addWhole(own);
  if (reads !== undefined) addListReads(reads);
  if (own !== undefined) addPageMeanwhile(own);
}

/** A list of whatever is there, beside things of the run. */
function othersListOf(draft: Draft, subject: Subject): ListReads | undefined {
  const list = subject.of('list');
  if (list?.response?.form !== 'list' || !draft.canMake(subject)) return undefined;
  const ingredients =
    subject.comesWith === undefined ? Array.from({ length: WHOLE }, () => draft.ingredients(subject) ?? []).flat() : [];
  const things = makeAll(draft, ingredients);
  const scope = things[0]?.scope ?? draft.scopeOf(subject.resource);
  return scope && { draft, list, at: { scope }, made: things.length, ...textsIn(list, things) };
}

/** What a search may look for: a word of letters alone, of what its description names first, and what is in nothing but these things. */
function textsIn(list: Binding, things: readonly MadeThing[]): Pick<ListReads, 'word' | 'ownText'> {
  const named = namesInWords(list.parameters.search?.description ?? '');
  const [first = [], second = []] = things.map(({ plain, subject }) => {
    const sent = valueAlong(plain, subject.create.request?.path ?? []);
    const entries = Object.entries(isJsonObject(sent) ? sent : {});
    const isNamed = ([name]: [string, JsonValue]): boolean => named.has(foldedName(name));
    const sorted = [...entries.filter(isNamed), ...entries.filter((entry) => !isNamed(entry))];
    return sorted.flatMap(([, value]) => (typeof value === 'string' ? [value] : []));
  });
  const word = first.flatMap((text) => /(?<!\w)[A-Za-z][a-z]{3,}(?!\w)/.exec(text) ?? [])[0];
  const [one = '', other = ''] = [first, second].map(
    (texts) => texts.flatMap((text) => OF_RUN.exec(text) ?? [])[0] ?? RUN_ID,
  );
  let end = one.length;
  while (!other.startsWith(one.slice(0, end))) end -= 1;
  return { word, ownText: one.slice(0, end).replace(/-$/, '').replace(RUN_ID, '${runId}') };
}

const OF_RUN = new RegExp(String.raw`${RUN_ID}[-\w]*`);

function makeAll(draft: Draft, ingredients: readonly Ingredients[]): MadeThing[] {
  return ingredients.map((each, index) =>
    draft.make(each, 'setup', `add ${withArticle(draft.noun)}, ${index + 1} of ${WHOLE}`),
  );
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
  const others = Array.from({ length: WHOLE }, () => sameIn(draft.ingredients(subject), first, path) ?? []).flat();
  const [more, ...rest] = others;
  if (more === undefined || rest.length < WHOLE - 1) return undefined;
  const things = makeAll(draft, [first, ...rest]);
  const by = { [parameter.name]: parameter.items === undefined ? value : [value] };
  const shown = { [property]: value };
  const known = { made: things.length, isOwn: true, ...textsIn(list, things), things, shown, more };
  return { draft, list, at: first, by, ...known };
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

/** All that is there. */
function addWhole(own: OwnList): void {
  const { draft, list } = own;
  const { least, most = Infinity } = pageSizes(draft.api, list);
  // A service may make its pages as short as it likes where nobody says how long they are to be.
  const size = Math.max(Math.min(2 * WHOLE, most), least);
  const total = headerNamed(list, /^x-total(?:-count)?$|^total-count$/i);
  ask(own, `all, and no other ${draft.noun}`, size > WHOLE ? sized(own, size) : {}, {
    matcher: inAnyOrder(own),
    headers: total === undefined ? undefined : { [total]: WHOLE },
    isAwaited: true,
  });
}

function inAnyOrder({ list, things }: OwnList): JsonObject {
  const items = things.flatMap((thing) => itemOf(thing.subject.resource, thing.key) ?? []);
  const [key = '', value] = Object.entries(items[0] ?? {})[0] ?? [];
  const isPlain = (list.response?.entryPath ?? []).length === 0 && typeof value === 'string';
  return isPlain ? { $unordered: { by: key, items } } : { $length: WHOLE };
}

/** What a page leads on to is not on it, also when another thing was added meanwhile. */
function addPageMeanwhile(own: OwnList): void {
  const { draft, list } = own;
  const { sort, limit, offset, page } = list.parameters;
  if (limit === undefined || offset !== undefined || page !== undefined) return;
  // What is added comes first then, so that a page that counts what is before it is not the same any more.
  const backwards = wordsOf(draft.api, sort).find((word) => word === `-${list.resource.key.name}`);
  const [one, other] = [draft.freeName('on the first page'), draft.freeName('on the first page')];
  leadOn(own, {
    name: 'the first page, of two, before another one is added',
    size: 2,
    by: sort === undefined || backwards === undefined ? {} : { [sort.name]: backwards },
    capture: { [one]: keyAt(list, 0), [other]: keyAt(list, 1) },
    steps: 1,
    followed: { $each: withShown(own, entryWith(list, { $not: `\${${other}}` })), $minItems: 0 },
    meanwhile: () => draft.make(own.more, 'steps', `add another ${draft.noun} meanwhile`, { mayBeRefused: true }),
  });
}

function withShown({ list, shown }: OwnList, entry: JsonValue): JsonValue {
  const path = list.response?.entryPath ?? [];
  const inner = valueAlong(entry, path);
  return along(path, isJsonObject(inner) ? { ...inner, ...shown } : shown);
}
