import { isJsonMediaType } from '../../http/media-type';
import { decodeQueryComponent } from '../../http/request-target';
import { joinPointer } from '../../json/json-pointer';
import type { JsonObject, JsonValue } from '../../json/json-value';
import { bracketPath, readDeepObject } from '../../openapi/deep-object';
import type { Encoding } from '../../openapi/model';
import {
  decodeNamed,
  decodeParameter,
  reasonOf,
  type DecodedParameter,
  type StyledPlace,
} from '../../openapi/parameter-style';
import type { TextShape } from '../../openapi/text-shape';
import type { SentTexts } from './sent-texts';

/** The members of a form as one object, or the first that cannot be read. */
export type FormReading =
  | { readonly kind: 'value'; readonly value: JsonObject }
  /** `reason` goes on after the name of the field. */
  | { readonly kind: 'fault'; readonly pointer: string; readonly reason: string };

/** Forms may nest deeper than parameters: the Encoding Object is there for that. */
export const MAX_FORM_DEPTH = 8;
const JSON_TYPE = 'application/json';

/**
 * Reads a form by the schema of its members and what `encoding` says of each (OAS 3.0.3 §4.7.14.4, §4.7.15): text by
 * the type, lists by repetition, objects as JSON text, all of it otherwise where a style says so. Names with brackets
 * are members of the name before them.
 *
 * @param sent - by decoded name, the texts still percent-encoded
 */
export function readForm(sent: SentTexts, shape: TextShape, encodings: ReadonlyMap<string, Encoding>): FormReading {
  const members: [string, JsonValue][] = [];
  const declared = new Set(shape.names);
  const isDeclared = (name: string): boolean => declared.has(name);
  const isMember = (sentName: string): boolean =>
    isDeclared(sentName) || shape.names.some((name) => bracketPath(name, sentName) !== undefined);
  for (const name of declared) {
    const place = placeOf(name, shape.property(name), encodings.get(name));
    const read = readMember(place, encodings.get(name), sent, isDeclared);
    if (read === undefined) continue;
    if (read.kind !== 'value') return { kind: 'fault', pointer: joinPointer('', name), reason: reasonOf(read) };
    members.push([name, read.value]);
  }
  for (const [name, texts] of sent) {
    if (isMember(name)) continue;
    members.push([name, readUndeclared(texts, shape.property(name))]);
  }
  return { kind: 'value', value: Object.fromEntries(members) };
}

function placeOf(name: string, shape: TextShape | undefined, encoding: Encoding | undefined): StyledPlace {
  const style = encoding?.style ?? 'form';
  const place = { name, in: 'query', style, explode: encoding?.explode ?? style === 'form' } as const;
  const known = shape ?? ANY_TEXT;
  return { ...place, shape: known, contentType: contentTypeOf(known, encoding) };
}

/** A style that is written out goes before a content type (OAS 3.1.1 §4.8.15.1). */
function contentTypeOf(shape: TextShape, encoding: Encoding | undefined): string | undefined {
  if (encoding?.style !== undefined || encoding?.explode !== undefined) return undefined;
  if (encoding?.contentType !== undefined) return isJsonMediaType(encoding.contentType) ? JSON_TYPE : undefined;
  return shape.kind === 'object' || hasNestedItems(shape) ? JSON_TYPE : undefined;
}

/** The default content type of a list is that of its items (OAS 3.0.3 §4.7.15.1). */
function hasNestedItems(shape: TextShape): boolean {
  return shape.kind === 'array' && shape.item(0).kind !== 'scalar';
}

function readMember(
  place: StyledPlace,
  encoding: Encoding | undefined,
  sent: SentTexts,
  isDeclared: (name: string) => boolean,
): DecodedParameter | undefined {
  const { name, shape } = place;
  if (shape.kind !== 'scalar' && (encoding?.style === undefined || place.style === 'deepObject')) {
    const nested = readDeepObject(place, sent, MAX_FORM_DEPTH);
    if (nested !== undefined) return nested;
  }
  const own = sent.get(name);
  if (place.contentType === undefined || own === undefined) {
    return decodeNamed(place, sent, (other) => other !== name && isDeclared(other));
  }
  return shape.kind === 'array' ? readJsonItems(place, own) : decodeParameter(place, own);
}

/** Each text is an item, or one is the whole list. */
function readJsonItems(place: StyledPlace, texts: readonly string[]): DecodedParameter {
  const values: JsonValue[] = [];
  for (const text of texts) {
    const read = decodeParameter(place, [text]);
    if (read.kind !== 'value') return read;
    if (texts.length === 1 && Array.isArray(read.value)) return read;
    values.push(read.value);
  }
  return { kind: 'value', value: values };
}

function readUndeclared(texts: readonly string[], shape: TextShape | undefined): JsonValue {
  if (shape !== undefined) {
    const place: StyledPlace = { name: '', in: 'query', style: 'form', explode: true, contentType: undefined, shape };
    const read = decodeParameter(place, texts);
    if (read.kind === 'value') return read.value;
  }
  // The names and values of a form were decoded once already: none of them fails here.
  const values = texts.map((text) => decodeQueryComponent(text) ?? text);
  return values.length === 1 ? (values[0] ?? '') : values;
}

const ANY_TEXT: TextShape = {
  kind: 'scalar',
  scalars: ['string'],
  isBinary: false,
  names: [],
  item: () => ANY_TEXT,
  property: () => undefined,
};
