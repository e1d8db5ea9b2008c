import { hash } from 'node:crypto';
import { memoize } from '../text/memoize';
import { type FieldScanner, quote, readList } from './field-scanner';

// 22 characters of base64url hold 132 bits: no two representations of one resource will ever share them.
const DIGEST_LENGTH = 22;

const ENTITY_TAG = /(?:W\/)?"[!#-~\x80-\xff]*"/y;

/** A strong entity tag that follows from the content alone: same content, same tag, quotes included (RFC 9110 §8.8.3). */
export function strongTag(content: string): string {
  return `"${hash('sha256', content, 'base64url').slice(0, DIGEST_LENGTH)}"`;
}

/** Tells whether an `ETag` value is one entity tag, strong or weak, and nothing else (RFC 9110 §8.8.3). */
export function isEntityTag(value: string): boolean {
  return value !== '' && entityTags(value)[0] === value;
}

/**
 * Tells whether `If-Match` holds, by strong comparison: a weak tag on either side matches nothing (RFC 9110 §13.1.1,
 * §8.8.3.2). A list element that is not an entity tag matches nothing either.
 *
 * @param ifMatch - raw header value
 * @param etag - of the current representation; `undefined` when there is none, then even `*` does not match
 */
export function matchesStrong(ifMatch: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  if (isAny(ifMatch)) return true;
  return !isWeak(etag) && entityTags(ifMatch).includes(etag);
}

/**
 * Tells whether `If-None-Match` names the current representation, by weak comparison: `W/` on either side makes no
 * difference (RFC 9110 §13.1.2, §8.8.3.2). The condition is false, answer 304 or 412, when this is true.
 *
 * @param ifNoneMatch - raw header value
 * @param etag - of the current representation; `undefined` when there is none, then even `*` does not match
 */
export function matchesWeak(ifNoneMatch: string, etag: string | undefined): boolean {
  if (etag === undefined) return false;
  if (isAny(ifNoneMatch)) return true;
  const wanted = opaqueTag(etag);
  return entityTags(ifNoneMatch).some((tag) => opaqueTag(tag) === wanted);
}

/** The elements of a list that are entity tags. Commas may stand inside a tag, so the list cannot be split at them. */
function entityTags(list: string): readonly string[] {
  return readList(list, (scanner) => scanner.readPattern(ENTITY_TAG)?.[0]).elements;
}

function isAny(list: string): boolean {
  return list.trim() === '*';
}

function isWeak(tag: string): boolean {
  return tag.startsWith('W/');
}

function opaqueTag(tag: string): string {
  return isWeak(tag) ? tag.slice(2) : tag;
}

/** One link of a `Link` header (RFC 8288 §3). */
interface Link {
  /** URI or relative reference as written between `<` and `>`. */
  readonly target: string;
  /** Lower-case names, values without quotes, an empty value for a bare name. Has no prototype. */
  readonly parameters: Readonly<Record<string, string>>;
}

