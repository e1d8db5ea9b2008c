import { isJsonNumber, toCanonical, toLexeme, type JsonNumber } from './exact-number';
import { parseDecimal } from './decimal';
import { isJsonObject, type JsonValue } from './json-value';

/**
 * A text that two values share exactly when they are the same JSON value: numbers by mathematical value, objects
 * whatever the order of their members (JSON Schema Validation §6.4.3). Comparing many values by it takes linear time.
 */
export function canonicalKey(value: JsonValue): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (isJsonNumber(value)) return numberKey(value);
  if (Array.isArray(value)) return `[${value.map(canonicalKey).join()}]`;
  if (!isJsonObject(value)) return String(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalKey(value[name] ?? null)}`).join()}}`;
}

function numberKey(value: JsonNumber): string {
  const number = toCanonical(value);
  if (Number.isSafeInteger(number)) return String(number);
  // Fractions and huge integers have many spellings; the digits without zeros at the ends have one.
  const decimal = parseDecimal(toLexeme(number));
  if (decimal === undefined) return String(number);
  return `${decimal.negative ? '-' : ''}${decimal.digits}e${decimal.exponent}`;
}
