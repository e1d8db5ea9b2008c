import { asList, asObject, isSame, type JsonObject, wordsOf } from './checks';
import { typeOf, type Schemas } from './schemas';

/** How many optional properties a made-up object has. */
const OPTIONAL_PROPERTIES = 5;
const MAX_DEPTH = 8;

/** No value can be made that is sure to fit. */
export class NoValueError extends Error {}

export interface Making {
  readonly schemas: Schemas;
  /** Tells values of one property apart: 0 takes examples. */
  readonly variant: number;
  readonly takesExamples: boolean;
}

/** Makes a value for a schema: what the description shows, else what its type, format and bounds ask for. */
export function makeValue(making: Making, schema: unknown, name: string, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new NoValueError(`${name} is too deep`);
  const flat = making.schemas.flatten(schema);
  const shown = shownValue(making, flat);
  if (shown !== undefined) return vary(making, flat, shown);
  const type = typeOf(flat);
  if (type === 'object') return makeObject(making, flat, name, depth);
  if (type === 'array') return makeArray(making, flat, name, depth);
  if (type === 'boolean') return making.variant % 2 === 0;
  if (type === 'integer' || type === 'number') return makeNumber(making, flat);
  if (type === 'string') return makeString(making, flat, name);
  throw new NoValueError(`${name} has no type`);
}

function shownValue({ takesExamples, variant }: Making, schema: JsonObject): unknown {
  if (schema['const'] !== undefined) return schema['const'];
  const values = asList(schema['enum']).filter((value) => value !== null);
  if (values.length > 0) return values[variant % values.length];
  // Examples of objects show what the server says as well; only what is needed is sent.
  if (!takesExamples || ['object', 'array'].includes(typeOf(schema) ?? '')) return undefined;
  const example = schema['example'] ?? schema['x-example'] ?? asList(schema['examples'])[0] ?? schema['default'];
  return example === null ? undefined : example;
}

/** Another value than the one shown, where any other text does. */
function vary({ variant }: Making, schema: JsonObject, shown: unknown): unknown {
  const isFree = ['enum', 'const', 'format', 'pattern'].every((keyword) => schema[keyword] === undefined);
  if (variant === 0 || !isFree || typeof shown !== 'string' || !/^[A-Za-z][A-Za-z ]*$/.test(shown)) return shown;
  const text = `${shown}${variant}`;
  return text.length <= Number(schema['maxLength'] ?? Infinity) ? text : shown;
}

function makeObject(making: Making, schema: JsonObject, name: string, depth: number): JsonObject {
  const properties = asObject(schema['properties']);
  const required = new Set(asList(schema['required']).map(String));
  const made: Record<string, unknown> = {};
  let left = depth === 0 ? OPTIONAL_PROPERTIES : 0;
  for (const [key, value] of Object.entries(properties)) {
    const inner = making.schemas.flatten(value);
    if (inner['readOnly'] === true) continue;
    if (required.has(key)) made[key] = makeValue(making, value, key, depth + 1);
    else if (left > 0 && isGoodOptional(inner, key)) {
      const optional = tryMakeValue(making, value, key, depth + 1);
      if (optional === undefined) continue;
      made[key] = optional;
      left -= 1;
    }
  }
  for (const key of required) {
    if (!(key in properties)) throw new NoValueError(`${name} needs ${key}, which is not described`);
  }
  return made;
}

function tryMakeValue(making: Making, schema: unknown, name: string, depth: number): unknown {
  try {
    return makeValue(making, schema, name, depth);
  } catch (error) {
    if (error instanceof NoValueError) return undefined;
    throw error;
  }
}

/** Optional scalars are sent, except those that name something else or are not for everybody. */
function isGoodOptional(schema: JsonObject, name: string): boolean {
  const last = wordsOf(name).at(-1) ?? '';
  if (
    schema['deprecated'] === true ||
    ['id', 'ids', 'uuid', 'guid', 'key', 'token', 'cursor', 'etag', 'ref', 'parent'].includes(last)
  ) {
    return false;
  }
  return ['string', 'integer', 'number', 'boolean'].includes(typeOf(schema) ?? '');
}

