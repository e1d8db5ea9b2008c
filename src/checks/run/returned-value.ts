import { canonicalKey } from '../../json/canonical-key';
import { equalJson } from '../../json/equal-json';
import { isJsonNumber, toLexeme, type JsonNumber } from '../../json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/json-value';
import type { SchemaObject } from '../../json-schema/schema';
import { parseRfc3339 } from '../../time/date-time';

/**
 * Is a value that came back the one that was sent? Texts character for character, but date-times by instant and UUIDs
 * without their case (RFC 3339 §5.8, RFC 9562 §4): a server may store the value and not its spelling. Numbers by value,
 * those of binary formats as far as these can tell (OAS 3.0.3 §4.4); an object may have got more members; an absent
 * member is as good as null.
 *
 * @param schema - of the value; `undefined` when it is not known
 */
export function isSameValue(sent: JsonValue, got: JsonValue | undefined, schema?: SchemaObject): boolean {
  if (got === undefined || sent === null) return sent === null && (got === undefined || got === null);
  if (isJsonNumber(sent)) return isJsonNumber(got) && isSameNumber(sent, got, schema);
  if (Array.isArray(sent)) return Array.isArray(got) && isSameList(sent, got);
  if (isJsonObject(sent)) return isJsonObject(got) && isWithin(sent, got);
  return equalJson(sent, got) || isSameText(sent, got, schema);
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** @param schema - `undefined` for a text inside of something: what looks like such a value is one */
function isSameText(sent: JsonValue, got: JsonValue, schema: SchemaObject | undefined): boolean {
  if (typeof sent !== 'string' || typeof got !== 'string') return false;
  const format = schema?.['format'];
  if (schema === undefined || format === 'date-time') {
    const instant = parseRfc3339(sent);
    if (instant !== undefined && instant === parseRfc3339(got)) return true;
  }
  if (schema !== undefined && format !== 'uuid') return false;
  return UUID.test(sent) && sent.toLowerCase() === got.toLowerCase();
}

/**
 * Is a text that came back another spelling of the one that was sent, which its format allows: another case or form of
 * an address, a host or a URI (RFC 5321 §2.3.11, RFC 4343 §2, RFC 3986 §6.2)? Some write such texts as they came, and
 * some do not.
 */
export function isOtherSpelling(sent: JsonValue, got: JsonValue | undefined, schema: SchemaObject): boolean {
  if (typeof sent !== 'string' || typeof got !== 'string') return false;
  switch (schema['format']) {
    case 'email':
    case 'idn-email':
    case 'hostname':
    case 'idn-hostname':
      return plainText(sent) === plainText(got);
    case 'uri':
    case 'uri-reference':
    case 'iri':
      return plainUri(sent) === plainUri(got);
    default:
      return false;
  }
}

function plainText(text: string): string {
  return text.trim().toLowerCase().replace(/\.$/, '');
}

function plainUri(text: string): string {
  const form = URL.canParse(text) ? new URL(text).href : text;
  return form.replace(/\/$/, '');
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

const MOST_COMPARED = 500;

/** What of a list is not in another one in the very same form, and what of that one is not in it. */
function unlike(
  sent: readonly JsonValue[],
  got: readonly JsonValue[],
): { readonly missing: readonly JsonValue[]; readonly left: JsonValue[] } {
  const counts = new Map<string, number>();
  for (const item of sent) counts.set(canonicalKey(item), (counts.get(canonicalKey(item)) ?? 0) + 1);
  const takeOne = (item: JsonValue): boolean => {
    const key = canonicalKey(item);
    const count = counts.get(key) ?? 0;
    counts.set(key, count - 1);
    return count > 0;
  };
  const left = got.filter((item) => !takeOne(item));
  // What was not taken is what is left of each count.
  const missing = sent.filter((item) => {
    const key = canonicalKey(item);
    const count = counts.get(key) ?? 0;
    if (count <= 0) return false;
    counts.set(key, count - 1);
    return true;
  });
  return { missing, left };
}

function isSameList(sent: readonly JsonValue[], got: readonly JsonValue[]): boolean {
  if (sent.length !== got.length) return false;
  if (sent.every((item, index) => isSameValue(item, got[index]))) return true;
  // A set may come back in another order: most of its items as they were sent, which are counted first.
  const { missing, left } = unlike(sent, got);
  // Each of these is held against each of those; of so many that differ nothing is said.
  if (missing.length > MOST_COMPARED) return true;
  return missing.every((item) => {
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
