import { type JsonObject, type JsonValue, valueAlong } from '../core/json/json-value';
import type { ListFilter } from '../lists/list-model';
import type { Parameter } from '../openapi/model/operation';
import type { FlatSchema } from '../payload/sampler/flat-schema';
import { samplerOf } from '../payload/sampler/sampler';
import type { Binding } from '../resources/model/binding';
import type { Draft, MadeThing } from './draft';
import { along, itemOf, listOf, listWith, listWithout, longestPage } from './expectations';
import { written } from './bodies';
import { type Subject, successStatuses } from './subject';

/** A value that a query asks for, as the things that were made have it. */
interface Asked {
  readonly parameter: Parameter;
  readonly property: string;
  /** As a step has it. */
  readonly value: JsonValue;
}

/** Lists: filtered, cut into pages and ordered, with things of the run's own among whatever else is there. */
export function addLists(draft: Draft, subject: Subject): void {
  const list = subject.of('list');
  if (list?.response?.form !== 'list' || subject.comesWith !== undefined) return;
  const first = draft.ingredients(subject);
  const second = first === undefined ? undefined : draft.ingredients(subject);
  if (first === undefined || second === undefined) return;
  const things = [draft.make(first, 'setup'), draft.make(second, 'setup', `add another ${draft.noun}`)] as const;
  const context: Lists = { draft, list, things };
  filters(context);
  bounds(context);
  ownAlone(context);
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

/** Each filter leaves what has the value, and nothing that has another one. */
function filters(context: Lists): void {
  const { list, things } = context;
  for (const filter of list.parameters.filters) {
    const [own, other] = things.map((thing) => askedOf(filter, thing));
    const item = itemOf(things[0].subject.resource, things[0].key);
    if (own === undefined || item === undefined) continue;
    const page = longestPage(context.draft.api, list);
    const parameters = { ...page?.parameters, [own.parameter.name]: ofParameter(own) };
    const name = `list by ${own.property}`;
    const shown = { ...item, [own.property]: own.value };
    if (page !== undefined) ask(context, `${name}: it is in the list`, parameters, listWith(list, shown, page));
    const stranger = itemOf(things[1].subject.resource, things[1].key);
    const isOther = other !== undefined && JSON.stringify(other.value) !== JSON.stringify(own.value);
    if (!isOther || stranger === undefined) continue;
    const body = listWithout(list, stranger, { [own.property]: own.value });
    ask(context, `${name}: nothing else is in the list`, parameters, body);
  }
}

/** What a thing has that a filter asks for; `undefined` where that is not known. */
function askedOf({ parameter, property, operator, innerPath }: ListFilter, thing: MadeThing): Asked | undefined {
  if (operator !== 'equal' || innerPath.length > 0) return undefined;
  const { key } = thing.subject.resource;
  if (property === key.name && !key.isClientChosen) return { parameter, property, value: thing.key };
  const value = sentOf(thing, property);
  return value === undefined ? undefined : { parameter, property, value };
}

/** A value that was sent, as a step has it: a scalar that comes back as it is. */
function sentOf({ subject, plain, substitutions }: MadeThing, property: string): JsonValue | undefined {
  const value = valueAlong(written(plain, substitutions), [...(subject.create.request?.path ?? []), property]);
  const format = subject.resource.properties.get(property)?.schema['format'];
  // A time may come back in another form of it.
  const isTime = typeof format === 'string' && /date|time/.test(format);
  return value === null || typeof value === 'object' || isTime ? undefined : value;
}

function ofParameter({ parameter, value }: Asked): JsonValue {
  return parameter.items === undefined ? value : [value];
}

/** A page has as many items as are asked for, at the least and at the most; beyond that it is rejected. */
function bounds(context: Lists): void {
  const { list, draft } = context;
  const { limit } = list.parameters;
  const { minimum, maximum } = limit === undefined ? {} : flatOf(draft, limit);
  if (limit === undefined) return;
  const [least, most] = [minimum, maximum].map((each) => (typeof each === 'number' ? each : undefined));
  const size = least ?? 1;
  if (size >= 1 && size <= 2)
    ask(context, `a page of ${size}`, { [limit.name]: size }, listOf(list, { $length: size }));
  if (most !== undefined) {
    const body = listOf(list, { $length: { $max: most } });
    ask(context, `a page of ${most}, which is the most`, { [limit.name]: most }, body);
  }
}

function flatOf(draft: Draft, { schema }: Parameter): Partial<FlatSchema> {
  return schema === undefined ? {} : samplerOf(draft.api).nodeOf(schema, 'request').flat;
}

/** Where a list can be asked for things of the run alone, all of it is known: its items, its pages, its order. */
function ownAlone(context: Lists): void {
  const { list, things } = context;
  const [first, second] = things;
  const [asked] =
    list.parameters.filters
      .map((filter) => [askedOf(filter, first), askedOf(filter, second)] as const)
      .find(([one, other]) => one !== undefined && other !== undefined && isOwnAlone(one, other, first)) ?? [];
  const [one, other] = things.map((thing) => itemOf(thing.subject.resource, thing.key));
  if (asked === undefined || one === undefined || other === undefined) return;
  const own: OwnList = { ...context, by: { [asked.parameter.name]: ofParameter(asked) }, items: [one, other] };
  ask(own, `both, and no other ${context.draft.noun}`, own.by, listOf(list, inAnyOrder(own)));
  pages(own);
  orders(own);
}

/** A list of the two things of the run, and of nothing else. */
interface OwnList extends Lists {
  readonly by: JsonObject;
  readonly items: readonly [JsonObject, JsonObject];
}

function inAnyOrder({ list, items }: OwnList): JsonObject {
  const [key = ''] = Object.keys(items[0]);
  const isPlain = (list.response?.entryPath ?? []).length === 0 && typeof items[0][key] === 'string';
  return isPlain ? { $unordered: { by: key, items: [...items] } } : { $length: 2 };
}

/** Pages that are asked for by their place: two of one item, and nothing behind them. */
function pages(own: OwnList): void {
  const { list, by } = own;
  const { limit, offset, page } = list.parameters;
  const places = offset === undefined ? page && pagePlaces(page) : offsetPlaces(offset);
  if (limit === undefined || places === undefined) return;
  const at = (place: number): JsonObject => ({ ...by, [limit.name]: 1, [places.name]: place });
  ask(own, 'the first page', at(places.first), listOf(list, { $length: 1 }));
  ask(own, 'the second page', at(places.first + 1), listOf(list, { $length: 1 }));
  ask(own, 'the page behind the last', at(places.first + 2), listOf(list, { $length: 0 }));
}

/** Each order that the description lists, by what was sent. */
function orders(own: OwnList): void {
  const { draft, list, things, by, items } = own;
  const { sort } = list.parameters;
  if (sort === undefined) return;
  const within = (item: JsonObject): JsonValue => along(list.response?.entryPath ?? [], item);
  for (const word of wordsOf(draft, sort)) {
    const order = orderBy(word.replace(/^[-+]/, ''), ...things);
    if (order === 0) continue;
    const isForward = word.startsWith('-') === order > 0;
    const sorted = isForward ? items : items.toReversed();
    ask(own, `sorted by ${word}`, { ...by, [sort.name]: word }, listOf(list, sorted.map(within)));
  }
}

interface PagePlaces {
  readonly name: string;
  readonly first: number;
}

function offsetPlaces({ name }: Parameter): PagePlaces {
  return { name, first: 0 };
}

function pagePlaces({ parameter: { name }, first }: NonNullable<Binding['parameters']['page']>): PagePlaces {
  return { name, first };
}

/** Does nobody but the run have things with that value? */
function isOwnAlone(one: Asked, other: Asked, { key }: MadeThing): boolean {
  const isSame = JSON.stringify(one.value) === JSON.stringify(other.value);
  return isSame && typeof one.value === 'string' && one.value.includes('${') && one.value !== key;
}

function wordsOf(draft: Draft, parameter: Parameter): string[] {
  return (flatOf(draft, parameter).values ?? []).filter((word): word is string => typeof word === 'string');
}

/** Which of two things comes first by a property; 0 where that is not known. */
function orderBy(property: string, first: MadeThing, second: MadeThing): number {
  const root = first.subject.create.request?.path ?? [];
  const [one, other] = [first, second].map(({ plain }) => valueAlong(plain, [...root, property]));
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one !== 'string' || typeof other !== 'string' || one === other) return 0;
  // Whatever the language of the service, a beginning comes before what goes on from it.
  return other.startsWith(one) ? -1 : one.startsWith(other) ? 1 : 0;
}
