import type { SensitiveProperties } from '../../redaction/body-redaction';
import type { Redaction } from '../../redaction/redaction';
import type { Mask } from '../../security/credential-locations';
import { looksRandom } from './secret-looks';
import { markedNames } from './secret-names';
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
/** Eight characters, no short number, and nothing that people call something. */
const SESSION_ID = /^(?=.*\d)(?!\d{1,15}$)\S{8,}$/;

/**
 * Is a whole value at a place for no secret one all the same, by its name and its look?
 *
 * @param name - of the property, parameter or header
 */
export function looksSecret(name: string, value: string, { isId, noteId }: Pick<Cleaning, 'isId' | 'noteId'>): boolean {
  if (value === '' || markedNames(value).length > 0) return false;
  switch (namedValue(name)) {
    case 'code':
      return /^(?=.*\d)[A-Za-z\d](?:[A-Za-z\d]|[ -](?=[A-Za-z\d])){3,11}$/.test(value);
    case 'session':
      // A session of a conference has a number, and is found by it.
      return SESSION_ID.test(value) && !isId(name, value);
    case 'forgery-token':
      return /^\S{16,}$/.test(value) || looksRandom(value, 8);
    case 'identifier':
      noteId(value);
      return false;
    case undefined:
      return looksRandom(value, KEY_NAME.test(name) ? SHORTEST_KEY : undefined) && !isId(name, value);
    default:
      return false;
  }
}

/** A component of a URL, in which a mark can be read: its characters stand for themselves (RFC 3986 §2.3). */
export function writeComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
