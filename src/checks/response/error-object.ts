import { compareNumbers, isJsonNumber } from '../../json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import { errorRole, jsonContent } from '../../openapi/error-schema';
import type { ApiModel, ResponseSpec, Schema } from '../../openapi/model';
import type { ObservedResponse } from './response-check';

/**
 * Is the body of a success an error object? It has every member that the errors of the description require. Where one
 * of them is the status, it is that of an error; else the body is valid as an error and is nothing beside it.
 */
export function isErrorInSuccess({
  api,
  status,
  body,
  documented,
  commonError,
}: Pick<ObservedResponse, 'api' | 'status' | 'body' | 'documented' | 'commonError'>): boolean {
  const schema = commonError?.schema;
  if (status < 200 || status > 299 || schema === undefined) return false;
  if (body.kind !== 'json' || !isJsonObject(body.value)) return false;
  const error = body.value;
  const needed = [...api.propertiesOf(schema).values()].filter(({ required }) => required).map(({ name }) => name);
  if (!needed.some((name) => errorRole(name) === 'code' || errorRole(name) === 'status')) return false;
  if (!needed.every((name) => Object.hasOwn(error, name)) || isDocumented(api, documented, needed)) return false;
  const statusName = needed.find((name) => errorRole(name) === 'status');
  return statusName === undefined ? isNothingElse(api, schema, error) : isErrorStatus(error[statusName]);
}

function isErrorStatus(value: JsonValue | undefined): boolean {
  return isJsonNumber(value) && compareNumbers(value, 400) >= 0;
}

/** Without a status that gives it away, an error is what is valid as one and has no member that errors do not have. */
function isNothingElse(api: ApiModel, schema: Schema, error: JsonObject): boolean {
  const known = api.propertiesOf(schema);
  return Object.keys(error).every((name) => known.has(name)) && schema.validate('response')(error).length === 0;
}

/** A resource may have such members of its own: a job that failed, an entry of a log. */
function isDocumented(api: ApiModel, documented: ResponseSpec | undefined, names: readonly string[]): boolean {
  const schema = jsonContent(documented)?.schema;
  const properties = schema === undefined ? undefined : api.propertiesOf(schema);
  return properties !== undefined && names.every((name) => properties.has(name));
}
