import { headerValue, headerValues } from '../../core/http/headers';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { foldedName, singularOf, wordsOf } from '../../core/text/inflection';
import type { Binding } from '../../resources/model/binding';
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
  /** Where it stands, in words: `the property id`, `the header ETag`. */
  readonly place: string;
  /** Folded names that a request may call it by: `petid` for the `id` of a pet. */
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

/** A response beyond this is looked at no further: what a client uses of a long list mostly stands at its beginning. */
const MOST_LEAVES = 5000;
const LONGEST = 512;

/** The values of a response, those of its headers last. */
export function producersOf(call: Call): Producer[] {
  if (call.status === undefined) return [];
  return [...bodyProducers(call), ...headerProducers(call)];
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

function bodyProducers(call: Call): Producer[] {
  const { responseBody, binding } = call;
  if (responseBody === undefined) return [];
  const keys = new Map<string, string>();
  const items = isSuccess(call) ? shownItems(call) : [];
  for (const { pointer } of items) {
    if (binding === undefined) continue;
    const path = keyPath(binding.resource);
    if (path.length > 0) keys.set(path.reduce<string>(joinPointer, pointer), binding.resource.path);
    for (const { property, to, form } of binding.resource.references) {
      if (form === 'key') keys.set(joinPointer(pointer, property), to);
    }
  }
  const producers: Producer[] = [];
  for (const leaf of leavesOf(responseBody)) {
    const resource = keys.get(leaf.pointer);
    const isOwn = resource !== undefined && resource === binding?.resource.path;
    producers.push({
      call,
      text: leaf.text,
      isText: leaf.isText,
      expression: `$response.body#${leaf.pointer}`,
      place: leaf.path.length === 0 ? 'the body' : `the property ${leaf.path.filter(isName).join('.')}`,
      names: namesOf(leaf.path, binding),
      resource,
      nearness: nearnessOf(call, isOwn, items.length),
    });
    if (producers.length >= MOST_LEAVES) break;
  }
  return producers;
}

function nearnessOf({ binding, method }: Call, isOwn: boolean, items: number): Nearness {
  if (!isOwn) return 'mention';
  if (binding?.behaviour === 'list' || items > 1) return 'list';
  const makes = binding?.behaviour === 'create' || (binding?.behaviour === 'upsert' && method === 'PUT');
  return makes ? 'creation' : 'item';
}

interface Leaf {
  readonly pointer: string;
  readonly path: readonly string[];
  readonly text: string;
  readonly isText: boolean;
}

/** Texts and numbers of a JSON value, outer ones first. */
export function leavesOf(value: JsonValue): Leaf[] {
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
  return leaves;
}

function isName(segment: string): boolean {
  return !/^\d+$/.test(segment);
}

/** `owner.id` may be asked for as `id`, `ownerId`; the `id` of a pet as `petId`. */
function namesOf(path: readonly string[], binding: Binding | undefined): Set<string> {
  const named = path.filter(isName);
  const own = named.at(-1);
  if (own === undefined) return new Set();
  const around = [named.at(-2), binding?.resource.name].flatMap((name) =>
    name === undefined ? [] : [singularOf(name)],
  );
  return new Set([own, ...around.map((name) => `${name}-${own}`)].map(foldedName));
}

function headerProducers(call: Call): Producer[] {
  const headers = call.exchange.response?.headers ?? [];
  const producers: Producer[] = [];
  const add = (name: string, text: string, more: Partial<Producer> = {}): void => {
    producers.push({
      call,
      text,
      isText: true,
      expression: `$response.header.${name}`,
      place: `the header ${name}`,
      names: new Set([foldedName(name)]),
      resource: undefined,
      nearness: 'mention',
      ...more,
    });
  };
  const location = headerValue(headers, 'location');
  const last = location === undefined ? undefined : /([^/?#]+)\/?(?:[?#].*)?$/.exec(location)?.[1];
  if (last !== undefined && isSuccess(call)) {
    const makes = call.binding?.behaviour === 'create';
    add('Location', decoded(last), {
      pattern: '([^/?#]+)/?$',
      resource: makes ? call.binding?.resource.path : undefined,
      nearness: makes ? 'creation' : 'mention',
    });
  }
  const etag = headerValue(headers, 'etag');
  if (etag !== undefined) add('ETag', etag, { names: new Set(['etag', 'ifmatch', 'ifnonematch'].map(foldedName)) });
  for (const line of headerValues(headers, 'link')) producers.push(...linkProducers(call, line));
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    if (!isOfMessage(name)) add(name, value);
  }
  return producers;
}

/** What the query of a link to another page asks by: `Link: <…?cursor=abc>; rel="next"`. */
function linkProducers(call: Call, line: string): Producer[] {
  const [, query = ''] = /<[^>]*\?([^>#]*)[^>]*>\s*;[^,]*rel="?next/i.exec(line) ?? [];
  return query.split('&').flatMap((pair): Producer[] => {
    const [name = '', raw = ''] = pair.split('=', 2);
    if (name === '' || raw === '') return [];
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return [
      {
        call,
        text: decoded(raw),
        isText: true,
        expression: '$response.header.Link',
        pattern: `[?&]${escaped}=([^&>]+)`,
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

function isOfMessage(name: string): boolean {
  return OF_MESSAGE.test(name);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

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
