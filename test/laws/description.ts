import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { asList, asObject, isObject, type JsonObject } from './checks';

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly about: string;
  readonly schema: JsonObject;
  readonly example: unknown;
}

export interface Body {
  readonly mediaType: string;
  readonly schema: JsonObject;
  readonly examples: readonly unknown[];
}

export interface Response {
  /** `200`, `2XX` or `default`. */
  readonly status: string;
  readonly bodies: readonly Body[];
}

export interface Operation {
  /** `GET`. */
  readonly method: string;
  readonly path: string;
  readonly about: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly required: boolean; readonly of: readonly Body[] } | undefined;
  readonly responses: readonly Response[];
  readonly security: readonly JsonObject[];
}

export interface Description {
  readonly document: JsonObject;
  readonly isSwagger: boolean;
  readonly operations: readonly Operation[];
  /** Follows references of the document, `#/…`, until what is there is none. */
  readonly resolve: (value: unknown) => JsonObject;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** Reads a description of OpenAPI 3 or Swagger 2; throws when it is none. */
export function readDescription(file: string): Description {
  const text = readFileSync(file, 'utf8');
  const document: unknown = file.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: -1 });
  if (!isObject(document)) throw new Error('it is no object');
  return describe(document);
}

export function describe(document: JsonObject): Description {
  if (!isObject(document['paths'])) throw new Error('it has no paths');
  const isSwagger = document['swagger'] !== undefined;
  const resolve = (value: unknown): JsonObject => resolveIn(document, value);
  const operations = Object.entries(document['paths']).flatMap(([path, value]) => {
    const item = resolve(value);
    return METHODS.filter((method) => isObject(item[method])).map((method) =>
      readOperation({ document, isSwagger, resolve }, path, method, item),
    );
  });
  return { document, isSwagger, operations, resolve };
}

type Reader = Pick<Description, 'document' | 'isSwagger' | 'resolve'>;

function resolveIn(document: JsonObject, value: unknown): JsonObject {
  let at = asObject(value);
  for (let steps = 0; steps < 20 && typeof at['$ref'] === 'string'; steps += 1) {
    if (!at['$ref'].startsWith('#/')) return {};
    const names = at['$ref'].slice(2).split('/');
    at = asObject(names.reduce<unknown>((inner, name) => stepInto(inner, name), document));
  }
  return at;
}

