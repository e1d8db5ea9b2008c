import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { isSchemaObject } from '../../schema/schema-object';
import type { ApiModel } from '../model/api-model';
import { fieldOf, fieldsOf, itemsOf, type LocatedObject, resolveObject } from '../read/references';

/** What one or several schemas together say of the parts of a value. */
interface SchemaShape {
  /** The schemas of each property that is named; several where parts of a schema name it each. */
  readonly properties: ReadonlyMap<string, readonly LocatedObject[]>;
  readonly items: readonly LocatedObject[];
  /** Schemas of the properties that are not named. */
  readonly others: readonly LocatedObject[];
  /** Does it say something of properties that are not named: that there are none, any, or such ones? */
  readonly constrainsOthers: boolean;
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
  const itemSchemas: LocatedObject[] = [];
  const others: LocatedObject[] = [];
  let constrainsOthers = false;
  for (const part of partsOf(api, schemas)) {
    for (const { name, ...place } of fieldsOf(fieldOf(part, 'properties'))) {
      const property = resolveObject(api.document, place);
      if (property !== undefined) properties.set(name, [...(properties.get(name) ?? []), property]);
    }
    itemSchemas.push(...subschemas(api, part, 'items'));
    others.push(...subschemas(api, part, 'additionalProperties'));
    constrainsOthers ||= part.value['additionalProperties'] !== undefined;
  }
  return { properties, items: itemSchemas, others, constrainsOthers };
}

/** The schemas and everything that they are composed of, each once. */
function partsOf(api: ApiModel, schemas: readonly LocatedObject[]): LocatedObject[] {
  const parts = new Map<string, LocatedObject>();
  // A map gives what is added to it while it is walked, so that a circle ends.
  const add = (located: LocatedObject): void => {
    const target = resolveObject(api.document, located);
    if (target !== undefined) parts.set(target.pointer, target);
  };
  schemas.forEach(add);
  for (const part of parts.values()) {
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
      for (const { value, pointer } of itemsOf(fieldOf(part, keyword)))
        if (isSchemaObject(value)) add({ value, pointer });
    }
  }
  return [...parts.values()];
}

function subschemas(api: ApiModel, { value, pointer }: LocatedObject, keyword: string): LocatedObject[] {
  const schema: JsonValue | undefined = value[keyword];
  if (!isSchemaObject(schema)) return [];
  const target = resolveObject(api.document, { value: schema, pointer: joinPointer(pointer, keyword) });
  return target === undefined ? [] : [target];
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
