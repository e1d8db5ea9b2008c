import { asList, asObject, isObject, isSame, isScalar, type JsonObject, plainName } from './checks';
import {
  chooseChange,
  type Comparison,
  isMarkedDeleted,
  isVolatile,
  judgeAcceptance,
  keptOf,
  readItem,
  type Sending,
  toldBy,
  wrongAfter,
} from './change';
import { bare, type Collection, itemIn, itemsIn, keyIn, keyProperty, propertiesOf } from './collections';
import { goodSchema, isJson, nameOf, type Operation } from './description';
import { makeValue, NoValueError } from './make-value';
import { addressOf, isSameKind, type Place } from './place';
import { chooseBody, type Wishes } from './request';
import { typeOf } from './schemas';
import type { Exchange, Session } from './session';
import { findWay, isFiltered, type Walk, walkList } from './walk';

type Kind = 'create' | 'update' | 'remove';
type Attempt = (operation: Operation, run: () => Promise<void>) => Promise<void>;

/** An operation about several items of a collection. */
interface Batch {
  readonly operation: Operation;
  readonly kind: Kind;
  /** The property of the body that has the entries; none where the body is the list. */
  readonly list: string | undefined;
  readonly entry: JsonObject;
  /** What is beside the entries: the change that all of them get. */
  readonly beside: ReadonlyMap<string, JsonObject>;
  /** The parameter of the query that has the keys. */
  readonly query?: string;
}

const WORDS: Readonly<Record<Kind, RegExp>> = {
  create: /create|add|insert/i,
  update: /update|edit|patch|modify|change/i,
  remove: /delete|remove|archive|destroy/i,
};
const BATCH = /^[/:_.-]((?:[a-z]+[/_-]?)?(?:batch|bulk|multiple|many)(?:[/_-]?[a-z]+)?)$/i;
/** What a POST of many may be that creates nothing. */
const OTHER =
  /\b(?:search|query|find|list|get|fetch|read|validate|check|verify|test|import|sync|calculate|preview|run|execute|filter|count|export|sort|order|move|upsert|save|link|assign|replace|request|send)|^[\w./-]*(?:search|validate|import|upsert|replace|sync)/i;

/** Batch: what many are made, changed or removed by acts on those that it names, and on no other. */
export async function judgeBatches(place: Place, attempt: Attempt): Promise<void> {
  const { session } = place;
  const batches = place.isReal ? findBatches(session, place.collection) : [];
  // What is removed last has the most to leave.
  for (const kind of ['create', 'update', 'remove'] as const) {
    for (const batch of batches.filter((each) => each.kind === kind)) {
      await attempt(batch.operation, () => JUDGES[kind](place, batch));
    }
  }
}

const JUDGES = { create: judgeCreation, update: judgeUpdate, remove: judgeRemoval } as const;

function findBatches(session: Session, collection: Collection): Batch[] {
  const root = bare(collection.path);
  const { operations } = session.description;
  return operations.flatMap((operation): Batch[] => {
    const path = bare(operation.path);
    const rest = path.startsWith(root) && operation.method !== 'GET' ? path.slice(root.length) : undefined;
    const isOwn = rest !== '' && operations.some((each) => each.method === 'GET' && bare(each.path) === path);
    if (rest === undefined || isOwn || operation === collection.create) return [];
    const kind = kindOf(operation, rest);
    return kind === undefined ? [] : readBatch(session, collection, operation, kind);
  });
}

/** What a batch does, by the words of its path, else by its method where its words say nothing else. */
function kindOf({ method, about }: Operation, rest: string): Kind | undefined {
  const named = rest === '' ? '' : BATCH.exec(rest)?.[1];
  if (named === undefined) return undefined;
  const verb = named.replace(/batch|bulk|multiple|many|[/_-]/gi, '');
  const kinds = Object.keys(WORDS) as Kind[];
  if (verb !== '') return kinds.find((kind) => WORDS[kind].exec(verb)?.[0] === verb);
  // `/cards-batch` may be another thing than many cards.
  if (OTHER.test(about) || rest.startsWith('-')) return undefined;
  const saysOther = (...others: Kind[]): boolean => others.some((kind) => WORDS[kind].test(about));
  if (method === 'DELETE') return 'remove';
  if (method !== 'POST') return saysOther('create', 'remove') ? undefined : 'update';
  return saysOther('update', 'remove') ? undefined : 'create';
}

