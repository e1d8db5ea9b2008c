import { isJsonMediaType } from '../http/media-type';
import { findResponse } from './find-response';
import type { ApiModel, MediaTypeEntry, Operation, ResponseSpec, Schema } from './model';

const STATUS = /^(?:status|status_?code|http_?status)$/i;
const CODE = /^(?:code|error_?code|reason|type)$/i;
const MESSAGE = /^(?:message|detail|title|error|error_?message|description)$/i;

/** What a member of an error object is there for. */
export type ErrorRole = 'status' | 'code' | 'message';

/** The role of a member, told by its name: OpenAPI has no word for it. */
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
export function textContent(operation: Operation | undefined, status: number): string | undefined {
  const response = operation === undefined ? undefined : findResponse(operation, status);
  if (response === undefined || jsonContent(response) !== undefined) return undefined;
  const text = response.content.find(({ mediaType }) => /^text\/[a-z]/i.test(mediaType));
  return text !== undefined && isOfText(text) ? text.mediaType : undefined;
}

/**
 * The content of an error that an operation documents as JSON without a schema, or as an object in a media type of its
 * own, such as `application/vnd.goa.error`: services send JSON under that name.
 *
 * @returns `undefined` where the documented error is JSON with a schema, or nothing that can be written as JSON
 */
export function otherContent(operation: Operation | undefined, status: number): MediaTypeEntry | undefined {
  const response = operation === undefined ? undefined : findResponse(operation, status);
  if (operation === undefined || response === undefined || jsonContent(response) !== undefined) return undefined;
  // What stands for every answer may be that of a success.
  if (response.status === 'default' && ![...operation.responses.keys()].some((key) => /^[23]/.test(key)))
    return undefined;
  const named = response.content.filter(({ mediaType }) => !mediaType.includes('*'));
  return named.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? named.find(isObject);
}

/** What has members, and no syntax of its own that would have to be kept. */
function isObject({ mediaType, schema }: MediaTypeEntry): boolean {
  if (schema === undefined || /^(?:text|multipart)\/|xml|form-urlencoded|yaml/i.test(mediaType)) return false;
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
 * The shape of an error answer: what the operation documents for this status, else what most errors of the
 * description have, so that an answer that no operation documents has a shape too.
 *
 * @param operation - `undefined` for an answer outside any operation
 * @param house - see {@link houseError}
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
  readonly house: MediaTypeEntry | undefined;
  /** The same where more than half of the operations that document errors have it. */
  readonly common: MediaTypeEntry | undefined;
}

const SHARED = new WeakMap<ApiModel, SharedErrors>();

/** The JSON that most documented errors share; `undefined` when the description documents no error as JSON. */
export function houseError(api: ApiModel): MediaTypeEntry | undefined {
  return sharedErrors(api).house;
}

/**
 * The JSON of the errors that no operation documents, as far as a service can be held to it: more than half of the
 * operations that document errors have it. What one operation documents says nothing of the others.
 */
export function commonError(api: ApiModel): MediaTypeEntry | undefined {
  return sharedErrors(api).common;
}

/**
 * What an error answer is held to: what the operation documents for this status, and nothing where it documents no JSON
 * with a schema there; for a status that it does not document one of its own errors or the common one.
 *
 * @param operation - `undefined` for an answer outside any operation
 * @param common - see {@link commonError}
 * @returns one of these is enough, the likeliest first; none where nothing is promised
 */
export function promisedErrors(
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

/** Those that an operation documents; a `default` that stands for its successes as well is none. */
function errorsOf({ responses }: Operation): ResponseSpec[] {
  const hasSuccess = [...responses.keys()].some((key) => /^[23]/.test(key));
  return [...responses.values()].filter(({ status }) => /^[45]/.test(status) || (status === 'default' && hasSuccess));
}

/** Errors that have the same members, wherever they are written: in one place, or in each operation anew. */
class Likeness {
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
  const likenesses = new Map<string, Likeness>();
  const keys = new Map<Schema, string>();
  for (const operation of api.operations) {
    for (const entry of errorsOf(operation).flatMap((response) => jsonContent(response) ?? [])) {
      const { schema } = entry;
      if (schema === undefined) continue;
      const key = keys.get(schema) ?? shapeOf(api, schema);
      keys.set(schema, key);
      const likeness = likenesses.get(key) ?? new Likeness();
      likenesses.set(key, likeness);
      likeness.add(operation, entry, schema);
    }
  }
  const most = mostFrequent([...likenesses.values()]);
  const documenting = api.operations.filter((operation) => errorsOf(operation).length > 0).length;
  const isCommon = most !== undefined && most.operations.size * 2 > documenting;
  return { house: most?.entry(), common: isCommon ? most.entry() : undefined };
}

/** Of several that are as frequent the first. */
function mostFrequent<T extends { readonly count: number }>(all: readonly T[]): T | undefined {
  return all.reduce<T | undefined>(
    (most, each) => (most === undefined || each.count > most.count ? each : most),
    undefined,
  );
}

/** Keywords that say nothing of the value. */
const WORDS: ReadonlySet<string> = new Set(['description', 'title', 'example', 'examples']);

/** The members of an object with their types, or what the schema is but for its words. */
function shapeOf(api: ApiModel, schema: Schema): string {
  const members = [...api.propertiesOf(schema).values()].map(({ name, required, schema: { type } }) =>
    JSON.stringify([name, required, type ?? null]),
  );
  if (members.length > 0) return members.sort().join();
  const kept = Object.entries(schema.value).filter(([name]) => !WORDS.has(name));
  return JSON.stringify(kept, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
