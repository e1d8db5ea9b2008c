import { asList, asObject, isSame, type JsonObject, plainName, type Verdict, wordsOf } from './checks';
import {
  bare,
  type Collection,
  findListed,
  itemIn,
  itemsIn,
  keyIn,
  lastWord,
  propertiesOf,
  singularOf,
} from './collections';
import { goodSchema, isJson, nameOf, type Operation } from './description';
import { makeValue, NoValueError } from './make-value';
import { findKey, findPlace, type Place } from './place';
import { chooseBody, type Wishes } from './request';
import { typeOf } from './schemas';
import type { Exchange, Session } from './session';
import { findWay, isFiltered, walkList } from './walk';

/** Belongs: what is made or listed below a parent names that parent, where it names one. */
export async function judgeParent(place: Place, made: Exchange | undefined): Promise<void> {
  const { session, collection, keys, isReal } = place;
  const parent = parentOf(collection);
  if (!isReal || parent === undefined) return;
  const told = [parent.names, keys[parent.variable]!] as const;
  if (made !== undefined) tellParent(place, made, itemIn(collection, made.answer.json)?.value, told);
  if (collection.list === undefined) return;
  const listed = await session.ask(collection.list, { keys }, collection);
  tellParent(place, listed, itemsIn(collection, listed.answer.json)?.[0], told);
}

/** The last variable of a collection's path, and how items may call its value. */
function parentOf({ path, keyName }: Collection): { variable: string; names: ReadonlySet<string> } | undefined {
  const [, literal = '', variable] = /\/([^/{}]+)\/\{([^{}]+)\}\/[^{}]*$/.exec(path) ?? [];
  if (variable === undefined) return undefined;
  const singular = plainName(literal).replace(/ies$/, 'y').replace(/s$/, '');
  const names = [plainName(variable), `${singular}id`].filter(
    (name) => /..id$/.test(name) && name !== plainName(keyName),
  );
  return { variable, names: new Set(names) };
}

function tellParent(
  { session, collection }: Place,
  exchange: Exchange,
  item: unknown,
  [names, key]: readonly [ReadonlySet<string>, string],
): void {
  const [name, value] = Object.entries(asObject(item)).find(([each]) => names.has(plainName(each))) ?? [];
  if (name === undefined || exchange.answer.status >= 300) return;
  const about = { operation: nameOf(exchange.operation), collection, shown: [exchange] };
  const wasSent = JSON.stringify(exchange.request.sent ?? null).includes(`"${name}":`);
  const verdict = String(value) === key ? 'holds' : wasSent ? 'not applicable' : 'violated';
  session.tell('belongs', verdict, about, `${name} is ${key}`);
}

/** How a request says which item is meant: at the end of its path or before its verb, or in a property of its body. */
type Naming =
  | { readonly by: 'path' }
  | { readonly by: 'body'; readonly property: string | undefined; readonly isMany: boolean; readonly isText: boolean };

interface Relating {
  readonly operation: Operation;
  readonly naming: Naming;
}

/** Items of one collection that are put to an item of another: `PUT /groups/{g}/users/{u}`, `POST /groups/{g}/members`. */
interface Bond {
  readonly put: Relating;
  readonly take: Relating | undefined;
  /** What shows, from the end of the parent, which items are put to it, and how an item's key is read there. */
  readonly list: Operation;
  readonly keyOf: (item: unknown) => string | undefined;
  readonly back: Operation | undefined;
  readonly from: Collection;
  readonly to: Collection;
}

const OPPOSITES: Readonly<Record<string, string>> = {
  add: 'remove',
  assign: 'unassign',
  associate: 'disassociate',
  attach: 'detach',
  connect: 'disconnect',
  link: 'unlink',
};
const SAYS_SO =
  /\b(?:add|adds|assign|assigns|attach|attaches|associate|associates|link|links|put)\b|^(?:add|assign|attach|associate|link)[A-Z_-]/;

/** What a search for bonds needs to know of a description. */
interface Search {
  readonly session: Session;
  readonly all: readonly Collection[];
  readonly at: (path: string, method: string) => Operation | undefined;
}

