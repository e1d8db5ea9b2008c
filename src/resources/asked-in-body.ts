import type { ApiModel, Operation, Parameter, Property } from '../openapi/model';
import { textShape } from '../openapi/text-shape';
import { requestSchema } from './bodies';
import { conditionForm } from './conditions';
import { isScalar } from './key-elsewhere';
import type { SchemaReader } from './schema-reader';

/** Members of a body that hold what is asked of a list. */
const HOLDERS = /^(?:options|pagination|paging|page|query|filters?|params|parameters)$/i;

/** The same operation with the members of its body as query parameters, and where each of them stands. */
export interface AskedInBody {
  readonly operation: Operation;
  /** Members that lead from the body to the value, by the name of the parameter that it is. */
  readonly places: ReadonlyMap<string, readonly string[]>;
}

const NOWHERE: AskedInBody['places'] = new Map();

/**
 * A list that is asked for with a body, such as `POST /things/search { limit, cursor, name }`, is asked as others are by
 * their query: by members that are plain values or lists of them, in the body itself or in `options` and the like.
 */
export function askedInBody(api: ApiModel, operation: Operation, reader: SchemaReader): AskedInBody {
  const body = operation.method === 'GET' ? undefined : reader.unwrap(requestSchema(operation));
  if (body === undefined) return { operation, places: NOWHERE };
  const taken = new Set(operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name));
  const places = new Map<string, readonly string[]>();
  const parameters: Parameter[] = [];
  const shape = textShape(api.document, undefined);
  const add = (property: Property, path: readonly string[]): void => {
    const { name, pointer } = property;
    if (taken.has(name)) return;
    taken.add(name);
    places.set(name, path);
    const schema = reader.member(property);
    const items = schema === undefined ? undefined : reader.items(schema)?.value;
    parameters.push({
      name,
      key: name,
      in: 'query',
      required: false,
      description: textOf(property.schema['description']) ?? textOf(schema?.value['description']),
      style: 'form',
      explode: false,
      pointer,
      schema,
      shape,
      contentType: undefined,
      encodings: new Map(),
      allowEmptyValue: false,
      defaultValue: schema?.value['default'],
      items,
    });
  };
  for (const property of reader.members(body).values()) {
    const inner = reader.member(property);
    if (isAsked(property, reader) || (inner !== undefined && conditionForm(reader, inner) !== undefined))
      add(property, [property.name]);
    else if (inner !== undefined && HOLDERS.test(property.name))
      for (const each of reader.members(inner).values())
        if (isAsked(each, reader)) add(each, [property.name, each.name]);
  }
  return { operation: { ...operation, parameters: [...operation.parameters, ...parameters] }, places };
}

/** A plain value, or a list of them. */
function isAsked(property: Property, reader: SchemaReader): boolean {
  const schema = reader.member(property);
  if (schema === undefined) return isScalar(property);
  const items = reader.items(schema);
  const compared = items ?? schema;
  return reader.members(compared).size === 0 && !reader.isObject(compared);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
