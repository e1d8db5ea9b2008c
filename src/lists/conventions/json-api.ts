import { foldedName } from '../../core/text/inflection';
import type { Property, Schema } from '../../openapi/model/operation';
import type { SchemaView } from '../../openapi/view/schema-view';
import type { ListConvention } from './list-convention';

/** JSON:API 1.1: `page[number]`, `page[size]`, `fields[books]`, and items whose properties stand under `attributes`. */
export const jsonApi: ListConvention = {
  id: 'json-api',
  // `pageSize` is folded to the same name.
  parameters: [
    [/^page(?:size|limit)$/, 'integer', 'limit'],
    [/^pagenumber$/, 'integer', 'page'],
    [/^pageoffset$/, 'integer', 'offset'],
    [/^page(?:cursor|after)$/, 'string', 'cursor'],
    [/^pagebefore$/, 'string', { ignored: 'pages are only read forwards' }],
  ],
  containers: /^meta$/,
  isFieldset({ name }, items) {
    const type = /^fields\[([^[\]]+)\]$/.exec(name)?.[1];
    return type !== undefined && items.attributes.size > 0 && isTypeOf(type, items);
  },
};

const NONE: ReadonlyMap<string, Property> = new Map();

/**
 * Properties that an item holds under `attributes`, where it is a resource object: one with `type`, `id` and `attributes`
 * (JSON:API 1.1 §7.2). Filters, sorting and fieldsets speak of these.
 */
export function attributesOf(view: SchemaView, schema: Schema): ReadonlyMap<string, Property> {
  const properties = view.properties(schema);
  const attributes = properties.get('attributes');
  if (attributes === undefined || !properties.has('type') || !properties.has('id')) return NONE;
  const inner = view.schemaOf(attributes);
  return inner === undefined ? NONE : view.properties(inner);
}

/** How an item is laid out; one that is to be created may have no `id` yet. */
export function layoutOf(view: SchemaView, item: Schema | undefined): 'plain' | 'json-api' {
  if (item === undefined) return 'plain';
  const properties = view.properties(item);
  return properties.has('type') && properties.has('attributes') && !properties.has('name') ? 'json-api' : 'plain';
}

/**
 * Is this the `type` of a resource's items, as `fields[books]` names it? Their `type` says so where it can only be some
 * words, else the path does.
 */
export function isTypeOf(
  word: string,
  { properties, path }: { readonly path: string; readonly properties: ReadonlyMap<string, Property> },
): boolean {
  const { enum: listed, const: only, example } = properties.get('type')?.schema ?? {};
  const words = [...(Array.isArray(listed) ? listed : []), only, example].filter((each) => typeof each === 'string');
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
  return words.length > 0 ? words.includes(word) : foldedName(word) === foldedName(last);
}
