import type { Operation, Schema } from '../openapi/model';
import { requestSchema, successSchema } from './bodies';
import { isFree, itemShape, listShape, shapeHolding } from './body-shape';
import type { Use } from './draft';
import { oneRowShape, type RowsOf } from './one-row';
import type { BodyShape } from './resource-model';
import type { SchemaReader } from './schema-reader';

/** The place of the item in a body that only the list tells how to read: a list of one, or nothing that is told. */
export function rowShape(
  reader: SchemaReader,
  schema: Schema | undefined,
  rows: RowsOf,
  name: string,
): BodyShape | undefined {
  return oneRowShape(reader, schema, rows, name) ?? freeItemShape(reader, schema, rows, name);
}

/** The same, else what the body itself tells of an item. */
export function shapeOfOne(
  reader: SchemaReader,
  schema: Schema | undefined,
  rows: RowsOf,
  name: string,
): BodyShape | undefined {
  return rowShape(reader, schema, rows, name) ?? itemShape(reader, schema, name);
}

/** The item that is a whole body of which nothing is told, where the list tells nothing of its items either. */
function freeItemShape(
  reader: SchemaReader,
  schema: Schema | undefined,
  { list }: RowsOf,
  name: string,
): BodyShape | undefined {
  const item = listShape(reader, list, name)?.item;
  return item !== undefined && isFree(reader, item) ? untoldShape(reader, schema, item) : undefined;
}

function untoldShape(reader: SchemaReader, schema: Schema | undefined, item: Schema): BodyShape | undefined {
  const body = reader.unwrap(schema);
  if (body === undefined || !reader.isUntold(body)) return undefined;
  return { form: 'item', path: [], item, body, siblings: [], layout: 'plain' };
}

/** What is known of a creation that takes one item or a list of them. */
export type OneOrMany = Pick<Use, 'request' | 'response' | 'many'>;

/** How a body of which nothing is told is read where items are free as well: as an item, or as a list of them. */
export function freeOneOrMany(
  reader: SchemaReader,
  operation: Operation,
  item: Schema,
  name: string,
): OneOrMany | undefined {
  const request = isFree(reader, item) ? untoldShape(reader, requestSchema(operation), item) : undefined;
  if (request === undefined) return undefined;
  const response = shapeHolding(reader, successSchema(operation), item, name);
  const list: BodyShape = { ...request, form: 'list' };
  return { request, response, many: { request: list, response: response?.form === 'list' ? response : undefined } };
}
