import type { Format } from 'ajv/dist/types';
import { fullFormats } from 'ajv-formats/dist/formats';
import { isRfc3339Date, isRfc3339DateTime } from '../time/date-time';

/** Ranges of numbers; the exact-number keyword judges them. */
export const NUMBER_FORMATS: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double']);

/** Formats that only describe (OAS 3.0.3 "Data Types"), and those of ajv-formats that OpenAPI does not have. */
const UNCHECKED = [
  'password',
  'binary',
  'regex',
  'url',
  'json-pointer-uri-fragment',
  'iso-time',
  'iso-date-time',
] as const;

/** Formats that ajv-formats judges more freely than their RFCs: it takes line breaks in `byte`, a URN as `uuid`. */
const STRICT: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isRfc3339DateTime,
  date: isRfc3339Date,
  byte: isBase64,
  uuid: isUuid,
};

/** The formats that a description may name, as ajv takes them; those of strings judge strings only. */
export const FORMATS: Readonly<Record<string, Format>> = {
  ...fullFormats,
  ...Object.fromEntries(UNCHECKED.map((name) => [name, true])),
  ...Object.fromEntries(Object.entries(STRICT).map(([name, validate]) => [name, { type: 'string', validate }])),
};

/** Base64 with its padding and nothing else, line breaks included (RFC 4648 §3.1, §4). */
function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** The 36 characters of a UUID in either case, without the prefix of a URN (RFC 9562 §4). */
function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
