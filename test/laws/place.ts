import { asObject, isObject, isSame, isScalar, type JsonObject, plainName } from './checks';
import { bare, type Collection, itemIn, keyIn } from './collections';
import { NoValueError } from './make-value';
import { makeUpKeys, type Wishes } from './request';
import { typeOf } from './schemas';
import type { Exchange, Session } from './session';

/** What a law needs to know of a collection. */
export interface Place {
  readonly session: Session;
  readonly collection: Collection;
  /** Values for the parameters above the items. */
  readonly keys: Wishes['keys'];
  /** Whether they are keys that the server has shown. */
  readonly isReal: boolean;
}

/** Something that the server should have. */
export interface Thing {
  readonly key: string;
  /** What created it. */
  readonly made?: Exchange;
}

/** The address of an item. */
export function addressOf({ keys, collection }: Place, { key }: Thing): Wishes['keys'] {
  return { ...keys, [collection.keyName]: key };
}

/** Finds keys for the parameters in the path of a collection: those of what the lists above show, else made-up ones. */
export async function findPlace(
  session: Session,
  collection: Collection,
  known: ReadonlyMap<string, Collection>,
): Promise<Place> {
  const keys: Record<string, string> = {};
  let isReal = true;
  for (const match of collection.path.matchAll(/\{([^{}]+)\}/g)) {
    const name = match[1]!;
    const above = known.get(bare(collection.path.slice(0, match.index)));
    const parent = above === undefined ? undefined : { ...above, keyName: name };
    const place = parent === undefined ? undefined : { session, collection: parent, keys: { ...keys }, isReal };
    const key = place === undefined ? undefined : await findKey(place, above!.keyName);
    if (key === undefined) isReal = false;
    else keys[name] = key;
  }
  // Examples differ between operations, and a place is one: the values of the first hold for all.
  const [asked] = [collection.list, collection.create, collection.read, collection.remove].filter(isPresent);
  const madeUp = asked === undefined ? {} : makeUpKeys(session, asked, keys);
  return { session, collection, keys: { ...madeUp, ...keys }, isReal };
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}

/** The key of an item that is listed, or made where none is. */
export async function findKey(place: Place, keyName: string): Promise<string | undefined> {
  const named = { ...place, collection: { ...place.collection, keyName } };
  try {
    const listed = (await firstListed(named)) ?? (await firstListed(place));
    if (listed !== undefined || place.collection.create === undefined) return listed?.key;
    const { answer } = await place.session.ask(place.collection.create, { keys: place.keys });
    return answer.status < 300 ? itemIn(named.collection, answer.json)?.key : undefined;
  } catch (error) {
    if (error instanceof NoValueError) return undefined;
    throw error;
  }
}

/** The key of what was created: what the answer shows, else the end of Location, else what was sent as the key. */
export function keyOfCreated({ collection }: Place, { request, answer }: Exchange): string | undefined {
  const location = answer.headers.get('location');
  const [, end] = /\/([^/?#]+)\/?(?:[?#].*)?$/.exec(location ?? '') ?? [];
  const path = request.target.replace(/\?.*$/, '').replace(/\/$/, '');
  const isItem =
    end !== undefined &&
    location!
      .split(/[?#]/)[0]!
      .replace(/\/[^/]+\/?$/, '')
      .endsWith(path);
  if (isItem) return decodeURIComponent(end);
  const shown = itemIn(collection, answer.json)?.key;
  if (shown !== undefined) return shown;
  const sent = isObject(request.sent) ? request.sent : {};
  const property = Object.keys(sent).find((name) => plainName(name) === plainName(collection.keyName));
  return property !== undefined && isScalar(sent[property]) ? String(sent[property]) : undefined;
}

/** The first item that a list shows, of those whose key it shows. */
export async function firstListed({ session, collection, keys }: Place): Promise<Thing | undefined> {
  if (collection.list === undefined) return undefined;
  try {
    const { answer } = await session.ask(collection.list, { keys }, collection);
    const items = collection.items.reduce((value, name) => asObject(value)[name], answer.json);
    const key = Array.isArray(items) ? keyIn(collection, items[0]) : undefined;
    return key === undefined ? undefined : { key };
  } catch (error) {
    if (error instanceof NoValueError) return undefined;
    throw error;
  }
}

/** Whether a property means the same in request and response: name, type and format are the same, and it is no secret. */
export function isSameKind(from: JsonObject, to: JsonObject, value: unknown): boolean {
  const isHidden = from['writeOnly'] === true || to['writeOnly'] === true || from['format'] === 'password';
  const values = to['enum'];
  return (
    !isHidden &&
    typeOf(from) === typeOf(to) &&
    from['format'] === to['format'] &&
    (!Array.isArray(values) || values.includes(value))
  );
}

/** Times are the same when they are the same moment. */
export function isSameValue(left: unknown, right: unknown): boolean {
  if (isSame(left, right)) return true;
  const times = [left, right].map((value) => (typeof value === 'string' ? Date.parse(value) : Number.NaN));
  return times[0] === times[1];
}
