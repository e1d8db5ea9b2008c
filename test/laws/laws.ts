import { asObject, isObject, isScalar, type JsonObject, type Law, wordsOf } from './checks';
import { judgeActs, judgeReady } from './acts';
import { judgeBatches } from './batch';
import { judgeBonds, judgeParent } from './bonds';
import { judgeChange, judgeReplace } from './change';
import { bare, type Collection, findCollections, itemIn, itemSchema, keyProperty, propertiesOf } from './collections';
import { judgeContent } from './content';
import { judgeFilters, judgeTotal } from './filters';
import { goodSchema, nameOf, type Operation } from './description';
import { NoValueError } from './make-value';
import { judgePages } from './pages';
import {
  addressOf,
  findPlace,
  firstListed,
  isSameKind,
  isSameValue,
  keyOfCreated,
  type Place,
  type Thing,
} from './place';
import { judgeRemoval } from './removal';
import { chooseBody, makeRequest } from './request';
import type { Exchange, Session } from './session';
import { findWay, isFiltered, type Walk, walkList } from './walk';

/** How many things are created in each collection. */
const CREATED = 3;

/** Tries every law at every collection, at most so many. */
export async function judgeLaws(session: Session, most: number, isLate: () => boolean): Promise<Collection[]> {
  const all = findCollections(session.description, session.schemas);
  const known = new Map(all.map((collection) => [bare(collection.path), collection]));
  const chosen = all.slice(0, most);
  const tried: Collection[] = [];
  for (const collection of chosen) {
    if (isLate()) break;
    tried.push(collection);
    const place = await findPlace(session, collection, known);
    const things = await judgeCreation(place);
    await judgeCollection(place, things);
    await judgeBatches(place, (operation, run) => attempt(place, operation, 'batch', run));
    await judgeContent(place, (operation, run) => attempt(place, operation, 'content', run));
    await disturb(place, things[0]);
  }
  await judgeBonds(session, all, (place, operation, run) => attempt(place, operation, 'relate', run));
  return tried;
}

async function judgeCollection(place: Place, things: readonly Thing[]): Promise<void> {
  const { collection } = place;
  if (things[0] !== undefined) await judgeReading(place, things[0]);
  await judgeListedReading(place);
  if (collection.list !== undefined) {
    await attempt(place, collection.list, 'list', () => judgeListing(place, things));
    await attempt(place, collection.list, 'pages', () => judgePages(place));
    await attempt(place, collection.list, 'filter', () => judgeFilters(place));
    await attempt(place, collection.list, 'total', () => judgeTotal(place, collection.list!));
    await attempt(place, collection.list, 'belongs', () => judgeParent(place, things[0]?.made));
  }
  const thing = things[0] ?? (await firstListed(place));
  if (thing === undefined) return;
  if (collection.replace !== undefined) {
    const other = things[1] ?? thing;
    await attempt(place, collection.replace, 'replace keeps', () => judgeReplace(place, collection.replace!, other));
  }
  for (const operation of [collection.change, collection.replace]) {
    if (operation !== undefined) await attempt(place, operation, 'change', () => judgeChange(place, operation, thing));
  }
  if (collection.read !== undefined) {
    const { made } = thing;
    if (made !== undefined) await attempt(place, collection.read, 'ready', () => judgeReady(place, thing, made));
    await judgeActs(place, thing, (operation, run) => attempt(place, operation, 'act', run));
  }
  if (collection.remove !== undefined) {
    await attempt(place, collection.remove, 'remove', () => judgeRemoval(place, collection.remove!, thing));
  }
}

/** Runs a law; where no request can be made it does not apply. */
async function attempt(place: Place, operation: Operation, law: Law, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof NoValueError)) throw error;
    place.session.tell(
      law,
      'not applicable',
      { operation: nameOf(operation), collection: place.collection },
      `cannot make a value: ${error.message}`,
    );
  }
}