function findBonds(session: Session, all: readonly Collection[]): Bond[] {
  const { operations } = session.description;
  const at = (path: string, method: string): Operation | undefined =>
    operations.find((each) => bare(each.path) === path && each.method === method);
  const search = { session, all, at };
  const puts = operations.filter(({ method }) => ['PUT', 'POST', 'PATCH'].includes(method));
  return puts.flatMap((put) => {
    const path = bare(put.path);
    const from = all.find(
      (each) =>
        path.startsWith(`${bare(each.itemPath)}/`) &&
        /^[^{}]+(?:\/\{\}(?:\/[^{}/]+)?)?$/.test(path.slice(bare(each.itemPath).length + 1)),
    );
    return from === undefined ? [] : findBond(search, from, put, path.slice(bare(from.itemPath).length + 1));
  });
}

/** @param rest - what follows the parent's item in the path of `put`, without names of variables */
function findBond(search: Search, from: Collection, put: Operation, rest: string): Bond[] {
  const [literal = '', second, third] = rest.split('/');
  if (second === '{}') return findPathBond(search, from, put, literal, third);
  const isVerb = second !== undefined && plainName(second) in OPPOSITES;
  return third !== undefined || (second !== undefined && !isVerb)
    ? []
    : findBodyBond(search, from, put, literal, second);
}

/** `PUT /groups/{g}/users/{u}` and `POST /groups/{g}/users/{u}/attach`. */
function findPathBond(search: Search, from: Collection, put: Operation, literal: string, verb?: string): Bond[] {
  const { at } = search;
  const above = `${bare(from.itemPath)}/${literal}`;
  const list = at(above, 'GET');
  const last = lastVariable(put.path);
  // `/projects/{p}/keywords/{guid}`: the literal says of what.
  const to = findEnd(search, from, stemOf(last) === '' ? literal : last);
  const opposite = verb === undefined ? undefined : OPPOSITES[plainName(verb)];
  const isAttaching = opposite !== undefined && put.body?.required !== true;
  if (to === undefined || list === undefined || !(verb === undefined ? isPlainPut(search, put) : isAttaching))
    return [];
  const remove = at(`${above}/{}`, 'DELETE') ?? at(`${above}/{}/${String(opposite)}`, put.method);
  const naming: Naming = { by: 'path' };
  const take = remove && { operation: remove, naming };
  return completeBond(search, from, to, list, last, { put: { operation: put, naming }, take });
}

function lastVariable(path: string): string {
  return /\{([^{}]+)\}(?:\/[^{}]*)?$/.exec(path)?.[1] ?? '';
}

/** Whether all that a request can say is its path. What can be read or changed at that path has a life of its own. */
function isPlainPut({ at }: Search, { method, path, body, about }: Operation): boolean {
  const isOwn = ['GET', 'PATCH'].some((other) => at(bare(path), other) !== undefined);
  if (method === 'PATCH' || body?.required === true) return false;
  return !isOwn || (method === 'PUT' && body === undefined && SAYS_SO.test(about));
}

/** `POST /groups/{g}/members` with `user_id`, and `POST /groups/{g}/members/add`. */
function findBodyBond(search: Search, from: Collection, put: Operation, literal: string, verb?: string): Bond[] {
  const { at, session } = search;
  const above = `${bare(from.itemPath)}/${literal}`;
  const list = at(above, 'GET');
  const found =
    list === undefined
      ? []
      : namingsIn(session, put).flatMap(({ name, naming }) => {
          const to = findEnd(search, from, /^ids$/i.test(name) ? literal : name);
          return to === undefined ? [] : [{ name, naming, to }];
        });
  // Two that are named may be anything.
  if (list === undefined || found.length !== 1) return [];
  const { name, naming, to } = found[0]!;
  const opposite = verb === undefined ? 'remove' : OPPOSITES[plainName(verb)]!;
  const remove = at(`${above}/{}`, 'DELETE');
  const isTos = remove !== undefined && isNamed(remove, to);
  const other = [at(above, 'DELETE'), at(`${above}/${opposite}`, 'POST'), at(`${above}/${opposite}`, 'PUT')]
    .filter((each) => each !== undefined)
    .flatMap((operation) =>
      namingsIn(session, operation)
        .filter((each) => each.name === name)
        .map((each) => ({ operation, naming: each.naming })),
    );
  const take: Relating | undefined = isTos ? { operation: remove, naming: { by: 'path' } } : other[0];
  // What cannot be taken off, under another name, may be a new thing that refers to the item.
  const isRelation = take !== undefined || verb !== undefined || singularOf(literal) === singularOf(to.path);
  return isRelation ? completeBond(search, from, to, list, name, { put: { operation: put, naming }, take }) : [];
}