function readBatch(session: Session, collection: Collection, operation: Operation, kind: Kind): Batch[] {
  const { schemas } = session;
  const query = kind === 'remove' ? keysParameter(operation, collection) : undefined;
  const body = chooseBody(operation);
  if (query !== undefined && body === undefined)
    return [{ operation, kind, query, list: undefined, entry: {}, beside: new Map() }];
  if (body === undefined || !isJson(body.mediaType)) return [];
  const flat = schemas.flatten(body.schema);
  if (typeOf(flat) === 'array') {
    const batch = { operation, kind, list: undefined, entry: schemas.flatten(flat['items']), beside: new Map() };
    return isUsable(batch, session, collection) ? [batch] : [];
  }
  // At the path of the collection an object may be one item, or a setting of all.
  const properties = propertiesOf(schemas, flat);
  const lists = [...properties].filter(([, of]) => typeOf(of) === 'array');
  if (lists.length !== 1) return [];
  const [[list, of]] = lists as [[string, JsonObject]];
  const beside = new Map([...properties].filter(([name]) => name !== list));
  const batch = { operation, kind, list, entry: schemas.flatten(of['items']), beside };
  return isUsable(batch, session, collection) ? [batch] : [];
}

function isUsable(batch: Batch, session: Session, collection: Collection): boolean {
  const { operation, kind, list, entry, beside } = batch;
  const names = typeOf(entry) === 'object' ? [...propertiesOf(session.schemas, entry).keys()] : [];
  const isObject = bare(operation.path) === bare(collection.path) && list !== undefined;
  // At the path of the collection an object with a list may be one item with that list.
  if (kind === 'create') return names.length > 0 && beside.size === 0 && !isObject;
  if (isObject && beside.size > 0) return false;
  const hasKey = keyProperty(collection, names) !== undefined;
  const isKeys = isScalarType(entry) && (list === undefined || namesKeys(list, collection));
  // A change is in each entry, or beside the keys of all.
  const holds = { remove: isKeys || hasKey, update: beside.size === 0 ? hasKey : isKeys };
  return holds[kind];
}

function isScalarType(schema: JsonObject): boolean {
  return ['string', 'integer', 'number'].includes(typeOf(schema) ?? '');
}

/** Whether a name is that of many keys: `ids`, `id`, `noteIds`, `keys`. */
function namesKeys(name: string, collection: Collection): boolean {
  const plain = plainName(name);
  return [plain, plain.replace(/s$/, '')].some((each) => keyProperty(collection, [each]) !== undefined);
}

function keysParameter({ parameters }: Operation, collection: Collection): string | undefined {
  return parameters.find(({ in: where, name }) => {
    return where === 'query' && /s$/.test(name) && namesKeys(name.replace(/\[\]$/, ''), collection);
  })?.name;
}

/** The request of a batch with these entries. */
function wishesOf(
  { session, keys }: Place,
  batch: Batch,
  entries: readonly unknown[],
  beside: JsonObject = {},
): Wishes {
  if (batch.query !== undefined) return { keys, query: { [batch.query]: String(entries[0]) } };
  const body = batch.list === undefined ? entries : { [batch.list]: entries, ...beside };
  const { schema } = chooseBody(batch.operation)!;
  const error = session.schemas.judge(schema, 'request')?.(body);
  if (error !== undefined) throw new NoValueError(`the entries do not fit: ${error.instancePath} ${error.message}`);
  return { keys, body };
}

function isDone({ answer: { status } }: Exchange): boolean {
  return status >= 200 && status < 300 && status !== 202 && status !== 207;
}

