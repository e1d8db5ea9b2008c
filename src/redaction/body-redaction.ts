import { bodyKind } from '../core/http/media-type';
import { decodeQueryComponent } from '../core/http/request-target';
import { isJsonNumber } from '../core/json/exact-number';
import { parsePointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, setProperty } from '../core/json/json-value';
import { parseJson } from '../core/json/parse-json';
import { scalarText, stringifyJson } from '../core/json/stringify-json';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import { nestedSchemas } from '../openapi/view/schema-shape';
import { isSensitiveProperty, type Mask, type SecretPlace } from '../security/credential-locations';

export interface SensitiveProperties {
  /** Those that the description calls so: whatever their value is, nothing of it is shown. */
  readonly declared: ReadonlySet<string>;
  /** Declared, or called so by everybody. */
  readonly has: (name: string) => boolean;
}

const OF_OPERATIONS = new WeakMap<Operation, ReadonlySet<string>>();
const OF_ALL = new WeakMap<ApiModel, ReadonlySet<string>>();

/**
 * The secret properties of an operation's bodies: `writeOnly` and `format: password` at any depth (OAS 3.0.3 §4.7.24), and
 * what is one by its name.
 *
 * @param operation - `undefined` where none is known: then a body may show no secret of any
 */
export function sensitiveProperties(api: ApiModel, operation: Operation | undefined): SensitiveProperties {
  const declared = operation === undefined ? namesOfAll(api) : namesOf(api, operation);
  return { declared, has: (name) => declared.has(name) || isSensitiveProperty(name) };
}

function namesOfAll(api: ApiModel): ReadonlySet<string> {
  let names = OF_ALL.get(api);
  if (names === undefined) {
    names = new Set(api.operations.flatMap((operation) => [...namesOf(api, operation)]));
    OF_ALL.set(api, names);
  }
  return names;
}

function namesOf(api: ApiModel, operation: Operation): ReadonlySet<string> {
  const known = OF_OPERATIONS.get(operation);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const contents = [operation.requestBody, ...operation.responses.values()].flatMap((body) => body?.content ?? []);
  for (const schema of nestedSchemas(
    api,
    contents.flatMap((content) => content.schema ?? []),
  )) {
    for (const { name, writeOnly, schema: value } of api.propertiesOf(schema).values())
      if (writeOnly || value['format'] === 'password') names.add(name);
  }
  OF_OPERATIONS.set(operation, names);
  return names;
}

/**
 * A body without its secrets; the very text where it has none. What cannot be read, such as one that was cut, is not
 * shown at all where it may hold a declared one.
 *
 * @param mediaType - its Content-Type
 */
export function redactBody(text: string, mediaType: string, properties: SensitiveProperties, mask: Mask): string {
  switch (bodyKind(mediaType)) {
    case 'json':
      return redactJson(text, properties, mask);
    case 'form':
      return redactForm(text, properties, mask);
    case 'binary':
      return mentions(text, properties) ? mask(text, WHOLE_BODY) : text;
    default:
      return mentions(text, properties) ? mask(text, WHOLE_BODY) : redactText(text, properties, mask);
  }
}

const WHOLE_BODY: SecretPlace = { kind: 'body', name: '', encoding: 'plain' };

function redactJson(text: string, properties: SensitiveProperties, mask: Mask): string {
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch {
    const isHidden = mentions(text, properties) || text.includes('\\u');
    return isHidden ? mask(text, WHOLE_BODY) : redactText(text, properties, mask);
  }
  const shown = redactValue(value, properties, mask);
  return shown === value ? text : stringifyJson(shown);
}

/** @returns the value itself where nothing in it is hidden */
function redactValue(value: JsonValue, properties: SensitiveProperties, mask: Mask): JsonValue {
  return Array.isArray(value)
    ? redactItems(value, (item) => redactValue(item, properties, mask))
    : isJsonObject(value)
      ? redactObject(value, properties, mask)
      : value;
}

function redactItems(items: JsonValue[], redact: (item: JsonValue) => JsonValue): JsonValue {
  const shown = items.map(redact);
  return shown.some((item, index) => item !== items[index]) ? shown : items;
}

