import Negotiator from 'negotiator';
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

/**
 * Picks the offered media type that `accept` prefers (RFC 9110 §12.5.1).
 *
 * Quality decides first, then the more specific range, then the earlier range in `accept`. The most specific range
 * that covers a type sets its quality, so a quality of 0 for JSON excludes it whatever else is accepted. A `charset` in
 * `accept` is passed over, because JSON has none (RFC 8259 §11) and older clients send it. In a malformed header the
 * elements that can be read still count: a range without a slash or with a quality that is not a number is passed over.
 *
 * @param accept - raw header value, repeated lines joined with a comma; `undefined` or an empty list means anything
 * @param offered - keys of a `content` map in document order; a tie goes to the earlier one. A key that is a range,
 *   such as `image/*`, is picked when it covers an accepted type and no other key will do. Known by identity: hand over
 *   the same array each time
 * @returns the chosen key, or `undefined` when none is acceptable
 */
export function bestMediaType(accept: string | undefined, offered: readonly string[]): string | undefined {
  return accept === undefined ? offered[0] : choose(accept, offered);
}

/** What comes of an Accept header. */
type Negotiated =
  /** A type is offered that it asks for. */
  | { readonly kind: 'fits'; readonly mediaType: string | undefined }
  /** None is; of those that it does not exclude, this comes nearest. */
  | { readonly kind: 'nearest'; readonly mediaType: string }
  /** It gives every offered type the quality 0. */
  | { readonly kind: 'excluded' };

/**
 * {@link bestMediaType}, with the nearest type where none fits: the same without its parameters, the same syntax (JSON or
 * XML, by name or by suffix: RFC 6839), then the same top-level type, then JSON, then the first. A server may send it all
 * the same (RFC 9110 §12.5.1), unless the client said that it must not be.
 */
export const negotiate: (accept: string, offered: readonly string[]) => Negotiated = memoizePerList(
  (accept, offered): Negotiated => {
    const mediaType = choose(accept, offered);
    if (mediaType !== undefined || offered.length === 0) return { kind: 'fits', mediaType };
    const excluding = new Negotiator({ headers: { accept: excludedIn(accept) } });
    const left = offered.filter((key) => excluding.mediaType([key]) === undefined);
    const [first] = left;
    if (first === undefined) return { kind: 'excluded' };
    const named = left.find((key) => parseMediaType(key) === undefined);
    const wanted = new Negotiator({ headers: { accept: withoutCharset(accept) } }).mediaTypes();
    // A key that is not a media type names whatever is sent, which a full range takes.
    if (named !== undefined && wanted.includes('*/*')) return { kind: 'fits', mediaType: named };
    const nearest = wanted.map((type) => nearestTo(type, left)).toSorted((one, other) => other.score - one.score)[0];
    const usual = left.find(isJsonMediaType) ?? first;
    return { kind: 'nearest', mediaType: nearest === undefined || nearest.score === 0 ? usual : nearest.key };
  },
);

const EMPTY_LIST = /^[ \t,]*$/;
const CHARSET_PARAMETER = /;[ \t]*charset=(?:"[^"]*"|[^;,"]*)/gi;
const QUOTED = /"(?:[^"\\]|\\.)*"/g;
const ZERO_QUALITY = /;[ \t]*q=0(?:\.0*)?[ \t]*(?=;|$)/i;

function withoutCharset(accept: string): string {
  return accept.replace(CHARSET_PARAMETER, '');
}

const choose = memoizePerList((accept, offered): string | undefined => {
  if (EMPTY_LIST.test(accept)) return offered[0];
  const negotiator = new Negotiator({ headers: { accept: withoutCharset(accept) } });
  return negotiator.mediaType(offered) ?? coveringRange(negotiator.mediaTypes(), offered);
});

/** The ranges with quality 0, as ranges that are wanted: what they cover, and nothing wants more exactly, is excluded. */
function excludedIn(accept: string): string {
  const ranges = withoutCharset(accept).replaceAll(QUOTED, '""').split(',');
  const excluded = ranges.filter((range) => ZERO_QUALITY.test(range)).map((range) => range.replace(ZERO_QUALITY, ''));
  // An empty header would want everything.
  return excluded.length === 0 ? 'none/none' : excluded.join(',');
}

/** The offered range that covers the most preferred type; a plain offered type was already turned down. */
function coveringRange(accepted: readonly string[], offered: readonly string[]): string | undefined {
  const ranges = offered.filter((key) => key.includes('*'));
  if (ranges.length === 0) return undefined;
  for (const type of accepted) {
    const range = matchMediaType(type, ranges);
    if (range !== undefined) return range;
  }
  return undefined;
}

/** How near the nearest of some keys comes to a type; a score of 0 is not near at all. */
function nearestTo(type: string, offered: readonly string[]): { readonly key: string; readonly score: number } {
  let best = { key: offered[0] ?? '', score: 0 };
  for (const key of offered) {
    const score = nearness(type, key);
    if (score > best.score) best = { key, score };
  }
  return best;
}

function nearness(wanted: string, offered: string): number {
  const [one, other] = [parseMediaType(wanted), parseMediaType(offered)];
  if (one === undefined || other === undefined) return 0;
  if (one.essence === other.essence) return 3;
  const isSameSyntax =
    (isJsonMediaType(wanted) && isJsonMediaType(offered)) || (isXml(one.subtype) && isXml(other.subtype));
  if (isSameSyntax) return 2;
  return one.type === other.type && one.type !== 'application' ? 1 : 0;
}

function isXml(subtype: string): boolean {
  return subtype === 'xml' || subtype.endsWith('+xml');
}
