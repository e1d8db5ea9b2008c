import { joinPointer } from '../../json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import type { ApiModel } from '../../openapi/model';
import type { LocatedObject } from '../../openapi/references';
import { shapeOf, type SchemaShape } from './schema-shape';

/** An object within a body, and what the description says of it. */
export interface PlacedObject {
  /** JSON pointer with `*` for every index of a list: places that only differ in it are one. */
  readonly place: string;
  readonly value: JsonObject;
  readonly shape: SchemaShape;
}

/** Every object of a body that a schema speaks of, all items of all lists included. */
export function* objectsOf(
  api: ApiModel,
  schemas: readonly LocatedObject[],
  value: JsonValue,
  place = '',
): Generator<PlacedObject> {
  if (schemas.length === 0) return;
  if (Array.isArray(value)) {
    const { items } = shapeOf(api, schemas);
    for (const item of value) yield* objectsOf(api, items, item, `${place}/*`);
  } else if (isJsonObject(value)) {
    const shape = shapeOf(api, schemas);
    yield { place, value, shape };
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'object') continue;
      yield* objectsOf(api, shape.properties.get(name) ?? shape.others, member, joinPointer(place, name));
    }
  }
}
