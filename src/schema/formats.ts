import { fullFormats } from 'ajv-formats/dist/formats';
import type { Format } from 'ajv/dist/types';
import { isJsonNumber } from '../core/json/exact-number';
import type { JsonValue } from '../core/json/json-value';
import { isRfc3339Date, isRfc3339DateTime } from '../core/time/date-time';
import { exactNumberKeyword } from './number-keyword';

/** Ranges of numbers; the exact-number keyword checks them. */
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

/** Formats that ajv-formats checks more freely than their RFCs: it takes line breaks in `byte`, a URN as `uuid`. */
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

/** Says whether a value has a format; one of another type has not. */
type FormatTest = (value: JsonValue) => boolean;

const tests = new Map<string, FormatTest>();

/** The formats of schemas that a value can fail; `password`, `binary` and the like only describe. */
export function checkedFormats(): string[] {
  const ofStrings = Object.keys(FORMATS).filter((name) => FORMATS[name] !== true);
  return [...new Set([...ofStrings, ...NUMBER_FORMATS])].sort();
}

/**
 * The test of a format, the very one that schemas are checked with.
 *
 * @param name - one of {@link checkedFormats}
 * @throws Error for any other name
 */
export function formatTest(name: string): FormatTest {
  let test = tests.get(name);
  if (test === undefined) tests.set(name, (test = NUMBER_FORMATS.has(name) ? numberTest(name) : textTest(name)));
  return test;
}

function numberTest(format: string): FormatTest {
  const validate = exactNumberKeyword.createValidator({ format });
  return (value) => isJsonNumber(value) && validate(value) === undefined;
}

/** @throws Error for a format that is not checked */
function textTest(name: string): FormatTest {
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  const definition = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (definition instanceof RegExp) return (value) => typeof value === 'string' && definition.test(value);
  if (typeof definition !== 'function') throw new Error(`there is no format ${JSON.stringify(name)} to check`);
  const holds = definition as (text: string) => boolean;
  return (value) => typeof value === 'string' && holds(value);
}
