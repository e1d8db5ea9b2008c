import type { Operation, Schema } from '../openapi/model';
import { requestSchema, successSchema } from './bodies';
import { itemShape, listShape, shapeHolding } from './body-shape';
import { freeOneOrMany, type OneOrMany } from './free-items';
import type { BodyShape } from './resource-model';
import type { SchemaReader } from './schema-reader';

/** Where the items of a list stand in what a creation takes; each may be in an object of its own, `{ thing, id }`. */
export function rowsTaken(
  reader: SchemaReader,
  schema: Schema | undefined,
  item: Schema,
  name: string,
): BodyShape | undefined {
  const list = listShape(reader, schema, name);
  const row = list?.item === undefined ? undefined : itemShape(reader, list.item, name);
  if (list?.form !== 'list' || row?.item === undefined || row.path.length === 0) return undefined;
  return reader.areAlike(row.item, item) ? { ...list, item: row.item, rowPath: row.path } : undefined;
}

/**
 * How the bodies of an operation are read that takes one item or a list of them, `oneOf: [Thing, [Thing]]`, in an envelope or
 * not.
 *
 * @returns `undefined` where it takes no such choice
 */
export function oneOrManyTaken(
  reader: SchemaReader,
  operation: Operation,
  item: Schema,
  name: string,
): OneOrMany | undefined {
  const free = freeOneOrMany(reader, operation, item, name);
  if (free !== undefined) return free;
  const one = shapeHolding(reader, requestSchema(operation), item, name);
  const request = listInChoice(reader, one, item);
  if (request === undefined) return undefined;
  const answered = shapeHolding(reader, successSchema(operation), item, name);
  const response = answered?.form === 'list' ? answered : listInChoice(reader, answered, item);
  return { request: one, response: answered, many: { request, response } };
}

function listInChoice(reader: SchemaReader, shape: BodyShape | undefined, item: Schema): BodyShape | undefined {
  if (shape?.form !== 'item' || shape.item === undefined) return undefined;
  const rows = reader
    .choices(shape.item)
    .map((branch) => reader.items(branch))
    .find((each) => each !== undefined && reader.areAlike(each, item));
  return rows === undefined ? undefined : { ...shape, form: 'list', item: rows };
}
