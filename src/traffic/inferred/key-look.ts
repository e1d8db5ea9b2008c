import { singular, wordsOf } from '../../core/text/inflection';
import { formatTest } from '../../schema/formats';
import { isSecretMark } from './observation';

const INTEGER = /^-?(?:0|[1-9]\d*)$/;
/** Crockford's base 32, 48 bits of time in front. */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/i;
const HEX = /^(?=.*\d)[0-9a-f]{8,}$/i;
/** `v1`, `v1.2`, `v2beta1`; and behind a word such as `api` also `2`, `2.0`, `2024-01`, `latest`. */
const VERSION = /^(?:v\d+(?:[._]\d+)*(?:(?:alpha|beta|rc|preview)\d*)?|\d{1,2}\.\d+)$/i;
const VERSION_BEHIND_API = /^(?:\d{1,2}(?:\.\d+)*|\d{4}-\d{2}(?:-\d{2})?|latest|stable|beta)$/i;
const API_WORD = /^(?:api|apis|rest|restapi|rpc|odata|graphql)$/i;
/** Words for the caller's own thing, in the place of a key. */
const SELF = /^(?:me|self|mine|my|@me|@self|current|~|whoami)$/i;

/** Does a segment of a path look like the value of a key, whatever else is known of it? A word never does. */
export function looksLikeKey(text: string): boolean {
  if (text === '' || isSelfWord(text)) return false;
  if (isInteger(text) || isUuid(text) || ULID.test(text) || isSecretMark(text)) return true;
  if (/[^A-Za-z0-9._~:$@!*'()+,;=-]/.test(text)) return true;
  return HEX.test(text) || /^[^@]+@[^@]+$/.test(text) || hasNumberedPart(text) || isOpaque(text);
}

/** `box-42`, `ORD-2024-0001`: a number of its own behind a separator, and no version. */
function hasNumberedPart(text: string): boolean {
  const parts = text.split(/[-_.]/);
  return parts.length > 1 && parts.every((part) => part !== '') && parts.slice(1).some((part) => /^\d+$/.test(part));
}

/** `cus_9s6XKzkNRiz8i3`, `dQw4w9WgXcQ`: letters and digits that no word has. */
function isOpaque(text: string): boolean {
  return text.split(/[-_.~]/).some((part) => {
    if (part.length < 6 || !/^[A-Za-z0-9]+$/.test(part)) return false;
    const changes = [...part.matchAll(/\d[A-Za-z]|[A-Za-z](?=\d)/g)].length;
    const hasCases = /[a-z][A-Z].*[a-z][A-Z]|[A-Z]{2}[a-z]+[A-Z]/.test(part) && /\d/.test(part);
    const digits = part.replace(/\D/g, '').length;
    return changes >= 3 || hasCases || (part.length >= 10 && digits >= 4 && digits < part.length);
  });
}

/** A whole number in the form in which JSON has it: `007` is none. */
export function isInteger(text: string): boolean {
  return INTEGER.test(text);
}

export function isUuid(text: string): boolean {
  return formatTest('uuid')(text);
}

/** Does a segment name a version of the API? @param before - the segment before it */
export function isVersion(text: string, before: string | undefined): boolean {
  return VERSION.test(text) || (before !== undefined && API_WORD.test(before) && VERSION_BEHIND_API.test(text));
}

/** A word that only says that an API follows. */
export function isApiWord(text: string): boolean {
  return API_WORD.test(text);
}

export function isSelfWord(text: string): boolean {
  return SELF.test(text);
}

/** Is the last word of a name the plural of another one? */
export function isPlural(name: string): boolean {
  const last = wordsOf(name).at(-1) ?? '';
  return singular(last) !== last;
}

/**
 * Do names of properties look as keys do, so that the object is a map? A word is no sign, `{ available, pending }`, and a
 * word with a number is none, `{ line_1, line_2 }`.
 */
export function areKeys(names: readonly string[]): boolean {
  return names.length > 0 && names.every((name) => looksLikeKey(name) && !/^[A-Za-z]+[-_.]?\d{1,2}$/.test(name));
}
