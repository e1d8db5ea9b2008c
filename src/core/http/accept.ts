import Negotiator from 'negotiator';
import { memoizePerList } from '../text/memoize';
import { isJsonMediaType, matchMediaType, parseMediaType } from './media-type';

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
