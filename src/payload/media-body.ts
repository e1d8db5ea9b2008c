import { isJsonMediaType, parseMediaType } from '../core/http/media-type';
import { isJsonObject, type JsonValue } from '../core/json/json-value';
import { stringifyJson, plainText } from '../core/json/stringify-json';
import type { ApiModel } from '../openapi/model/api-model';
import type { MediaTypeEntry, Operation, Schema } from '../openapi/model/operation';
import { samplerOf } from './sampler/sampler';

/** How the values of a body are written one after the other. */
type SequenceKind = 'lines' | 'records' | 'events';

const SEQUENCES: Readonly<Record<string, SequenceKind>> = {
  'application/jsonl': 'lines',
  'application/x-ndjson': 'lines',
  'application/ndjson': 'lines',
  'application/x-jsonlines': 'lines',
  'application/json-seq': 'records',
  'text/event-stream': 'events',
};

/** @returns `undefined` for a media type that holds one value */
export function sequenceKind(mediaType: string): SequenceKind | undefined {
  const essence = parseMediaType(mediaType)?.essence ?? '';
  return Object.hasOwn(SEQUENCES, essence) ? SEQUENCES[essence] : undefined;
}

/** Writes values as JSON lines, as a JSON text sequence (RFC 7464), or as server-sent events (WHATWG HTML §9.2.6). */
export function writeSequence(kind: SequenceKind, values: readonly JsonValue[]): string {
  if (kind === 'lines') return values.map((value) => `${stringifyJson(value)}\n`).join('');
  if (kind === 'records') return values.map((value) => `\u001e${stringifyJson(value)}\n`).join('');
  return values.map(writeEvent).join('');
}

const EVENT_FIELDS = ['event', 'id', 'retry', 'data'] as const;

/** A value that has the fields of an event is one; any other is its data (OAS 3.2.0 §4.14.4). */
function writeEvent(value: JsonValue): string {
  const isEvent = isJsonObject(value) && Object.hasOwn(value, 'data');
  if (!isEvent) return `data: ${plainText(value)}\n\n`;
  const lines = EVENT_FIELDS.flatMap((name) => {
    const field = value[name];
    return field === undefined
      ? []
      : plainText(field)
          .split('\n')
          .map((line) => `${name}: ${line}\n`);
  });
  return `${lines.join('')}\n`;
}

/** Is the body of this media type text that is written as it is? */
export function isTextMediaType(mediaType: string): boolean {
  const parsed = parseMediaType(mediaType);
  if (parsed === undefined || isJsonMediaType(mediaType)) return false;
  return parsed.type === 'text' || /^(?:x-)?(?:yaml|javascript|graphql|csv|sql|toml)$|\+yaml$/.test(parsed.subtype);
}

export function isXmlMediaType(mediaType: string): boolean {
  return /[/+]xml$/.test(parseMediaType(mediaType)?.essence ?? '') && !/svg/.test(mediaType);
}

const HTML =
  '<!doctype html>\n<html lang="en">\n<head><title>Sample</title></head>\n<body><p>Sample</p></body>\n</html>\n';

/** A text for a media type that the description says no more about. */
export function plainSample(mediaType: string): string {
  const essence = parseMediaType(mediaType)?.essence ?? '';
  if (essence === 'text/html') return HTML;
  if (essence === 'text/csv') return 'id,name\r\n1,Juniper\r\n2,Willow\r\n';
  return 'Sample\n';
}

/** More kinds of events are not sent in one stream. */
const MAX_EVENT_KINDS = 20;
const ERROR_EVENT = /error|fail|cancel|expire|incomplete/i;
const STREAM_END = '[DONE]';

/**
 * The schemas of the events of a stream, in their order: each branch of a union is a kind of event, and anything else a
 * chunk of which there are several.
 */
function eventSchemas(api: ApiModel, schema: Schema): readonly Schema[] {
  const union = ['oneOf', 'anyOf'].find((keyword) => Array.isArray(schema.value[keyword]));
  const branches = union === undefined ? undefined : schema.value[union];
  if (union === undefined || !Array.isArray(branches)) return [schema, schema, schema];
  return branches
    .slice(0, MAX_EVENT_KINDS)
    .flatMap((_, index) => api.schemaAt(`${schema.pointer}/${union}/${index}`) ?? []);
}

/** Values of a sequence, or why there are none. */
type SequenceValues =
  | { readonly kind: 'made'; readonly values: readonly JsonValue[] }
  | { readonly kind: 'failed'; readonly reason: string };

