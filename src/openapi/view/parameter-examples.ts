import type { JsonValue } from '../../core/json/json-value';
import { isSchemaObject, type SchemaObject } from '../../schema/schema-object';
import type { ApiModel } from '../model/api-model';
import type { Parameter } from '../model/operation';
import { valueAt } from '../read/source-document';

/** Returns the examples of a parameter, then those of its schema; an example that is a list counts as its values. */
export function parameterExamples(api: Pick<ApiModel, 'document'>, { pointer, schema }: Parameter): JsonValue[] {
  const own = valueAt(api.document, `${pointer}/example`);
  const named = valueAt(api.document, `${pointer}/examples`);
  const values = isSchemaObject(named)
    ? Object.values(named).flatMap((each) =>
        isSchemaObject(each) && each['value'] !== undefined ? [each['value']] : [],
      )
    : [];
  return [...(own === undefined ? [] : [own]), ...values, ...examplesIn(schema?.value ?? {})].flat();
}

/** Returns `example` and `examples` of a Schema Object (JSON Schema Validation §9.5). */
export function examplesIn({ example, examples }: SchemaObject): JsonValue[] {
  return [...(example === undefined ? [] : [example]), ...(Array.isArray(examples) ? examples : [])];
}
