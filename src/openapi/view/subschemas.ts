import { joinPointer } from '../../core/json/json-pointer';
import type { Schema } from '../model/operation';
import type { ApiModel } from '../model/api-model';
import { resolveObject } from '../read/references';

/** A schema that leads to more others than this is not looked through to its end. */
const MOST_SCHEMAS = 2000;

/** The schemas given and all that stand in them, each once: of properties, items and map values, and branches. */
export function* nestedSchemas(api: ApiModel, from: readonly Schema[]): Generator<Schema> {
  const seen = new Set<string>();
  const waiting = [...from];
  for (let schema = waiting.pop(); schema !== undefined && seen.size < MOST_SCHEMAS; schema = waiting.pop()) {
    if (seen.has(schema.pointer)) continue;
    seen.add(schema.pointer);
    yield schema;
    const properties = [...api.propertiesOf(schema).values()].flatMap(({ pointer }) => api.schemaAt(pointer) ?? []);
    const parts = [subschemaOf(api, schema, 'items'), subschemaOf(api, schema, 'additionalProperties')];
    waiting.push(
      ...properties,
      ...parts.flatMap((part) => part ?? []),
      ...partsOf(api, schema),
      ...branchSchemas(api, schema),
    );
  }
}

/** A schema with all that a value of it satisfies as well, through `allOf` and references. */
export function composedSchemas(api: ApiModel, schema: Schema): Schema[] {
  const whole = new Map([[schema.pointer, schema]]);
  for (const each of whole.values())
    for (const part of partsOf(api, each)) if (!whole.has(part.pointer)) whole.set(part.pointer, part);
  return [...whole.values()];
}

/** The schemas that a value of this one satisfies as well: those of `allOf`, and the one that it refers to. */
function partsOf(api: ApiModel, schema: Schema): Schema[] {
  const target = schema.value['$ref'] === undefined ? undefined : resolveObject(api.document, schema);
  return [...branchesOf(api, schema, 'allOf'), ...(target === undefined ? [] : [api.schemaOf(target)])];
}

/** The schemas of which a value satisfies one or several. */
export function branchSchemas(api: ApiModel, schema: Schema): Schema[] {
  return [...branchesOf(api, schema, 'anyOf'), ...branchesOf(api, schema, 'oneOf')];
}

function branchesOf(api: ApiModel, { value, pointer }: Schema, keyword: string): Schema[] {
  const list = value[keyword];
  const at = joinPointer(pointer, keyword);
  return Array.isArray(list) ? list.flatMap((_, index) => api.schemaAt(joinPointer(at, index)) ?? []) : [];
}

/** The schema of items, or of properties without a name of their own. */
export function subschemaOf(
  api: ApiModel,
  { value, pointer }: Schema,
  keyword: 'items' | 'additionalProperties',
): Schema | undefined {
  return value[keyword] === undefined ? undefined : api.schemaAt(joinPointer(pointer, keyword));
}
