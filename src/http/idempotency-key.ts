const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
const PRINTABLE = /^[\t -~\x80-\xff]*$/;
const MOST_CHARACTERS = 255;

/** What an `Idempotency-Key` value holds. */
export type IdempotencyKey =
  { readonly kind: 'key'; readonly key: string } | { readonly kind: 'malformed'; readonly reason: string };

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
