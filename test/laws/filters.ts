import { asObject, isScalar, plainName } from './checks';
import { type Collection, itemsIn, keyIn, propertiesOf } from './collections';
import { goodSchema, nameOf, type Operation, type Parameter } from './description';
import type { Place } from './place';
import { typeOf } from './schemas';
import type { Session } from './session';
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
  const filters = list.parameters.filter(
    (each) => isFilter(each, session) && !(Object.values(way) as unknown[]).includes(each),
  );
  if (filters.length === 0 || isFiltered(list, way)) return;
  const whole = await session.ask(list, { keys }, collection);
  const items = (itemsIn(collection, whole.answer.json) ?? []).map(asObject);
  const shown = shownProperties(collection, session);
  let tried = 0;
  for (const filter of filters) {
    const property = [...shown].find(
      ([name, type]) => plainName(name) === plainName(filter.name) && isScalarType(type),
    );
    const value = property === undefined ? undefined : items.map((item) => item[property[0]]).find(isText);
    if (property === undefined || value === undefined || !mayBe(filter, value, session) || tried === MOST) continue;
    tried += 1;
    const [name] = property;
    const exchange = await session.ask(list, { keys, query: { [filter.name]: String(value) } }, collection);
    const found = itemsIn(collection, exchange.answer.json)?.map(asObject);
    const about = { operation: nameOf(list), collection, shown: [whole, exchange] };
    const others = found?.filter((item) => isScalar(item[name]) && !hasValue(item[name], value));
    const wanted = keyIn(
      collection,
      items.find((item) => item[name] === value),
    );
    const isThere =
      found !== undefined &&
      found.length > 0 &&
      (wanted === undefined || found.some((item) => keyIn(collection, item) === wanted));
    const expected = `${filter.name}=${String(value)} leaves the items with that ${name}, among them ${wanted ?? 'one'}`;
    session.tell('filter', isThere && others?.length === 0 ? 'holds' : 'violated', about, expected);
  }
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
