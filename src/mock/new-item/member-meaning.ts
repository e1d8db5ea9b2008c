import { wordsOf } from '../../resources/inflection';

/** Words in names of what only comes with trouble, or with an end. */
const TROUBLE_OR_END =
  /^(?:errors?|failures?|fail(?:ed|ing)?|faults?|incomplete|cancel\w*|clos(?:ed|ing|ure)|delet(?:ed|ion)|remov(?:ed|al)|archived?|ended|expired|completed|completion|finished|resolved|resolution|revoked|deactivated|suspended|suspension|rejected|rejection|declined?|refunded|refusal|locked|banned|disabled|merged|stopped|terminated|termination|paid|voided|abandoned|aborted|dismissed|trashed|returned|disputed?|delivered|shipped|fulfilled)$/;
const TRUE_FLAGS = new Set(['active', 'enabled', 'available']);
const FALSE_FLAGS = new Set(
  'deleted archived disabled closed locked canceled cancelled expired suspended blocked banned revoked trashed merged failed completed'.split(
    ' ',
  ),
);
/** What a thing is known by to its owner, and shown when it is made. */
const SECRETS = /^(?:secrets?|tokens?|apikey|apitoken|password)$/;
/** Last words of names of addresses. */
const ADDRESSES = new Set(['url', 'uri', 'href', 'permalink']);
/** Whose keys an item has from whoever makes it. */
const CALLERS = new Set(['account', 'owner', 'user', 'creator', 'author', 'organization', 'organisation', 'workspace']);
const KEYS = new Set(['id', 'sid', 'uuid', 'gid', 'guid']);

/** When something has ended: of what is planned, clients say it themselves. */
const END_TIME = /^(?:end (?:time|date|at)|date end)$/;

/** Does the name tell of trouble or an end: `last_error`, `canceled_at`, `failure_code`? */
export function tellsTroubleOrEnd(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => TROUBLE_OR_END.test(word)) || (words.length === 2 && END_TIME.test(words.join(' ')));
}

/** The truth value of a new item: `active` and `is_enabled` are true, `deleted` is false; `undefined` for others. */
export function flagOf(name: string): boolean | undefined {
  const words = wordsOf(name).filter((word) => word !== 'is');
  const [only] = words;
  if (only === undefined || words.length > 1) return undefined;
  if (TRUE_FLAGS.has(only)) return true;
  return FALSE_FLAGS.has(only) ? false : undefined;
}

/** Does a client look whether it is so, whoever says it: `archived`, `completed`, `is_deleted`? */
export function isEndFlag(name: string): boolean {
  return /^(?:is_?)?(?:archived|completed|deleted)$/i.test(name);
}

/** Does it say what kind of thing an item is: `type`, `object`? */
export function namesKind(name: string): boolean {
  return /^_?(?:type|object|kind|resource_?type|object_?type)$/i.test(name);
}

/** Is it a secret that is shown when it is made: `client_secret`, `token`, `key`? */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  return (
    SECRETS.test(last) ||
    name.toLowerCase() === 'key' ||
    (last === 'key' && /^(?:api|secret|private|auth)$/.test(words.at(-2) ?? ''))
  );
}

/** Is it the key of whoever made the item: `owner_id`, `accountSid`? */
export function isCallerKey(name: string): boolean {
  const words = wordsOf(name);
  return words.length === 2 && CALLERS.has(words[0] ?? '') && KEYS.has(words[1] ?? '');
}

/** Is it an address that every client reads, whether it must be there or not? */
export function isAddress(name: string): boolean {
  const words = wordsOf(name);
  const [first = ''] = words;
  return ADDRESSES.has(words.at(-1) ?? '') && (words.length === 1 || /^(?:html|web|self|resource|api)$/.test(first));
}

/** Is it a list of what was computed, which clients index without looking? */
export function isResultList(name: string): boolean {
  return /^(?:choices|results?|output|outputs|candidates|predictions?|generations?|completions?|embeddings?|embedding|scores|answers|data|content|images?)$/i.test(
    name,
  );
}