/** Three values one after the other; of a stream whose events are of several kinds, one of each that tells no trouble. */
export function sequenceValues(
  api: ApiModel,
  { schema, itemSchema }: MediaTypeEntry,
  kind: SequenceKind,
  seed: string,
): SequenceValues {
  const of = itemSchema ?? schema;
  if (of === undefined) return { kind: 'made', values: ['sample'] };
  const isList = itemSchema === undefined && (kind !== 'events' || of.value['type'] === 'array');
  const schemas = schemasOf(api, of, kind, isList);
  const values: JsonValue[] = [];
  for (const [ordinal, each] of schemas.entries()) {
    const amount = isList ? { items: 3 } : { ordinal };
    const sample = samplerOf(api).sample(each, { seed, direction: 'response', ...amount });
    if (sample.kind === 'failed') return sample;
    if (kind !== 'events' || !isErrorEvent(sample.value)) values.push(sample.value);
  }
  const [only] = values;
  return { kind: 'made', values: isList && Array.isArray(only) ? only : values };
}

function schemasOf(api: ApiModel, schema: Schema, kind: SequenceKind, isList: boolean): readonly Schema[] {
  if (isList) return [schema];
  return kind === 'events' ? eventSchemas(api, schema) : [schema, schema, schema];
}

/** Does an event tell that something went wrong? A client would stop there. */
function isErrorEvent(event: JsonValue): boolean {
  if (!isJsonObject(event)) return false;
  return [event['event'], event['type']].some((name) => typeof name === 'string' && ERROR_EVENT.test(name));
}

/** Do the words of an operation say that its streams end with the data `[DONE]`? @returns that data */
export function streamEnd(api: ApiModel, { description, summary, requestBody }: Operation): string | undefined {
  const told = (requestBody?.content ?? []).flatMap(({ schema }) => {
    const property = schema === undefined ? undefined : api.propertiesOf(schema).get('stream');
    const text = property?.schema['description'];
    return typeof text === 'string' ? [text] : [];
  });
  return [description, summary, ...told].some((text) => text.includes(STREAM_END)) ? STREAM_END : undefined;
}

/** A red pixel on its own: the least that a browser shows. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const JPEG =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wAALCAABAAEBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAA//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AN//Z';
const WEBP = 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect width="1" height="1" fill="red"/></svg>';
/** One empty page, without the table that readers can do without. */
const PDF = `%PDF-1.1
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;
/** An archive with nothing in it: its end record alone. */
const ZIP = 'UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==';
const GZIP = 'H4sIAAAAAAAAAwMAAAAAAAAAAAA=';

const bytes = (base64: string) => (): Uint8Array => Buffer.from(base64, 'base64');

const FILES: Readonly<Record<string, () => Uint8Array | string>> = {
  'image/png': bytes(PNG),
  'image/gif': bytes(GIF),
  'image/jpeg': bytes(JPEG),
  'image/jpg': bytes(JPEG),
  'image/webp': bytes(WEBP),
  'image/svg+xml': () => SVG,
  'application/pdf': () => PDF,
  'application/zip': bytes(ZIP),
  'application/x-zip-compressed': bytes(ZIP),
  'application/gzip': bytes(GZIP),
  'application/x-gzip': bytes(GZIP),
  'application/octet-stream': () => Buffer.from('standin', 'latin1'),
};

/** What a range of media types is answered with. */
const TYPES_FOR_RANGES: Readonly<Record<string, string>> = {
  'image/*': 'image/png',
  'application/*': 'application/octet-stream',
};

/** A body that is not a text, and what it is. */
interface SmallFile {
  readonly mediaType: string;
  readonly body: Uint8Array | string;
}

/** The smallest file of a media type that a reader of it opens; `undefined` for types that are not known. */
export function smallFile(mediaType: string): SmallFile | undefined {
  const essence = parseMediaType(mediaType)?.essence ?? '';
  const type = TYPES_FOR_RANGES[essence] ?? essence;
  const make = Object.hasOwn(FILES, type) ? FILES[type] : undefined;
  return make === undefined ? undefined : { mediaType: type === essence ? mediaType : type, body: make() };
}

/** A body as it is sent. */
export interface WrittenBody {
  readonly mediaType: string;
  readonly text: string | Uint8Array;
}

/** A value as a body of a media type; an object in XML is not this one's to write. */
export function writeValue(mediaType: string, value: JsonValue): WrittenBody {
  const kind = sequenceKind(mediaType);
  if (kind !== undefined && Array.isArray(value)) return { mediaType, text: writeSequence(kind, value) };
  const isText = typeof value === 'string' && !isJsonMediaType(mediaType);
  return { mediaType: concreteMediaType(mediaType, isText), text: isText ? value : stringifyJson(value) };
}

/** JSON, or whatever may come. */
export function isOfAnyValue(mediaType: string): boolean {
  return isJsonMediaType(mediaType) || mediaType.includes('*/*') || !mediaType.includes('/');
}

/** A range describes what may come and is not a Content-Type; nor is a key such as `error`. */
export function concreteMediaType(mediaType: string, isText: boolean): string {
  if (!mediaType.includes('*') && mediaType.includes('/')) return mediaType;
  return isText ? 'text/plain' : 'application/json';
}
