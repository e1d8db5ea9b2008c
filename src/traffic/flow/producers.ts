import { escapePattern } from '../../core/text/escape-pattern';
import { decodedText } from '../../core/http/request-target';
import { headerValue, headerValues } from '../../core/http/headers';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { foldedName, singularOf, wordsOf } from '../../core/text/inflection';
import type { ResourceDescription } from '../../resources/model/resource';
import { keyText } from '../../runner/ownership/item-routes';
import { type Call, isSuccess } from './call';

/**
 * How near a response is to the making of what it shows: the response to the creation, one about the item alone, one
 * that lists it, one that mentions it.
 */
export const NEARNESS = ['creation', 'item', 'list', 'mention'] as const;
export type Nearness = (typeof NEARNESS)[number];

/** A value that a response gave, and that a later request may use. */
export interface Producer {
  readonly call: Call;
  readonly text: string;
  /** Is it a text, and no number? */
  readonly isText: boolean;
  /** What a contract captures it by: a runtime expression, and what of its text is taken. */
  readonly expression: string;
  readonly pattern?: string | undefined;
  /** Is what is captured the text of a query, in which characters are percent-encoded? */
  readonly isEncoded?: true;
  /** Where it stands, in words: `the property id`, `the header ETag`. */
  readonly place: string;
  /** Folded names that a request may call it by: `bookid` for the `id` of a book. */
  readonly names: ReadonlySet<string>;
  /** Path of the resource whose key it is; `undefined` where it is no key, or of something that is not known. */
  readonly resource: string | undefined;
  readonly nearness: Nearness;
}

/** An item that a response shows. */
export interface ShownItem {
  /** JSON pointer into the body. */
  readonly pointer: string;
  readonly item: JsonObject;
  /** Its key, where it shows one. */
  readonly key: string | undefined;
}

/** A response is looked at no further: what a client uses of a long list mostly stands at its beginning. */
const MOST_LEAVES = 5000;
const LONGEST = 512;

/**
 * The values of a response, those of its headers last.
 *
 * @param isUsed - is a value one that a request uses? Of a long list hardly any is. Left out: all are taken.
 */
export function producersOf(call: Call, isUsed: (text: string) => boolean = () => true): Producer[] {
  if (call.status === undefined) return [];
  return [...bodyProducers(call, isUsed), ...headerProducers(call).filter(({ text }) => isUsed(text))];
}

/** The items that the response to a bound operation shows: one, or those of a list. */
export function shownItems({ binding, responseBody }: Pick<Call, 'binding' | 'responseBody'>): ShownItem[] {
  const shape = binding?.response;
  if (binding === undefined || shape === undefined || responseBody === undefined) return [];
  const root = shape.path.reduce((pointer, name) => joinPointer(pointer, name), '');
  const at = along(responseBody, shape.path);
  const { resource } = binding;
  if (shape.form === 'item') return isJsonObject(at) ? [shownItem(resource, root, at)] : [];
  const entries: [string | number, JsonValue][] =
    shape.form === 'map' ? (isJsonObject(at) ? Object.entries(at) : []) : Array.isArray(at) ? [...at.entries()] : [];
  return entries.flatMap(([name, entry]) => {
    const inner = shape.entryPath ?? [];
    const item = along(entry, inner);
    const pointer = inner.reduce((text, each) => joinPointer(text, each), joinPointer(root, name));
    if (!isJsonObject(item)) return [];
    const shown = shownItem(resource, pointer, item);
    return [shape.form === 'map' && shown.key === undefined ? { ...shown, key: String(name) } : shown];
  });
}

function shownItem(resource: ResourceDescription, pointer: string, item: JsonObject): ShownItem {
  return { pointer, item, key: keyText(along(item, keyPath(resource))) };
}

/** Properties that lead from an item to its key. */
export function keyPath({ key }: Pick<ResourceDescription, 'key'>): readonly string[] {
  return key.isHidden ? key.propertyPath : [key.name];
}

function along(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (at, name) => (at !== undefined && isJsonObject(at) ? ownProperty(at, name) : undefined),
    value,
  );
}

function bodyProducers(call: Call, isUsed: (text: string) => boolean): Producer[] {
  const { responseBody, binding } = call;
  if (responseBody === undefined) return [];
  const used = leavesOf(responseBody, isUsed);
  if (used.length === 0) return [];
  const items = isSuccess(call) ? shownItems(call) : [];
  const keys = keysIn(call, items);
  const thing = thingOf(call);
  return used.map(({ pointer, path, text, isText }) => {
    const resource = keys.get(pointer);
    const isOwn = resource !== undefined && resource === binding?.resource.path;
    const place = path.length === 0 ? 'the body' : `the property ${path.filter(isName).join('.')}`;
    const [names, nearness] = [namesOf(path, thing), nearnessOf(call, isOwn, items.length)];
    return { call, text, isText, expression: `$response.body#${pointer}`, place, names, resource, nearness };
  });
}

