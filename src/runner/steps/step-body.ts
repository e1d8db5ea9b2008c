import { createHash } from 'node:crypto';
import { isJsonMediaType } from '../../core/http/media-type';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText, stringifyJson } from '../../core/json/stringify-json';
import type { BodyPart, StepBody } from '../../formats/contract/contract';
import { fillPlaceholders, isScalar } from '../../formats/contract/placeholders';
import type { Encoding, MediaTypeEntry, Operation } from '../../openapi/model/operation';

interface WrittenBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

type Values = ReadonlyMap<string, JsonValue>;

const FORM = /^application\/x-www-form-urlencoded\b/i;
const MULTIPART = /^multipart\/form-data\b/i;
const JSON_PATCH = /^application\/json-patch\+json\b/i;

/**
 * Writes the body of a step as its operation takes it.
 *
 * @param values - has every placeholder of the body
 * @param runId - of the run; boundaries are made of it
 */
export function writeBody(
  body: StepBody,
  operation: Operation | undefined,
  values: Values,
  runId: string,
): WrittenBody {
  const content = operation?.requestBody?.content ?? [];
  switch (body.kind) {
    case 'json':
      return writeValue(fillPlaceholders(body.value, values), content, runId);
    case 'text': {
      const contentType = content.find(({ mediaType }) => isJsonMediaType(mediaType))?.mediaType;
      const bytes = encode(scalarText(fillPlaceholders(body.text, values)));
      return { contentType: contentType ?? 'application/json', bytes };
    }
    case 'form':
      return writeForm(fillPlaceholders(body.fields, values) as JsonObject, entryFor(content, FORM));
    case 'multipart':
      return multipart(
        body.parts.map((part) => writePart(part, entryFor(content, MULTIPART), values)),
        runId,
      );
    case 'file':
      return { contentType: typeOfFile(content), bytes: body.file.bytes };
  }
}

function entryFor(content: readonly MediaTypeEntry[], type: RegExp): MediaTypeEntry | undefined {
  return content.find(({ mediaType }) => type.test(mediaType));
}

