import { isJsonMediaType } from '../../core/http/media-type';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText, stringifyJson } from '../../core/json/stringify-json';
import type { StyledParameter } from './text-shape';

/** What stands between the items of a list that is not exploded, percent-encoded where that is needed. */
const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: '%20', pipeDelimited: '%7C' };

type Encode = (text: string) => string;

/**
 * Writes a value as the style of its place wants it: the other way round of `decodeParameter` (OAS 3.2.0 "Style
 * Examples"). A list or an object that the style has no form for is written as if it had one level less.
 *
 * @returns for a query the pairs `name=value`, percent-encoded; for a cookie its pairs; for a path the percent-encoded
 *   text, and for a header the text, which is one in either case
 */
export function encodeParameter(place: StyledParameter, value: JsonValue): readonly string[] {
  const { name, contentType } = place;
  const encode = encoderFor(place);
  if (contentType !== undefined) {
    const text = encode(isJsonMediaType(contentType) ? stringifyJson(value) : scalarText(value));
    if (place.in === 'querystring') return [text];
    return [isNamed(place) ? `${encode(name)}=${text}` : text];
  }
  if (isNamed(place)) return encodeNamed(place, value, encode);
  return [place.in === 'path' ? encodeSegment(place, value, encode) : encodeSimple(place, value, encode)];
}

function isNamed(place: StyledParameter): boolean {
  return place.in === 'query' || place.in === 'cookie';
}

function encoderFor({ in: location, style }: StyledParameter): Encode {
  if (location === 'header' || (location === 'cookie' && style !== 'form')) return (text) => text;
  // A full stop is what `label` has between items, and no percent-encoding touches it.
  if (style === 'label') return (text) => encodeURIComponent(text).replaceAll('.', '%2E');
  return encodeURIComponent;
}

function encodeNamed(place: StyledParameter, value: JsonValue, encode: Encode): readonly string[] {
  const { name, style, explode } = place;
  const key = encode(name);
  if (isJsonObject(value)) {
    const properties = Object.entries(value);
    if (style === 'deepObject') {
      return properties.flatMap(([property, item]) =>
        scalarTexts(item).map((text) => `${encode(`${name}[${property}]`)}=${encode(text)}`),
      );
    }
    if (explode) {
      return properties.flatMap(([member, item]) =>
        scalarTexts(item).map((text) => `${encode(member)}=${encode(text)}`),
      );
    }
  }
  if (explode || style === 'deepObject') return scalarTexts(value).map((text) => `${key}=${encode(text)}`);
  return [`${key}=${flat(value, encode).join(DELIMITERS[style] ?? ',')}`];
}

function encodeSegment(place: StyledParameter, value: JsonValue, encode: Encode): string {
  const { name, style, explode } = place;
  if (style === 'label') return `.${explode ? exploded(value, encode).join('.') : flat(value, encode).join(',')}`;
  if (style !== 'matrix') return encodeSimple(place, value, encode);
  const key = encode(name);
  if (!explode) return `;${key}=${flat(value, encode).join(',')}`;
  if (isJsonObject(value)) return `;${exploded(value, encode).join(';')}`;
  return scalarTexts(value)
    .map((text) => `;${key}=${encode(text)}`)
    .join('');
}

function encodeSimple({ explode }: StyledParameter, value: JsonValue, encode: Encode): string {
  return (explode ? exploded(value, encode) : flat(value, encode)).join(',');
}

/** `R`, `100`, `G`, `200`. */
function flat(value: JsonValue, encode: Encode): string[] {
  if (!isJsonObject(value)) return scalarTexts(value).map(encode);
  return Object.entries(value).flatMap(([name, item]) => [encode(name), encode(scalarText(item))]);
}

/** `R=100`, `G=200`. */
function exploded(value: JsonValue, encode: Encode): string[] {
  if (!isJsonObject(value)) return scalarTexts(value).map(encode);
  return Object.entries(value).map(([name, item]) => `${encode(name)}=${encode(scalarText(item))}`);
}

function scalarTexts(value: JsonValue): string[] {
  return Array.isArray(value) ? value.map(scalarText) : [scalarText(value)];
}
