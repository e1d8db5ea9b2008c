import type { Property, Schema } from '../openapi/model';
import type { SiblingRole } from './resource-model';
import type { SchemaReader } from './schema-reader';
import { siblingsOf } from './siblings';

const TELLS_PAGE: ReadonlySet<SiblingRole> = new Set([
  'total',
  'page',
  'page-size',
  'offset',
  'has-more',
  'next-cursor',
]);

/**
 * The list in `{ results: [anything], offset, limit, total }`: one that tells nothing of its items is known by what tells
 * of its pages beside it.
 */
export function untoldList(
  reader: SchemaReader,
  schema: Schema,
  isListName: (name: string) => boolean,
): Property | undefined {
  const list = [...reader.members(schema).values()].find((property) => {
    const place = isListName(property.name) ? reader.member(property) : undefined;
    const items = place === undefined ? undefined : reader.items(place);
    return items !== undefined && reader.isUntold(items);
  });
  const siblings = list === undefined ? [] : siblingsOf(reader, schema, [list.name]);
  return siblings.some(({ role }) => TELLS_PAGE.has(role)) ? list : undefined;
}