/** What a batch creates is at its address and in the list. */
async function judgeCreation(place: Place, batch: Batch): Promise<void> {
  const { session, collection } = place;
  const { schemas } = session;
  const entries = [11, 12].map((variant) => makeValue({ schemas, variant, takesExamples: true }, batch.entry, 'entry'));
  const made = await session.ask(batch.operation, wishesOf(place, batch, entries), collection);
  const about = { operation: nameOf(batch.operation), collection, shown: [made] };
  if (!isDone(made)) {
    const { status } = made.answer;
    const namesOthers =
      /"\w*(?:ids?|uuid|keys?|ref)":/i.test(JSON.stringify(entries)) && [400, 404, 422].includes(status);
    const isUnsaid = [202, 207, 402, 403, 409].includes(status);
    session.tell('batch', namesOthers || isUnsaid ? 'not applicable' : 'violated', about, 'it is accepted');
    return;
  }
  const keys = keysIn(collection, made.answer.json, entries.length);
  if (keys === undefined) await judgeByValue(place, batch, entries, made);
  else for (const key of keys) await judgeThere(place, key, made);
}

/** The keys of as many items as were sent, wherever an answer has them. */
function keysIn(collection: Collection, json: unknown, count: number, depth = 0): string[] | undefined {
  if (depth > 3) return undefined;
  if (Array.isArray(json)) {
    const keys = json.map((one) => itemIn(collection, one)?.key).filter((key) => key !== undefined);
    return json.length === count && new Set(keys).size === count ? keys : undefined;
  }
  return Object.values(asObject(json)).reduce<string[] | undefined>(
    (found, value) => found ?? keysIn(collection, value, count, depth + 1),
    undefined,
  );
}

async function judgeThere(place: Place, key: string, made: Exchange): Promise<void> {
  const { session, collection } = place;
  const { read } = collection;
  const about = { operation: nameOf(made.operation), collection };
  if (read !== undefined) {
    const found = await session.ask(read, { keys: addressOf(place, { key }) }, collection);
    const isThere = found.answer.status >= 200 && found.answer.status < 400;
    const shown = [made, found];
    session.tell('batch', isThere ? 'holds' : 'violated', { ...about, shown }, `${key} is at its address`);
  }
  const walk = await walkWhole(place);
  if (walk === undefined) return;
  const shown = [made, ...walk.shown.slice(0, 1)];
  session.tell('batch', walk.keys.includes(key) ? 'holds' : 'violated', { ...about, shown }, `the list has ${key}`);
}

/** A walk through a list that shows all, with keys. */
async function walkWhole({ session, collection, keys }: Place): Promise<Walk | undefined> {
  const { list } = collection;
  if (list === undefined || isFiltered(list, findWay(list, session))) return undefined;
  const walk = await walkList(session, collection, keys);
  return walk.broken === undefined && walk.hasKeys && walk.hasEnded ? walk : undefined;
}

/** Where the answer shows no keys, the list has a text that was sent and that no other item is likely to have. */
async function judgeByValue(place: Place, batch: Batch, entries: readonly unknown[], made: Exchange): Promise<void> {
  const { session, collection } = place;
  const walk = await walkWhole(place);
  if (walk === undefined) return;
  const shownAs = listedProperties(place);
  const asked = propertiesOf(session.schemas, batch.entry);
  const items = walk.shown.flatMap(({ answer }) => itemsIn(collection, answer.json) ?? []);
  for (const entry of entries) {
    const telling = Object.entries(asObject(entry)).find(([name, value]) => {
      const [from, to] = [asked.get(name), shownAs.get(name)];
      const isFree = typeof value === 'string' && value.length > 3 && from?.['enum'] === undefined;
      return isFree && from !== undefined && to !== undefined && isSameKind(from, to, value);
    });
    if (telling === undefined) continue;
    const [name, value] = telling;
    const isThere = items.some((item) => asObject(item)[name] === value);
    const about = { operation: nameOf(batch.operation), collection, shown: [made, ...walk.shown.slice(0, 1)] };
    session.tell('batch', isThere ? 'holds' : 'violated', about, `the list has one with ${name} ${String(value)}`);
  }
}

