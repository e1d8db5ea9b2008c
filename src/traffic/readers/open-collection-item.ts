import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { itemsAt, numberAt, objectAt, objectsAt, textAt } from './loose-values';

// A collection in the words of Postman, which say the same of nearly everything: so that one reading serves both.

/** A collection or a folder, with what it says of all requests in it. @param item - has `items` and `request` */
export function toPostmanFolder(item: JsonObject, inherited: readonly JsonObject[] = []): JsonObject {
  const defaults = objectAt(item, 'request');
  const headers = [...inherited, ...enabledHeaders(defaults)];
  return {
    ...named(item),
    ...authOf(defaults),
    variable: toPostmanVariables(objectsAt(defaults, 'variables')),
    event: eventsOf(defaults),
    item: itemsAt(item, 'items').map((each) => (isJsonObject(each) ? toPostmanItem(each, headers) : each)),
  };
}

/**
 * An item: a folder, or a request with its examples. One of another protocol, and a script, has no request.
 *
 * @param headers - what the folders around it send with each request
 */
export function toPostmanItem(item: JsonObject, headers: readonly JsonObject[]): JsonObject {
  if (Array.isArray(item['items'])) return toPostmanFolder(item, headers);
  const isGraphql = isJsonObject(item['graphql']);
  const details = objectAt(item, isGraphql ? 'graphql' : 'http');
  if (!isGraphql && !isJsonObject(item['http'])) return named(item);
  const runtime = objectAt(item, 'runtime');
  return {
    ...named(item),
    variable: toPostmanVariables(objectsAt(runtime, 'variables')),
    event: eventsOf(runtime),
    // Whatever its method, a body that is written is sent.
    protocolProfileBehavior: { disableBodyPruning: true },
    request: requestOf(details, headers, isGraphql),
    response: objectsAt(item, 'examples').map((example) => exampleOf(example, headers, isGraphql)),
  };
}

/** A value may have a type, or be one of several of which one is selected; a secret has none. */
export function toPostmanVariables(variables: readonly JsonObject[]): JsonObject[] {
  return variables.map((variable) => ({
    key: textAt(variable, 'name') ?? '',
    value: valueOf(variable['value']) ?? null,
    disabled: variable['disabled'] === true,
  }));
}

function valueOf(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return valueOf(selectedOf(value.filter(isJsonObject))['value']);
  return isJsonObject(value) ? textAt(value, 'data') : value;
}

/** Of several variants the one that is selected, else the first. */
function selectedOf(variants: readonly JsonObject[]): JsonObject {
  return variants.find((each) => each['selected'] === true) ?? variants[0] ?? {};
}

function named(item: JsonObject): JsonObject {
  const name = textAt(objectAt(item, 'info'), 'name');
  return name === undefined ? {} : { name };
}

function eventsOf(place: JsonObject): JsonObject[] {
  return objectsAt(place, 'scripts').map((script) => ({ script: { exec: textAt(script, 'code') ?? '' } }));
}

function requestOf(details: JsonObject, outer: readonly JsonObject[], isGraphql: boolean): JsonObject {
  const own = enabledHeaders(details);
  const names = new Set(own.map((header) => textAt(header, 'key')?.toLowerCase()));
  const inherited = outer.filter((header) => !names.has(textAt(header, 'key')?.toLowerCase()));
  return {
    method: textAt(details, 'method') ?? 'GET',
    url: urlOf(details),
    header: [...inherited, ...own],
    ...authOf(details),
    body: bodyOf(details['body'], isGraphql),
  };
}

function enabledHeaders(place: JsonObject): JsonObject[] {
  return pairsOf(objectsAt(place, 'headers')).filter((header) => header['disabled'] !== true);
}

/** `name` is `key` there. */
function pairsOf(entries: readonly JsonObject[]): JsonObject[] {
  return entries.map(({ name = '', ...entry }) => ({ ...entry, key: name }));
}

const URL_PARTS = /^((?:[A-Za-z][A-Za-z0-9+.-]*:\/\/)?[^/?#]*)([^?#]*)(?:\?([^#]*))?/;

/** The query of the address is there as `params` as well, which say what is switched off. */
function urlOf(details: JsonObject): JsonObject {
  const [, host = '', path = '', search] = URL_PARTS.exec((textAt(details, 'url') ?? '').trim()) ?? [];
  const params = objectsAt(details, 'params');
  const query = params.filter((param) => param['type'] !== 'path');
  const written = (search ?? '').split('&').filter((piece) => piece !== '');
  return {
    host,
    path: path === '' ? [] : path.slice(1).split('/'),
    query: query.length > 0 ? pairsOf(query) : written.map(pairOf),
    variable: pairsOf(params.filter((param) => param['type'] === 'path')),
  };
}

function pairOf(piece: string): JsonObject {
  const at = piece.indexOf('=');
  return at === -1 ? { key: piece } : { key: piece.slice(0, at), value: piece.slice(at + 1) };
}

/** Parameters stand beside the type, or in an object of its name. `inherit` is what holds without any. */
function authOf(place: JsonObject): JsonObject {
  const auth = objectAt(place, 'auth');
  const type = textAt(auth, 'type') ?? textAt(place, 'auth') ?? '';
  if (type === '' || type === 'inherit') return {};
  if (type === 'none') return { auth: { type: 'noauth' } };
  const { placement, ...values } = { ...auth, ...objectAt(auth, type) };
  return { auth: { type, [type]: { ...values, ...(placement === 'query' ? { in: 'query' } : {}) } } };
}

/** By `type`; all others are raw text. */
const BODIES: Readonly<Record<string, (body: JsonObject) => JsonObject>> = {
  'form-urlencoded': (body) => ({ mode: 'urlencoded', urlencoded: pairsOf(objectsAt(body, 'data')) }),
  'multipart-form': (body) => ({ mode: 'formdata', formdata: objectsAt(body, 'data').map(partOf) }),
  file: (body) => ({ mode: 'file', file: { src: textAt(selectedOf(objectsAt(body, 'data')), 'filePath') ?? '' } }),
  json: (body) => rawBody(body, 'json'),
  xml: (body) => rawBody(body, 'xml'),
};

function rawBody(body: JsonObject, language: string): JsonObject {
  return { mode: 'raw', raw: textAt(body, 'data') ?? '', options: { raw: { language } } };
}

function bodyOf(given: JsonValue | undefined, isGraphql: boolean): JsonObject {
  const body = Array.isArray(given) ? objectAt(selectedOf(given.filter(isJsonObject)), 'body') : given;
  if (!isJsonObject(body)) return {};
  if (isGraphql) return { mode: 'graphql', graphql: body };
  const type = textAt(body, 'type') ?? '';
  const write = Object.hasOwn(BODIES, type) ? BODIES[type] : undefined;
  return write === undefined ? rawBody(body, 'text') : write(body);
}

function partOf({ name = '', value = '', ...part }: JsonObject): JsonObject {
  return part['type'] === 'file' ? { ...part, key: name, src: value } : { ...part, key: name, value };
}

function exampleOf(example: JsonObject, headers: readonly JsonObject[], isGraphql: boolean): JsonObject {
  const [request, response] = [example['request'], objectAt(example, 'response')];
  const status = numberAt(response, 'status');
  const body = textAt(objectAt(response, 'body'), 'data');
  return {
    name: textAt(example, 'name') ?? '',
    ...(isJsonObject(request) ? { originalRequest: requestOf(request, headers, isGraphql) } : {}),
    ...(status === undefined ? {} : { code: status }),
    header: pairsOf(objectsAt(response, 'headers')),
    ...(body === undefined ? {} : { body }),
  };
}
