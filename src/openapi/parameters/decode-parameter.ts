import { decodePathSegment, decodeQueryComponent } from '../../core/http/request-target';
import type { JsonValue } from '../../core/json/json-value';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import { parseJson } from '../../core/json/parse-json';
import { isJsonMediaType } from '../../core/http/media-type';
import { readDeepObject } from './deep-object';
import { type DecodedParameter, readScalar, type StyledParameter, type TextShape } from './text-shape';

/** Why a parameter has no value, as it goes on after its name. */
export function reasonOf(decoded: Exclude<DecodedParameter, { kind: 'value' }>): string {
  if (decoded.kind === 'unreadable') return decoded.reason;
  return decoded.kind === 'repeated'
    ? 'must be sent once only'
    : 'holds a percent sequence that is not UTF-8 text, or %00';
}

const UNDECODABLE: DecodedParameter = { kind: 'undecodable' };
const REPEATED: DecodedParameter = { kind: 'repeated' };

const DELIMITERS: Readonly<Record<string, RegExp>> = {
  spaceDelimited: /%20|\+| /,
  pipeDelimited: /%7C|\|/i,
};

/**
 * Turns the text of a parameter into a value: split by the style's delimiter first and decoded then, so that an
 * encoded delimiter is data (OAS 3.0.3 "Style Values"), and read by the schema's types.
 *
 * @param raw - what was sent under its name, in order; as it was received, so that path, query and `form` cookies are
 *   percent-encoded (headers, and cookies of the style `cookie`, never are: OAS 3.2.0 Appendix D)
 */
export function decodeParameter(place: StyledParameter, raw: readonly string[]): DecodedParameter {
  if (place.contentType !== undefined) return decodeContent(place, place.contentType, raw);
  const { shape } = place;
  const texts = unwrapped(place, raw);
  if ('kind' in texts) return texts;
  if (shape.kind === 'scalar') return decodeScalar(place, shape, texts);
  if (shape.scalars.length > 0 && texts.length === 1 && split(place, texts[0] ?? '', shape).length === 1) {
    return decodeScalar(place, shape, texts);
  }
  return shape.kind === 'array' ? decodeList(place, texts) : decodeProperties(place, texts);
}

/**
 * The same for a place whose text may stand under several names: the properties of an exploded object, and those of a
 * `deepObject`.
 *
 * @param sent - by decoded name, the texts as received
 * @param isTaken - does the name belong to another parameter? Declared names go before properties of an object
 * @returns `undefined` when nothing of it was sent
 */
export function decodeNamed(
  place: StyledParameter,
  sent: ReadonlyMap<string, readonly string[]>,
  isTaken: (name: string) => boolean,
): DecodedParameter | undefined {
  const { name, style, shape } = place;
  const own = sent.get(name);
  if (place.contentType === undefined && shape.kind !== 'scalar') {
    if (style === 'deepObject') return readDeepObject(place, sent) ?? decodePlain(place, own);
    if (shape.kind === 'object' && place.explode && hasOwnNames(place)) {
      return decodeExploded(place, sent, isTaken) ?? (shape.scalars.length > 0 ? decodePlain(place, own) : undefined);
    }
  }
  return own === undefined ? undefined : decodeParameter(place, own);
}

/** Are the properties of an exploded object sent under names of their own? */
export function hasOwnNames({ style }: Pick<StyledParameter, 'style'>): boolean {
  return style === 'form' || style === 'cookie';
}

/** Is it an object whose properties are sent under names of their own, so that no property at all is an empty object? */
export function hasOwnProperties(place: StyledParameter): boolean {
  return place.contentType === undefined && place.shape.kind === 'object' && place.explode && hasOwnNames(place);
}