/** Create: what is valid is accepted. Returns what the server should have now. */
async function judgeCreation(place: Place): Promise<Thing[]> {
  const { session, collection, keys } = place;
  const { create } = collection;
  const things: Thing[] = [];
  if (create === undefined) return things;
  await attempt(place, create, 'create', async () => {
    for (let variant = 0; variant < CREATED; variant += 1) {
      const made = await session.ask(create, { keys, variant }, collection);
      const about = { operation: nameOf(create), collection, shown: [made] };
      const excuse = excuseFor(place, made, variant);
      const { status } = made.answer;
      if (status < 200 || status >= 400) {
        session.tell('create', excuse === undefined ? 'violated' : 'not applicable', about, excuse ?? 'it is accepted');
        break;
      }
      session.tell('create', 'holds', about, '');
      const key = status === 202 ? undefined : keyOfCreated(place, made);
      if (variant === 0 && itemIn(collection, made.answer.json)?.key !== undefined) judgeEcho(place, made, made);
      if (key !== undefined && things.every((thing) => thing.key !== key)) things.push({ key, made });
    }
  });
  return things;
}

/** Why a server may refuse what the description allows. */
function excuseFor({ isReal }: Place, { request, answer: { status } }: Exchange, variant: number): string | undefined {
  if (status >= 500 || status === 0) return undefined;
  if (!isReal) return 'no parent is known';
  if (status === 409 && variant > 0) return 'a conflict with the first one';
  const names = Object.keys(asObject(request.sent));
  const namesOthers = names.some((name) => ['id', 'ids', 'uuid', 'key', 'ref'].includes(wordsOf(name).at(-1) ?? ''));
  return namesOthers && [400, 404, 409, 422].includes(status) ? 'it names something that need not be there' : undefined;
}

/** Read and Echo: what was created is at its address, with what was sent. */
async function judgeReading(place: Place, thing: Thing): Promise<void> {
  const { session, collection } = place;
  const { read } = collection;
  const { made } = thing;
  if (read === undefined || made === undefined) return;
  await attempt(place, read, 'read', async () => {
    const found = await session.ask(read, { keys: addressOf(place, thing) }, collection);
    const isThere = isFound(place, thing, found);
    const about = { operation: nameOf(read), collection, shown: [made, found] };
    session.tell('read', isThere ? 'holds' : 'violated', about, `what was created is at its address, ${thing.key}`);
    if (isThere) judgeEcho(place, made, found);
  });
}

/** Read: what a list shows is at its address. */
async function judgeListedReading(place: Place): Promise<void> {
  const { session, collection } = place;
  const { read, list } = collection;
  const thing = await firstListed(place);
  if (read === undefined || list === undefined || thing === undefined) return;
  await attempt(place, read, 'read', async () => {
    const found = await session.ask(read, { keys: addressOf(place, thing) }, collection);
    const about = { operation: nameOf(read), collection, shown: [found] };
    const verdict = isFound(place, thing, found) ? 'holds' : 'violated';
    session.tell('read', verdict, about, `what GET ${collection.path} shows first is at its address, ${thing.key}`);
  });
}

function isFound({ collection }: Place, { key }: Thing, { answer }: Exchange): boolean {
  const shown = itemIn(collection, answer.json)?.key ?? key;
  return answer.status >= 200 && answer.status < 400 && shown === key;
}

/** Echo: what was sent is what an answer shows of it, as far as both descriptions have it. */
function judgeEcho({ session, collection }: Place, made: Exchange, found: Exchange): void {
  const shown = goodSchema(found.operation);
  const body = chooseBody(made.operation);
  if (shown === undefined || body === undefined || !isObject(made.request.sent)) return;
  const sending = itemSchema({ ...collection, keyName: '' }, session.schemas, body.schema);
  const { schema, wrapper } = itemSchema(collection, session.schemas, shown.schema);
  const inner = (value: unknown, name: string | undefined): JsonObject =>
    asObject(name === undefined ? value : asObject(value)[name]);
  const [sent, item] = [inner(made.request.sent, sending.wrapper), inner(found.answer.json, wrapper)];
  const [asked, told] = [propertiesOf(session.schemas, sending.schema), propertiesOf(session.schemas, schema)];
  const judged = Object.entries(sent).filter(([name, value]) => {
    const [from, to] = [asked.get(name), told.get(name)];
    return isScalar(value) && from !== undefined && to !== undefined && isSameKind(from, to, value);
  });
  if (judged.length === 0) return;
  const lost = judged.filter(([name, value]) => !isSameValue(item[name], value)).map(([name]) => name);
  const about = { operation: nameOf(found.operation), collection, shown: [...new Set([made, found])] };
  session.tell('echo', lost.length === 0 ? 'holds' : 'violated', about, `${lost.join(', ')} as sent`);
}

