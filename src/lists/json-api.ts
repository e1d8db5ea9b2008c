import type { Property, Schema } from '../openapi/model/operation';
import { foldedName } from '../core/text/inflection';
import type { ListedItems } from './list-model';
import type { SchemaView } from '../openapi/view/schema-view';

const NONE: ReadonlyMap<string, Property> = new Map();

/**
 * Properties that an item holds under `attributes`, where it is a resource object of JSON:API: one with `type`, `id` and
 * `attributes` (JSON:API 1.1 §7.2). Filters, sorting and fieldsets speak of these.
 */
export function attributesOf(view: SchemaView, schema: Schema): ReadonlyMap<string, Property> {
  const properties = view.properties(schema);
  const attributes = properties.get('attributes');
  if (attributes === undefined || !properties.has('type') || !properties.has('id')) return NONE;
  const inner = view.schemaOf(attributes);
  return inner === undefined ? NONE : view.properties(inner);
}

/**
 * Is this the `type` of a resource's items, as `fields[books]` names it? Their `type` says so where it can only be some
 * words, else the path does.
 */
export function isTypeOf(word: string, { properties, path }: Pick<ListedItems, 'properties' | 'path'>): boolean {
  const { enum: listed, const: only, example } = properties.get('type')?.schema ?? {};
  const words = [...(Array.isArray(listed) ? listed : []), only, example].filter((each) => typeof each === 'string');
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
  return words.length > 0 ? words.includes(word) : foldedName(word) === foldedName(last);
}
