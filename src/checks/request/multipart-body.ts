import { Readable } from 'node:stream';
import type * as BusboyNamespace from '@fastify/busboy';
import { messageOf } from '../../core/errors/standin-error';
import { decodeBodyText, octetText } from '../../core/http/body-text';
import { isJsonMediaType, matchMediaType } from '../../core/http/media-type';
import { problem, refused } from '../../core/http/problem';
import { joinPointer } from '../../core/json/json-pointer';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import type { JsonValue } from '../../core/json/json-value';
import { decodeUtf8, parseJson } from '../../core/json/parse-json';
import { addToList } from '../../core/text/memoize';
import type { Encoding, MediaTypeEntry } from '../../openapi/model/operation';
import { reasonOf } from '../../openapi/parameters/decode-parameter';
import { readDeepObject } from '../../openapi/parameters/deep-object';
import { type DecodedParameter, readScalar, type TextShape } from '../../openapi/parameters/text-shape';
import {
  type BodyCheck,
  type BodyOptions,
  MAX_BODY_DEPTH,
  rejectTooLarge,
  rejectUnreadable,
  type UploadedFile,
  validateForm,
} from './body-validation';
import { bracketedNames } from './form';

/**
 * Reads `multipart/form-data` as one object and checks it: JSON parts are parsed, text is read by the types of the
 * schema, files are bytes, and several parts of one name are a list (OAS 3.0.3 §4.7.14.5, §4.7.15; RFC 7578 §4.3).
 */
export async function checkMultipartBody(
  entry: MediaTypeEntry,
  contentType: string,
  body: Uint8Array,
  reading: BodyOptions,
): Promise<BodyCheck> {
  const parts = await readParts(contentType, body);
  if ('reason' in parts) return rejectUnreadable(`The body is not valid multipart/form-data: ${parts.reason}`);
  return checkParts(entry, parts, reading);
}

/** {@link checkMultipartBody} of parts that are read already. */
export function checkParts(entry: MediaTypeEntry, parts: readonly MultipartPart[], reading: BodyOptions): BodyCheck {
  const { textBytes } = reading.limits;
  if (parts.reduce((sum, part) => sum + decodedLength(part, entry), 0) > textBytes)
    return rejectTooLarge(`The parts that are no files have more than ${textBytes} bytes together`);
  const byName = new Map<string, MultipartPart[]>();
  for (const part of parts) addToList(byName, part.name, part);
  const nested = nestedProperties(byName, entry.shape);
  const properties: [string, JsonValue][] = [];
  for (const [name, same] of byName) {
    if (nested.taken.has(name)) continue;
    const read = readProperty(name, same, entry.shape.property(name), entry.encodings.get(name));
    if (read.kind === 'refused') return read;
    properties.push([name, read.value]);
  }
  for (const [name, read] of nested.properties) {
    const pointer = joinPointer('', name);
    if (read.kind !== 'value')
      return refused(problem('invalid_field', `The part ${pointer} ${reasonOf(read)}`, { pointer }));
    properties.push([name, read.value]);
  }
  const check = validateForm(entry, Object.fromEntries(properties), reading);
  return check.kind === 'refused' ? check : { ...check, file: firstFile(parts) };
}

/** Lists and objects that were sent part by part, `files[]`, `author[age]`, as forms send them. */
function nestedProperties(
  parts: ReadonlyMap<string, readonly MultipartPart[]>,
  form: TextShape,
): { readonly properties: readonly (readonly [string, DecodedParameter])[]; readonly taken: ReadonlySet<string> } {
  const names = form.names.filter((name) => (form.property(name)?.kind ?? 'scalar') !== 'scalar');
  const inBrackets = [...parts].filter(([name]) => name.endsWith(']') && !form.names.includes(name));
  const sent = new Map(inBrackets.map(([name, own]) => [name, own.map((part) => encodeURIComponent(textOf(part)))]));
  const { byProperty, all } = bracketedNames(sent, new Set(names));
  const properties = names.flatMap((name): [string, DecodedParameter][] => {
    const [shape, own] = [form.property(name), byProperty.get(name)];
    const read = shape && own && readDeepObject({ name, shape }, own);
    return read === undefined ? [] : [[name, read]];
  });
  return { properties, taken: all };
}

function textOf({ fileName, mediaType, bytes }: MultipartPart): string {
  const isText = fileName === undefined && mediaType.startsWith('text/');
  return (isText ? decodeBodyText(bytes, mediaType) : undefined) ?? octetText(bytes);
}

function firstFile(parts: readonly MultipartPart[]): UploadedFile | undefined {
  for (const { name, fileName, mediaType, bytes } of parts)
    if (fileName !== undefined) return { property: name, name: fileName, mediaType, bytes };
  return undefined;
}

function readProperty(
  name: string,
  parts: readonly MultipartPart[],
  shape: TextShape | undefined,
  encoding: Encoding | undefined,
): BodyCheck {
  const isList = shape?.kind === 'array' || parts.length > 1;
  const at = joinPointer('', name);
  const values: JsonValue[] = [];
  for (const part of parts) {
    const item = shape?.kind === 'array' ? shape.item(values.length) : shape;
    const read = readPart(part, item, encoding);
    if ('reason' in read) {
      const pointer = isList ? joinPointer(at, values.length) : at;
      return refused(problem('invalid_field', `The part ${pointer} ${read.reason}`, { pointer }));
    }
    values.push(read.value);
  }
  const [only = null] = values;
  // A part of JSON may be the whole list.
  const isWhole = parts.length === 1 && Array.isArray(only);
  return { kind: 'valid', value: isList && !isWhole ? values : only };
}

