import { asObject, plainName, type Verdict } from './checks';
import { bare, type Collection, findListed, itemIn, itemsIn, keyProperty } from './collections';
import { nameOf, type Operation } from './description';
import { NoValueError } from './make-value';
import { findKey, type Place } from './place';
import type { Exchange, Session } from './session';
import { walkList } from './walk';

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

/** Two collections at the root of which the items of one are put to an item of the other: `PUT /groups/{g}/users/{u}`. */
interface Bond {
  readonly put: Operation;
  readonly list: Operation;
  readonly remove: Operation | undefined;
  readonly back: Operation | undefined;
  readonly from: Collection;
  readonly to: Collection;
}

function findBonds({ description, schemas }: Session, all: readonly Collection[]): Bond[] {
  const at = (path: string, method: string): Operation | undefined =>
    description.operations.find((each) => bare(each.path) === path && each.method === method);
  const roots = all.filter(({ path }) => !path.includes('{'));
  return description.operations.filter(isPut).flatMap((put): Bond[] => {
    const path = bare(put.path);
    const [, above, literal] = /^(.+)\/\{\}\/([^/{}]+)\/\{\}$/.exec(path) ?? [];
    const from = roots.find((each) => bare(each.path) === above);
    const to = roots.find((each) => each !== from && bare(each.path).endsWith(`/${literal}`));
    const list = at(`${above}/{}/${literal}`, 'GET');
    if (from === undefined || to?.list === undefined || list === undefined) return [];
    // What can be read or changed at this path, or has a key of its own there, is no item of the other collection.
    const isOwn = ['GET', 'PATCH'].some((method) => at(path, method) !== undefined);
    if (isOwn || !isNamed(put, to) || findListed(schemas, list) === undefined) return [];
    const back = at(`${bare(to.path)}/{}/${bare(from.path).split('/').at(-1)}`, 'GET');
    return [{ put, list, remove: at(path, 'DELETE'), back, from, to }];
  });
}

/** Whether the last variable of a path is called as the keys of a collection may be. */
function isNamed({ path }: Operation, to: Collection): boolean {
  const [, last = ''] = /\{([^{}]+)\}\/?$/.exec(path) ?? [];
  return keyProperty({ ...to, keyName: last }, [to.keyName, 'id']) !== undefined;
}

function isPut({ method, body }: Operation): boolean {
  return (method === 'PUT' || method === 'POST') && body?.required !== true;
}

/** Relate: what is put to another is seen there from both sides, and can be taken off again. */
export async function judgeBonds(
  session: Session,
  all: readonly Collection[],
  attempt: (place: Place, operation: Operation, run: () => Promise<void>) => Promise<void>,
): Promise<void> {
  for (const bond of findBonds(session, all).slice(0, 10)) {
    const place: Place = { session, collection: bond.from, keys: {}, isReal: true };
    await attempt(place, bond.put, () => judgeBond(session, bond));
  }
}

async function judgeBond(session: Session, bond: Bond): Promise<void> {
  const { put, from, to, list, back } = bond;
  const [one, other] = await Promise.all(
    [from, to].map((of) => findKey({ session, collection: of, keys: {}, isReal: true }, of.keyName)),
  );
  if (one === undefined || other === undefined) throw new NoValueError('no two things');
  const tell = (verdict: Verdict, shown: readonly Exchange[], expected: string): void => {
    session.tell('relate', verdict, { operation: nameOf(put), collection: from, shown }, expected);
  };
  const made = await session.ask(put, { keys: keysOf(put, [one, other]) }, from);
  const { status } = made.answer;
  if (!isDone(made)) {
    tell([202, 400, 403, 409, 422].includes(status) ? 'not applicable' : 'violated', [made], 'both ends are there');
    return;
  }
  const there = await look(session, list, to, one, other);
  tell(verdictOf(there.isSeen), [made, there.shown], `${nameOf(list)} has ${other}`);
  if (back !== undefined) {
    const { isSeen, shown } = await look(session, back, from, other, one);
    tell(verdictOf(isSeen), [made, shown], `${nameOf(back)} has ${one}`);
  }
  await judgeTakingOff(session, bond, [one, other], tell);
}

type Tell = (verdict: Verdict, shown: readonly Exchange[], expected: string) => void;

async function judgeTakingOff(
  session: Session,
  { remove, list, from, to }: Bond,
  [one, other]: readonly [string, string],
  tell: Tell,
): Promise<void> {
  if (remove === undefined) return;
  const removed = await session.ask(remove, { keys: keysOf(remove, [one, other]) }, from);
  if (!isDone(removed)) {
    tell('violated', [removed], 'it can be taken off');
    return;
  }
  const { isSeen, shown } = await look(session, list, to, one, other);
  const end = to.read && (await session.ask(to.read, { keys: { [to.keyName]: other } }, to));
  const stays = end === undefined || end.answer.status === 200;
  const expected = `${nameOf(list)} is without ${other}, which is still there itself`;
  tell(verdictOf(isSeen === undefined ? undefined : !isSeen && stays), [removed, shown], expected);
}

function verdictOf(isRight: boolean | undefined): Verdict {
  return isRight === undefined ? 'not applicable' : isRight ? 'holds' : 'violated';
}

function isDone({ answer: { status } }: Exchange): boolean {
  return status >= 200 && status < 300 && status !== 202;
}

/** Whether a list below `owner` has the item with this key; a list that shows no keys does not tell. */
async function look(
  session: Session,
  list: Operation,
  of: Collection,
  owner: string,
  key: string,
): Promise<{ isSeen: boolean | undefined; shown: Exchange }> {
  const seen = { ...of, list, items: findListed(session.schemas, list) ?? [] };
  const { keys, hasKeys, shown } = await walkList(session, seen, keysOf(list, [owner]));
  return { isSeen: hasKeys ? keys.includes(key) : undefined, shown: shown[0]! };
}

function keysOf({ path }: Operation, values: readonly string[]): Place['keys'] {
  return Object.fromEntries([...path.matchAll(/\{([^{}]+)\}/g)].map((match, at) => [match[1]!, values[at] ?? '']));
}
