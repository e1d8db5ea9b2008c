import { headerValue } from '../../src/core/http/headers';
import type { HttpResponse } from '../../src/core/http/message';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json/json-value';
import { parseJson } from '../../src/core/json/parse-json';
import { foldedName, wordsOf } from '../../src/core/text/inflection';

export type Key = string | number | bigint;

/** Members in which people look for a key, in this order, behind the one that is named like the variable. */
const USUAL = ['id', '_id', 'uuid', 'uid', 'gid', 'sid', 'guid', 'key', 'slug', 'name', 'login', 'username', 'code'];

/** Of those, the members that nothing but an item has. */
const IDENTITY = new Set(['id', '_id', 'uuid', 'gid', 'sid', 'guid']);

/**
 * The keys that an answer shows of an item, the likeliest first: the member with the name of the path's variable, `id`,
 * `name`, `metadata.name`, in the answer itself or in the object that it wraps.
 *
 * @param noun - what the path calls one item, folded
 */
export function keysInSight(answer: HttpResponse | JsonObject, variable: string, noun: string): Key[] {
  const body = isResponse(answer) ? bodyOf(answer) : answer;
  const first = Array.isArray(body) ? body[0] : body;
  return isJsonObject(first) ? wrappedIn(first, noun).flatMap((item) => keysOf(item, variable, noun)) : [];
}

function isResponse(answer: HttpResponse | JsonObject): answer is HttpResponse {
  return 'headers' in answer && Array.isArray(answer.headers);
}

function keysOf(item: JsonObject, variable: string, noun: string): Key[] {
  const folded = bare(variable, noun);
  const names = Object.keys(item);
  const called = (...wanted: readonly string[]): string[] => names.filter((name) => wanted.includes(bare(name, noun)));
  const lastWord = called(wordsOf(variable).at(-1) ?? '');
  // `{space_number}` is the `number` of what is not called a space; `{floating_ip}` may be its `ip`, if nothing else is.
  const saysMore = !folded.endsWith(noun);
  const named = [
    ...names.filter((name) => name === variable),
    ...(folded === '' ? [] : called(folded)),
    ...(saysMore ? lastWord : []),
    ...(/user(?:name)?$/i.test(variable) ? called('login', 'username', 'handle') : []),
    ...(/name$/i.test(variable) ? called('name') : []),
    ...usualIn(item, names, !saysMore, noun),
    ...lastWord,
  ];
  const own = [...new Set(named)].flatMap((name) => keyOrNone(item[name]));
  const { [variable]: holder, metadata } = item;
  const held = isJsonObject(holder) ? keysOf(holder, variable, foldedName(variable)) : [];
  return [...held, ...own, ...(isJsonObject(metadata) ? keyOrNone(metadata['name']) : [])];
}

/** For `{repo}`, which says no more than what it names, a text is likelier than a number. */
function usualIn(item: JsonObject, names: readonly string[], isText: boolean, noun: string): string[] {
  const usual = USUAL.flatMap((each) => names.filter((name) => bare(name, noun) === each));
  const texts = usual.filter((name) => typeof item[name] === 'string');
  return isText ? [...texts, ...usual] : usual;
}

/** `book_id`, `bookId` and `id` are all the `id` of a book. */
function bare(name: string, noun: string): string {
  const folded = name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
  return folded !== noun && folded.startsWith(noun) ? folded.slice(noun.length) : folded;
}

function keyOrNone(value: JsonValue | undefined): Key[] {
  const isKey = (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'bigint';
  return isKey ? [value] : [];
}

/**
 * The objects that may be the item: the one that is named like it, then the body itself where it has an `id`, else what it
 * wraps and then itself.
 */
function wrappedIn(body: JsonObject, noun: string): JsonObject[] {
  const inner = Object.entries(body).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
  const named = inner.filter(([name]) => foldedName(name) === noun).map(([, value]) => value);
  const around = inner
    .filter(([name]) => /^(?:data|result|item|resource|response)$/.test(name))
    .map(([, value]) => value);
  const only = inner.length === 1 ? inner.map(([, value]) => value) : [];
  const several = Object.values(body).find((value) => Array.isArray(value) && value.some(isJsonObject));
  const first = Array.isArray(several) ? several.filter(isJsonObject).slice(0, 1) : [];
  const isItem = Object.keys(body).some((name) => IDENTITY.has(name));
  return [...named, ...(isItem ? [body, ...around] : [...around, body]), ...only, ...first];
}

/** The object in an answer that is likeliest the item. */
export function itemInSight(answer: HttpResponse, noun: string): JsonObject | undefined {
  const body = bodyOf(answer);
  return isJsonObject(body) ? wrappedIn(body, noun)[0] : undefined;
}

/** The rows of a list: the body, or the first list of objects in it. */
export function listInSight(response: HttpResponse): JsonValue[] {
  const body = bodyOf(response);
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body)) return [];
  const members = Object.values(body);
  const lists = [...members, ...members.filter(isJsonObject).flatMap((member) => Object.values(member))];
  return lists.find((value): value is JsonValue[] => Array.isArray(value) && value.some(isJsonObject)) ?? [];
}

/** The names that a client sent of what was to be there: a list of texts, or the member of the body that is one. */
export function keysSent(body: JsonValue | undefined, noun: string): Key[] {
  const named = isJsonObject(body) ? Object.entries(body).find(([name]) => foldedName(name) === noun)?.[1] : body;
  const isListOfKeys = Array.isArray(named) && named.every((each) => keyOrNone(each).length > 0);
  return isListOfKeys ? named.flatMap(keyOrNone) : [];
}

/** The last segment of a Location. */
export function locationKey(response: HttpResponse): string | undefined {
  const last = headerValue(response.headers, 'location')
    ?.replace(/[?#].*$/, '')
    .split('/')
    .at(-1)
    ?.replace(/\.json$/, '');
  return last === undefined || last === '' ? undefined : decodeURIComponent(last);
}

function bodyOf({ body }: HttpResponse): JsonValue | undefined {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  try {
    return text === '' ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}
