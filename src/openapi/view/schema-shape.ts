import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { isSchemaObject } from '../../schema/schema-object';
import type { ApiModel } from '../model/api-model';
import type { Schema } from '../model/operation';
import { fieldOf, fieldsOf, itemsOf, type LocatedObject, schemasAt } from '../read/references';

/** What one or several schemas together say of the parts of a value. */
export interface SchemaShape {
  /** The schemas of each property that is named; several where parts of a schema name it each. */
  readonly properties: ReadonlyMap<string, readonly LocatedObject[]>;
  /** Where each property that is named stands; the first place where several parts name it. */
  readonly places: ReadonlyMap<string, string>;
  readonly items: readonly LocatedObject[];
  /** Schemas of the properties that are not named. */
  readonly others: readonly LocatedObject[];
  /** Does it say something of properties that are not named: that there are none, any, or such ones? */
  readonly constrainsOthers: boolean;
}

type Composition = 'allOf' | 'anyOf' | 'oneOf';

export const EVERY_COMPOSITION: readonly Composition[] = ['allOf', 'anyOf', 'oneOf'];

/** Schemas, what they refer to and everything that they are composed of by some keywords, each once. */
export function partsOf(
  api: ApiModel,
  schemas: readonly LocatedObject[],
  keywords: readonly Composition[] = ['allOf'],
): LocatedObject[] {
  const parts = new Map<string, LocatedObject>();
  // A map gives what is added to it while it is walked, so that a circle ends.
  const add = (located: LocatedObject): void => {
    for (const part of schemasAt(api.document, located)) if (!parts.has(part.pointer)) parts.set(part.pointer, part);
  };
  schemas.forEach(add);
  for (const part of parts.values()) {
    for (const keyword of keywords) {
      for (const { value, pointer } of itemsOf(fieldOf(part, keyword)))
        if (isSchemaObject(value)) add({ value, pointer });
    }
  }
  return [...parts.values()];
}

/** The schemas of which a value satisfies one or several. */
export function branchSchemas(api: ApiModel, schema: Schema): Schema[] {
  return [...itemsOf(fieldOf(schema, 'anyOf')), ...itemsOf(fieldOf(schema, 'oneOf'))].flatMap(
    ({ pointer }) => api.schemaAt(pointer) ?? [],
  );
}

/** The schema of the items of a list, by its own word or that of what it refers to. */
export function schemaOfItems(api: ApiModel, schema: Schema): Schema | undefined {
  const [items] = schemasAt(api.document, schema).flatMap((part) => fieldOf(part, 'items') ?? []);
  return items && api.schemaAt(items.pointer);
}

const SHAPES = new WeakMap<ApiModel, Map<string, SchemaShape>>();

/**
 * Gathers what schemas say through `$ref`, `allOf`, `anyOf` and `oneOf`. Of alternatives all are taken: a property that
 * one of them names is named.
 */
export function shapeOf(api: ApiModel, schemas: readonly LocatedObject[]): SchemaShape {
  const shapes = SHAPES.get(api) ?? new Map<string, SchemaShape>();
  SHAPES.set(api, shapes);
  const key = schemas.map(({ pointer }) => pointer).join(' ');
  let shape = shapes.get(key);
  if (shape === undefined) shapes.set(key, (shape = collectShape(api, schemas)));
  return shape;
}

function collectShape(api: ApiModel, schemas: readonly LocatedObject[]): SchemaShape {
  const properties = new Map<string, LocatedObject[]>();
  const places = new Map<string, string>();
  const items: LocatedObject[] = [];
  const others: LocatedObject[] = [];
  let constrainsOthers = false;
  for (const part of partsOf(api, schemas, EVERY_COMPOSITION)) {
    for (const { name, ...place } of fieldsOf(fieldOf(part, 'properties'))) {
      const found = schemasAt(api.document, place);
      if (found.length === 0) continue;
      properties.set(name, [...(properties.get(name) ?? []), ...found]);
      if (!places.has(name)) places.set(name, place.pointer);
    }
    for (const [keyword, list] of [
      ['items', items],
      ['additionalProperties', others],
    ] as const) {
      const place = fieldOf(part, keyword);
      if (place !== undefined) list.push(...schemasAt(api.document, place));
    }
    constrainsOthers ||= part.value['additionalProperties'] !== undefined;
  }
  return { properties, places, items, others, constrainsOthers };
}

/** A schema that leads to more others than this is not looked through to its end. */
const MOST_SCHEMAS = 2000;

/** The schemas given and all that stand in them, each once: of properties, items and map values, and branches. */
export function* nestedSchemas(api: ApiModel, from: readonly Schema[]): Generator<Schema> {
  const seen = new Set<string>();
  const waiting: LocatedObject[] = [...from];
  for (let next = waiting.pop(); next !== undefined && seen.size < MOST_SCHEMAS; next = waiting.pop()) {
    if (seen.has(next.pointer)) continue;
    seen.add(next.pointer);
    yield api.schemaOf(next);
    const { properties, items, others } = shapeOf(api, [next]);
    waiting.push(...[...properties.values()].flat(), ...items, ...others, ...partsOf(api, [next], EVERY_COMPOSITION));
  }
}

/** An object within a body, and what the description says of it. */
interface ObjectInBody {
  /** JSON pointer with `*` for every index of a list: places that only differ in it are one. */
  readonly pointer: string;
  readonly value: JsonObject;
  readonly shape: SchemaShape;
}

/** Every object of a body that a schema speaks of, all items of all lists included. */
export function* objectsIn(
  api: ApiModel,
  schemas: readonly LocatedObject[],
  value: JsonValue,
  pointer = '',
): Generator<ObjectInBody> {
  if (schemas.length === 0) return;
  if (Array.isArray(value)) {
    const { items } = shapeOf(api, schemas);
    for (const item of value) yield* objectsIn(api, items, item, `${pointer}/*`);
  } else if (isJsonObject(value)) {
    const shape = shapeOf(api, schemas);
    yield { pointer, value, shape };
    for (const [name, property] of Object.entries(value)) {
      if (typeof property !== 'object') continue;
      yield* objectsIn(api, shape.properties.get(name) ?? shape.others, property, joinPointer(pointer, name));
    }
  }
}
