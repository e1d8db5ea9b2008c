import { joinPointer } from '../../json/json-pointer';
import type { JsonValue } from '../../json/json-value';
import { isSchemaObject } from '../../json-schema/schema';
import type { ApiModel } from '../../openapi/model';
import { resolveObject, type LocatedObject } from '../../openapi/references';
import { items, member, members } from '../../openapi/walk';

/** What one or several schemas together say of the parts of a value. */
export interface SchemaShape {
  /** The schemas of each member that is named; several where parts of a schema name it each. */
  readonly properties: ReadonlyMap<string, readonly LocatedObject[]>;
  readonly items: readonly LocatedObject[];
  /** Schemas of the members that are not named. */
  readonly others: readonly LocatedObject[];
  /** Does it say something of members that are not named: that there are none, any, or such ones? */
  readonly speaksOfOthers: boolean;
}

const SHAPES = new WeakMap<ApiModel, Map<string, SchemaShape>>();

/**
 * Gathers what schemas say through `$ref`, `allOf`, `anyOf` and `oneOf`. Of alternatives all are taken: a member that
 * one of them names is named.
 */
export function shapeOf(api: ApiModel, schemas: readonly LocatedObject[]): SchemaShape {
  const shapes = SHAPES.get(api) ?? new Map<string, SchemaShape>();
  SHAPES.set(api, shapes);
  const key = schemas.map(({ pointer }) => pointer).join(' ');
  let shape = shapes.get(key);
  if (shape === undefined) shapes.set(key, (shape = gather(api, schemas)));
  return shape;
}

function gather(api: ApiModel, schemas: readonly LocatedObject[]): SchemaShape {
  const properties = new Map<string, LocatedObject[]>();
  const itemSchemas: LocatedObject[] = [];
  const others: LocatedObject[] = [];
  let speaksOfOthers = false;
  for (const part of partsOf(api, schemas)) {
    for (const { name, ...place } of members(member(part, 'properties'))) {
      const property = resolveObject(api.document, place);
      if (property !== undefined) properties.set(name, [...(properties.get(name) ?? []), property]);
    }
    itemSchemas.push(...child(api, part, 'items'));
    others.push(...child(api, part, 'additionalProperties'));
    speaksOfOthers ||= part.value['additionalProperties'] !== undefined;
  }
  return { properties, items: itemSchemas, others, speaksOfOthers };
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
      for (const { value, pointer } of items(member(part, keyword))) if (isSchemaObject(value)) add({ value, pointer });
    }
  }
  return [...parts.values()];
}

function child(api: ApiModel, { value, pointer }: LocatedObject, keyword: string): LocatedObject[] {
  const schema: JsonValue | undefined = value[keyword];
  if (!isSchemaObject(schema)) return [];
  const target = resolveObject(api.document, { value: schema, pointer: joinPointer(pointer, keyword) });
  return target === undefined ? [] : [target];
}
