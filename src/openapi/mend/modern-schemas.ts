import { isJsonNumber } from '../../json/exact-number';
import type { Mend, MendableObject } from './mend';

const BOUNDS = [
  { exclusive: 'exclusiveMinimum', bound: 'minimum' },
  { exclusive: 'exclusiveMaximum', bound: 'maximum' },
] as const;

/**
 * What schemas of OpenAPI 3.0 say in a description of a later version, whose schemas are JSON Schema 2020-12: boolean
 * `exclusiveMinimum`, `nullable` beside a `type`, and lists of `items`, which 2020-12 calls `prefixItems`.
 */
export const modernSchemas: Mend = (object) => {
  if (object.kind !== 'schema' || object.version === '2.0' || object.version === '3.0') return;
  exclusiveBounds(object);
  nullableType(object);
  listOfItems(object);
};

function exclusiveBounds({ value, tell, set }: MendableObject): void {
  for (const { exclusive, bound } of BOUNDS) {
    const isExclusive = value[exclusive];
    if (typeof isExclusive !== 'boolean') continue;
    const limit = value[bound];
    if (!isExclusive || !isJsonNumber(limit)) {
      tell(exclusive, {
        message: `"${exclusive}" is ${String(isExclusive)} and says nothing here`,
        expected: 'a number',
      });
      set(exclusive, undefined);
      continue;
    }
    tell(exclusive, {
      message: `"${exclusive}: true" is of OpenAPI 3.0; it is read as it was meant there`,
      hint: `Write ${exclusive} with the number of "${bound}", and leave "${bound}" out.`,
    });
    set(exclusive, limit);
    set(bound, undefined);
  }
}

function nullableType({ value, tell, set }: MendableObject): void {
  const { nullable, type } = value;
  if (typeof nullable !== 'boolean') return;
  const types = typeof type === 'string' ? [type] : type;
  if (!nullable || !Array.isArray(types)) return;
  if (!types.includes('null')) {
    tell('nullable', {
      message: '"nullable" is of OpenAPI 3.0; it is read as it was meant there',
      hint: `Write type: [${[...types.map(String), "'null'"].join(', ')}]`,
    });
    set('type', [...types, 'null']);
  }
  set('nullable', undefined);
}

function listOfItems({ value, tell, set }: MendableObject): void {
  const { items } = value;
  if (!Array.isArray(items) || value['prefixItems'] !== undefined) return;
  tell('items', {
    message: 'A list of items is of older JSON Schema; it is read as "prefixItems"',
    hint: 'Call it prefixItems; what may follow them is "items".',
  });
  set('prefixItems', items);
  set('items', value['additionalItems']);
  set('additionalItems', undefined);
}