function redactObject(value: JsonObject, properties: SensitiveProperties, mask: Mask): JsonValue {
  const shown: Record<string, JsonValue> = {};
  let isChanged = false;
  // An operation of a JSON Patch names the property beside its value (RFC 6902 §4).
  const patched = typeof value['path'] === 'string' ? secretIn(value['path'], properties) : undefined;
  for (const [name, property] of Object.entries(value)) {
    const secret = properties.has(name) ? name : name === 'value' ? patched : undefined;
    const inner =
      secret === undefined ? redactValue(property, properties, mask) : maskProperty(secret, property, properties, mask);
    isChanged ||= inner !== property;
    setProperty(shown, name, inner);
  }
  return isChanged ? shown : value;
}

/** Of what is one by its name alone texts and numbers: `token: true` and `tokens: 5` are none, and an object tells more. */
function maskProperty(name: string, value: JsonValue, properties: SensitiveProperties, mask: Mask): JsonValue {
  const place: SecretPlace = { kind: 'property', name, encoding: 'plain' };
  if (properties.declared.has(name)) return mask(typeof value === 'string' ? value : stringifyJson(value), place);
  if (typeof value === 'string') return value === '' ? value : mask(value, place);
  if (isJsonNumber(value)) return /s$/i.test(name) ? value : mask(scalarText(value), place);
  if (Array.isArray(value)) return redactItems(value, (item) => maskProperty(name, item, properties, mask));
  return redactValue(value, properties, mask);
}

function secretIn(path: string, properties: SensitiveProperties): string | undefined {
  return path.startsWith('/') ? parsePointer(path).find((segment) => properties.has(segment)) : undefined;
}

function redactForm(text: string, properties: SensitiveProperties, mask: Mask): string {
  const pairs = text.split('&').map((pair) => {
    const end = pair.indexOf('=');
    const name = decodeQueryComponent(end === -1 ? pair : pair.slice(0, end));
    // `user[password]` is a property of a property.
    const parts = name?.split(/[[\].]/) ?? [];
    const secret = name === undefined ? '' : parts.find((part) => properties.has(part));
    if (secret === undefined || end === -1) return pair;
    return `${pair.slice(0, end)}=${mask(pair.slice(end + 1), { kind: 'property', name: secret, encoding: 'query' })}`;
  });
  return pairs.join('&');
}

function mentions(text: string, { declared }: SensitiveProperties): boolean {
  return [...declared].some((name) => text.includes(name));
}

/** `name=`, `name: `, `"name": `, and what may come behind it: the value ends where its quotes do, or at a gap. */
const NAME = /([\w.-]{2,60})["']?[ \t]{0,4}[=:][ \t]{0,4}/g;
const VALUE = /(["']?)((?<=")(?:[^"\\]|\\.)*|(?<=')[^']*|[^\s"'&<>,;}\]]+)/y;
/** A field of a web page, or what its head tells scripts: name and value are two attributes. */
const FIELD = /(name=["']([\w.-]{2,60})["'][^<>]{0,100}?(?:value|content)=["'])([^"']+)/g;
const ELEMENT = /(<(?:[\w-]{1,30}:)?([\w.-]{2,60})(?:\s[^<>]{0,200})?>)([^<>]+)(?=<\/)/g;
/** A part of a multipart body (RFC 7578 §4.2). */
const PART =
  /(name="([^"\r\n]{1,80})"[^\r\n]{0,200}(?:\r?\n[^\r\n]{1,200}){0,5}\r?\n\r?\n)([\s\S]*?)(?=\r?\n--|$(?![\s\S]))/g;

/** A text of no grammar that could be read, without what stands beside the names of secrets. */
function redactText(text: string, properties: SensitiveProperties, mask: Mask): string {
  const byName =
    (encoding: SecretPlace['encoding']) =>
    (whole: string, head: string, name: string, value: string): string =>
      properties.has(name) ? `${head}${mask(value, { kind: 'property', name, encoding })}` : whole;
  const shown = text.replace(PART, byName('plain')).replace(FIELD, byName('markup')).replace(ELEMENT, byName('markup'));
  return redactPairs(shown, properties, mask);
}

function redactPairs(text: string, properties: SensitiveProperties, mask: Mask): string {
  let shown = '';
  let done = 0;
  for (const { index, 0: head, 1: name = '' } of text.matchAll(NAME)) {
    VALUE.lastIndex = index + head.length;
    const [whole, quote = '', value = ''] = (index >= done && properties.has(name) && VALUE.exec(text)) || [];
    if (whole === undefined) continue;
    const start = index + head.length + quote.length;
    const encoding = quote === '"' ? 'json' : 'plain';
    shown += `${text.slice(done, start)}${mask(value, { kind: 'property', name, encoding })}`;
    done = start + value.length;
  }
  return shown + text.slice(done);
}