/** The properties of a body that may name items: `user_id`, `userIds`, `ids`, or the body where it is a list of keys. */
function namingsIn({ schemas }: Session, operation: Operation): { name: string; naming: Naming }[] {
  const body = chooseBody(operation);
  if (body === undefined || !isJson(body.mediaType)) return [];
  const flat = schemas.flatten(body.schema);
  const read = (property: string | undefined, of: JsonObject): Naming[] => {
    const isMany = typeOf(of) === 'array';
    const type = typeOf(isMany ? schemas.flatten(of['items']) : of);
    const isKey = ['string', 'integer'].includes(type ?? '') && of['readOnly'] !== true;
    return isKey ? [{ by: 'body', property, isMany, isText: type === 'string' }] : [];
  };
  if (typeOf(flat) === 'array') return read(undefined, flat).map((naming) => ({ name: 'ids', naming }));
  const properties = [...propertiesOf(schemas, flat)];
  // Something with many properties is made, and refers to another.
  if (properties.length > 4) return [];
  return properties
    .filter(([name]) => /^(?:ids?|uuids?|keys?)$/.test(wordsOf(name).at(-1) ?? ''))
    .flatMap(([name, of]) => read(name, of).map((naming) => ({ name, naming })));
}

/** What shows the relation, from both ends. */
function completeBond(
  { session, at }: Search,
  from: Collection,
  to: Collection,
  list: Operation,
  name: string,
  by: Pick<Bond, 'put' | 'take'>,
): Bond[] {
  const keyOf = keyReader(session, to, list, name);
  // Between two collections there may be several relations: the other end shows that with their names.
  const isPlain = plainName(lastWord(list.path)) === plainName(lastWord(to.path));
  const back = isPlain ? at(`${bare(to.itemPath)}/${bare(from.path).split('/').at(-1)}`, 'GET') : undefined;
  return keyOf === undefined ? [] : [{ ...by, list, keyOf, back, from, to }];
}

/** Where an item of a list below the parent shows the key of what is put there; `undefined` where that is not sure. */
function keyReader(session: Session, to: Collection, list: Operation, name: string): Bond['keyOf'] | undefined {
  if (findListed(session.schemas, list) === undefined) return undefined;
  const singular = singularOf(to.path);
  const own = [...propertiesOf(session.schemas, itemOf(session, list)).keys()];
  const stem = plainName(name).replace(/s$/, '');
  const wanted = [...(stem === 'id' ? [] : [stem]), `${singular}id`];
  const reference = own.find((each) => wanted.includes(plainName(each)));
  if (reference !== undefined) return (item) => textOf(asObject(item)[reference]);
  const inner = own.find((each) => plainName(each) === singular);
  if (inner !== undefined) return (item) => keyIn(to, asObject(item)[inner]);
  const isSameItem = to.list !== undefined && isSame(itemOf(session, list), itemOf(session, to.list));
  return isSameItem || plainName(lastWord(list.path)) === plainName(lastWord(to.path))
    ? (item) => keyIn(to, item)
    : undefined;
}