function listedProperties({ session, collection }: Place): ReadonlyMap<string, JsonObject> {
  const { flatten } = session.schemas;
  const schema = goodSchema(collection.list!)?.schema ?? {};
  const list = collection.items.reduce((at, name) => flatten(asObject(at['properties'])[name]), flatten(schema));
  return propertiesOf(session.schemas, flatten(list['items']));
}

/** Keys of things that are there: at least so many, made where they can be. */
async function keysThere(place: Place, least: number): Promise<readonly string[]> {
  const { session, collection } = place;
  for (let variant = 21; variant < 21 + least; variant += 1) {
    const walk = await walkWhole(place);
    if (walk === undefined) throw new NoValueError('no list shows what is there');
    const keys = [...new Set(walk.keys)];
    if (keys.length >= least) return keys;
    if (collection.create === undefined) break;
    await session.ask(collection.create, { keys: place.keys, variant }, collection);
  }
  throw new NoValueError('too few things are there');
}

/** What a batch changes is as it says, and what it does not name is as before. */
async function judgeUpdate(place: Place, batch: Batch): Promise<void> {
  const { session, collection } = place;
  if (collection.read === undefined) return;
  const [first, other] = await keysThere(place, 2);
  const [before, bystander] = [await readItem(place, { key: first! }), await readItem(place, { key: other! })];
  if (before === undefined || bystander === undefined) return;
  const { wishes, change } = chooseEntry(place, batch, first!, before.item);
  const changed = await session.ask(batch.operation, wishes, collection);
  const about = { operation: nameOf(batch.operation), collection, shown: [before.exchange, changed] };
  const verdict = changed.answer.status === 207 ? 'not applicable' : judgeAcceptance(place, changed.answer.status);
  if (verdict !== 'holds') {
    session.tell('batch', verdict, about, 'a valid change of many is accepted');
    return;
  }
  const after = await readItem(place, { key: first! });
  const wrong = wrongAfter({ ...change, before: before.item, after: after?.item ?? {} });
  const shown = [...about.shown, ...(after === undefined ? [] : [after.exchange])];
  session.tell('batch', wrong.length === 0 ? 'holds' : 'violated', { ...about, shown }, wrong.join('; '));
  await judgeBystander(place, batch, other!, bystander, changed);
}

/** A request that changes one item by a batch, and what should come of it. */
function chooseEntry(
  place: Place,
  batch: Batch,
  key: string,
  now: JsonObject,
): { wishes: Wishes; change: Omit<Comparison, 'before' | 'after'> } {
  const { session, collection } = place;
  const own = propertiesOf(session.schemas, batch.entry);
  const keyName = keyProperty(collection, [...own.keys()]);
  const sending = sendingOf(session, keyName === undefined ? batch.beside : own, batch.entry);
  const told = toldBy(place);
  const chosen = chooseChange(place, sending, told, now);
  if (chosen === undefined) throw new NoValueError('no property to change');
  const change = { [chosen.name]: chosen.value };
  const isPut = batch.operation.method === 'PUT';
  const unsaid = (name: string): boolean => isPut && !sending.properties.has(name);
  if (keyName === undefined) {
    const wishes = wishesOf(place, batch, [keyAs(batch.entry, key)], change);
    return { wishes, change: { ...chosen, sent: [chosen.name], told, unsaid } };
  }
  const item = { ...(isPut ? keptOf(sending, now) : requiredOf(sending, now)), ...change };
  const wishes = wishesOf(place, batch, [{ ...item, [keyName]: keyAs(own.get(keyName)!, key) }]);
  return { wishes, change: { ...chosen, sent: Object.keys(item), told, unsaid } };
}

