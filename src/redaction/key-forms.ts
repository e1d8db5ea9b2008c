import { escapePattern } from '../core/text/escape-pattern';
import { memoize, once } from '../core/text/memoize';
import { toBytes } from './decoded-layers';

/** How two texts are compared: what one writer spells in one way and another in another is made alike first. */
export type Folding = 'text' | 'caseless' | 'base64' | 'hex';

/** One shape that a key can have in a text, escapes aside. */
export interface KeyForm {
  readonly folding: Folding;
  /** The part that is the same whatever stands around the key; folded. */
  readonly core: string;
  /** Finds the core, with the characters at its ends that hold a part of the key as well. Made when it is asked for. */
  readonly pattern: () => RegExp;
  /** A shorter piece of it, where a text was cut, says too little to be taken for the key. */
  readonly shortestPiece: number;
}

const SHORTEST_PIECE = 4;
/** A shorter key stands in every text by chance; it is known where it is all that a text says, or follows a scheme. */
const SHORTEST_ANYWHERE = 4;
/** A shorter key may be a word, which others write in another case. */
const SHORTEST_CASELESS = 8;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A text of bytes as it is compared. The result is as long as the text. */
export function fold(bytes: string, folding: Folding): string {
  switch (folding) {
    case 'text':
      // Form encoding writes a space as `+` (URL Standard §5.2).
      return bytes.replaceAll('+', ' ');
    case 'caseless':
      return fold(bytes, 'text').toLowerCase();
    case 'base64':
      // Both alphabets (RFC 4648 §4, §5), and `+` read as a space.
      return bytes.replace(/[-+]/g, ' ').replaceAll('_', '/');
    case 'hex':
      return bytes.toLowerCase();
  }
}

/**
 * The key as it is, in base64 wherever in a longer text it stands, and as hexadecimal digits. A key of 8 characters and
 * more in any case, and these of it all in lower and all in upper case: services make both of what they echo. One of
 * fewer than 4 only where nothing but a key stands: else it would take every letter out of every text.
 *
 * @param areCasesEncoded - are the key in lower and in upper case known where they were encoded as well?
 */
export function formsOf(key: string, areCasesEncoded = true): KeyForm[] {
  if (key.length < SHORTEST_ANYWHERE) return [loneForm(fold(toBytes(key), 'text'))];
  if (key.length < SHORTEST_CASELESS) {
    const plain = simpleForm(fold(toBytes(key), 'text'), 'text', SHORTEST_PIECE);
    return [plain, ...encodedForms(key)];
  }
  const cases = [...new Set([key, key.toLowerCase(), key.toUpperCase()])];
  // Bytes know only the case of ASCII: there is more than one for a key with other letters.
  const cores = new Set(cases.map((each) => fold(toBytes(each), 'caseless')));
  const plain = [...cores].map((core) => simpleForm(core, 'caseless', SHORTEST_PIECE));
  return [...plain, ...(areCasesEncoded ? cases : [key]).flatMap(encodedForms)];
}

export function exactForm(key: string): KeyForm {
  return simpleForm(fold(toBytes(key), 'text'), 'text', Number.POSITIVE_INFINITY);
}

function encodedForms(key: string): KeyForm[] {
  const bytes = toBytes(key);
  if (bytes.length < SHORTEST_PIECE) return [];
  const hex = Buffer.from(bytes, 'latin1').toString('hex');
  return [simpleForm(hex, 'hex', 2 * SHORTEST_PIECE), ...[0, 1, 2].map((offset) => base64Form(bytes, offset))];
}

/** As the value of a header alone, or behind the name of a scheme (RFC 9110 §11.4). */
function loneForm(core: string): KeyForm {
  const pattern = once(() => new RegExp(`(?<=^(?:[A-Za-z]+ +)?)${escapePattern(core)}$`, 'g'));
  return { folding: 'text', core, pattern, shortestPiece: Number.POSITIVE_INFINITY };
}

function simpleForm(core: string, folding: Folding, shortestPiece: number): KeyForm {
  return { folding, core, pattern: once(() => new RegExp(escapePattern(core), 'g')), shortestPiece };
}

