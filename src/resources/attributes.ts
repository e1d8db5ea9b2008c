import type { Property, Schema } from '../openapi/model';
import { foldedName } from './inflection';
import type { Evidence, ResourceDescription } from './resource-model';
import type { SchemaReader } from './schema-reader';

const NONE: ReadonlyMap<string, Property> = new Map();

/**
 * Members that an item holds under `attributes`, where it is a resource object of JSON:API: one with `type`, `id` and
 * `attributes` (JSON:API 1.1 §7.2). Filters, sorting and fieldsets speak of these.
 */
export function attributesOf(reader: SchemaReader, schema: Schema): ReadonlyMap<string, Property> {
  const members = reader.members(schema);
  const attributes = members.get('attributes');
  if (attributes === undefined || !members.has('type') || !members.has('id')) return NONE;
  const inner = reader.member(attributes);
  return inner === undefined ? NONE : reader.members(inner);
}

/** What tells that they are: nothing where there are none. */
export function attributesEvidence(
  attributes: ReadonlyMap<string, Property>,
  thing: string,
  schema: Schema,
): Evidence[] {
  if (attributes.size === 0) return [];
  const text = `${thing} has type, id and attributes: a resource object of JSON:API, chosen and ordered by its attributes`;
  return [{ text, pointer: schema.pointer }];
}

/**
 * Is this the `type` of a resource's items, as `fields[books]` names it? Their `type` says so where it can only be some
 * words, else the path does.
 */
export function isTypeOf(
  word: string,
  { properties, path }: Pick<ResourceDescription, 'properties' | 'path'>,
): boolean {
  const { enum: listed, const: only, example } = properties.get('type')?.schema ?? {};
  const words = [...(Array.isArray(listed) ? listed : []), only, example].filter((each) => typeof each === 'string');
  const last = path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
  return words.length > 0 ? words.includes(word) : foldedName(word) === foldedName(last);
}