/**
 * The key of what a creation made, where its response shows it: as the key of the item, or under the name that the path of
 * the item has for it, `{ thingId }` of `/thing/{thingId}`. A list of one may be answered with a list of its key, `["17"]`.
 */
export function keyMade(
  call: Pick<Call, 'binding' | 'requestBody' | 'responseBody'>,
): Pick<ShownItem, 'pointer' | 'key'> | undefined {
  const { binding, responseBody } = call;
  if (binding === undefined) return undefined;
  if (binding.behaviour === 'create-many') return keyInList(call);
  const [shown] = shownItems(call);
  if (shown?.key !== undefined)
    return { ...shown, pointer: keyPath(binding.resource).reduce(joinPointer, shown.pointer) };
  const variable = /\{([^{}]+)\}\/?$/.exec(binding.resource.itemPath ?? '')?.[1];
  if (variable === undefined || responseBody === undefined || !isJsonObject(responseBody)) return undefined;
  const name = Object.keys(responseBody).find((each) => foldedName(each) === foldedName(variable));
  return name === undefined ? undefined : { pointer: joinPointer('', name), key: keyText(responseBody[name]) };
}

function keyInList({ requestBody: sent, responseBody: answered }: Pick<Call, 'requestBody' | 'responseBody'>) {
  if (!Array.isArray(sent) || !Array.isArray(answered) || sent.length !== 1 || answered.length !== 1) return undefined;
  const key = keyText(answered[0]);
  return key === undefined ? undefined : { pointer: '/0', key };
}

/** Is a key of the type that the creation answered with? A captured text "17" does not equal the number 17. */
export function isKeyAlike({ responseBody }: Pick<Call, 'responseBody'>, key: JsonValue | undefined): boolean {
  return !Array.isArray(responseBody) || typeof responseBody[0] !== 'string' || typeof key === 'string';
}

/** Does a call make one item, as far as its response tells? */
export function makesOne(call: Pick<Call, 'binding' | 'requestBody' | 'responseBody'>): boolean {
  const behaviour = call.binding?.behaviour;
  return behaviour === 'create' || (behaviour === 'create-many' && keyMade(call) !== undefined);
}

/** The key that a change gives to its item in place of the one in its path; `undefined` where the key stays. */
export function keyGiven(call: Call): string | undefined {
  const { binding, parameters, requestBody } = call;
  if (binding?.keyParameter === undefined || makesOne(call) || !isSuccess(call)) return undefined;
  const sent = keyText(along(requestBody, [...(binding.request?.path ?? []), ...keyPath(binding.resource)]));
  const named = parameters.find(
    ({ parameter: { in: place, name } }) => place === 'path' && name === binding.keyParameter,
  );
  const [shown = sent] = shownItems(call).map(({ key }) => key);
  return named !== undefined && sent !== keyText(named.value) && shown === sent ? sent : undefined;
}

/** Where keys stand: those of the items, and of what they refer to. By JSON pointer, the path of the resource. */
function keysIn(call: Call, items: readonly ShownItem[]): Map<string, string> {
  const keys = new Map<string, string>();
  const { binding } = call;
  if (binding === undefined) return keys;
  const { resource } = binding;
  const path = keyPath(resource);
  const made = makesOne(call) && isSuccess(call) ? keyMade(call) : undefined;
  if (made !== undefined) keys.set(made.pointer, resource.path);
  for (const { pointer } of items) {
    if (path.length > 0) keys.set(path.reduce<string>(joinPointer, pointer), resource.path);
    for (const { property, to, form } of resource.references)
      if (form === 'key') keys.set(joinPointer(pointer, property), to);
  }
  return keys;
}

function nearnessOf(call: Call, isOwn: boolean, items: number): Nearness {
  const { binding, method } = call;
  if (!isOwn) return 'mention';
  if (binding?.behaviour === 'list' || items > 1) return 'list';
  const makes = makesOne(call) || (binding?.behaviour === 'upsert' && method === 'PUT');
  return makes || keyGiven(call) !== undefined ? 'creation' : 'item';
}

interface Leaf {
  readonly pointer: string;
  readonly path: readonly string[];
  readonly text: string;
  readonly isText: boolean;
}

/** Texts and numbers of a JSON value, outer ones first. @param isUsed - which of them are wanted; left out: all */
export function leavesOf(value: JsonValue, isUsed: (text: string) => boolean = () => true): Leaf[] {
  const leaves: Leaf[] = [];
  let level: { readonly pointer: string; readonly path: readonly string[]; readonly value: JsonValue }[] = [
    { pointer: '', path: [], value },
  ];
  while (level.length > 0 && leaves.length < MOST_LEAVES) {
    const next: typeof level = [];
    for (const { pointer, path, value: at } of level) {
      const children: [string | number, JsonValue][] = Array.isArray(at)
        ? [...at.entries()]
        : isJsonObject(at)
          ? Object.entries(at)
          : [];
      for (const [name, child] of children)
        next.push({ pointer: joinPointer(pointer, name), path: [...path, String(name)], value: child });
      const text = keyText(at);
      if (text !== undefined && text !== '' && text.length <= LONGEST)
        leaves.push({ pointer, path, text, isText: typeof at === 'string' });
    }
    level = next;
  }
  return leaves.slice(0, MOST_LEAVES).filter(({ text }) => isUsed(text));
}