/**
 * Base64 cuts bytes into pieces of six bits: how a key looks depends on how many bytes stand before it, and its first
 * and its last character may hold bits of what is around.
 *
 * @param offset - bytes before the key, of which only the remainder by three matters
 */
function base64Form(bytes: string, offset: number): KeyForm {
  const binary = Buffer.from('\0'.repeat(offset) + bytes, 'latin1');
  const bitCount = binary.length * 8;
  const first = Math.ceil((offset * 8) / 6);
  const last = Math.floor(bitCount / 6);
  const folded = fold(binary.toString('base64').slice(first, last), 'base64');
  const pattern = once(() => {
    const lost = first * 6 - offset * 8;
    const before = offset === 0 ? '' : edge(bitsOf(binary, offset).slice(0, lost).padStart(6, '?'));
    const after = edge(
      bitsOf(binary, binary.length - 1)
        .slice(8 - (bitCount - last * 6))
        .padEnd(6, '?'),
    );
    return new RegExp(`${before}${escapePattern(folded)}${after}`, 'g');
  });
  return { folding: 'base64', core: folded, pattern, shortestPiece: SHORTEST_PIECE };
}

function bitsOf(binary: Uint8Array, index: number): string {
  return (binary[index] ?? 0).toString(2).padStart(8, '0');
}

/** Any character with these six bits, of which `?` is not known; it may be missing where the text was cut. */
const edge = memoize((bits) => {
  if (!/[01]/.test(bits)) return '';
  const wanted = new RegExp(`^${bits.replaceAll('?', '.')}$`);
  const fitting = ALPHABET.split('').filter((_, value) => wanted.test(value.toString(2).padStart(6, '0')));
  return `[${fold(fitting.join(''), 'base64')}]?`;
});

/** Marks of a place where a text was cut; `…` as the bytes of its UTF-8 form. */
const MARK = /\u00e2\u0080\u00a6|\.\.\./g;
/** An escape that lost its end. */
const BROKEN_END = /(?:%(?:25)*[\da-f]?|\\(?:u[\da-f]{0,3}|x[\da-f]?)?|&(?:#x?)?[\da-z]{0,7})$/i;
/** What is left of an escape that lost its beginning. */
const BROKEN_START = /^(?:[\da-z]{1,7};|[\da-f]{1,3})/i;

/** Where a beginning of the key stands before a cut, or an end of it after one: from and to, in bytes. */
export function piecesAtCuts(text: string, form: KeyForm): (readonly [number, number])[] {
  const pieces: (readonly [number, number])[] = [];
  const { core, shortestPiece } = form;
  if (!text.includes(core.slice(0, shortestPiece)) && !text.includes(core.slice(-shortestPiece))) return pieces;
  for (const { index, 0: mark } of text.matchAll(MARK)) {
    const left = text.slice(Math.max(0, index - core.length - 16), index);
    const before = beginningAt(left, form);
    if (before !== undefined) pieces.push([index - before, index]);
    const right = text.slice(index + mark.length, index + mark.length + core.length + 16);
    const after = endingAt(right, form);
    if (after !== undefined) pieces.push([index + mark.length, index + mark.length + after]);
  }
  return pieces;
}

/** @returns how many bytes before the cut are a piece */
function beginningAt(left: string, { core, shortestPiece }: KeyForm): number | undefined {
  const broken = BROKEN_END.exec(left)?.[0].length ?? 0;
  for (const lost of broken === 0 ? [0] : [0, broken]) {
    const stored = left.slice(0, left.length - lost);
    for (let length = Math.min(core.length - 1, stored.length); length >= shortestPiece; length--) {
      if (stored.endsWith(core.slice(0, length))) return length + lost;
    }
  }
  return undefined;
}

/** @returns how many bytes after the cut are a piece */
function endingAt(right: string, { core, shortestPiece }: KeyForm): number | undefined {
  const broken = BROKEN_START.exec(right)?.[0].length ?? 0;
  for (let lost = 0; lost <= broken; lost++) {
    for (let length = Math.min(core.length - 1, right.length - lost); length >= shortestPiece; length--) {
      if (right.startsWith(core.slice(-length), lost)) return length + lost;
    }
  }
  return undefined;
}
