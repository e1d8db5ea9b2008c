import type { JsonValue } from '../json/json-value';
import { isSchemaObject } from '../json-schema/schema';
import type { ApiModel, Parameter } from '../openapi/model';
import { valueAt } from '../openapi/source-document';
import { schemaExamples } from '../payload/choose-example';
import type { Binding, ResourceDescription } from '../resources/resource-model';

/**
 * The texts that the description gives as keys of items where it tells how they are asked for: examples of the variable
 * of their path, then of the query parameters that choose by the key, `ids=a,b`. Numbers are none: keys count from 1.
 */
export function keyExamples(
  api: ApiModel,
  { key }: Pick<ResourceDescription, 'key'>,
  bindings: readonly Binding[],
): string[] {
  const texts = (parameter: Parameter): string[] =>
    examplesOf(api, parameter).flatMap((value) => (typeof value === 'string' ? value.split(',') : []));
  const inPaths = bindings.flatMap(({ operation, keyParameter }) =>
    operation.parameters.filter(({ in: place, name }) => place === 'path' && name === keyParameter),
  );
  const inQueries = bindings.flatMap(({ parameters }) =>
    parameters.filters
      .filter(({ member, within, operator }) => member === key.member && within.length === 0 && operator === 'equal')
      .map(({ parameter }) => parameter),
  );
  const found = [...inPaths, ...inQueries].flatMap(texts).map((text) => text.trim());
  return [...new Set(found)].filter((text) => text !== '' && !/^\d+$/.test(text));
}

/** Those of the parameter, then of its schema; a list is each of its values. */
function examplesOf(api: ApiModel, { pointer, schema }: Parameter): readonly JsonValue[] {
  const own = valueAt(api.document, `${pointer}/example`);
  const named = valueAt(api.document, `${pointer}/examples`);
  const values = isSchemaObject(named)
    ? Object.values(named).flatMap((each) =>
        isSchemaObject(each) && each['value'] !== undefined ? [each['value']] : [],
      )
    : [];
  const shown = schema === undefined ? [] : schemaExamples(schema).map(({ value }) => value);
  return [...(own === undefined ? [] : [own]), ...values, ...shown].flat();
}
