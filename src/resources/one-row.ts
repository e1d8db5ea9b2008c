import type { Schema } from '../openapi/model';
import { listShape } from './body-shape';
import { foldedName } from './inflection';
import type { PathTemplate } from './path-template';
import type { BodyShape } from './resource-model';
import type { SchemaReader } from './schema-reader';

/** The list of a collection and the path of its items, by which a list of one is known. */
export interface RowsOf {
  /** Of the success of the list. */
  readonly list: Schema | undefined;
  /** `undefined` where items have no path. */
  readonly itemTemplate: PathTemplate | undefined;
}

/**
 * The place of the one item in a body of an item's path that is the body of the list as well, or is it with more of each
 * row: `GET /things/{thingId}` answers `{ "things": [one] }`. What the variable names must be a member of the rows and none beside them: otherwise
 * it chooses among lists, or the body is an item that has a list.
 */
export function oneRowShape(
  reader: SchemaReader,
  schema: Schema | undefined,
  { list, itemTemplate }: RowsOf,
  name: string,
): BodyShape | undefined {
  const body = reader.unwrap(schema);
  if (body === undefined || list === undefined) return undefined;
  const shape = listShape(reader, schema, name);
  const isWrapped = shape?.form === 'list' && shape.path.length > 0 && isBodyOfList(reader, shape, body, list, name);
  return isWrapped && isKeyOf(reader, itemTemplate, shape.item) && !isKeyOf(reader, itemTemplate, body)
    ? shape
    : undefined;
}

/** Is it the body of the list, or one with the rows in the same place and with all that rows of the list have? */
function isBodyOfList(reader: SchemaReader, shape: BodyShape, body: Schema, list: Schema, name: string): boolean {
  if (body.pointer === reader.unwrap(list)?.pointer) return true;
  const listed = listShape(reader, list, name);
  const [rows, row] = [listed?.item, shape.item];
  if (rows === undefined || row === undefined || listed?.path.join() !== shape.path.join()) return false;
  const members = reader.members(row);
  return reader.members(body).size === 1 && [...reader.members(rows).keys()].every((each) => members.has(each));
}

/** Is the last variable of a path a member? */
function isKeyOf(reader: SchemaReader, template: PathTemplate | undefined, schema: Schema | undefined): boolean {
  const variable = template?.segments.at(-1);
  if (schema === undefined || variable?.kind !== 'variable') return false;
  const wanted = foldedName(variable.name);
  return [...reader.members(schema).keys()].some((member) => foldedName(member) === wanted);
}
