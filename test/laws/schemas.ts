import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as formats from 'ajv-formats/dist/formats.js';
import { asList, asObject, isObject, type JsonObject } from './checks';
import type { Description } from './description';

const JUDGED_FORMATS = ['date', 'date-time', 'uri', 'email', 'uuid', 'ipv4', 'ipv6'] as const;
/** Their values are data, not schemas. */
const DATA = new Set(['enum', 'const', 'default', 'example', 'examples']);
const NAMED = new Set(['properties', 'patternProperties', 'definitions', '$defs', 'dependentSchemas', 'schemas']);

export type Direction = 'request' | 'response';
/** What is wrong with a value, `undefined` for nothing. */
export type Judge = (value: unknown) => ErrorObject | undefined;

export interface Schemas {
  /** `undefined` when the schema cannot be used. */
  readonly judge: (schema: JsonObject, direction: Direction) => Judge | undefined;
  /** The schema with references followed and `allOf` merged, as far as it says what properties there are. */
  readonly flatten: (schema: unknown) => JsonObject;
}

export function createSchemas(description: Description): Schemas {
  const compilers = new Map<Direction, Ajv>();
  const judges = { request: new Map<string, Judge | undefined>(), response: new Map<string, Judge | undefined>() };
  return {
    flatten: (schema) => flatten(description, schema, 0),
    judge(schema, direction) {
      const known = judges[direction];
      const key = JSON.stringify(schema);
      if (!known.has(key)) {
        if (!compilers.has(direction)) compilers.set(direction, createCompiler(description, direction));
        known.set(key, compile(compilers.get(direction)!, translate(description, schema, direction)));
      }
      return known.get(key);
    },
  };
}

function createCompiler(description: Description, direction: Direction): Ajv {
  const is31 = /^3\.[12]/.test(String(description.document['openapi']));
  const settings = {
    strict: false,
    validateSchema: false,
    validateFormats: true,
    code: { regExp: Object.assign(readPattern, { code: 'new RegExp' }) },
    verbose: true,
    logger: false,
  } as const;
  const ajv = is31 ? new Ajv2020(settings) : new Ajv(settings);
  for (const name of JUDGED_FORMATS) ajv.addFormat(name, formats.fullFormats[name]);
  const { document } = description;
  const holders = ['components', 'definitions', 'parameters', 'responses', 'paths'];
  const root = Object.fromEntries(
    holders
      .filter((name) => isObject(document[name]))
      .map((name) => [name, translate(description, document[name], direction)]),
  );
  ajv.addSchema({ ...asObject(root), $id: 'http://document/root' }, 'http://document/root');
  return ajv;
}

function compile(ajv: Ajv, schema: unknown): Judge | undefined {
  try {
    const validate: ValidateFunction = ajv.compile(asObject(schema));
    return (value) => (validate(value) ? undefined : validate.errors?.[0]);
  } catch {
    return undefined;
  }
}

/**
 * JSON Schema of what OpenAPI 3.0 and Swagger 2 write in their own way: `nullable`, bounds that are flags, and required
 * properties that only the other direction has.
 */
function translate(description: Description, value: unknown, direction: Direction, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((one) => translate(description, one, direction));
  if (!isObject(value)) return value;
  const result: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (!isNamed && (DATA.has(name) || name.startsWith('x-'))) result[name] = inner;
    else result[name] = translate(description, inner, direction, !isNamed && NAMED.has(name));
  }
  return isNamed ? result : translateKeywords(description, result, direction);
}

