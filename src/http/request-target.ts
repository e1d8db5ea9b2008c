import { isValidHost } from './host';

// No control character, space, `#` or byte beyond ASCII (RFC 3986 §2, §3.5). Other characters that the grammar wants
// percent-encoded, such as `[` in a deepObject parameter or `|`, are sent raw by too many clients to refuse them.
const TARGET = /^[!"$-~]+$/;
const ABSOLUTE_FORM = /^https?:\/\/([^/?]*)(.*)$/i;

/**
 * The host that a request is for: that of an absolute-form target, which wins over the Host header (RFC 9112 §3.2.2).
 *
 * @param hostHeader - value of Host
 */
export function effectiveHost(target: string, hostHeader: string): string {
  if (target.startsWith('/') || target === '*') return hostHeader;
  return ABSOLUTE_FORM.exec(target)?.[1] ?? hostHeader;
}

/** Path and query of a request target, both as received: nothing is decoded, no dot segment is removed. */
export interface TargetParts {
  /** Starts with `/`; or `*` alone, the target of a server-wide OPTIONS. */
  readonly path: string;
  /** Without the `?`; empty when there is none. */
  readonly query: string;
}

/** One `name=value` of a query, raw and decoded. */
export interface QueryPair {
  readonly rawName: string;
  /** `undefined` when the name cannot be decoded. */
  readonly name: string | undefined;
  /** As received, because list values are split at their delimiter before decoding; empty without `=`. */
  readonly rawValue: string;
  /** `undefined` when the value cannot be decoded. */
  readonly value: string | undefined;
}

const NO_PAIRS: readonly QueryPair[] = [];

/**
 * Splits a request target into path and query (RFC 9112 §3.2). The scheme and the authority of an absolute-form are
 * dropped; `//books/1` is a path with an empty first segment, not a host.
 *
 * @param target - origin-form, absolute-form with `http` or `https`, or `*`
 * @returns `undefined` for anything else: a fragment, an authority-form, a space, a character beyond ASCII
 */
export function parseTarget(target: string): TargetParts | undefined {
  if (!TARGET.test(target)) return undefined;
  if (target.startsWith('/')) return splitQuery(target);
  if (target === '*') return { path: '*', query: '' };

  const absolute = ABSOLUTE_FORM.exec(target);
  const [, authority = '', rest = ''] = absolute ?? [];
  if (!isValidHost(authority)) return undefined;
  return splitQuery(rest.startsWith('/') ? rest : `/${rest}`);
}

/**
 * The raw segments of a path: `/books/1` gives `books`, `1`; a trailing slash gives an empty last segment, and `/` is
 * one empty segment. Anything that does not start with `/`, such as `*`, has no segments.
 */
export function splitPath(path: string): string[] {
  return path.startsWith('/') ? path.slice(1).split('/') : [];
}

/**
 * Decodes one path segment; `%2F` becomes data, `+` stays `+` (RFC 3986 §2.1).
 *
 * @param raw - a segment, not a whole path
 * @returns `undefined` for a bad percent sequence, for bytes that are not UTF-8, and for NUL, which no name holds but
 *   which ends a string in other programs (RFC 3986 §7.3)
 */
export function decodePathSegment(raw: string): string | undefined {
  if (!raw.includes('%')) return refuseNul(raw);
  try {
    return refuseNul(decodeURIComponent(raw));
  } catch {
    return undefined;
  }
}

/**
 * Decodes a name or a value of a query: `+` is a space, `%2B` a plus (OAS 3.2.0 Appendix E).
 *
 * @returns `undefined` where {@link decodePathSegment} gives it too
 */
export function decodeQueryComponent(raw: string): string | undefined {
  return decodePathSegment(raw.includes('+') ? raw.replaceAll('+', ' ') : raw);
}

/**
 * The pairs of a query in their order (URL Standard §5.1, application/x-www-form-urlencoded parsing). Empty pieces, as
 * in `a=1&&b=2`, are skipped.
 *
 * @param query - raw, without `?`
 */
export function parseQuery(query: string): readonly QueryPair[] {
  if (query === '') return NO_PAIRS;
  return query.split('&').flatMap((piece) => (piece === '' ? NO_PAIRS : queryPair(piece)));
}

/** Splits at the first `?`. */
function splitQuery(target: string): TargetParts {
  const at = target.indexOf('?');
  if (at === -1) return { path: target, query: '' };
  return { path: target.slice(0, at), query: target.slice(at + 1) };
}

function refuseNul(text: string): string | undefined {
  return text.includes('\0') ? undefined : text;
}

/** One of the pieces of a query between its `&`. */
export function queryPair(piece: string): QueryPair {
  const at = piece.indexOf('=');
  const rawName = at === -1 ? piece : piece.slice(0, at);
  const rawValue = at === -1 ? '' : piece.slice(at + 1);
  return { rawName, name: decodeQueryComponent(rawName), rawValue, value: decodeQueryComponent(rawValue) };
}
