import { isJsonMediaType, matchMediaType } from '../../http/media-type';
import { joinPointer } from '../../json/json-pointer';
import { JsonSyntaxError } from '../../json/json-syntax-error';
import type { JsonValue } from '../../json/json-value';
import { parseJson } from '../../json/parse-json';
import { decodeUtf8 } from '../../json/decode-utf8';
import type { Encoding, MediaTypeEntry } from '../../openapi/model';
import { bracketPath, readDeepObject } from '../../openapi/deep-object';
import { reasonOf, type DecodedParameter } from '../../openapi/parameter-style';
import { readScalar } from '../../openapi/scalar-value';
import type { TextShape } from '../../openapi/text-shape';
import { problem } from '../problem';
import {
  judgeForm,
  MAX_BODY_DEPTH,
  refuseBody,
  refuseTooMuch,
  unreadableBody,
  type BodyCheck,
  type BodyReading,
  type SentFile,
} from './body-check';
import { decodeBodyText, octetText } from './body-text';
import { MAX_FORM_DEPTH } from './form';
import { readParts, type Part } from './multipart';

/**
 * Reads `multipart/form-data` as one object and judges it: JSON parts are parsed, text is read by the types of the
 * schema, files are octets, and several parts of one name are a list (OAS 3.0.3 §4.7.14.5, §4.7.15; RFC 7578 §4.3).
 */
export async function checkMultipartBody(
  entry: MediaTypeEntry,
  contentType: string,
  body: Uint8Array,
  reading: BodyReading,
): Promise<BodyCheck> {
  const parts = await readParts(contentType, body);
  if ('reason' in parts) return unreadableBody(`The body is not valid multipart/form-data: ${parts.reason}`);
  const { textBytes } = reading.bounds;
  if (parts.reduce((sum, part) => sum + textLength(part, entry), 0) > textBytes)
    return refuseTooMuch(`The parts that are no files have more than ${textBytes} bytes together`);
  const byName = new Map<string, Part[]>();
  const nested = membersInBrackets(parts, entry.shape);
  for (const part of parts) {
    if (nested.taken.has(part)) continue;
    const same = byName.get(part.name);
    if (same === undefined) byName.set(part.name, [part]);
    else same.push(part);
  }
  const members: [string, JsonValue][] = [];
  for (const [name, same] of byName) {
    const read = readMember(name, same, entry.shape.property(name), entry.encodings.get(name));
    if (read.kind === 'refused') return read;
    members.push([name, read.value]);
  }
  for (const [name, read] of nested.members) {
    const pointer = joinPointer('', name);
    if (read.kind !== 'value')
      return refuseBody(problem('invalid_field', `The part ${pointer} ${reasonOf(read)}`, { pointer }));
    members.push([name, read.value]);
  }
  const check = judgeForm(entry, Object.fromEntries(members), reading);
  return check.kind === 'refused' ? check : { ...check, file: firstFile(parts) };
}

/** Lists and objects that were sent part by part, `files[]`, `author[age]`, as forms send them. */
function membersInBrackets(
  parts: readonly Part[],
  form: TextShape,
): { readonly members: readonly (readonly [string, DecodedParameter])[]; readonly taken: ReadonlySet<Part> } {
  const taken = new Set<Part>();
  const inBrackets = parts.filter(({ name }) => name.endsWith(']') && !form.names.includes(name));
  const members = form.names.flatMap((name): [string, DecodedParameter][] => {
    const shape = form.property(name);
    const own = inBrackets.filter((part) => bracketPath(name, part.name) !== undefined);
    if (own.length === 0 || shape === undefined || shape.kind === 'scalar') return [];
    const sent = new Map<string, string[]>();
    for (const part of own) {
      taken.add(part);
      const text = encodeURIComponent(textOf(part));
      const same = sent.get(part.name);
      if (same === undefined) sent.set(part.name, [text]);
      else same.push(text);
    }
    const read = readDeepObject({ name, shape }, sent, MAX_FORM_DEPTH);
    return read === undefined ? [] : [[name, read]];
  });
  return { members, taken };
}

function textOf({ fileName, mediaType, bytes }: Part): string {
  const isText = fileName === undefined && mediaType.startsWith('text/');
  return (isText ? decodeBodyText(bytes, mediaType) : undefined) ?? octetText(bytes);
}

function firstFile(parts: readonly Part[]): SentFile | undefined {
  for (const { name: member, fileName, mediaType, bytes } of parts)
    if (fileName !== undefined) return { member, name: fileName, mediaType, bytes };
  return undefined;
}

function readMember(
  name: string,
  parts: readonly Part[],
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
      return refuseBody(problem('invalid_field', `The part ${pointer} ${read.reason}`, { pointer }));
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

function readPart(part: Part, shape: TextShape | undefined, encoding: Encoding | undefined): ReadPart {
  const { mediaType, bytes } = part;
  const wanted = wantedTypes(encoding);
  // A part that does not say what it is has the type that is asked for.
  if (wanted !== undefined && mediaType !== 'text/plain' && matchMediaType(mediaType, wanted) === undefined) {
    return { reason: `is of the type ${shown(mediaType)}; it must be ${wanted.join(' or ')}` };
  }
  if (isJson(mediaType, shape, wanted)) return readJson(bytes);
  if (isFile(part, shape)) return { value: octetText(bytes) };
  const text = decodeBodyText(bytes, mediaType);
  return text === undefined ? { reason: 'is not UTF-8 text' } : { value: readScalar(text, shape?.scalars ?? []) };
}

function wantedTypes(encoding: Encoding | undefined): string[] | undefined {
  return encoding?.contentType?.split(',').map((type) => type.trim());
}

/** Bytes of a part that is read as JSON or text; octets are taken as they come. */
function textLength(part: Part, { shape, encodings }: MediaTypeEntry): number {
  const own = shape.property(part.name);
  const item = own?.kind === 'array' ? own.item(0) : own;
  const isRead = isJson(part.mediaType, item, wantedTypes(encodings.get(part.name))) || !isFile(part, item);
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

function isFile({ fileName, mediaType }: Part, shape: TextShape | undefined): boolean {
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
function shown(text: string): string {
  return JSON.stringify(text.slice(0, 80));
}