function stepInto(value: unknown, name: string): unknown {
  const plain = decodePart(name).replaceAll('~1', '/').replaceAll('~0', '~');
  return (value as Record<string, unknown> | undefined)?.[plain];
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function readOperation(reader: Reader, path: string, method: string, item: JsonObject): Operation {
  const operation = asObject(item[method]);
  const all = [...asList(operation['parameters']), ...asList(item['parameters'])].map(reader.resolve);
  const unique = all.filter(
    (one, at) => all.findIndex((o) => o['name'] === one['name'] && o['in'] === one['in']) === at,
  );
  return {
    method: method.toUpperCase(),
    path,
    about: [operation['operationId'], operation['summary']].filter((text) => typeof text === 'string').join(' '),
    parameters: unique.filter(({ in: where }) => !['body', 'formData'].includes(String(where))).map(readParameter),
    body: reader.isSwagger ? readSwaggerBody(reader, operation, unique) : readBody(reader, operation),
    responses: Object.entries(asObject(operation['responses'])).map(([status, response]) =>
      readResponse(reader, operation, status, reader.resolve(response)),
    ),
    security: asList(operation['security'] ?? reader.document['security']).map(asObject),
  };
}

function readParameter(parameter: JsonObject): Parameter {
  const [content] = Object.values(asObject(parameter['content']));
  const schema = asObject(parameter['schema'] ?? asObject(content)['schema'] ?? parameter);
  return {
    name: String(parameter['name']),
    in: String(parameter['in']),
    required: parameter['required'] === true,
    about: typeof parameter['description'] === 'string' ? parameter['description'] : '',
    // Of Swagger 2 the parameter is its own schema; `required` means something else there.
    schema: schema === parameter ? { ...schema, required: undefined } : schema,
    example:
      parameter['example'] ??
      parameter['x-example'] ??
      asObject(Object.values(asObject(parameter['examples']))[0])['value'],
  };
}

function readBody({ resolve }: Reader, operation: JsonObject): Operation['body'] {
  if (operation['requestBody'] === undefined) return undefined;
  const body = resolve(operation['requestBody']);
  return { required: body['required'] === true, of: readContent(resolve, body) };
}

function readContent(resolve: Reader['resolve'], holder: JsonObject): Body[] {
  return Object.entries(asObject(holder['content'])).map(([mediaType, value]) => {
    const content = resolve(value);
    const named = Object.values(asObject(content['examples'])).map((example) => resolve(example)['value']);
    return {
      mediaType: mediaType.toLowerCase(),
      schema: asObject(content['schema']),
      examples: [content['example'], ...named].filter((example) => example !== undefined),
    };
  });
}

function readSwaggerBody(reader: Reader, operation: JsonObject, parameters: readonly JsonObject[]): Operation['body'] {
  const consumes = asList(operation['consumes'] ?? reader.document['consumes'] ?? ['application/json']).map(String);
  const body = parameters.find((parameter) => parameter['in'] === 'body');
  if (body !== undefined) {
    const of = consumes.map((mediaType) => ({ mediaType, schema: asObject(body['schema']), examples: [] }));
    return { required: body['required'] === true, of };
  }
  const fields = parameters.filter((parameter) => parameter['in'] === 'formData');
  if (fields.length === 0) return undefined;
  const properties = Object.fromEntries(
    fields.map((field) => [String(field['name']), { ...field, required: undefined }]),
  );
  const required = fields.filter((field) => field['required'] === true).map((field) => String(field['name']));
  const forms = consumes.filter((mediaType) => !mediaType.includes('json'));
  const mediaTypes = forms.length === 0 ? ['application/x-www-form-urlencoded'] : forms;
  const of = mediaTypes.map((mediaType) => ({
    mediaType,
    schema: { type: 'object', properties, required },
    examples: [],
  }));
  return { required: required.length > 0, of };
}

function readResponse(reader: Reader, operation: JsonObject, status: string, response: JsonObject): Response {
  if (!reader.isSwagger) return { status: status.toUpperCase(), bodies: readContent(reader.resolve, response) };
  if (response['schema'] === undefined) return { status: status.toUpperCase(), bodies: [] };
  const produces = asList(operation['produces'] ?? reader.document['produces'] ?? ['application/json']).map(String);
  const examples = asObject(response['examples']);
  const bodies = produces.map((mediaType) => ({
    mediaType: mediaType.toLowerCase(),
    schema: asObject(response['schema']),
    examples: examples[mediaType] === undefined ? [] : [examples[mediaType]],
  }));
  return { status: status.toUpperCase(), bodies };
}

/** The response that a status has in the description. */
export function responseFor({ responses }: Operation, status: number): Response | undefined {
  const names = [String(status), `${String(status)[0]}XX`, 'DEFAULT'];
  return names
    .map((name) => responses.find((response) => response.status === name))
    .find((found) => found !== undefined);
}

/** The schema of JSON that an operation answers when all goes well. */
export function goodSchema({ responses }: Operation): Body | undefined {
  const good = responses.filter(({ status }) => /^2/.test(status));
  const chosen = good.length === 0 ? responses.filter(({ status }) => status === 'DEFAULT') : good;
  return chosen.flatMap(({ bodies }) => bodies).find(({ mediaType }) => isJson(mediaType));
}

export function isJson(mediaType: string): boolean {
  return /^(?:\*\/\*|application\/\*|[^;]*[/+]json)\s*(?:;|$)/i.test(mediaType);
}

/** `POST /pets`. */
export function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}