function makeArray(making: Making, schema: JsonObject, name: string, depth: number): unknown[] {
  const count = Number(schema['minItems'] ?? 0);
  if (count > 3) throw new NoValueError(`${name} needs ${count} items`);
  const wanted = depth <= 1 ? Math.max(count, Math.min(1, Number(schema['maxItems'] ?? 1))) : count;
  const items = Array.from({ length: wanted }, (_, at) =>
    makeValue({ ...making, variant: making.variant + at }, schema['items'] ?? {}, name, depth + 1),
  );
  return items.filter((item, at) => items.findIndex((other) => isSame(other, item)) === at);
}

function makeNumber({ variant }: Making, schema: JsonObject): number {
  const step = Number(schema['multipleOf'] ?? 1);
  const over = typeof schema['exclusiveMinimum'] === 'number' ? schema['exclusiveMinimum'] + step : undefined;
  const isOpen = schema['exclusiveMinimum'] === true;
  const low = over ?? (schema['minimum'] === undefined ? undefined : Number(schema['minimum']) + (isOpen ? step : 0));
  const high = Number(schema['maximum'] ?? schema['exclusiveMaximum'] ?? Infinity);
  const start = low ?? (high < 1 ? high - step * 4 : step);
  const value = Math.ceil(start / step) * step + step * variant;
  return value <= high ? value : start;
}

const TEXTS: Readonly<Record<string, (variant: number) => string>> = {
  'date-time': (variant) => `2027-03-${String(10 + (variant % 18))}T09:30:00Z`,
  date: (variant) => `2027-03-${String(10 + (variant % 18))}`,
  time: () => '09:30:00Z',
  uri: (variant) => `https://example.com/page-${variant}`,
  url: (variant) => `https://example.com/page-${variant}`,
  email: (variant) => `someone${variant}@example.com`,
  uuid: (variant) => `3f2b8c1e-5a4d-4e6f-9b7a-${String(variant).padStart(12, '0')}`,
  ipv4: (variant) => `192.0.2.${variant + 1}`,
  ipv6: (variant) => `2001:db8::${variant + 1}`,
  hostname: (variant) => `host${variant}.example.com`,
  byte: () => 'aGVsbG8=',
  password: (variant) => `Secret-word-${variant}`,
};

function makeString({ variant }: Making, schema: JsonObject, name: string): string {
  if (typeof schema['pattern'] === 'string') return fitPattern(schema['pattern'], schema, name, variant);
  const format = typeof schema['format'] === 'string' ? schema['format'] : formatOf(name);
  const made = TEXTS[format]?.(variant) ?? `${name} ${variant + 1}`.replaceAll(/[^A-Za-z0-9 ]/g, ' ').trim();
  const least = Number(schema['minLength'] ?? 0);
  const most = Number(schema['maxLength'] ?? Infinity);
  if (made.length > most && TEXTS[format] !== undefined) throw new NoValueError(`${name} is too short for its format`);
  const fitting = made.length > most ? `${variant + 1}${made}`.slice(0, most) : made;
  return fitting.padEnd(least, 'x');
}

/** What a name says that no format does. */
function formatOf(name: string): string {
  const last = wordsOf(name).at(-1) ?? '';
  if (['url', 'uri', 'href', 'website', 'homepage'].includes(last)) return 'uri';
  if (last === 'email' || last === 'mail') return 'email';
  return last === 'uuid' ? 'uuid' : '';
}

/** One of a few common texts that fits the pattern. */
function fitPattern(pattern: string, schema: JsonObject, name: string, variant: number): string {
  const texts = Object.values(TEXTS).map((make) => make(variant));
  const plain = ['abc', 'abcd', 'ABC', 'AB', 'a1', 'abc123', '1', '12', '123', '1234', '12345', 'abcdefgh', '#a1b2c3'];
  const found = [
    `${name}${variant}`,
    ...plain,
    ...texts,
    'a'.repeat(16),
    '1'.repeat(10),
    '1'.repeat(12),
    '+15005550006',
  ].find((text) => {
    const isLong =
      text.length >= Number(schema['minLength'] ?? 0) && text.length <= Number(schema['maxLength'] ?? Infinity);
    return isLong && fits(pattern, text);
  });
  if (found === undefined) throw new NoValueError(`${name} has a pattern`);
  return found;
}

function fits(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern).test(text);
  } catch {
    return false;
  }
}