/** `reason` goes on after the name of the part. */
type ReadPart = { readonly value: JsonValue } | { readonly reason: string };

function readPart(part: MultipartPart, shape: TextShape | undefined, encoding: Encoding | undefined): ReadPart {
  const { mediaType, bytes } = part;
  const wanted = declaredTypes(encoding);
  // A part that does not say what it is has the type that is asked for.
  if (wanted !== undefined && mediaType !== 'text/plain' && matchMediaType(mediaType, wanted) === undefined) {
    return { reason: `is of the type ${quotedExcerpt(mediaType)}; it must be ${wanted.join(' or ')}` };
  }
  if (isJson(mediaType, shape, wanted)) return readJson(bytes);
  if (isFile(part, shape)) return { value: octetText(bytes) };
  const text = decodeBodyText(bytes, mediaType);
  return text === undefined ? { reason: 'is not UTF-8 text' } : { value: readScalar(text, shape?.scalars ?? []) };
}

/** Types without parameters: the type of a part comes without them, and a charset is read where text is decoded. */
function declaredTypes(encoding: Encoding | undefined): string[] | undefined {
  return encoding?.contentType?.split(',').map((type) => type.replace(/;.*$/s, '').trim());
}

/** Bytes of a part that is read as JSON or text; bytes are taken as they come. */
function decodedLength(part: MultipartPart, { shape, encodings }: MediaTypeEntry): number {
  const own = shape.property(part.name);
  const item = own?.kind === 'array' ? own.item(0) : own;
  const isRead = isJson(part.mediaType, item, declaredTypes(encodings.get(part.name))) || !isFile(part, item);
  return isRead ? part.bytes.length : 0;
}

function readJson(bytes: Uint8Array): ReadPart {
  try {
    return { value: parseJson(decodeUtf8(bytes), { maxDepth: MAX_BODY_DEPTH }) };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { reason: `is not valid JSON: ${error.message}` };
  }
}

function isFile({ fileName, mediaType }: MultipartPart, shape: TextShape | undefined): boolean {
  return fileName !== undefined || shape?.isBinary === true || !mediaType.startsWith('text/');
}

/** The default type of an object is JSON (OAS 3.0.3 §4.7.15.1); of a list it is that of its items. */
function isJson(mediaType: string, shape: TextShape | undefined, wanted: readonly string[] | undefined): boolean {
  if (isJsonMediaType(mediaType)) return shape?.isBinary !== true;
  if (mediaType !== 'text/plain') return false;
  if (wanted !== undefined) return wanted.some(isJsonMediaType);
  return shape !== undefined && shape.scalars.length === 0 && shape.kind !== 'scalar';
}

/** A header is the client's text: short, and on one line. */
function quotedExcerpt(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}

/** One part of `multipart/form-data` (RFC 7578). */
export interface MultipartPart {
  readonly name: string;
  /** `undefined` for a part that is not a file. */
  readonly fileName: string | undefined;
  /** Its Content-Type; `text/plain` when it has none (RFC 7578 §4.4). */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** The parts in their order, or why there are none. */
type MultipartResult = readonly MultipartPart[] | { readonly reason: string };

/** More than anybody means; the size of the whole is limited already. */
const LIMITS = { parts: 1000, headerPairs: 100, headerSize: 8 * 1024, fieldNameSize: 1024 } as const;

/** @param contentType - with its boundary */
async function readParts(contentType: string, body: Uint8Array): Promise<MultipartResult> {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only by those who send such a body
  const { Busboy } = require('@fastify/busboy') as typeof BusboyNamespace;
  const parts: MultipartPart[] = [];
  const source = Readable.from(slicesOf(body));
  return new Promise((resolve) => {
    const fail = (reason: string): void => {
      // What comes after it is not looked at.
      source.unpipe();
      resolve({ reason });
    };
    try {
      const parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: { ...LIMITS, files: LIMITS.parts },
        // Every part as bytes: whether it is text is for its media type and the schema to say.
        isPartAFile: () => true,
        preservePath: true,
      });
      // The types have a text there, but a part without a file name has none.
      parser.on('file', (name: string, file, fileName: string | undefined, _, mediaType) => {
        const chunks: Uint8Array[] = [];
        file.on('data', (chunk: Uint8Array) => chunks.push(chunk));
        file.on('error', (error) => {
          fail(messageOf(error));
        });
        const at = parts.length;
        parts.push({ name, fileName, mediaType, bytes: NO_BYTES });
        file.on('end', () => {
          parts[at] = { name, fileName, mediaType, bytes: Buffer.concat(chunks) };
        });
      });
      for (const limit of ['partsLimit', 'filesLimit'] as const) {
        parser.on(limit, () => {
          fail(`it has more than ${LIMITS.parts} parts`);
        });
      }
      parser.on('error', (error) => {
        fail(messageOf(error));
      });
      parser.on('finish', () => {
        resolve(parts);
      });
      source.pipe(parser);
    } catch (error) {
      fail(messageOf(error));
    }
  });
}

const SLICE_BYTES = 64 * 1024;

function* slicesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < body.length; start += SLICE_BYTES) yield body.subarray(start, start + SLICE_BYTES);
}

const NO_BYTES = new Uint8Array();
