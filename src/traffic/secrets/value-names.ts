import { foldedName, wordsOf } from '../../core/text/inflection';
import { memoize } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';

/** What a value is, as far as its name says so. */
export type NamedValue = 'session' | 'forgery-token' | 'code' | 'identifier' | 'digest' | 'place-in-a-list' | 'content';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Ends a name. */
const IDENTIFIER = words(
  'id ids uuid uuids guid guids uid ulid oid arn urn slug sku ray pop trace span traceparent tracestate',
);
/** In the name of what tells one request from others. */
const SENT_ONCE = words('trace idempotency deduplication correlation');
/** Ends a name of an address, of a file, of a version. */
const CONTENT = words(
  'url urls uri uris href link image images avatar photo picture icon logo thumbnail data content body file filename blob ' +
    'attachment path locale timezone html svg markdown query sql revision version commit ref build release name title ' +
    'description text message comment agent type encoding language',
);
const DIGEST = words(
  'sha sha1 sha224 sha256 sha384 sha512 md5 crc crc32 crc32c blake2 blake3 digest checksum checksums integrity etag etags ' +
    'hash hashes fingerprint thumbprint match unmatched vary csp',
);
const LIST_PLACE = words('cursor cursors page paging pagination continuation next previous prev marker');
const WHOLE_LIST_PLACE = /^(?:starting|ending)?(?:after|before)$|^(?:start|end)(?:after|before)$/;
const SESSION = /^(?:x?sess(?:ion)?(?:id|key|uuid)?|s?sid|connectsid|[a-z]{1,6}sess(?:ion)?id)$/;
const FORGERY = words('csrf xsrf csrfmiddleware antiforgery requestverification authenticity');
const CODE =
  /^(?:pin|h?otp|totp|pincode|passcode|onetimepin)$|(?:otp|mfa|2fa|twofactor|sms|onetime|verification|login|security|backup|recovery)codes?$/;

interface Name {
  readonly all: readonly string[];
  readonly joined: string;
  readonly last: string;
}

/** The first that fits. */
const RULES: readonly (readonly [NamedValue, (name: Name) => boolean])[] = [
  ['forgery-token', ({ all }) => all.some((word) => FORGERY.has(word))],
  ['session', ({ joined }) => SESSION.test(joined)],
  ['code', ({ joined }) => CODE.test(joined)],
  ['place-in-a-list', ({ all, joined }) => all.some((word) => LIST_PLACE.has(word)) || WHOLE_LIST_PLACE.test(joined)],
  ['digest', ({ all, joined }) => all.some((word) => DIGEST.has(word)) || joined.endsWith('etag')],
  // Written as one word, `bookid` and `requestid` are ids too.
  ['identifier', ({ last }) => IDENTIFIER.has(last) || /(?:[a-z]{2}id|uuid|guid)$/.test(last)],
  ['identifier', ({ all }) => all.some((word) => SENT_ONCE.has(word))],
  ['content', ({ last }) => CONTENT.has(last)],
];

/**
 * What a name says of its value, where that decides whether it may be a secret: a session, a token against forged requests
 * and a one-time code are secrets that only look like ids and numbers; ids, digests, places in a list, addresses and
 * contents are none, however random they look.
 *
 * @param name - of a property, a parameter, a header
 */
export const namedValue: (name: string) => NamedValue | undefined = memoize((name) => {
  const all = wordsOf(name);
  const words = { all, joined: all.join(''), last: all.at(-1) ?? '' };
  return RULES.find(([, fits]) => fits(words))?.[0];
}, 2000);

const NAMES = new WeakMap<ApiModel, Set<string>>();

/**
 * Names, folded, under which other things stand by their ids: variables of paths, and the items before them. In
 * `/customers/{ref}/cards` these are `ref` and `customer`. What a property `key` of an item of `/keys` holds may be a secret.
 */
export function identifyingNames(api: ApiModel): ReadonlySet<string> {
  let names = NAMES.get(api);
  if (names === undefined) {
    const pairs = api.operations.flatMap(({ path }) => [...path.matchAll(/([^/{}]*)\/\{([^{}]+)\}/g)]);
    names = new Set(pairs.flatMap(([, items = '', variable = '']) => [foldedName(items), foldedName(variable)]));
    for (const name of ['', 'key']) names.delete(name);
    NAMES.set(api, names);
  }
  return names;
}
