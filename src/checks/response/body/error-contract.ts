import { equalJson, isJsonObject, type JsonObject } from '../../../core/json/json-value';
import { joinPointer } from '../../../core/json/json-pointer';
import { errorRole, documentedErrors } from '../../../openapi/view/responses';
import type { Property, Schema } from '../../../openapi/model/operation';
import type { ApiModel } from '../../../openapi/model/api-model';
import type { CheckFinding } from '../../../core/errors/finding';
import { isJsonMediaType } from '../../../core/http/media-type';
import {
  isUnwantedError,
  mayHaveBody,
  type ObservedBody,
  type ObservedResponse,
  type ResponseCheck,
} from '../../response-check';
import { schemaFindings } from './body-schema';
import { previewValue } from '../../../core/json/stringify-json';

/**
 * Every response of 400 and above has the error object that its operation documents for it, and where the status is not
 * documented one of its other errors or the one that most operations have, who gave the response; its status property
 * equals the HTTP status, its code and its message say something. What is documented without content is promised none.
 */
export const errorContract: ResponseCheck = {
  id: 'error-contract',
  area: 'errors',
  source: "the description's error schema; OAS 3.0.3 §4.7.16; compare RFC 9457 §3.1",
  basis: 'description',
  scope: 'service',
  expectsVarying: true,
  run(observed) {
    const { status, body, operation, commonError, api } = observed;
    if (status < 400 || !mayHaveBody(observed) || isOtherwiseDocumented(observed)) return undefined;
    const documented = documentedErrors(operation, status, commonError);
    const schemas = documented.flatMap(({ schema }) => schema ?? []);
    const types = documented.map(({ mediaType }) => mediaType);
    if (schemas.length === 0 || (body.kind !== 'json' && isUnwantedError(observed, types))) return undefined;
    const judgements = schemas.map((schema) => checkAgainst(api, schema, body, status));
    return judgements.find((findings) => findings.length === 0) ?? judgements[0];
  },
};

function checkAgainst(api: ApiModel, schema: Schema, body: ObservedBody, status: number): readonly CheckFinding[] {
  if (body.kind !== 'json') return [notAnErrorObject(body, schema)];
  const error = body.value;
  // Errors may be documented as lists of errors, or as texts.
  if (!isJsonObject(error) || !allowsObjects(schema)) {
    const findings = schemaFindings(api, schema, error);
    return findings.length > 0 && allowsObjects(schema) ? [notAnErrorObject(body, schema)] : findings;
  }
  const properties = [...api.propertiesOf(schema).values()].filter(({ name }) => Object.hasOwn(error, name));
  return [
    ...schemaFindings(api, schema, error),
    ...properties.flatMap((property) => checkProperty(property, error, status) ?? []),
  ];
}

/** An error that is documented in a form other than JSON is not for this check. */
function isOtherwiseDocumented({ documented }: ObservedResponse): boolean {
  const types = documented?.mediaTypes ?? [];
  return types.length > 0 && !types.some((type) => isJsonMediaType(type));
}

function allowsObjects({ value: { type } }: Schema): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

function notAnErrorObject(body: ObservedBody, schema: Schema): CheckFinding {
  return {
    at: '/response/body',
    message: 'The response must be an error object',
    expected: 'an error object',
    actual: describeBody(body),
    spec: schema.pointer,
    hint: 'Did a framework or a gateway respond in place of the service?',
  };
}

function describeBody(body: ObservedBody): string {
  if (body.kind === 'empty') return 'no body';
  return body.kind === 'json' ? previewValue(body.value) : `no JSON: ${body.reason}`;
}

function checkProperty({ name, pointer }: Property, error: JsonObject, status: number): CheckFinding | undefined {
  const value = error[name];
  if (value === undefined) return undefined;
  const about = {
    at: joinPointer('/response/body', name),
    actual: previewValue(value),
    spec: pointer,
  } as const;
  const role = errorRole(name);
  if (role === 'status') {
    // A property that is not a number is the schema's to check, and a text need not name a status: `fail`, `NOT_FOUND`.
    const said = typeof value === 'string' ? /^\d+/.exec(value)?.[0] : value;
    if (said === undefined || equalJson(said, typeof value === 'string' ? String(status) : status)) return undefined;
    return { ...about, message: 'The status in the body is not the HTTP status', expected: String(status) };
  }
  if (role === undefined || typeof value !== 'string' || value.trim() !== '') return undefined;
  return { ...about, message: `The ${role} is empty`, expected: 'text that says something' };
}
