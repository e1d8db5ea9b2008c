import { isJsonMediaType } from '../../core/http/media-type';
import { isJsonObject } from '../../core/json/json-value';
import type { ApiModel } from '../model/api-model';
import type { MediaTypeEntry, Operation, ResponseSpec, Schema } from '../model/operation';

/** The documented response for a status: the code itself, else its range, else `default` (OAS 3.0.3 §4.7.16). */
export function findResponse(operation: Operation, status: number): ResponseSpec | undefined {
  const text = String(status);
  return (
    operation.responses.get(text) ??
    operation.responses.get(`${text.charAt(0)}XX`) ??
    operation.responses.get('default')
  );
}

const WITHOUT_CONTENT = new WeakMap<ResponseSpec, ResponseSpec>();

/** The same as it can be sent: a 204, 205 or 304 has no content, whatever is documented (RFC 9110 §6.4.1, §15.3.6). */
export function findSendableResponse(operation: Operation, status: number): ResponseSpec | undefined {
  const response = findResponse(operation, status);
  const mayHaveContent = status !== 204 && status !== 205 && status !== 304;
  if (response === undefined || mayHaveContent || response.content.length === 0) return response;
  let bare = WITHOUT_CONTENT.get(response);
  if (bare === undefined) WITHOUT_CONTENT.set(response, (bare = { ...response, content: [], mediaTypes: [] }));
  return bare;
}

const STATUS = /^(?:status|status_?code|http_?status)$/i;
const CODE = /^(?:code|error_?code|reason|type)$/i;
const MESSAGE = /^(?:message|detail|title|error|error_?message|description)$/i;

/** What a property of an error object is there for. */
export type ErrorRole = 'status' | 'code' | 'message';

/** The role of a property, told by its name: OpenAPI has no word for it. */
export function errorRole(name: string): ErrorRole | undefined {
  if (STATUS.test(name)) return 'status';
  if (CODE.test(name)) return 'code';
  return MESSAGE.test(name) ? 'message' : undefined;
}

/** The JSON that a response documents: its first media type that is JSON and has a schema. */
export function jsonContent(response: ResponseSpec | undefined): MediaTypeEntry | undefined {
  return response?.content.find(
    ({ mediaType, schema }) => schema !== undefined && isJsonMediaType(mediaType) && !mediaType.includes('*'),
  );
}

/**
 * The media type of an error that an operation documents as text and in no other way: its body is the message.
 *
 * @returns `undefined` where the documented error has JSON, or no body, or there is none
 */
export function textErrorContent(operation: Operation | undefined, status: number): string | undefined {
  const response = operation === undefined ? undefined : findResponse(operation, status);
  if (response === undefined || jsonContent(response) !== undefined) return undefined;
  const text = response.content.find(({ mediaType }) => /^text\/[a-z]/i.test(mediaType));
  return text !== undefined && isOfText(text) ? text.mediaType : undefined;
}

/**
 * The content of an error that an operation documents as JSON without a schema, or as an object in a media type of its
 * own, such as `application/vnd.goa.error`, or in a media range: services send JSON there.
 *
 * @returns `undefined` where the documented error is JSON with a schema, or nothing that can be written as JSON
 */
export function schemalessErrorContent(operation: Operation | undefined, status: number): MediaTypeEntry | undefined {
  const response = operation === undefined ? undefined : findResponse(operation, status);
  if (operation === undefined || response === undefined || jsonContent(response) !== undefined) return undefined;
  // What stands for every response may be that of a success.
  if (response.status === 'default' && ![...operation.responses.keys()].some((key) => /^[23]/.test(key)))
    return undefined;
  return response.content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? response.content.find(isObject);
}

/** What has properties, and no syntax of its own that would have to be kept. */
function isObject({ mediaType, schema, examples }: MediaTypeEntry): boolean {
  if (/^(?:text|multipart|image)\/|xml|form-urlencoded|yaml/i.test(mediaType)) return false;
  if (schema === undefined) return examples.some(({ value }) => isJsonObject(value));
  return schema.value['type'] === 'object' || schema.value['properties'] !== undefined;
}

/** A text that need not be one of a list, or follow a pattern. */
function isOfText({ schema }: MediaTypeEntry): boolean {
  if (schema === undefined) return true;
  const { type, enum: values, pattern } = schema.value;
  const isText = type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
  return isText && values === undefined && pattern === undefined;
}

/**
 * The shape of an error response: what the operation documents for this status, else what most errors of the
 * description have, so that a response that no operation documents has a shape too.
 *
 * @param operation - `undefined` for a response outside any operation
 * @param house - see {@link defaultErrorContent}
 */
export function errorContent(
  operation: Operation | undefined,
  status: number,
  house: MediaTypeEntry | undefined,
): MediaTypeEntry | undefined {
  return (operation === undefined ? undefined : jsonContent(findResponse(operation, status))) ?? house;
}

/** What the errors of a description have in common. */
interface SharedErrors {
  /** The JSON that most of them have; `undefined` when none is documented as JSON. */
  readonly fallback: MediaTypeEntry | undefined;
  /** The same where more than half of the operations that document errors have it. */
  readonly common: MediaTypeEntry | undefined;
}

const SHARED = new WeakMap<ApiModel, SharedErrors>();

/** The JSON that most documented errors share; `undefined` when the description documents no error as JSON. */
export function defaultErrorContent(api: ApiModel): MediaTypeEntry | undefined {
  return sharedErrors(api).fallback;
}

