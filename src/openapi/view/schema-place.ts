import { parsePointer } from '../../core/json/json-pointer';
import type { ApiModel } from '../model/api-model';
import type { Schema } from '../model/operation';
import { fieldOf, type LocatedObject, resolveSchema, schemasAt } from '../read/references';

/**
 * Where the description speaks of a part of a value; the nearest place above it when that cannot be told.
 *
 * @param place - JSON pointer into the value
 */
export function pointerOfSchema(api: ApiModel, schema: Schema, place: string): string {
  let at: LocatedObject = schema;
  for (const segment of parsePointer(place)) {
    const next = propertySchema(api, at, segment);
    if (next === undefined) break;
    at = next;
  }
  return at.pointer;
}

function propertySchema(api: ApiModel, at: LocatedObject, segment: string): LocatedObject | undefined {
  const [items] = schemasAt(api.document, at).flatMap((part) => fieldOf(part, 'items') ?? []);
  if (items !== undefined) return resolveSchema(api.document, items);
  const owner = api.schemaAt(at.pointer);
  const property = owner === undefined ? undefined : api.propertiesOf(owner).get(segment);
  return property === undefined ? undefined : { value: property.schema, pointer: property.pointer };
}
