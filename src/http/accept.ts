import Negotiator from 'negotiator';
import { matchMediaType } from './media-type';
import { memoizePerList } from './memo';

/**
 * Picks the offered media type that `accept` prefers (RFC 9110 §12.5.1).
 *
 * Quality decides first, then the more specific range, then the earlier range in `accept`. The most specific range
 * that covers a type sets its quality, so a quality of 0 for JSON excludes it whatever else is accepted. A `charset` in
 * `accept` is passed over, because JSON has none (RFC 8259 §11) and older clients send it. In a malformed header the
 * elements that can be read still count: a range without a slash or with a quality that is no number is passed over.
 *
 * @param accept - raw header value, repeated lines joined with a comma; `undefined` or an empty list means anything
 * @param offered - keys of a `content` map in document order; a tie goes to the earlier one. A key that is a range,
 *   such as `image/*`, is picked when it covers an accepted type and no other key will do. Known by identity: hand over
 *   the same array each time
 * @returns the chosen key, or `undefined` when none is acceptable (answer 406)
 */
export function bestMediaType(accept: string | undefined, offered: readonly string[]): string | undefined {
  return accept === undefined ? offered[0] : negotiate(accept, offered);
}

const EMPTY_LIST = /^[ \t,]*$/;
const CHARSET_PARAMETER = /;[ \t]*charset=(?:"[^"]*"|[^;,"]*)/gi;

const negotiate = memoizePerList((accept, offered): string | undefined => {
  if (EMPTY_LIST.test(accept)) return offered[0];
  const negotiator = new Negotiator({ headers: { accept: accept.replace(CHARSET_PARAMETER, '') } });
  return negotiator.mediaType(offered) ?? coveringRange(negotiator.mediaTypes(), offered);
});

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