function itemOf({ schemas }: Session, list: Operation): JsonObject {
  const { flatten } = schemas;
  const names = findListed(schemas, list) ?? [];
  const at = names.reduce(
    (schema, name) => flatten(asObject(schema['properties'])[name]),
    flatten(goodSchema(list)?.schema),
  );
  return flatten(at['items']);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The collection whose items are put to those of another: by what a name says, as the last word of a path does. */
function findEnd({ all }: Search, from: Collection, name: string): Collection | undefined {
  const stem = singularOf(stemOf(name));
  const candidates = all.filter((to) => {
    const isElsewhere = to !== from && !bare(to.path).startsWith(`${bare(from.itemPath)}/`);
    return isElsewhere && to.list !== undefined && canReach(from, to) && stem === singularOf(to.path);
  });
  const shortest = Math.min(...candidates.map(({ path }) => path.length));
  const best = candidates.filter(({ path }) => path.length === shortest);
  return best.length === 1 && stem !== singularOf(from.path) ? best[0] : undefined;
}

/** `user` of `user_id`, `userIds` and `userUuid`. */
function stemOf(name: string): string {
  return plainName(name).replace(/(?:ids?|uuids?|guids?|keys?|identifier|name|slug)$/, '');
}

/** Whether the variables above a collection are those above another. */
function canReach(from: Collection, to: Collection): boolean {
  const path = bare(to.path);
  const last = path.lastIndexOf('{}');
  return last < 0 || bare(from.path).startsWith(path.slice(0, last + 2));
}

/** Whether the last variable of a path is called as the keys of a collection may be. */
function isNamed({ path }: Operation, to: Collection): boolean {
  const [, last = ''] = /\{([^{}]+)\}\/?$/.exec(path) ?? [];
  return stemOf(last) === singularOf(to.path);
}

/** Relate: what is put to another is seen there from both sides, and can be taken off again. */
export async function judgeBonds(
  session: Session,
  all: readonly Collection[],
  attempt: (place: Place, operation: Operation, run: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const known = new Map(all.map((collection) => [bare(collection.path), collection]));
  for (const bond of findBonds(session, all).slice(0, 12)) {
    const place = await findPlace(session, bond.from, known);
    if (place.isReal) await attempt(place, bond.put.operation, () => judgeBond(place, bond));
  }
}

type Tell = (verdict: Verdict, shown: readonly Exchange[], expected: string) => void;

/** An item at either end, with the values of its address in order. */
interface Ends {
  readonly one: string;
  readonly other: string;
  readonly above: readonly string[];
}

async function judgeBond(place: Place, bond: Bond): Promise<void> {
  const { session, keys } = place;
  const { put, from, to, list, back } = bond;
  const above = [...from.path.matchAll(/\{([^{}]+)\}/g)].map((match) => keys[match[1]!] ?? '');
  const one = await findKey(place, from.keyName);
  const toPlace: Place = { session, collection: to, keys: valuesFor(to.path, above), isReal: true };
  if (one === undefined) throw new NoValueError('no parent');
  const other = await chooseOther(toPlace, bond, [...above, one]);
  if (other === undefined) throw new NoValueError('nothing to put there');
  const ends = { one, other, above };
  const tell: Tell = (verdict, shown, expected) => {
    session.tell('relate', verdict, { operation: nameOf(put.operation), collection: from, shown }, expected);
  };
  const made = await session.ask(put.operation, wishesFor(session, put, ends), from);
  if (!isDone(made)) {
    tell(isRefused(made, other) ? 'not applicable' : 'violated', [made], 'both ends are there');
    return;
  }
  const there = await look(session, bond, ends);
  tell(verdictOf(there.isSeen), [made, there.shown], `${nameOf(list)} has ${other}`);
  if (back !== undefined) {
    const seen = { ...from, list: back, items: findListed(session.schemas, back) ?? [] };
    const depth = [...to.path.matchAll(/\{/g)].length;
    const walk = await walkList(session, seen, valuesFor(back.path, [...above.slice(0, depth), other]));
    tell(
      verdictOf(walk.hasKeys ? walk.keys.includes(one) : undefined),
      [made, walk.shown[0]!],
      `${nameOf(back)} has ${one}`,
    );
  }
  await judgeTakingOff(toPlace, bond, ends, tell);
}

/** One that is not there yet, where there is one. */
async function chooseOther(place: Place, bond: Bond, values: readonly string[]): Promise<string | undefined> {
  const { session, collection } = place;
  const made = await findKey(place, collection.keyName);
  const { shown } = await lookAt(session, bond, values);
  const taken = new Set(
    shown.flatMap(({ answer }) => itemsIn(readingOf(session, bond), answer.json) ?? []).map(bond.keyOf),
  );
  const listed = await session.ask(collection.list!, { keys: place.keys }, collection);
  const keys = (itemsIn(collection, listed.answer.json) ?? []).map((item) => keyIn(collection, item));
  return keys.find((key) => key !== undefined && !taken.has(key)) ?? made;
}

/** A refusal for reasons that the description need not tell; never that what is there is not found. */
function isRefused({ answer: { status, text } }: Exchange, other: string): boolean {
  const saysMissing = text.includes(other) && /not found|no such|does not exist|doesn't exist|names no/i.test(text);
  return [202, 400, 403, 409, 422].includes(status) && !saysMissing;
}

function wishesFor(session: Session, { operation, naming }: Relating, { one, other, above }: Ends): Wishes {
  const keys = valuesFor(operation.path, [...above, one, other]);
  if (naming.by === 'path') return { keys };
  const key = naming.isText ? other : Number(other);
  const value = naming.isMany ? [key] : key;
  if (naming.property === undefined) return { keys, body: value };
  const { schema } = chooseBody(operation)!;
  const { schemas } = session;
  const flat = schemas.flatten(schema);
  const needed = asList(flat['required'])
    .map(String)
    .filter((name) => name !== naming.property);
  const properties = propertiesOf(schemas, flat);
  const rest = needed.map((name) => {
    if (/^(?:ids?|uuids?|keys?)$/.test(wordsOf(name).at(-1) ?? '')) throw new NoValueError(`${name} names another`);
    return [name, makeValue({ schemas, variant: 0, takesExamples: true }, properties.get(name) ?? {}, name)];
  });
  const body = { ...Object.fromEntries(rest), [naming.property]: value };
  if (schemas.judge(schema, 'request')?.(body) !== undefined) throw new NoValueError('the body does not fit');
  return { keys, body };
}

async function judgeTakingOff(to: Place, bond: Bond, ends: Ends, tell: Tell): Promise<void> {
  const { take, list } = bond;
  if (take === undefined) return;
  const { session, collection } = to;
  const removed = await session.ask(take.operation, wishesFor(session, take, ends), bond.from);
  if (!isDone(removed)) {
    tell(isRefused(removed, ends.other) ? 'not applicable' : 'violated', [removed], 'it can be taken off');
    return;
  }
  const { isSeen, shown } = await look(session, bond, ends);
  const keys = { ...to.keys, [collection.keyName]: ends.other };
  const end = collection.read && (await session.ask(collection.read, { keys }, collection));
  const stays = end === undefined || end.answer.status === 200;
  const expected = `${nameOf(list)} is without ${ends.other}, which is still there itself`;
  tell(verdictOf(isSeen === undefined ? undefined : !isSeen && stays), [removed, shown], expected);
}

function verdictOf(isRight: boolean | undefined): Verdict {
  return isRight === undefined ? 'not applicable' : isRight ? 'holds' : 'violated';
}

function isDone({ answer: { status } }: Exchange): boolean {
  return status >= 200 && status < 300 && status !== 202;
}

/** The list below the parent as one of a collection. */
function readingOf(session: Session, { to, list }: Bond): Collection {
  return { ...to, list, items: findListed(session.schemas, list) ?? [] };
}

async function lookAt(
  session: Session,
  bond: Bond,
  values: readonly string[],
): Promise<{ shown: readonly Exchange[]; hasEnded: boolean }> {
  return walkList(session, readingOf(session, bond), valuesFor(bond.list.path, values));
}

/** Whether the list below the parent has the item; a list that shows no keys does not tell. */
async function look(
  session: Session,
  bond: Bond,
  { one, other, above }: Ends,
): Promise<{ isSeen: boolean | undefined; shown: Exchange }> {
  const { shown, hasEnded } = await lookAt(session, bond, [...above, one]);
  const items = shown.flatMap(({ answer }) => itemsIn(readingOf(session, bond), answer.json) ?? []);
  const keys = items.map(bond.keyOf);
  const isBlind = keys.some((key) => key === undefined) || isFiltered(bond.list, findWay(bond.list, session));
  const isSeen = keys.includes(other) ? true : isBlind || !hasEnded ? undefined : false;
  return { isSeen, shown: shown[0]! };
}

function valuesFor(path: string, values: readonly string[]): Place['keys'] {
  return Object.fromEntries([...path.matchAll(/\{([^{}]+)\}/g)].map((match, at) => [match[1]!, values[at] ?? '']));
}