const TARGET = /<([!#-;=?-~]*)>/y;
const NOT_IN_TARGET = /[^!#-;=?-~]/gu;

/**
 * Writes one link, such as `<https://example.com/books>; rel="next"` (RFC 8288 §3). Join several with `, `.
 *
 * @param target - characters that would break the field are percent-encoded as UTF-8
 * @param parameters - written in their order, values quoted; names must be tokens
 */
export function formatLink(target: string, parameters: Readonly<Record<string, string>>): string {
  let link = `<${encodeTarget(target)}>`;
  for (const [name, value] of Object.entries(parameters)) link += `; ${name}=${quote(value)}`;
  return link;
}

/**
 * The links of a `Link` header in their order (RFC 8288 §3, Appendix B.2). Of a parameter named twice the first counts
 * (§3.3). A link that breaks the grammar is left out, see {@link isLinkHeader}; nothing is thrown.
 *
 * @param value - raw header value, repeated lines joined with a comma
 */
export function parseLinkHeader(value: string): readonly Link[] {
  return readList(value, readLink).elements;
}

/** Tells whether a `Link` value keeps to the grammar of RFC 8288 §3 from end to end. */
export function isLinkHeader(value: string): boolean {
  return readList(value, readLink).isWhole;
}

function readLink(scanner: FieldScanner): Link | undefined {
  const target = scanner.readPattern(TARGET)?.[1];
  if (target === undefined) return undefined;

  // No prototype: a parameter may be called `__proto__`.
  const parameters = Object.create(null) as Record<string, string>;
  scanner.skipWhitespace();
  while (scanner.accept(';')) {
    scanner.skipWhitespace();
    const name = scanner.readToken()?.toLowerCase();
    if (name !== undefined) {
      const value = scanner.readOptionalValue();
      if (value === undefined) return undefined;
      parameters[name] ??= value;
    }
    scanner.skipWhitespace();
  }
  return { target, parameters };
}

function encodeTarget(target: string): string {
  // A lone surrogate has no UTF-8 form, and `encodeURIComponent` throws on it.
  return target.toWellFormed().replace(NOT_IN_TARGET, encodeURIComponent);
}

const NO_PREFERENCES: ReadonlyMap<string, string> = new Map();

/**
 * The preferences of a `Prefer` header: lower-case name to value, without quotes; an empty value for a bare name. The
 * first occurrence of a name wins, parameters behind `;` are passed over, and so is an element that breaks the grammar
 * (RFC 7240 §2).
 *
 * @param value - raw header value, repeated lines joined with a comma
 */
export function parsePrefer(value: string | undefined): ReadonlyMap<string, string> {
  return value === undefined ? NO_PREFERENCES : readPreferences(value);
}

const readPreferences = memoize((value): ReadonlyMap<string, string> => {
  const preferences = new Map<string, string>();
  for (const [name, text] of readList(value, readPreference).elements) {
    if (!preferences.has(name)) preferences.set(name, text);
  }
  return preferences;
});

/** `token [ BWS "=" BWS word ]` and the parameters behind it */
function readPreference(scanner: FieldScanner): readonly [name: string, value: string] | undefined {
  const name = scanner.readToken()?.toLowerCase();
  if (name === undefined) return undefined;
  const value = scanner.readOptionalValue();
  return value !== undefined && skipParameters(scanner) ? [name, value] : undefined;
}

/** `*( OWS ";" OWS [ parameter ] )`; gives `false` at a parameter that breaks the grammar. */
function skipParameters(scanner: FieldScanner): boolean {
  scanner.skipWhitespace();
  while (scanner.accept(';')) {
    scanner.skipWhitespace();
    if (scanner.readToken() !== undefined && scanner.readOptionalValue() === undefined) return false;
    scanner.skipWhitespace();
  }
  return true;
}

const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const PRINTABLE = /^[\t -~\x80-\xff]*$/;
const MOST_CHARACTERS = 255;

/** What an `Idempotency-Key` value holds. */
type IdempotencyKey =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'malformed'; readonly reason: string };

/**
 * Reads the key of an `Idempotency-Key` header: a String of Structured Fields in quotes, as the draft wants it
 * (draft-ietf-httpapi-idempotency-key-header §2.1, RFC 9651 §3.3.3), or the bare text that most clients send. `"a"` and
 * `a` are the same key.
 *
 * @param value - raw header value
 * @returns a key of 1 to 255 characters, or what is wrong, as the rest of a sentence
 */
export function parseIdempotencyKey(value: string): IdempotencyKey {
  const text = value.trim();
  const quoted = QUOTED.exec(text)?.[1];
  if (quoted === undefined && text.startsWith('"')) return malformed('is not one quoted string');
  if (!PRINTABLE.test(text)) return malformed('holds a character that a header cannot carry');

  const key = quoted?.replace(/\\(.)/g, '$1') ?? text;
  if (key === '') return malformed('is empty');
  if (key.length > MOST_CHARACTERS) {
    return malformed(`has ${key.length} characters, more than ${MOST_CHARACTERS}`);
  }
  return { kind: 'key', key };
}

function malformed(reason: string): IdempotencyKey {
  return { kind: 'malformed', reason };
}

/** One cookie as it was received. */
interface Cookie {
  readonly name: string;
  readonly value: string;
}

/**
 * The pairs of a `Cookie` header, in their order (RFC 6265 §4.2.1, read as servers do: §5.4). What has no name is
 * skipped; nothing is decoded.
 *
 * @param header - its lines joined as Node does, with `; `
 */
export function parseCookies(header: string): readonly Cookie[] {
  return header.split(';').flatMap((piece) => {
    const at = piece.indexOf('=');
    const name = at === -1 ? '' : piece.slice(0, at).trim();
    return name === '' ? [] : [{ name, value: piece.slice(at + 1).trim() }];
  });
}

/**
 * The directives of a `Cache-Control` value (RFC 9111 §5.2): names in lower case, values without quotes, an empty value
 * for a bare name. Of a directive that comes twice the first counts; what breaks the grammar is passed over.
 *
 * @param value - raw header value, repeated lines joined with a comma
 */
export function parseCacheControl(value: string): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  const { elements } = readList(value, (scanner) => {
    const name = scanner.readToken()?.toLowerCase();
    const argument = name === undefined ? undefined : scanner.readOptionalValue();
    return name === undefined || argument === undefined ? undefined : ([name, argument] as const);
  });
  for (const [name, argument] of elements) if (!directives.has(name)) directives.set(name, argument);
  return directives;
}