function keyAs(schema: JsonObject, key: string): string | number {
  return ['integer', 'number'].includes(typeOf(schema) ?? '') ? Number(key) : key;
}

function sendingOf(session: Session, properties: ReadonlyMap<string, JsonObject>, entry: JsonObject): Sending {
  const writable = new Map([...properties].filter(([, of]) => of['readOnly'] !== true));
  const required = asList(session.schemas.flatten(entry)['required']).map(String);
  return { properties: writable, required, wrap: (item) => item, isValid: () => true };
}

function requiredOf({ required }: Sending, item: JsonObject): JsonObject {
  return Object.fromEntries(required.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]));
}

/** What was not named is as it was. PUT at the path of the collection may say what all of it is. */
async function judgeBystander(
  place: Place,
  { operation }: Batch,
  key: string,
  before: { item: JsonObject; exchange: Exchange },
  done: Exchange,
): Promise<void> {
  const { session, collection } = place;
  if (operation.method === 'PUT' && bare(operation.path) === bare(collection.path)) return;
  const after = await session.ask(collection.read!, { keys: addressOf(place, { key }) }, collection);
  const item = after.answer.status === 200 ? itemIn(collection, after.answer.json)?.value : undefined;
  const names = Object.keys(before.item).filter((name) => isScalar(before.item[name]) && !isVolatile(name));
  const isAsBefore = isObject(item) && names.every((name) => isSame(item[name], before.item[name]));
  const about = { operation: nameOf(operation), collection, shown: [before.exchange, done, after] };
  session.tell('batch', isAsBefore ? 'holds' : 'violated', about, `${key}, which was not named, is as before`);
}

/** What a batch removes is gone, and what it does not name is there. */
async function judgeRemoval(place: Place, batch: Batch): Promise<void> {
  const { session, collection } = place;
  const all = await keysThere(place, 2);
  const other = all[0]!;
  const named = all.slice(-1);
  const own = propertiesOf(session.schemas, batch.entry);
  const keyName = keyProperty(collection, [...own.keys()]);
  const entries = named.map((key) =>
    keyName === undefined ? keyAs(batch.entry, key) : { [keyName]: keyAs(own.get(keyName)!, key) },
  );
  const removed = await session.ask(batch.operation, wishesOf(place, batch, entries), collection);
  const { status } = removed.answer;
  const about = { operation: nameOf(batch.operation), collection, shown: [removed] };
  if (!isDone(removed)) {
    const mayRefuse = [202, 207, 303, 403, 409, 412, 428].includes(status);
    session.tell('batch', mayRefuse ? 'not applicable' : 'violated', about, 'they can be removed');
    return;
  }
  const walk = await walkList(session, collection, place.keys);
  for (const key of named) await judgeGone(place, key, removed, walk);
  const shown = [removed, ...walk.shown.slice(0, 1)];
  const isThere = walk.keys.includes(other);
  session.tell('batch', isThere ? 'holds' : 'violated', { ...about, shown }, `${other}, which was not named, is there`);
}

async function judgeGone(place: Place, key: string, removed: Exchange, walk: Walk): Promise<void> {
  const { session, collection } = place;
  const about = { operation: nameOf(removed.operation), collection };
  const items = walk.shown.flatMap(({ answer }) => itemsIn(collection, answer.json) ?? []);
  const listed = items.find((item) => keyIn(collection, item) === key);
  const isGone = !walk.keys.includes(key) || isMarkedDeleted(collection, listed);
  const shown = [removed, ...walk.shown.slice(0, 1)];
  session.tell('batch', isGone ? 'holds' : 'violated', { ...about, shown }, `the list is without ${key}`);
  if (collection.read === undefined) return;
  const found = await session.ask(collection.read, { keys: addressOf(place, { key }) }, collection);
  const isAway = [404, 410].includes(found.answer.status) || isMarkedDeleted(collection, found.answer.json);
  session.tell('batch', isAway ? 'holds' : 'violated', { ...about, shown: [removed, found] }, `${key} is gone`);
}
