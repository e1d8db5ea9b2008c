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

const HOUSES = new WeakMap<ApiModel, { readonly entry: MediaTypeEntry | undefined }>();

/** The JSON that most documented errors share; `undefined` when the description documents no error as JSON. */
export function houseError(api: ApiModel): MediaTypeEntry | undefined {
  let house = HOUSES.get(api);
  if (house === undefined) HOUSES.set(api, (house = { entry: mostShared(api) }));
  return house.entry;
}

function mostShared(api: ApiModel): MediaTypeEntry | undefined {
  const counts = new Map<Schema, { readonly entry: MediaTypeEntry; count: number }>();
  for (const operation of api.operations) {
    for (const response of operation.responses.values()) {
      if (!/^[45]/.test(response.status) && response.status !== 'default') continue;
      const entry = jsonContent(response);
      if (entry?.schema === undefined) continue;
      const counted = counts.get(entry.schema);
      if (counted === undefined) counts.set(entry.schema, { entry, count: 1 });
      else counted.count += 1;
    }
  }
  let house: { readonly entry: MediaTypeEntry; readonly count: number } | undefined;
  for (const candidate of counts.values()) if (house === undefined || candidate.count > house.count) house = candidate;
  return house?.entry;
}
