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
 * The place of the one item in a body of an item's path that is the body of the list as well: `GET /things/{thingId}`
 * answers `{ "things": [one] }`. What the variable names must be a member of the rows and none beside them: otherwise
 * it chooses among lists, or the body is an item that has a list.
 */
export function oneRowShape(
  reader: SchemaReader,
  schema: Schema | undefined,
  { list, itemTemplate }: RowsOf,
  name: string,
): BodyShape | undefined {
  const body = reader.unwrap(schema);
  if (body === undefined || body.pointer !== reader.unwrap(list)?.pointer) return undefined;
  const shape = listShape(reader, schema, name);
  const isWrapped = shape?.form === 'list' && shape.path.length > 0;
  return isWrapped && isKeyOf(reader, itemTemplate, shape.item) && !isKeyOf(reader, itemTemplate, body)
    ? shape
    : undefined;
}

/** Is the last variable of a path a member? */
function isKeyOf(reader: SchemaReader, template: PathTemplate | undefined, schema: Schema | undefined): boolean {
  const variable = template?.segments.at(-1);
  if (schema === undefined || variable?.kind !== 'variable') return false;
  const wanted = foldedName(variable.name);
  return [...reader.members(schema).keys()].some((member) => foldedName(member) === wanted);
}
