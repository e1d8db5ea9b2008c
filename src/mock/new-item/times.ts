import type { JsonValue } from '../../json/json-value';
import type { Property } from '../../openapi/model';
import { wordsOf } from '../../resources/inflection';
import { typesOf } from '../../resources/schema-reader';

/** Writes a time in the way in which a member holds times. @param nowMs - epoch milliseconds */
export type Clock = (nowMs: number) => JsonValue;

/** Numbers past this are milliseconds since 1970: as seconds they would lie in the year 5138. */
const LEAST_MS = 1e11;

/**
 * Times as RFC 3339 (a member of plain text whose example or name says that it holds one too), as a date, or as seconds
 * or milliseconds since 1970; `undefined` for a member that holds no time.
 */
export function clockOf(property: Pick<Property, 'name' | 'schema'>): Clock | undefined {
  const { schema } = property;
  const types = typesOf(schema);
  if (types.includes('string')) return textClock(schema);
  // Whatever format they name, numbers hold no text (OAS 3.0.3 §4.4: formats are of a type).
  if (!types.includes('integer') && !types.includes('number'))
    return schema['format'] === 'date-time' || schema['format'] === 'date' ? textClock(schema) : undefined;
  return isInMilliseconds(property) ? (nowMs) => nowMs : (nowMs) => Math.floor(nowMs / 1000);
}

function isInMilliseconds({ name, schema }: Pick<Property, 'name' | 'schema'>): boolean {
  const { example, format } = schema;
  const words = wordsOf(name);
  return (
    /millisecond|\bms\b/i.test(textOf(schema['description'])) ||
    /milli|[-_]ms$/.test(textOf(format)) ||
    words.includes('ms') ||
    words.includes('millis') ||
    (typeof example === 'number' && example > LEAST_MS)
  );
}

function textClock({ format, description, example, pattern, enum: words }: Property['schema']): Clock | undefined {
  // Some write the format after whose service or language it is: `vendor-datetime`.
  if (/(?:^|-)date-?time$/i.test(textOf(format))) return (nowMs) => new Date(nowMs).toISOString();
  if (format === 'date') return (nowMs) => new Date(nowMs).toISOString().slice(0, 10);
  if (words !== undefined || pattern !== undefined) return undefined;
  if (/rfc[- ]?(?:2822|1123|822|7231)/i.test(`${textOf(format)} ${textOf(description)}`))
    return (nowMs) => new Date(nowMs).toUTCString().replace('GMT', '+0000');
  const isOther = format !== undefined || (typeof example === 'string' && !/^\d{4}-\d{2}-\d{2}T/.test(example));
  return isOther ? undefined : (nowMs) => new Date(nowMs).toISOString();
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
