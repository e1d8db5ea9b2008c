import type { Finding, FindingIdentity } from '../../core/errors/finding';
import { printable } from '../../core/text/printable';
import { formatSourceLocation } from '../../core/errors/standin-error';
import { headerValue } from '../../core/http/headers';
import type { HttpRequest, HttpResponse } from '../../core/http/message';
import type { LocatedFinding } from '../result/run-result';
import { locationAt } from '../../openapi/read/source-document';
import type { ApiModel } from '../../openapi/model/api-model';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const LONGEST_URL = 200;

/**
 * What to say of a redirect, which is checked as it is and never followed: the key would go wherever it leads
 * (RFC 9110 §15.4).
 *
 * @param origin - scheme, host and port that the request was sent to
 * @param isStranger - was it sent without a valid key, to be rejected?
 * @returns `undefined` for any other response
 */
export function redirectHint(
  request: Pick<HttpRequest, 'target' | 'rawHeaders'>,
  response: Pick<HttpResponse, 'status' | 'headers'>,
  origin: string,
  isStranger = false,
): string | undefined {
  if (!REDIRECTS.has(response.status)) return undefined;
  const location = headerValue(response.headers, 'location');
  if (location === undefined) return 'It is a redirect without a Location.';
  const from = new URL(request.target, origin);
  if (!URL.canParse(location, from.href)) return `It redirects to "${shorten(location)}", which is not a URL.`;
  const to = new URL(location, from);
  const shown = showUrl(to);
  if (to.href === from.href) return `It redirects to itself, ${shown}: whoever follows never arrives.`;
  if (isStranger) return `It sends callers without a valid key to ${shown}, a page for people; an API rejects them.`;
  if (to.origin === from.origin) return `It redirects to ${shown}; redirects are not followed.`;
  const hasKey = headerValue(request.rawHeaders, 'authorization') !== undefined;
  return `It redirects to ${shown}: is the base URL the right one?${hasKey ? ' The key was not sent there.' : ''}`;
}

/** Without user and query, which may hold a key. */
function showUrl({ origin, protocol, pathname, search }: URL): string {
  // Other schemes have no origin.
  if (origin === 'null') return shorten(`${protocol}…`);
  return shorten(`${origin}${pathname}${search === '' ? '' : '?…'}`);
}

function shorten(text: string): string {
  const clean = printable(text);
  return clean.length > LONGEST_URL ? `${clean.slice(0, LONGEST_URL)}…` : clean;
}
/** A service sends headers and names of properties as long as it likes. */
const LONGEST_TEXT = 2000;
const TEXTS = ['at', 'message', 'expected', 'actual', 'hint'] as const;

/** Adds to a finding the place of the description that it is about, and cuts what nobody reads to its end. */
export function locate(api: ApiModel, finding: Finding): LocatedFinding {
  const long = TEXTS.filter((name) => (finding[name]?.length ?? 0) > LONGEST_TEXT);
  const texts = Object.fromEntries(long.map((name) => [name, cutText(finding[name])]));
  const short = { ...finding, ...texts, identity: finding.identity && cutIdentity(finding.identity) };
  return short.spec === undefined
    ? short
    : { ...short, place: formatSourceLocation(locationAt(api.document, short.spec)) };
}

function cutText(text = ''): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/** Subject and rule together are a sentence, which is cut as a message is. */
function cutIdentity(identity: FindingIdentity): FindingIdentity {
  const { subject, rule = '', expected } = identity;
  const told = subject === undefined ? rule : `${subject} ${rule}`;
  if (told.length <= LONGEST_TEXT && (expected ?? '').length <= LONGEST_TEXT) return identity;
  return {
    ...(told.length <= LONGEST_TEXT ? identity : { rule: cutText(told) }),
    expected: expected === undefined ? undefined : cutText(expected),
  };
}
