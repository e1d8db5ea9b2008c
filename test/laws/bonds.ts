import { asObject, plainName } from './checks';
import { bare, type Collection, findListed, itemIn, itemsIn } from './collections';
import { nameOf, type Operation } from './description';
import { NoValueError } from './make-value';
import { findKey, type Place } from './place';
import type { Exchange, Session } from './session';
import { walkList } from './walk';

/** Belongs: what is made or listed below a parent names that parent, where it names one. */
export async function judgeParent(place: Place, made: Exchange | undefined): Promise<void> {
  const { session, collection, keys, isReal } = place;
  const parent = /\/([^/{}]+)\/\{([^{}]+)\}\/[^{}]*$/.exec(collection.path);
  if (!isReal || parent === null) return;
  const [, literal = '', variable = ''] = parent;
  const singular = plainName(literal).replace(/ies$/, 'y').replace(/s$/, '');
  const names = new Set(
    [plainName(variable), `${singular}id`].filter((name) => name.length > 2 && name.endsWith('id')),
  );
  const listed = collection.list === undefined ? undefined : await session.ask(collection.list, { keys }, collection);
  const shown: [Exchange, unknown][] = [
    ...(made === undefined ? [] : [[made, itemIn(collection, made.answer.json)?.value] as [Exchange, unknown]]),
    ...(listed === undefined ? [] : [[listed, itemsIn(collection, listed.answer.json)?.[0]] as [Exchange, unknown]]),
  ];
  for (const [exchange, item] of shown) {
    const property = Object.entries(asObject(item)).find(
      ([name]) => names.has(plainName(name)) && plainName(name) !== plainName(collection.keyName),
    );
    if (property === undefined || exchange.answer.status >= 300) continue;
    const [name, value] = property;
    const about = { operation: nameOf(exchange.operation), collection, shown: [exchange] };
    const wasSent = JSON.stringify(exchange.request.sent ?? null).includes(`"${name}":`);
    const verdict = String(value) === keys[variable] ? 'holds' : wasSent ? 'not applicable' : 'violated';
    session.tell('belongs', verdict, about, `${name} is ${keys[variable]}`);
  }
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
  return description.operations.flatMap((put): Bond[] => {
    const path = bare(put.path);
    const [, above, literal] = /^(.+)\/\{\}\/([^/{}]+)\/\{\}$/.exec(path) ?? [];
    if (put.method !== 'PUT' && put.method !== 'POST') return [];
    const from = all.find((each) => bare(each.path) === above);
    const to = all.find((each) => each !== from && bare(each.path).endsWith(`/${literal}`) && !each.path.includes('{'));
    const list = at(`${above}/{}/${literal}`, 'GET');
    const aboveOf = from === undefined || from.path.includes('{');
    if (aboveOf || to?.list === undefined || list === undefined || findListed(schemas, list) === undefined) return [];
    const name = bare(from.path).split('/').at(-1)!;
    const back = at(`${bare(to.path)}/{}/${name}`, 'GET');
    return [{ put, list, remove: at(path, 'DELETE'), back, from, to }];
  });
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
  const { put, from, to, list, back, remove } = bond;
  const [one, other] = await Promise.all(
    [from, to].map((of) => findKey({ session, collection: of, keys: {}, isReal: true }, of.keyName)),
  );
  if (one === undefined || other === undefined) throw new NoValueError('no two things');
  const keysOf = ({ path }: Operation, values: readonly string[]): Place['keys'] =>
    Object.fromEntries([...path.matchAll(/\{([^{}]+)\}/g)].map((match, at) => [match[1]!, values[at] ?? '']));
  const pair = [one, other];
  const made = await session.ask(put, { keys: keysOf(put, pair) }, from);
  const about = { operation: nameOf(put), collection: from, shown: [made] };
  const { status } = made.answer;
  if (status < 200 || status >= 300 || status === 202) {
    session.tell(
      'relate',
      [202, 400, 403, 409, 422].includes(status) ? 'not applicable' : 'violated',
      about,
      'both ends are there',
    );
    return;
  }
  const sees = async (
    operation: Operation,
    of: Collection,
    owner: string,
    key: string,
  ): Promise<[boolean, Exchange | undefined]> => {
    const seen = { ...of, list: operation, items: findListed(session.schemas, operation) ?? [] };
    const walk = await walkList(session, seen, keysOf(operation, [owner]));
    return [walk.keys.includes(key) || !walk.hasKeys, walk.shown[0]];
  };
  const [isSeen, shown] = await sees(list, to, one, other);
  session.tell(
    'relate',
    isSeen ? 'holds' : 'violated',
    { ...about, shown: [made, shown!] },
    `${nameOf(list)} has ${other}`,
  );
  if (back !== undefined) {
    const [isSeenBack, shownBack] = await sees(back, from, other, one);
    session.tell(
      'relate',
      isSeenBack ? 'holds' : 'violated',
      { ...about, shown: [made, shownBack!] },
      `${nameOf(back)} has ${one}`,
    );
  }
  if (remove === undefined) return;
  const removed = await session.ask(remove, { keys: keysOf(remove, pair) }, from);
  if (removed.answer.status < 200 || removed.answer.status >= 300 || removed.answer.status === 202) {
    session.tell('relate', 'violated', { ...about, shown: [made, removed] }, 'it can be taken off');
    return;
  }
  const seen = { ...to, list, items: findListed(session.schemas, list) ?? [] };
  const walk = await walkList(session, seen, keysOf(list, [one]));
  const isGone = !walk.keys.includes(other);
  const stays =
    to.read === undefined
      ? true
      : (await session.ask(to.read, { keys: { [to.keyName]: other } }, to)).answer.status === 200;
  session.tell(
    'relate',
    isGone && stays ? 'holds' : 'violated',
    { ...about, shown: [removed, walk.shown[0]!] },
    `${nameOf(list)} is without ${other}, which is still there itself`,
  );
}
