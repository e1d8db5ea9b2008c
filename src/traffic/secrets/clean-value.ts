import { decodeQueryComponent } from '../../core/http/request-target';
import type { SensitiveProperties } from '../../redaction/body-redaction';
import type { Redaction } from '../../redaction/redaction';
import type { Mask } from '../../security/credential-locations';
import { looksRandom, type ShapedSecret, shapedSecrets } from './secret-looks';
import { isMark, markedNames } from './secret-names';
import { namedValue } from './value-names';

/** What the cleaning of one message knows of its operation, and asks the vault for. */
export interface Cleaning {
  readonly redaction: Redaction;
  readonly properties: SensitiveProperties;
  /** Does the user call what stands there a secret? By names and indexes into a body. */
  readonly isPointed: (path: readonly string[]) => boolean;
  /** Is a value one by which something is found, by its name or because a path had it? */
  readonly isId: (name: string, value: string) => boolean;
  /** Remembers a value by which something is found. */
  readonly noteId: (value: string) => void;
  /** Is it a response that says what was wrong with a request? */
  readonly isFailure: boolean;
  /** The mark of a secret that stands at a place for one, as it is written there. */
  readonly mask: Mask;
  /** The mark of one that is known by its look. */
  readonly markFound: (secret: string, name: string) => string;
}

/** Names of keys and tickets, so that shorter values are keys as well. */
const KEY_NAME = /(?:key|sig|signature|hmac|state|nonce|code|otp|auth|ticket|grant|assertion|challenge|verifier)$/i;
const SHORTEST_KEY = 12;
const SHORTEST_SESSION = 16;

/**
 * Is a whole value at a place for no secret one all the same, by its name and its look?
 *
 * @param name - of the property, parameter or header
 */
export function looksSecret(name: string, value: string, { isId, noteId }: Pick<Cleaning, 'isId' | 'noteId'>): boolean {
  if (value === '' || markedNames(value).length > 0) return false;
  switch (namedValue(name)) {
    case 'code':
      return /^\d{4,8}$/.test(value);
    case 'session':
      return looksRandom(value, SHORTEST_SESSION);
    case 'forgery-token':
      return /^\S{16,}$/.test(value) || looksRandom(value, 8);
    case 'identifier':
      noteId(value);
      return false;
    case undefined:
      if (value.length < SHORTEST_KEY) return false;
      return !isId(name, value) && looksRandom(value, KEY_NAME.test(name) ? SHORTEST_KEY : undefined);
    default:
      return false;
  }
}

/** A URL within a text, or all of it. */
const ADDRESS = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"'`\\]+/gi;

/** A text without what is a secret wherever it stands, and without the secrets of the addresses in it. */
export function cleanText(text: string, cleaning: Cleaning): string {
  const shaped = shapedSecrets(text);
  const clean = shaped.length === 0 ? text : withMarks(text, shaped, cleaning);
  return clean.includes('://') ? clean.replace(ADDRESS, (address) => cleaning.redaction.target(address)) : clean;
}

function withMarks(text: string, shaped: readonly ShapedSecret[], cleaning: Cleaning): string {
  let clean = '';
  let done = 0;
  for (const { start, end, name } of shaped.toSorted((left, right) => left.start - right.start)) {
    if (start < done) continue;
    clean += text.slice(done, start) + cleaning.markFound(text.slice(start, end), name);
    done = end;
  }
  return clean + text.slice(done);
}

/** A scalar of a message, decoded, at a place for no secret. */
export function cleanScalar(name: string, text: string, cleaning: Cleaning): string {
  return looksSecret(name, text, cleaning) ? cleaning.markFound(text, name) : cleanText(text, cleaning);
}

/** Pairs of a query or a form; what is masked by name already is left alone. @param before - `?`, `&` or nothing */
export function cleanPair(pair: string, cleaning: Cleaning): string {
  const end = pair.indexOf('=');
  const [name, value] = [pair.slice(0, end), pair.slice(end + 1)].map(decodeQueryComponent);
  if (end === -1 || name === undefined || value === undefined || isMark(value)) return pair;
  const clean = cleanScalar(lastName(name), value, cleaning);
  return clean === value ? pair : `${pair.slice(0, end)}=${writeComponent(clean)}`;
}

/** `token` of `user[token]`. */
function lastName(name: string): string {
  return name.split(/[[\].]/).findLast((part) => part !== '') ?? name;
}

/** A component of a URL, in which a mark can be read: its characters stand for themselves (RFC 3986 §2.3). */
export function writeComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
