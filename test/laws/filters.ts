import { asObject, isScalar, type JsonObject, plainName } from './checks';
import { type Collection, itemsIn, keyIn, propertiesOf } from './collections';
import { goodSchema, nameOf, type Operation, type Parameter } from './description';
import type { Place } from './place';
import { typeOf } from './schemas';
import type { Exchange, Session } from './session';
import { findWay, isFiltered, walkList } from './walk';

/** At most so many parameters of a list are tried. */
const MOST = 4;
/** What selects by more than the same value, or selects nothing. */
const OTHER_MEANINGS =
  /date|time|created|updated|modified|since|until|before|after|version|sort|order|fields|include|expand|format|locale|lang/;
const TOTAL = /^total(?:count|results?|items|elements|records|entries|size|rows)?$/;

/** Filter: a parameter with the name of a property leaves the items that have its value, and no other. */
export async function judgeFilters(place: Place): Promise<void> {
  const { session, collection, keys } = place;
  const list = collection.list!;
  const way = findWay(list, session);
  const known: unknown[] = Object.values(way);
  const filters = list.parameters.filter((each) => isFilter(each, session) && !known.includes(each));
  if (filters.length === 0 || isFiltered(list, way)) return;
  const whole = await session.ask(list, { keys }, collection);
  const items = (itemsIn(collection, whole.answer.json) ?? []).map(asObject);
  const shown = shownProperties(collection, session);
  const choices = filters.flatMap((filter) => chooseValue(filter, items, shown, session)).slice(0, MOST);
  for (const choice of choices) await judgeFilter(place, whole, choice);
}

interface Choice {
  readonly filter: Parameter;
  /** The property with the name of the filter, a value of it, and an item that has it. */
  readonly name: string;
  readonly value: string | number;
  readonly item: JsonObject;
}

function chooseValue(
  filter: Parameter,
  items: readonly JsonObject[],
  shown: ReadonlyMap<string, string | undefined>,
  session: Session,
): Choice[] {
  const named = [...shown].find(([name, type]) => plainName(name) === plainName(filter.name) && isScalarType(type));
  const [name = ''] = named ?? [];
  const item = items.find((one) => isText(one[name]));
  const value = item?.[name];
  return item !== undefined && isText(value) && mayBe(filter, value, session) ? [{ filter, name, value, item }] : [];
}

async function judgeFilter(place: Place, whole: Exchange, { filter, name, value, item }: Choice): Promise<void> {
  const { session, collection, keys } = place;
  const query = { [filter.name]: String(value) };
  const exchange = await session.ask(whole.operation, { keys, query }, collection);
  const found = (itemsIn(collection, exchange.answer.json) ?? []).map(asObject);
  const key = keyIn(collection, item);
  const isThere = key === undefined ? found.length > 0 : found.some((one) => keyIn(collection, one) === key);
  const isAlone = found.every((one) => !isScalar(one[name]) || hasValue(one[name], value));
  const about = { operation: nameOf(whole.operation), collection, shown: [whole, exchange] };
  const expected = `${filter.name}=${value} leaves the items with that ${name}, among them ${key ?? 'one'}`;
  session.tell('filter', isThere && isAlone ? 'holds' : 'violated', about, expected);
}

function isText(value: unknown): value is string | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

function isScalarType(type: string | undefined): boolean {
  return type === 'string' || type === 'integer';
}

function isFilter({ in: place, name, schema }: Parameter, session: Session): boolean {
  const flat = session.schemas.flatten(schema);
  const isPlain = isScalarType(typeOf(flat)) && !/date|time/.test(String(flat['format']));
  return place === 'query' && isPlain && !OTHER_MEANINGS.test(name.toLowerCase());
}

function mayBe({ schema }: Parameter, value: unknown, session: Session): boolean {
  const judge = session.schemas.judge(schema, 'request');
  return (
    judge !== undefined &&
    judge(typeOf(session.schemas.flatten(schema)) === 'string' ? String(value) : value) === undefined
  );
}

/** Case and a part of the text may do: descriptions rarely say. */
function hasValue(shown: unknown, value: unknown): boolean {
  return String(shown).toLowerCase().includes(String(value).toLowerCase());
}

/** The properties of a listed item, with their types. */
function shownProperties(collection: Collection, session: Session): Map<string, string | undefined> {
  const { flatten } = session.schemas;
  const schema = goodSchema(collection.list!)?.schema ?? {};
  const list = collection.items.reduce((at, name) => flatten(asObject(at['properties'])[name]), flatten(schema));
  return new Map([...propertiesOf(session.schemas, flatten(list['items']))].map(([name, of]) => [name, typeOf(of)]));
}

/** Total: the number of all items is that of the items that a walk through the list meets. */
export async function judgeTotal(place: Place, list: Operation): Promise<void> {
  const { session, collection, keys } = place;
  if (isFiltered(list, findWay(list, session))) return;
  const walk = await walkList(session, collection, keys);
  const first = walk.shown[0];
  const totals = first === undefined ? [] : totalsIn(first.answer.json);
  if (walk.broken !== undefined || !walk.hasEnded || !walk.hasKeys || totals.length === 0) return;
  const wrong = totals.filter(([, total]) => total !== walk.keys.length).map(([name]) => name);
  const about = { operation: nameOf(list), collection, shown: [first!] };
  session.tell('total', wrong.length === 0 ? 'holds' : 'violated', about, `${wrong.join(', ')} is ${walk.keys.length}`);
}

function totalsIn(json: unknown, depth = 0): [string, number][] {
  if (depth > 2) return [];
  return Object.entries(asObject(json)).flatMap(([name, value]): [string, number][] => {
    if (typeof value === 'number') return TOTAL.test(plainName(name)) ? [[name, value]] : [];
    return totalsIn(value, depth + 1);
  });
}
