import { isJsonMediaType, parseMediaType } from '../http/media-type';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';

/** How the values of a body are written one after the other. */
export type SequenceKind = 'lines' | 'records' | 'events';

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
  if (!isEvent) return `data: ${textOf(value)}\n\n`;
  const lines = EVENT_FIELDS.flatMap((name) => {
    const field = value[name];
    return field === undefined
      ? []
      : textOf(field)
          .split('\n')
          .map((line) => `${name}: ${line}\n`);
  });
  return `${lines.join('')}\n`;
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
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
