import { memoize, memoizePerList } from '../text/memoize';
import { FieldScanner } from './field-scanner';

/** A media type or media range (RFC 9110 §8.3.1, §12.5.1). */
interface MediaType {
  /** Lower case; `*` in a range. */
  readonly type: string;
  /** Lower case; `*` in a range. */
  readonly subtype: string;
  /** `type/subtype`, lower case. */
  readonly essence: string;
  /** Names in lower case, values as written, without quotes. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Parses a `Content-Type` value or a key of a `content` map (RFC 9110 §8.3.1). Ranges such as `text/*` parse too: `*`
 * is a token character.
 *
 * @returns `undefined` when it breaks the grammar or names a parameter twice (RFC 6838 §4.3)
 */
export const parseMediaType: (value: string) => MediaType | undefined = memoize((value) => {
  const scanner = new FieldScanner(value);
  scanner.skipWhitespace();
  const type = scanner.readToken()?.toLowerCase();
  if (type === undefined || !scanner.accept('/')) return undefined;
  const subtype = scanner.readToken()?.toLowerCase();
  if (subtype === undefined) return undefined;
  const parameters = readParameters(scanner);
  if (parameters === undefined || !scanner.isAtEnd) return undefined;
  return { type, subtype, essence: `${type}/${subtype}`, parameters };
});

/**
 * Tells whether a body of this media type is JSON text: `application/json`, `text/json` or the suffix `+json`
 * (RFC 8259 §11, RFC 6839 §3.1, WHATWG MIME Sniffing "JSON MIME type").
 */
export function isJsonMediaType(value: string): boolean {
  const mediaType = parseMediaType(value);
  return mediaType !== undefined && isJson(mediaType);
}

/** Tells whether a media type names no charset or UTF-8; `false` for a value that does not parse (RFC 8259 §8.1). */
export function isUtf8MediaType(value: string): boolean {
  const mediaType = parseMediaType(value);
  if (mediaType === undefined) return false;
  const charset = mediaType.parameters.get('charset');
  return charset === undefined || /^utf-?8$/i.test(charset);
}

/**
 * Picks the key of a `content` map that describes a body (OAS 3.0.3 Request Body, "most specific key"): an exact type
 * before a subtype wildcard before a full wildcard, and among equals the one with more parameters. All parameters of
 * the key must be in the content type; `charset` of JSON means nothing and is passed over (RFC 8259 §11).
 *
 * @param contentType - raw `Content-Type` value
 * @param offeredKeys - in document order; a tie goes to the earlier one, a key that does not parse matches nothing.
 *   Known by identity: hand over the same array each time
 * @returns the key as it was written, or `undefined` when none matches or `contentType` does not parse
 */
export const matchMediaType: (contentType: string, offeredKeys: readonly string[]) => string | undefined =
  memoizePerList((contentType, offeredKeys) => {
    const actual = parseMediaType(contentType);
    if (actual === undefined) return undefined;

    let best: string | undefined;
    let bestScore = -1;
    for (const key of offeredKeys) {
      const range = parseMediaType(key);
      const score = range === undefined ? -1 : scoreMatch(actual, range);
      if (score > bestScore) {
        best = key;
        bestScore = score;
      }
    }
    return best;
  });

// More than any key has parameters, so that these never outweigh a more specific type.
const TYPE_WEIGHT = 100_000;

/** How specific the match is: higher is more; -1 when `range` does not cover `actual`. */
function scoreMatch(actual: MediaType, range: MediaType): number {
  const specificity = specificityOf(actual, range);
  if (specificity === -1) return -1;

  let parameterCount = 0;
  for (const [name, value] of range.parameters) {
    if (name === 'charset' && isJson(actual)) continue;
    if (!isSameParameter(name, value, actual.parameters.get(name))) return -1;
    parameterCount += 1;
  }
  return specificity * TYPE_WEIGHT + parameterCount;
}

/** 2 for the same type, 1 for `type/*`, 0 for any type, -1 for another type. */
function specificityOf(actual: MediaType, range: MediaType): number {
  if (range.essence === actual.essence) return 2;
  if (range.essence === '*/*') return 0;
  return range.subtype === '*' && range.type === actual.type ? 1 : -1;
}

/** Charset names have no case; other values may have (RFC 9110 §8.3.1, §8.3.2). */
function isSameParameter(name: string, expected: string, actual: string | undefined): boolean {
  if (name === 'charset') return actual?.toLowerCase() === expected.toLowerCase();
  return actual === expected;
}

function isJson({ essence, subtype }: MediaType): boolean {
  return essence === 'application/json' || essence === 'text/json' || subtype.endsWith('+json');
}

/** `*( OWS ";" OWS [ parameter ] )` and the white space behind it (RFC 9110 §5.6.6); `undefined` when malformed. */
function readParameters(scanner: FieldScanner): Map<string, string> | undefined {
  const parameters = new Map<string, string>();
  scanner.skipWhitespace();
  while (scanner.accept(';')) {
    scanner.skipWhitespace();
    const name = scanner.readToken()?.toLowerCase();
    if (name !== undefined) {
      const value = scanner.accept('=') ? scanner.readWord() : undefined;
      if (value === undefined || parameters.has(name)) return undefined;
      parameters.set(name, value);
    }
    scanner.skipWhitespace();
  }
  return parameters;
}

/** How the bytes of a body become a value. */
type BodyKind = 'json' | 'sequence' | 'form' | 'multipart' | 'text' | 'xml' | 'opaque' | 'binary';

const KINDS: Readonly<Record<string, BodyKind>> = {
  'application/x-www-form-urlencoded': 'form',
  'multipart/form-data': 'multipart',
  'application/xml': 'xml',
  'text/xml': 'xml',
  // OAS 3.2.0 §4.14.2 "Sequential Media Types".
  'application/jsonl': 'sequence',
  'application/x-jsonlines': 'sequence',
  'application/x-ndjson': 'sequence',
  'application/json-seq': 'sequence',
};

/** @param mediaType - the one that was sent, or a key of `content` */
export function bodyKind(mediaType: string): BodyKind {
  const { essence = '', type = '', subtype = '' } = parseMediaType(mediaType) ?? {};
  const known = Object.hasOwn(KINDS, essence) ? KINDS[essence] : undefined;
  if (known !== undefined) return known;
  if (isJsonMediaType(mediaType)) return 'json';
  if (subtype.endsWith('+json-seq')) return 'sequence';
  if (subtype.endsWith('+xml')) return 'xml';
  // Other multiparts have no names that a schema could describe.
  if (type === 'multipart') return 'opaque';
  return type === 'text' ? 'text' : 'binary';
}
