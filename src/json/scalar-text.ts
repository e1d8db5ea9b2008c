import { isJsonNumber, toLexeme } from './exact-number';
import type { JsonValue } from './json-value';
import { stringifyJson } from './stringify-json';

/** The text of a scalar as it stands in a URL or a header: strings without quotes, numbers with every digit. */
export function scalarText(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return isJsonNumber(value) ? toLexeme(value) : stringifyJson(value);
}