/** List: the list has what was created. */
async function judgeListing(place: Place, things: readonly Thing[]): Promise<void> {
  const { session, collection, keys } = place;
  const list = collection.list!;
  const [thing] = things;
  if (thing?.made === undefined) return;
  const walk = await walkList(session, collection, keys);
  const about = { operation: nameOf(list), collection, shown: [thing.made, ...walk.shown.slice(0, 1)] };
  if (walk.broken !== undefined) {
    tellRefusedList(place, walk.broken);
    return;
  }
  const missing = things.filter(({ key }) => !walk.keys.includes(key)).map(({ key }) => key);
  if (missing.length === 0) session.tell('list', 'holds', about, '');
  else if (mayLeaveOut(place, walk))
    session.tell('list', 'not applicable', about, 'it may leave it out, or shows no keys');
  else session.tell('list', 'violated', about, `the list has ${missing.join(', ')}`);
}

/** Whether a list may be without what was created, or have it without its key. */
function mayLeaveOut(place: Place, { keys, hasKeys, hasEnded }: Walk): boolean {
  const { session, collection } = place;
  const list = collection.list!;
  const isFilteredList = isFiltered(list, findWay(list, session)) || hasFilterByDefault(list);
  const documentsKey =
    keyProperty(collection, [...propertiesOf(session.schemas, itemOfList(place)).keys()]) !== undefined;
  // A few items without keys may be anything; a list of which none has one shows nothing.
  const hidesSome = !hasKeys && keys.length > 0;
  return isFilteredList || !documentsKey || hidesSome || !hasEnded;
}

function tellRefusedList({ session, collection, isReal }: Place, broken: Exchange): void {
  const { status } = broken.answer;
  const isVague = isFiltered(broken.operation, findWay(broken.operation, session)) || !isReal;
  const verdict = isVague && status < 500 ? 'not applicable' : 'violated';
  session.tell('list', verdict, { operation: nameOf(broken.operation), collection, shown: [broken] }, 'a list');
}

function itemOfList({ session, collection }: Place): JsonObject {
  const { flatten } = session.schemas;
  const schema = goodSchema(collection.list!)?.schema ?? {};
  const list = collection.items.reduce((at, name) => flatten(asObject(at['properties'])[name]), flatten(schema));
  return flatten(list['items']);
}

/** Whether a list shows a part unless it is asked for more. */
function hasFilterByDefault({ parameters }: Operation): boolean {
  return parameters.some(({ in: where, name, schema }) => {
    const isWay =
      /limit|page|size|offset|sort|order|count|skip|start|dir|top|max|format|pretty|fields|expand|include|embed/i.test(
        name,
      );
    return where === 'query' && !isWay && ![undefined, null, true, false].includes(schema['default'] as undefined);
  });
}

/** Sends what no description allows: a server answers, and not with a fault. */
async function disturb({ session, collection, keys }: Place, thing: Thing | undefined): Promise<void> {
  const broken: [
    Operation | undefined,
    (operation: Operation) => Parameters<typeof makeRequest>[2],
    string | undefined,
  ][] = [
    [collection.create, () => ({ keys }), ''],
    [collection.create, () => ({ keys }), '"text"'],
    [collection.create, () => ({ keys }), '{"":'],
    [collection.read, () => ({ keys: { ...keys, [collection.keyName]: 'no-such-thing' } }), undefined],
    [collection.read, () => ({ keys: { ...keys, [collection.keyName]: '987654321' } }), undefined],
    [collection.list, (list) => ({ keys, query: { [findWay(list, session).size?.name ?? 'limit']: '-1' } }), undefined],
    [collection.change, () => ({ keys: { ...keys, [collection.keyName]: thing?.key ?? '1' } }), ''],
    [collection.replace, () => ({ keys: { ...keys, [collection.keyName]: thing?.key ?? '1' } }), '[]'],
  ];
  for (const [operation, wish, body] of broken) {
    if (operation === undefined) continue;
    try {
      const request = makeRequest(session, operation, wish(operation));
      await session.disturb(
        operation,
        body === undefined ? request : { ...request, body, sent: undefined },
        collection,
      );
    } catch (error) {
      if (!(error instanceof NoValueError)) throw error;
    }
  }
}