/** Decodes percent sequences where the place has them. */
export function decodeText(place: Pick<StyledParameter, 'in' | 'style'>, text: string): string | undefined {
  switch (place.in) {
    case 'query':
    case 'querystring':
      return decodeQueryComponent(text);
    case 'path':
      return decodePathSegment(text);
    case 'cookie':
      return place.style === 'form' ? decodePathSegment(text) : text;
    case 'header':
      return text;
  }
}

/** What was sent under the plain name of an object or a list of style `deepObject`. */
function decodePlain(place: StyledParameter, own: readonly string[] | undefined): DecodedParameter | undefined {
  if (own === undefined) return undefined;
  const { name, shape } = place;
  if (shape.kind === 'array') return decodeList({ ...place, style: 'form', explode: true }, own);
  if (shape.scalars.length > 0) return decodeScalar(place, shape, own);
  return { kind: 'unreadable', reason: `is an object; send ${name}[${shape.names[0] ?? 'member'}]=…` };
}

function decodeContent(place: StyledParameter, contentType: string, raw: readonly string[]): DecodedParameter {
  if (raw.length > 1) return REPEATED;
  const text = decodeText(place, raw[0] ?? '');
  if (text === undefined) return UNDECODABLE;
  if (!isJsonMediaType(contentType)) return { kind: 'value', value: readScalar(text, place.shape.scalars) };
  try {
    return { kind: 'value', value: parseJson(text, { maxDepth: MAX_DEPTH }) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { kind: 'unreadable', reason: `is not valid JSON: ${error.message}` };
  }
}

const MAX_DEPTH = 64;

function decodeScalar(place: StyledParameter, shape: TextShape, raw: readonly string[]): DecodedParameter {
  if (raw.length > 1) return REPEATED;
  const text = decodeText(place, raw[0] ?? '');
  return text === undefined ? UNDECODABLE : { kind: 'value', value: readScalar(text, shape.scalars) };
}

function decodeList(place: StyledParameter, texts: readonly string[]): DecodedParameter {
  const { shape } = place;
  const values: JsonValue[] = [];
  for (const text of texts) {
    for (const part of split(place, text, shape)) {
      const item = shape.item(values.length);
      if (item.kind !== 'scalar' && item.scalars.length === 0) return nested(place, `a list of ${plural(item)}`);
      const decoded = decodeText(place, part);
      if (decoded === undefined) return UNDECODABLE;
      values.push(readScalar(decoded, item.scalars));
    }
  }
  return { kind: 'value', value: values };
}

/** `R,100,G,200`, or exploded `R=100,G=200`. */
function decodeProperties(place: StyledParameter, texts: readonly string[]): DecodedParameter {
  if (texts.length > 1) return REPEATED;
  const parts = split(place, texts[0] ?? '', place.shape);
  if (place.explode) {
    return collect(
      place,
      parts.map((part) => {
        const at = part.indexOf('=');
        return at === -1 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)];
      }),
    );
  }
  if (parts.length % 2 !== 0)
    return { kind: 'unreadable', reason: 'has a name without a value; send name,value pairs' };
  const pairs = parts.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, parts[index + 1] ?? '']] : [],
  );
  return collect(place, pairs);
}

function collect(place: StyledParameter, pairs: readonly (readonly [string, string])[]): DecodedParameter {
  const properties = new Map<string, JsonValue>();
  for (const [rawName, rawValue] of pairs) {
    const name = decodeText(place, rawName);
    const text = decodeText(place, rawValue);
    if (name === undefined || text === undefined) return UNDECODABLE;
    if (properties.has(name)) return { kind: 'unreadable', reason: `has the property "${name}" twice` };
    const shape = place.shape.property(name);
    if (shape !== undefined && shape.kind !== 'scalar' && shape.scalars.length === 0) {
      return nested(place, `the property "${name}"`);
    }
    properties.set(name, readScalar(text, shape?.scalars ?? []));
  }
  // fromEntries defines properties, so that `__proto__` is data.
  return { kind: 'value', value: Object.fromEntries(properties) };
}

