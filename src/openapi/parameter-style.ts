import { decodeQueryComponent } from '../http/request-target';
import type { JsonValue } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import type { SchemaObject } from '../json-schema/schema';
import type { Parameter } from './model';

/** A parameter's value as its schema sees it, or why it has none. */
export type DecodedParameter =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'undecodable' }
  | { readonly kind: 'repeated' };

const SHORT_INTEGER = /^[1-9]\d{0,14}$/;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const DELIMITERS: Readonly<Record<string, RegExp>> = {
  form: /,/,
  simple: /,/,
  spaceDelimited: /%20|\+| /,
  pipeDelimited: /%7C|\|/i,
};

/**
 * Turns the text of a parameter into a value: split by the style's delimiter first and decoded then, so that an
 * encoded delimiter is data (OAS 3.0.3 "Style Values"), and read by the schema's type (OAS 3.0.4 Appendix B).
 * Text that is no value of the type stays text, for the schema to refuse.
 *
 * @param raw - occurrences in order; still percent-encoded for `query`, as they are for the rest
 */
export function decodeParameter(parameter: Parameter, raw: readonly string[]): DecodedParameter {
  const decode = parameter.in === 'query' ? decodeQueryComponent : (text: string): string | undefined => text;
  const schema = parameter.schema?.value ?? {};
  if (schema['type'] !== 'array') {
    if (raw.length > 1) return { kind: 'repeated' };
    const text = decode(raw[0] ?? '');
    return text === undefined ? { kind: 'undecodable' } : { kind: 'value', value: readScalar(text, schema) };
  }
  const items = parameter.items ?? {};
  const values: JsonValue[] = [];
  for (const part of raw.flatMap((occurrence) => split(parameter, occurrence, items))) {
    const text = decode(part);
    if (text === undefined) return { kind: 'undecodable' };
    values.push(readScalar(text, items));
  }
  return { kind: 'value', value: values };
}

function split(parameter: Parameter, occurrence: string, items: SchemaObject): string[] {
  if (parameter.explode && parameter.style === 'form') return [occurrence];
  // URLSearchParams encodes the comma; in a list of numbers it cannot be data.
  const isNumeric = items['type'] === 'integer' || items['type'] === 'number';
  const delimiter = parameter.style === 'form' && isNumeric ? /,|%2C/i : (DELIMITERS[parameter.style] ?? /,/);
  return occurrence.split(delimiter).map((part) => (parameter.in === 'header' ? part.trim() : part));
}

function readScalar(text: string, schema: SchemaObject): JsonValue {
  switch (schema['type']) {
    case 'integer':
      // Most ids are short, and as exact as a number can be.
      if (SHORT_INTEGER.test(text)) return Number(text);
      return INTEGER.test(text) && text.length <= 400 ? parseJson(text) : text;
    case 'number':
      return NUMBER.test(text) && text.length <= 400 ? parseJson(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    default:
      return text;
  }
}
