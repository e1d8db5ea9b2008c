import { isJsonMediaType } from '../../http/media-type';
import { decodeQueryComponent } from '../../http/request-target';
import { joinPointer } from '../../json/json-pointer';
import { setMember } from '../../json/member';
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
  const value: Record<string, JsonValue> = {};
  const declared = new Set(shape.names);
  const isDeclared = (name: string): boolean => declared.has(name);
  const nested = nestedNames(sent, declared);
  for (const name of declared) {
    const place = placeOf(name, shape.property(name), encodings.get(name));
    const read = readMember(place, encodings.get(name), sent, nested.below.get(name), isDeclared);
    if (read === undefined) continue;
    if (read.kind !== 'value') return { kind: 'fault', pointer: joinPointer('', name), reason: reasonOf(read) };
    setMember(value, name, read.value);
  }
  const { others } = shape;
  for (const [name, texts] of sent)
    if (!declared.has(name) && !nested.all.has(name)) setMember(value, name, readUndeclared(texts, others));
  return { kind: 'value', value };
}

/** What was sent under names of members of the declared ones. */
interface NestedNames {
  /** By the declared name. */
  readonly below: ReadonlyMap<string, Map<string, readonly string[]>>;
  readonly all: ReadonlySet<string>;
}

/** Each name is looked at once, however many are declared: clients send as many as they like. */
function nestedNames(sent: SentTexts, declared: ReadonlySet<string>): NestedNames {
  const below = new Map<string, Map<string, readonly string[]>>();
  const all = new Set<string>();
  const longest = Math.max(0, ...[...declared].map(({ length }) => length));
  for (const [name, texts] of sent) {
    for (let end = name.indexOf('['); end !== -1 && end <= longest; end = name.indexOf('[', end + 1)) {
      const around = name.slice(0, end);
      if (!declared.has(around) || bracketPath(around, name) === undefined) continue;
      all.add(name);
      const members = below.get(around) ?? new Map<string, readonly string[]>();
      below.set(around, members.set(name, texts));
    }
  }
  return { below, all };
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
  nested: SentTexts | undefined,
  isDeclared: (name: string) => boolean,
): DecodedParameter | undefined {
  const { name, shape } = place;
  const isNested = shape.kind !== 'scalar' && (encoding?.style === undefined || place.style === 'deepObject');
  const read = isNested && nested !== undefined ? readDeepObject(place, nested, MAX_FORM_DEPTH) : undefined;
  if (read !== undefined) return read;
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
  others: undefined,
};
