import { equalJson } from '../../json/equal-json';
import { isJsonNumber, toLexeme, type JsonNumber } from '../../json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import type { SchemaObject } from '../../json-schema/schema';

/**
 * Is a value that came back the one that was sent? Texts, date-times among them, character for character; numbers by
 * value, those of binary formats as far as these can tell (OAS 3.0.3 §4.4); an object may have got more members; an
 * absent member is as good as null.
 *
 * @param schema - of the value; `undefined` when it is not known
 */
export function isSameValue(sent: JsonValue, got: JsonValue | undefined, schema?: SchemaObject): boolean {
  if (got === undefined || sent === null) return sent === null && (got === undefined || got === null);
  if (isJsonNumber(sent)) return isJsonNumber(got) && isSameNumber(sent, got, schema);
  if (Array.isArray(sent)) return Array.isArray(got) && isSameList(sent, got);
  if (isJsonObject(sent)) return isJsonObject(got) && isWithin(sent, got);
  return equalJson(sent, got);
}

function isSameNumber(sent: JsonNumber, got: JsonNumber, schema: SchemaObject | undefined): boolean {
  if (equalJson(sent, got)) return true;
  const [a, b] = [Number(toLexeme(sent)), Number(toLexeme(got))];
  switch (schema?.['format']) {
    case 'float':
      return Math.fround(a) === Math.fround(b);
    case 'double':
      return a === b;
    default:
      // What a double cannot hold may be rounded, unless an integer was promised.
      return schema?.['type'] !== 'integer' && !Number.isInteger(a) && a === b;
  }
}

function isSameList(sent: readonly JsonValue[], got: readonly JsonValue[]): boolean {
  if (sent.length !== got.length) return false;
  if (sent.every((item, index) => isSameValue(item, got[index]))) return true;
  // A set may come back in another order.
  const left = [...got];
  return sent.every((item) => {
    const index = left.findIndex((candidate) => isSameValue(item, candidate));
    if (index >= 0) left.splice(index, 1);
    return index >= 0;
  });
}

function isWithin(sent: JsonObject, got: JsonObject): boolean {
  return Object.entries(sent).every(([name, value]) =>
    isSameValue(value, Object.hasOwn(got, name) ? got[name] : undefined),
  );
}