/**
 * The JSON of the errors that no operation documents, as far as a service can be held to it: more than half of the
 * operations that document errors have it. What one operation documents says nothing of the others.
 */
export function commonErrorContent(api: ApiModel): MediaTypeEntry | undefined {
  return sharedErrors(api).common;
}

/**
 * What an error response is held to: what the operation documents for this status, and nothing where it documents no JSON
 * with a schema there; for a status that it does not document one of its own errors or the common one.
 *
 * @param operation - `undefined` for a response outside any operation
 * @param common - see {@link commonErrorContent}
 * @returns one of these is enough, the likeliest first; none where nothing is promised
 */
export function documentedErrors(
  operation: Operation | undefined,
  status: number,
  common: MediaTypeEntry | undefined,
): readonly MediaTypeEntry[] {
  const documented = operation === undefined ? undefined : findResponse(operation, status);
  if (documented !== undefined) {
    const entry = jsonContent(documented);
    return entry === undefined ? [] : [entry];
  }
  const own = operation === undefined ? [] : errorsOf(operation).flatMap((response) => jsonContent(response) ?? []);
  const all = [...(common === undefined ? [] : [common]), ...own];
  return all.filter(({ schema }, index) => all.findIndex((other) => other.schema === schema) === index);
}

/** The name of the property in which errors of a schema keep their code; `undefined` when they have none. */
export function codeProperty(api: ApiModel, schema: Schema | undefined): string | undefined {
  const names = schema === undefined ? [] : [...api.propertiesOf(schema).keys()];
  return names.find((name) => errorRole(name) === 'code');
}

/** Names that lead to the code of an error, at its top or in the `error` there; none where it has no code. */
export function codePath(api: ApiModel, schema: Schema | undefined): readonly string[] {
  const own = codeProperty(api, schema);
  if (own !== undefined || schema === undefined) return own === undefined ? [] : [own];
  const around = api.propertiesOf(schema).get('error');
  const object = around && api.schemaAt(around.pointer);
  // A type or a reason beside it says less: one may stand for many conditions.
  const inner = object && [...api.propertiesOf(object).keys()].find((name) => /^(?:error_?)?code$/i.test(name));
  return inner === undefined ? [] : ['error', inner];
}

/** Those that an operation documents; a `default` that stands for its successes as well is none. */
function errorsOf({ responses }: Operation): ResponseSpec[] {
  const hasSuccess = [...responses.keys()].some((key) => /^[23]/.test(key));
  return [...responses.values()].filter(({ status }) => /^[45]/.test(status) || (status === 'default' && hasSuccess));
}

/** Errors that have the same properties, wherever they are written: in one place, or in each operation anew. */
class ErrorShape {
  readonly operations = new Set<Operation>();
  count = 0;
  private readonly places = new Map<Schema, { readonly entry: MediaTypeEntry; count: number }>();

  add(operation: Operation, entry: MediaTypeEntry, schema: Schema): void {
    this.operations.add(operation);
    this.count += 1;
    const place = this.places.get(schema);
    if (place === undefined) this.places.set(schema, { entry, count: 1 });
    else place.count += 1;
  }

  /** The entry whose schema is referred to most. */
  entry(): MediaTypeEntry | undefined {
    return mostFrequent([...this.places.values()])?.entry;
  }
}

function sharedErrors(api: ApiModel): SharedErrors {
  let shared = SHARED.get(api);
  if (shared === undefined) SHARED.set(api, (shared = countErrors(api)));
  return shared;
}

function countErrors(api: ApiModel): SharedErrors {
  const likenesses = new Map<string, ErrorShape>();
  const keys = new Map<Schema, string>();
  for (const operation of api.operations) {
    if (operation.disabled !== undefined) continue;
    for (const entry of errorsOf(operation).flatMap((response) => jsonContent(response) ?? [])) {
      const { schema } = entry;
      if (schema === undefined) continue;
      const key = keys.get(schema) ?? shapeOf(api, schema);
      keys.set(schema, key);
      const likeness = likenesses.get(key) ?? new ErrorShape();
      likenesses.set(key, likeness);
      likeness.add(operation, entry, schema);
    }
  }
  const most = mostFrequent([...likenesses.values()]);
  const documenting = api.operations.filter((operation) => errorsOf(operation).length > 0).length;
  const isCommon = most !== undefined && most.operations.size * 2 > documenting;
  return { fallback: most?.entry(), common: isCommon ? most.entry() : undefined };
}

/** Of several that are as frequent the first. */
function mostFrequent<T extends { readonly count: number }>(all: readonly T[]): T | undefined {
  return all.reduce<T | undefined>(
    (most, each) => (most === undefined || each.count > most.count ? each : most),
    undefined,
  );
}

/** Keywords that say nothing of the value. */
const ANNOTATION_KEYWORDS: ReadonlySet<string> = new Set(['description', 'title', 'example', 'examples']);

/** The properties of an object with their types, or what the schema is but for its words. */
function shapeOf(api: ApiModel, schema: Schema): string {
  const properties = [...api.propertiesOf(schema).values()].map(({ name, required, schema: { type } }) =>
    JSON.stringify([name, required, type ?? null]),
  );
  if (properties.length > 0) return properties.sort().join();
  const stored = Object.entries(schema.value).filter(([name]) => !ANNOTATION_KEYWORDS.has(name));
  return JSON.stringify(stored, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