function translateKeywords(description: Description, schema: Record<string, unknown>, direction: Direction): unknown {
  if (typeof schema['$ref'] === 'string') {
    const $ref = schema['$ref'].startsWith('#') ? `http://document/root${schema['$ref']}` : schema['$ref'];
    return /^3\.[12]/.test(String(description.document['openapi'])) ? { ...schema, $ref } : { $ref };
  }
  dropForeign(schema);
  if (schema['type'] === 'file' || schema['type'] === 'any') delete schema['type'];
  translateBounds(schema);
  if (!isUsablePattern(schema['pattern'])) delete schema['pattern'];
  if (schema['nullable'] === true) translateNullable(schema);
  if (Array.isArray(schema['required'])) schema['required'] = requiredIn(description, schema, direction);
  return schema;
}

/** Names that mean something else in JSON Schema, or nothing. */
function dropForeign(schema: Record<string, unknown>): void {
  delete schema['discriminator'];
  delete schema['xml'];
  if (typeof schema['id'] === 'string') delete schema['id'];
  if (typeof schema['$id'] === 'string') delete schema['$id'];
  if (typeof schema['$schema'] === 'string') delete schema['$schema'];
  if (typeof schema['required'] === 'boolean') delete schema['required'];
}

function translateBounds(schema: Record<string, unknown>): void {
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive] && schema[bound] !== undefined) schema[exclusive] = schema[bound];
    else schema[exclusive] = undefined;
  }
}

function translateNullable(schema: Record<string, unknown>): void {
  if (typeof schema['type'] === 'string') schema['type'] = [schema['type'], 'null'];
  if (Array.isArray(schema['enum'])) schema['enum'] = [...(schema['enum'] as unknown[]), null];
}

function requiredIn({ resolve }: Description, schema: JsonObject, direction: Direction): unknown[] {
  const properties = asObject(schema['properties']);
  const other = direction === 'request' ? 'readOnly' : 'writeOnly';
  const names = asList(schema['required']).filter((name) => typeof name === 'string');
  return [...new Set(names)].filter((name) => {
    const property = asObject(properties[name]);
    const ref =
      typeof property['$ref'] === 'string' ? property['$ref'].replace(/^http:\/\/document\/root/, '') : undefined;
    return (ref === undefined ? property : resolve({ $ref: ref }))[other] !== true;
  });
}

/** A pattern as authors mean it: with Unicode classes where it can be read so. */
function readPattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

function isUsablePattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return true;
  // Somebody wrote the slashes of a literal: nothing can fit it.
  // In slashes, with flags or without, or with anchors of other languages, which JavaScript takes for letters.
  if (/^\/.*\/[dgimsuvy]*$|\\[AzZ]/.test(pattern)) return false;
  try {
    return readPattern(pattern).test('') || true;
  } catch {
    return false;
  }
}

function flatten(description: Description, schema: unknown, depth: number): JsonObject {
  const own = description.resolve(schema);
  if (depth > 12 || (own['allOf'] === undefined && own['oneOf'] === undefined && own['anyOf'] === undefined))
    return own;
  const choice = asList(own['oneOf'] ?? own['anyOf']).find((one) => description.resolve(one)['type'] !== 'null');
  const parts = [...asList(own['allOf']), ...(choice === undefined ? [] : [choice])];
  const merged: Record<string, unknown> = {};
  for (const part of parts.map((one) => flatten(description, one, depth + 1)).concat(own)) {
    const properties = { ...asObject(merged['properties']), ...asObject(part['properties']) };
    const required = [...asList(merged['required']), ...asList(part['required'])];
    Object.assign(merged, part);
    if (Object.keys(properties).length > 0) merged['properties'] = properties;
    if (required.length > 0) merged['required'] = required;
  }
  const { allOf: _all, oneOf: _one, anyOf: _any, ...rest } = merged;
  return rest;
}

/** The one type of a schema; `null` beside another does not count. */
export function typeOf(schema: JsonObject): string | undefined {
  const types = (Array.isArray(schema['type']) ? schema['type'] : [schema['type']]).filter((type) => type !== 'null');
  if (typeof types[0] === 'string') return types[0];
  if (isObject(schema['properties'])) return 'object';
  return schema['items'] === undefined ? undefined : 'array';
}
