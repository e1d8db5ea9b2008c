import { isJsonMediaType } from '../../core/http/media-type';
import { decodeQueryComponent } from '../../core/http/request-target';
import { joinPointer } from '../../core/json/json-pointer';
import { type JsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { bracketPath, readDeepObject } from '../../openapi/parameters/deep-object';
import type { Encoding } from '../../openapi/model/operation';
import { decodeNamed, decodeParameter, reasonOf } from '../../openapi/parameters/decode-parameter';
import type { DecodedParameter, StyledParameter, TextShape } from '../../openapi/parameters/text-shape';
import type { RawValues } from '../../core/http/raw-values';
import { getOrCreate } from '../../core/text/memoize';

/** The properties of a form as one object, or the first that cannot be read. */
type FormReading =
  | { readonly kind: 'value'; readonly value: JsonObject }
  /** `reason` goes on after the name of the field. */
  | { readonly kind: 'fault'; readonly pointer: string; readonly reason: string };

const JSON_TYPE = 'application/json';

/**
 * Reads a form by the schema of its properties and what `encoding` says of each (OAS 3.0.3 §4.7.14.4, §4.7.15): text by
 * the type, lists by repetition, objects as JSON text, all of it otherwise where a style says so. Names with brackets
 * are properties of the name before them.
 *
 * @param sent - by decoded name, the texts still percent-encoded
 */
export function readForm(sent: RawValues, shape: TextShape, encodings: ReadonlyMap<string, Encoding>): FormReading {
  const value: Record<string, JsonValue> = {};
  const declared = new Set(shape.names);
  const isDeclared = (name: string): boolean => declared.has(name);
  const nested = bracketedNames(sent, declared);
  for (const name of declared) {
    const place = styledParameter(name, shape.property(name), encodings.get(name));
    const read = readProperty(place, encodings.get(name), sent, nested.byProperty.get(name), isDeclared);
    if (read === undefined) continue;
    if (read.kind !== 'value') return { kind: 'fault', pointer: joinPointer('', name), reason: reasonOf(read) };
    setProperty(value, name, read.value);
  }
  const { others } = shape;
  for (const [name, texts] of sent)
    if (!declared.has(name) && !nested.all.has(name)) setProperty(value, name, readUndeclaredField(texts, others));
  return { kind: 'value', value };
}

/** What was sent under names of properties of the declared ones. */
interface BracketedNames {
  /** By the declared name. */
  readonly byProperty: ReadonlyMap<string, Map<string, readonly string[]>>;
  readonly all: ReadonlySet<string>;
}

/** Each name is looked at once, however many are declared: clients send as many as they like. */
export function bracketedNames(sent: RawValues, declared: ReadonlySet<string>): BracketedNames {
  const byProperty = new Map<string, Map<string, readonly string[]>>();
  const all = new Set<string>();
  const longest = Math.max(0, ...[...declared].map(({ length }) => length));
  for (const [name, texts] of sent) {
    for (let end = name.indexOf('['); end !== -1 && end <= longest; end = name.indexOf('[', end + 1)) {
      const around = name.slice(0, end);
      if (!declared.has(around) || bracketPath(around, name) === undefined) continue;
      all.add(name);
      getOrCreate(byProperty, around, () => new Map<string, readonly string[]>()).set(name, texts);
    }
  }
  return { byProperty, all };
}

function styledParameter(name: string, shape: TextShape | undefined, encoding: Encoding | undefined): StyledParameter {
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

function readProperty(
  place: StyledParameter,
  encoding: Encoding | undefined,
  sent: RawValues,
  nested: RawValues | undefined,
  isDeclared: (name: string) => boolean,
): DecodedParameter | undefined {
  const { name, shape } = place;
  const isNested = shape.kind !== 'scalar' && (encoding?.style === undefined || place.style === 'deepObject');
  const read = isNested && nested !== undefined ? readDeepObject(place, nested) : undefined;
  if (read !== undefined) return read;
  const own = sent.get(name);
  if (place.contentType === undefined || own === undefined) {
    return decodeNamed(place, sent, (other) => other !== name && isDeclared(other));
  }
  return shape.kind === 'array' ? readJsonItems(place, own) : decodeParameter(place, own);
}

/** Each text is an item, or one is the whole list. */
function readJsonItems(place: StyledParameter, texts: readonly string[]): DecodedParameter {
  const values: JsonValue[] = [];
  for (const text of texts) {
    const read = decodeParameter(place, [text]);
    if (read.kind !== 'value') return read;
    if (texts.length === 1 && Array.isArray(read.value)) return read;
    values.push(read.value);
  }
  return { kind: 'value', value: values };
}

function readUndeclaredField(texts: readonly string[], shape: TextShape | undefined): JsonValue {
  if (shape !== undefined) {
    const place: StyledParameter = {
      name: '',
      in: 'query',
      style: 'form',
      explode: true,
      contentType: undefined,
      shape,
    };
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