/** JSON where the operation takes it or says nothing, else the form that it takes. */
function writeValue(value: JsonValue, content: readonly MediaTypeEntry[], runId: string): WrittenBody {
  const json = jsonEntryFor(content, value);
  const other = json === undefined && isJsonObject(value) ? formEntry(content) : undefined;
  if (other !== undefined && isJsonObject(value)) {
    if (FORM.test(other.mediaType)) return writeForm(value, other);
    return multipart(
      Object.entries(value).flatMap(([name, property]) => valueParts(name, property, other)),
      runId,
    );
  }
  // A text, and the operation takes no JSON: it is what it takes, as it is.
  const plain = content.find(({ mediaType }) => !mediaType.includes('*') && !/^multipart\//i.test(mediaType));
  if (json === undefined && plain !== undefined && typeof value === 'string')
    return { contentType: plain.mediaType, bytes: encode(value) };
  return { contentType: json?.mediaType ?? 'application/json', bytes: encode(stringifyJson(value)) };
}

/** A list of operations is a JSON Patch (RFC 6902 §3), and nothing else is one, whichever the description names first. */
function jsonEntryFor(content: readonly MediaTypeEntry[], value: JsonValue): MediaTypeEntry | undefined {
  const json = content.filter(({ mediaType }) => isJsonMediaType(mediaType));
  const isPatch = Array.isArray(value) && value.length > 0 && value.every(isPatchOperation);
  return json.find(({ mediaType }) => JSON_PATCH.test(mediaType) === isPatch) ?? json[0];
}

function isPatchOperation(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value['op'] === 'string' && typeof value['path'] === 'string';
}

function formEntry(content: readonly MediaTypeEntry[]): MediaTypeEntry | undefined {
  return entryFor(content, FORM) ?? entryFor(content, MULTIPART);
}

/** What the file is sent as, where the step has no Content-Type of its own: what the operation takes, if that is one thing. */
function typeOfFile(content: readonly MediaTypeEntry[]): string {
  const known = content.filter(({ mediaType }) => !mediaType.includes('*') && !/^multipart\//i.test(mediaType));
  return known.length === 1 ? (known[0]?.mediaType ?? OCTETS) : OCTETS;
}

const OCTETS = 'application/octet-stream';

/**
 * Lists are repeated, properties of the style `deepObject` stand in brackets, and other objects are JSON
 * (OAS 3.0.3 §4.7.14.4, §4.7.15.1.1).
 */
function writeForm(fields: JsonObject, entry: MediaTypeEntry | undefined): WrittenBody {
  const pairs = Object.entries(fields).flatMap(([name, value]) => pairsOf(name, value, entry?.encodings.get(name)));
  const text = pairs.map(([name, value]) => `${formText(name)}=${formText(textOf(value))}`).join('&');
  return { contentType: 'application/x-www-form-urlencoded', bytes: encode(text) };
}

type Pair = readonly [name: string, value: JsonValue];

function pairsOf(name: string, value: JsonValue, encoding: Encoding | undefined): Pair[] {
  if (encoding?.style === 'deepObject') return inBrackets(name, value);
  if (!Array.isArray(value)) return [[name, value]];
  const delimiter = { spaceDelimited: ' ', pipeDelimited: '|' }[encoding?.style ?? ''];
  // Without a word of it a list is repeated (OAS 3.0.3 §4.7.15.1: the default of `form` is to explode).
  if (encoding?.explode === false || delimiter !== undefined) return [[name, value.map(textOf).join(delimiter ?? ',')]];
  return value.map((item) => [name, item]);
}

/** `card[name]=Ada&card[tags][0]=a`, as servers read what is nested. What is empty has no form. */
function inBrackets(name: string, value: JsonValue): Pair[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => inBrackets(`${name}[${index}]`, item));
  if (!isJsonObject(value)) return [[name, value]];
  return Object.entries(value).flatMap(([property, item]) => inBrackets(`${name}[${property}]`, item));
}

function formText(text: string): string {
  return encodeURIComponent(text).replaceAll('%20', '+');
}

function writePart(part: BodyPart, entry: MediaTypeEntry | undefined, values: Values): WrittenPart {
  const { name } = part;
  const documented = entry?.encodings.get(name)?.contentType;
  if (part.kind === 'file') {
    const fileName = scalarText(fillPlaceholders(part.fileName, values));
    const mediaType = part.mediaType ?? singleType(documented) ?? OCTETS;
    return { name, fileName, mediaType, bytes: part.file.bytes };
  }
  return valuePart(name, fillPlaceholders(part.value, values), part.mediaType ?? singleType(documented));
}

function valueParts(name: string, value: JsonValue, entry: MediaTypeEntry): WrittenPart[] {
  const type = singleType(entry.encodings.get(name)?.contentType);
  const items = Array.isArray(value) && value.every(isScalar) ? value : [value];
  return items.map((item) => valuePart(name, item, type));
}

/** Objects and lists are JSON, everything else is text, which needs no type (RFC 7578 §4.4). */
function valuePart(name: string, value: JsonValue, given: string | undefined): WrittenPart {
  const isPlain = isScalar(value) || value === null;
  const mediaType = given ?? (isPlain ? undefined : 'application/json');
  const isJson = mediaType !== undefined && isJsonMediaType(mediaType);
  return { name, fileName: undefined, mediaType, bytes: encode(isJson ? stringifyJson(value) : textOf(value)) };
}

/** `image/png, image/jpeg` and `image/*` leave the choice to who sends. */
function singleType(type: string | undefined): string | undefined {
  return type === undefined || /[,*]/.test(type) ? undefined : type;
}

function multipart(parts: readonly WrittenPart[], runId: string): WrittenBody {
  const { boundary, bytes } = writeMultipart(parts, runId);
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes };
}

function textOf(value: JsonValue): string {
  if (value === null) return '';
  return isScalar(value) ? scalarText(value) : stringifyJson(value);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

interface WrittenPart {
  readonly name: string;
  /** `undefined` for a part that is not a file. */
  readonly fileName: string | undefined;
  readonly mediaType: string | undefined;
  readonly bytes: Uint8Array;
}

/**
 * Writes the parts of `multipart/form-data` one after the other (RFC 2046 §5.1.1, RFC 7578 §4).
 *
 * @param seed - the boundary is made of it, so that one run sends the same bytes again
 */
function writeMultipart(
  parts: readonly WrittenPart[],
  seed: string,
): { readonly boundary: string; readonly bytes: Uint8Array } {
  const boundary = boundaryFor(parts, seed);
  const pieces = parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n${headOf(part)}\r\n\r\n`), part.bytes, CRLF]);
  return { boundary, bytes: new Uint8Array(Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])) };
}

const CRLF = Buffer.from('\r\n');

/** No part may hold it (RFC 2046 §5.1). */
function boundaryFor(parts: readonly WrittenPart[], seed: string): string {
  for (let number = 0; ; number++) {
    // A digest: the id of the run itself would look like a mark that something was made by it.
    const digest = createHash('sha256').update(`${seed} ${number}`).digest('hex').slice(0, 24);
    const boundary = `standin-${digest}`;
    if (!parts.some(({ bytes }) => Buffer.from(bytes).includes(boundary))) return boundary;
  }
}

function headOf({ name, fileName, mediaType }: WrittenPart): string {
  const file = fileName === undefined ? '' : `; filename="${quotable(fileName)}"`;
  const type = mediaType === undefined ? '' : `\r\nContent-Type: ${mediaType}`;
  return `Content-Disposition: form-data; name="${quotable(name)}"${file}${type}`;
}

/** As browsers write names (WHATWG HTML §4.10.21.8): everything but quotes and line breaks is itself. */
export function quotable(text: string): string {
  return text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