function isName(segment: string): boolean {
  return !/^\d+$/.test(segment);
}

/** `owner.id` may be asked for as `id`, `ownerId`; the `id` of a book as `bookId`. */
function namesOf(path: readonly string[], thing: string | undefined): Set<string> {
  const named = path.filter(isName);
  const own = named.at(-1);
  if (own === undefined) return new Set();
  const around = [named.at(-2), thing].flatMap((name) => (name === undefined ? [] : [singularOf(name)]));
  return new Set([own, ...around.map((name) => `${name}-${own}`)].map(foldedName));
}

/** What is stored there, else the last word of the path. */
function thingOf({ binding, operation, path }: Call): string | undefined {
  const segments = (operation?.path ?? path).split('/');
  return binding?.resource.name ?? segments.findLast((segment) => /^[a-z]/i.test(segment));
}

function headerProducers(call: Call): Producer[] {
  const headers = call.exchange.response?.headers ?? [];
  const producers = [
    ...locationProducers(call),
    ...headerValues(headers, 'link').flatMap((line) => linkProducers(call, line)),
  ];
  const etag = headerValue(headers, 'etag');
  if (etag !== undefined) producers.push(headerProducer(call, 'ETag', etag, ['etag', 'ifmatch', 'ifnonematch']));
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (!OF_MESSAGE.test(name)) producers.push(headerProducer(call, name, value, [name]));
  }
  return producers;
}

function headerProducer(call: Call, name: string, text: string, names: readonly string[]): Producer {
  return {
    ...{ call, text, isText: true, expression: `$response.header.${name}`, place: `the header ${name}` },
    names: new Set(names.map(foldedName)),
    resource: undefined,
    nearness: 'mention',
  };
}

/** The key at the end of the address of what was made (RFC 9110 §10.2.2). */
function locationProducers(call: Call): Producer[] {
  const location = headerValue(call.exchange.response?.headers ?? [], 'location') ?? '';
  const last = /([^/?#]+)\/?(?:[?#].*)?$/.exec(location)?.[1];
  if (last === undefined || !isSuccess(call)) return [];
  const made = call.binding?.behaviour === 'create' ? call.binding.resource.path : undefined;
  const nearness = made === undefined ? 'mention' : 'creation';
  return [
    {
      ...headerProducer(call, 'Location', decodedText(last), ['location']),
      pattern: '([^/?#]+)/?$',
      resource: made,
      nearness,
    },
  ];
}

/** What the query of a link to another page asks by: `Link: <…?cursor=abc>; rel="next"`. */
function linkProducers(call: Call, line: string): Producer[] {
  const [, query = ''] = /<[^>]*\?([^>#]*)[^>]*>\s*;[^,]*rel="?next/i.exec(line) ?? [];
  return query.split('&').flatMap((pair): Producer[] => {
    const [name = '', raw = ''] = pair.split('=', 2);
    if (name === '' || raw === '') return [];
    return [
      {
        call,
        text: decodedText(raw),
        isText: true,
        expression: '$response.header.Link',
        pattern: `[?&]${escapePattern(name)}=([^&>]+)`,
        isEncoded: true,
        place: 'the header Link',
        names: new Set([foldedName(name)]),
        resource: undefined,
        nearness: 'item',
      },
    ];
  });
}

/** Headers whose values no client sends back. */
const OF_MESSAGE =
  /^(?:date|server|content-.*|transfer-encoding|connection|keep-alive|vary|cache-control|expires|pragma|age|via|location|etag|link|set-cookie|last-modified|accept-ranges|allow|access-control-.*|strict-transport-security|x-powered-by|x-content-type-options|x-frame-options|x-xss-protection|referrer-policy|retry-after|deprecation|sunset|.*rate-?limit.*|www-authenticate)$/i;

/** The last word of a name says that its value identifies something. */
const IDENTIFYING =
  /^(?:id|ids|uuid|guid|key|token|cursor|slug|ref|etag|revision|rev|version|sha|handle|nonce|after|before|continuation|next)$/;

export function isIdentifyingName(name: string): boolean {
  return IDENTIFYING.test(wordsOf(name).at(-1) ?? '');
}

const RANDOM = [
  /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  /^[0-9A-HJKMNP-TV-Z]{26}$/,
  /^[\da-f]{16,}$/i,
  /^\d{9,}$/,
];

/** Can two such values be equal by chance? Not where they are long and look like no word. */
export function isUnguessable(text: string): boolean {
  if (RANDOM.some((pattern) => pattern.test(text))) return true;
  const isPlain = /^[\w.~-]{12,}$/.test(text) && !/^\d{4}-\d\d-\d\d/.test(text);
  return isPlain && /\d.*\d/.test(text) && /[A-Za-z].*[A-Za-z]/.test(text);
}