/** Each property by its own name (OAS 3.0.3 "Style Examples", `form` with `explode`). */
function decodeExploded(
  place: StyledParameter,
  sent: ReadonlyMap<string, readonly string[]>,
  isTaken: (name: string) => boolean,
): DecodedParameter | undefined {
  const properties = new Map<string, JsonValue>();
  for (const [name, texts] of sent) {
    const shape = isTaken(name) ? undefined : place.shape.property(name);
    if (shape === undefined) continue;
    const decoded = decodeParameter({ ...place, name, shape }, texts);
    if (decoded.kind === 'repeated') return { kind: 'unreadable', reason: `has the property "${name}" twice` };
    if (decoded.kind !== 'value') return decoded;
    properties.set(name, decoded.value);
  }
  return properties.size === 0 ? undefined : { kind: 'value', value: Object.fromEntries(properties) };
}

function nested({ style }: StyledParameter, what: string): DecodedParameter {
  return {
    kind: 'unreadable',
    reason: `cannot be read: ${what} has no form in the style "${style}"; the description needs "content" for it`,
  };
}

function plural({ kind }: TextShape): string {
  return kind === 'object' ? 'objects' : 'lists';
}

/** Takes off what `label` and `matrix` put before the values (RFC 6570 §3.2.5, §3.2.7). */
function unwrapped(place: StyledParameter, raw: readonly string[]): readonly string[] | DecodedParameter {
  const { style, name } = place;
  const [text = ''] = raw;
  if (style === 'label') {
    return text.startsWith('.') ? [text.slice(1)] : { kind: 'unreadable', reason: 'does not begin with "."' };
  }
  if (style === 'matrix') {
    if (!text.startsWith(';')) return { kind: 'unreadable', reason: 'does not begin with ";"' };
    const rest = text.slice(1);
    if (place.explode && place.shape.kind === 'object') return [rest];
    const parts = rest.split(';').map((part) => {
      const at = part.indexOf('=');
      return at === -1 ? ([part, ''] as const) : ([part.slice(0, at), part.slice(at + 1)] as const);
    });
    const stranger = parts.find(([key]) => decodePathSegment(key) !== name);
    if (stranger !== undefined) return { kind: 'unreadable', reason: `is not ";${name}=" and a value` };
    return parts.map(([, value]) => value);
  }
  return raw;
}

/** Splits one text into its items, or its names and values. */
function split(place: StyledParameter, text: string, shape: TextShape): readonly string[] {
  const { style, explode } = place;
  if (style === 'matrix') return splitMatrix(text, explode, shape);
  // OAS 3.0.3 shows `.blue.black` without `explode` too; later versions and RFC 6570 have the comma.
  if (style === 'label') return explode || !text.includes(',') ? text.split('.') : text.split(',');
  if (hasOwnNames(place)) {
    if (explode) return place.in === 'cookie' ? explodedCookie(place, text) : [text];
    return text.split(isNumeric(shape) ? /,|%2C/i : ',');
  }
  const parts = text.split(DELIMITERS[style] ?? ',');
  return place.in === 'header' ? parts.map((part) => part.trim()) : parts;
}

/** Its lists were split when their name was taken off each item. */
function splitMatrix(text: string, explode: boolean, shape: TextShape): readonly string[] {
  if (!explode) return text.split(',');
  return shape.kind === 'object' ? text.split(';') : [text];
}

/** URLSearchParams encodes the comma; in a list of numbers it cannot be data. */
function isNumeric(shape: TextShape): boolean {
  const types = shape.kind === 'array' ? shape.item(0).scalars : [];
  return types.length > 0 && types.every((type) => type === 'integer' || type === 'number');
}

/** Exploded lists of style `form` have an ampersand where cookies have `; ` (OAS 3.0.4 "Style Examples"). */
function explodedCookie({ name, style }: StyledParameter, text: string): readonly string[] {
  return style === 'form' ? text.split(`&${name}=`) : [text];
}
