import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { areKeys } from './key-look';
import { mergedShape, type Shape } from './value-shape';

/** How a shape is written as a schema. */
export interface SchemaManner {
  /** Names of component schemas by the shapes that they stand for. */
  readonly references: ReadonlyMap<Shape, string>;
  /** A merge patch says what changes, and requires nothing (RFC 7396 §1). */
  readonly isPartial?: boolean;
  /** Of what is sent: is a secret of this name never shown again? */
  readonly isHidden?: (name: string) => boolean;
}

/** A map by words has more names than any object, each of them seldom. */
const MAP_NAMES = 20;

/** The schema that all values fit that were seen (JSON Schema 2020-12); no enum, no bounds, nothing closed. */
export function schemaOf(shape: Shape, manner: SchemaManner): JsonObject {
  const reference = manner.references.get(shape);
  if (reference === undefined) return inlineSchema(shape, manner);
  const schema = { $ref: `#/components/schemas/${reference}` };
  return shape.nulls === 0 ? schema : { anyOf: [schema, { type: 'null' }] };
}

/** The same without the reference to itself: what stands in `components`. */
export function inlineSchema(shape: Shape, manner: SchemaManner): JsonObject {
  const types = typesOf(shape);
  const [only] = types;
  // What was never anything but null may be anything.
  if (only === undefined || (types.length === 1 && only === 'null')) return {};
  return {
    type: types.length === 1 ? only : types,
    ...textKeywords(shape),
    ...(shape.objects > 0 ? objectKeywords(shape, manner) : {}),
    ...(shape.arrays > 0 ? { items: itemsSchema(shape, manner) } : {}),
  };
}

function typesOf({ objects, arrays, texts, integers, fractions, booleans, nulls }: Shape): string[] {
  const number = fractions > 0 ? 'number' : 'integer';
  const seen: readonly (readonly [string, number])[] = [
    ['object', objects],
    ['array', arrays],
    ['string', texts.count],
    [number, integers + fractions],
    ['boolean', booleans],
    ['null', nulls],
  ];
  return seen.flatMap(([type, count]) => (count > 0 ? [type] : []));
}

function itemsSchema({ items }: Shape, manner: SchemaManner): JsonObject {
  return items === undefined ? {} : schemaOf(items, { ...manner, isPartial: false });
}

function textKeywords({ texts }: Shape): JsonObject {
  if (isSecret(texts)) return { format: 'password' };
  const [format] = texts.formats ?? [];
  return texts.secrets > 0 || format === undefined ? {} : { format };
}

function isSecret({ count, secrets }: Shape['texts']): boolean {
  return count > 0 && secrets === count;
}

function objectKeywords(shape: Shape, manner: SchemaManner): JsonObject {
  const names = [...shape.properties.keys()];
  if (isMap(shape, names)) {
    const values = [...shape.properties.values()];
    const [first] = values;
    const isShared = first !== undefined && values.every((each) => manner.references.has(each));
    return { additionalProperties: schemaOf(isShared ? first : mergedShape(values), manner) };
  }
  if (names.length === 0) return {};
  const properties: Record<string, JsonValue> = {};
  const required: string[] = [];
  for (const [name, held] of shape.properties) {
    const schema = schemaOf(held, manner);
    const isWriteOnly = manner.isHidden?.(name) === true && isSecret(held.texts);
    Object.defineProperty(properties, name, {
      value: isWriteOnly ? { ...schema, writeOnly: true } : schema,
      enumerable: true,
    });
    if (held.count === shape.objects && manner.isPartial !== true) required.push(name);
  }
  return { ...(required.length === 0 ? {} : { required }), properties };
}

function isMap({ properties, objects }: Shape, names: readonly string[]): boolean {
  if (areKeys(names)) return true;
  if (names.length <= MAP_NAMES || objects < 2) return false;
  const values = [...properties.values()];
  const isSeldom = values.every(({ count }) => count * 2 <= objects);
  return isSeldom && new Set(values.map((each) => typesOf(each).join())).size === 1;
}
