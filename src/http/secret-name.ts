import { memoize } from './memo';

/** What ends in one of these is a secret: `api_key`, `X-Auth-Token`, `clientSecret`, `new_password`. */
const SECRET =
  /(?:passw(?:or)?d|passwd|pwd|passphrase|passcode|secret|token|jwt|(?:api|auth|access|secret|private|account|master|shared|signing|encryption|subscription|functions)key|credential|authorization|clientassertion)s?$/;
const PASSWORD_ALONG = /password(?:hash|digest|salt|confirm(?:ation)?|again|repeat(?:ed)?|verif(?:y|ication)|\d)$/;
const WHOLE = /^(?:pass|auth|x?auth|bearer|cvc2?|cvv2?)$/;
/** Tokens that are places in a list, names of an attempt, or parts of a text; they open nothing. */
const HARMLESS_TOKEN =
  /(?:page|paging|pagination|next|prev|previous|cursor|continue|continuation|sync|start|starting|end|scroll|resume|skip|delta|marker|change|idempotency|creation|client|clientrequest)tokens?$|(?:max|min|total|prompt|completion|input|output|cached|reasoning|numberof|count|countof|used|limit)tokens?$/;
/** What proves in the query of an address that somebody signed it: whoever has it has what it leads to. */
const SIGNATURE = /(?:signature|^sig)$/;

const isSecret = memoize((name) => {
  const joined = name.replace(/[^A-Za-z0-9]+/g, '').toLowerCase();
  if (WHOLE.test(joined) || PASSWORD_ALONG.test(joined)) return true;
  return SECRET.test(joined) && !HARMLESS_TOKEN.test(joined);
}, 2000);

/**
 * Is what has this name a secret by what everybody calls so, whatever a description says? For members of bodies. Case
 * and separators do not count.
 */
export function isSecretMember(name: string): boolean {
  return isSecret(name);
}

/** The same of a header: those of RFC 9110 §11 and RFC 6265 too. */
export function isSecretHeader(name: string): boolean {
  return /^(?:set-)?cookie2?$/i.test(name) || isSecret(name);
}

/** The same of a parameter of a query. */
export function isSecretParameter(name: string): boolean {
  return isSecret(name) || SIGNATURE.test(name.replace(/[^A-Za-z0-9]+/g, '').toLowerCase());
}
