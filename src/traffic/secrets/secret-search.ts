import type { Layer } from '../../redaction/decoded-layers';
import { fold, type Folding, formsOf, type KeyForm, piecesAtCuts } from '../../redaction/key-forms';
import { replaceSpans, wholeKeys } from '../../redaction/key-redactor';
import { SECRET_MARK, secretMark } from '../exchange/recorded-exchange';
import { packedLayers, type Unpacking } from './packed-layers';

/** A secret that stands in a text; offsets are in UTF-16 units. */
export interface FoundSecret {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly form: SecretForm;
}

/** How a secret is written: the outermost encoding is reported. */
export type SecretForm =
  | 'as it is'
  | 'JSON-escaped'
  | 'percent-encoded'
  | 'escaped as in HTML'
  | 'base64'
  | 'hexadecimal'
  | 'cut off';

/** Characters of a gram: the shortest core of a form has more. */
const GRAM = 4;
/** A shorter piece of a secret, where a text was cut, may stand there by chance. */
const SHORTEST_PIECE = 8;
const CUT = /\u00e2\u0080\u00a6|\.\.\./;
const GRAM_BITS = 16;
const MOST_REMEMBERED = 2000;
const LONGEST_REMEMBERED = 200;

/** What two foldings make alike is alike here, so that one look at a text is enough for the forms of all of them. */
const ROUGH = Uint8Array.from({ length: 256 }, (_, code) =>
  fold(fold(String.fromCharCode(code), 'caseless'), 'base64').charCodeAt(0),
);

/** Bytes of which half are no characters of ASCII are no text, if they are as many as these. */
const LONG = 1024;

/** `%`, `&`, the backslash and the dots of a cut. */
const ESCAPING = Uint8Array.from({ length: 256 }, (_, code) =>
  /[%&\\.\u00e2]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const ESCAPE = /^(?:%[\da-f]{2}|\\[uxbfnrt"'\\/]|&(?:#[\dx]|[a-z]{2})|\.\.\.|\u00e2\u0080\u00a6)/i;

function beginsEscape(bytes: Uint8Array, index: number, length: number): boolean {
  const end = Math.min(index + 3, length);
  return ESCAPE.test(String.fromCharCode(...bytes.subarray(index, end)));
}

interface RoughCore {
  readonly text: string;
  /** Of the gram by which it is found. */
  readonly gramOffset: number;
  readonly form: KeyForm;
  readonly name: string;
}

/**
 * Finds secrets that were learnt, in every encoding that redaction knows and in any two on top of each other. Nearly
 * every text holds none, and is looked at once, character by character, whatever the number of secrets.
 */
export class SecretSearch {
  readonly #byGram = new Map<number, RoughCore[]>();
  readonly #mayBe = new Uint8Array(1 << GRAM_BITS);

  /** Texts that hold none: names of headers, media types and addresses come again with every exchange. */
  readonly #clean = new Set<string>();

  /** @param value - six characters at least; see `isDistinctive` */
  add(name: string, value: string): void {
    this.#clean.clear();
    this.#unpacking.harmless.clear();
    for (const known of formsOf(value, false)) {
      const form = { ...known, shortestPiece: Math.max(known.shortestPiece, SHORTEST_PIECE) };
      const text = rough(form.core);
      // Keys of one kind begin alike.
      const gramOffset = Math.floor((text.length - GRAM) / 2);
      const gram = gramAt(text, gramOffset);
      this.#mayBe[gramHash(gram)] = 1;
      const cores = this.#byGram.get(gram);
      if (cores === undefined) this.#byGram.set(gram, [{ text, gramOffset, form, name }]);
      else cores.push({ text, gramOffset, form, name });
    }
  }

  /** What stands within a mark is none: a secret may look like a part of one. */
  find(text: string): FoundSecret[] {
    if (this.#byGram.size === 0 || this.#clean.has(text)) return [];
    const found: FoundSecret[] = [];
    for (const { layer, packing } of packedLayers(text, this.#unpacking)) {
      for (const { name, start, end, form } of this.#inLayer(layer)) {
        const written = form === 'as it is' ? escapeOf(text.slice(start, end)) : form;
        // What one reading shows, others may show again.
        if (found.some((other) => other.name === name && other.start < end && start < other.end)) continue;
        found.push({ name, start, end, form: packing === undefined ? written : packingForm(packing) });
      }
    }
    if (found.length > 0) return outsideMarks(text, found);
    this.#remember(text);
    return found;
  }

  #remember(text: string): void {
    if (text.length > LONGEST_REMEMBERED) return;
    if (this.#clean.size >= MOST_REMEMBERED) this.#clean.clear();
    this.#clean.add(text);
  }

  /** Does something look like a part of a secret, or may one be escaped? Of a long file only its very bytes count. */
  readonly #mayMatter = (bytes: Uint8Array, length: number): boolean => {
    let gram = 0;
    let isEscaped = false;
    let printable = 0;
    for (let index = 0; index < length; index++) {
      const byte = bytes[index] ?? 0;
      gram = (gram << 8) | (ROUGH[byte] ?? 0);
      if (this.#mayBe[gramHash(gram)] === 1 && this.#byGram.has(gram)) return true;
      isEscaped ||= ESCAPING[byte] === 1 && beginsEscape(bytes, index, length);
      if (byte > 31 && byte < 127) printable += 1;
    }
    return isEscaped && (length < LONG || printable > length / 2);
  };

  readonly #unpacking: Unpacking = { mayMatter: this.#mayMatter, harmless: new Set() };

  /** The same of bytes, as text with one character for each. */
  isInBytes(bytes: string): boolean {
    if (this.#byGram.size === 0) return false;
    return this.#inLayer({ bytes, startOf: (index) => index, endOf: (index) => index + 1 }).length > 0;
  }

  /** The text with a mark in the place of each secret. */
  replace(text: string): string {
    const found = this.find(text);
    return found.length === 0
      ? text
      : replaceSpans(
          text,
          found.map(({ name, start, end }) => ({ start, end, shown: secretMark(name) })),
        );
  }

  #inLayer(layer: Layer): FoundSecret[] {
    const cores = this.#coresIn(layer.bytes);
    if (cores.length === 0) return [];
    const folded = new Map<Folding, string>();
    return cores.flatMap(({ form, name }) => {
      const text = folded.get(form.folding) ?? fold(layer.bytes, form.folding);
      folded.set(form.folding, text);
      const places = (spans: readonly (readonly [number, number])[], kind: SecretForm): FoundSecret[] =>
        spans.flatMap(([from, to]) =>
          to > from ? [{ name, start: layer.startOf(from), end: layer.endOf(to - 1), form: kind }] : [],
        );
      return [...places(wholeKeys(text, form), formName(form)), ...places(piecesAtCuts(text, form), 'cut off')];
    });
  }

  /** Those that a text may hold; all where it was cut, because a piece of any may stand there. */
  #coresIn(bytes: string): readonly RoughCore[] {
    if (CUT.test(bytes)) return [...this.#byGram.values()].flat();
    const found = new Set<RoughCore>();
    let gram = 0;
    for (let index = 0; index < bytes.length; index++) {
      gram = (gram << 8) | (ROUGH[bytes.charCodeAt(index) & 0xff] ?? 0);
      if (this.#mayBe[gramHash(gram)] !== 1 || index < GRAM - 1) continue;
      for (const core of this.#byGram.get(gram) ?? []) {
        const from = index - GRAM + 1 - core.gramOffset;
        if (from >= 0 && rough(bytes.slice(from, from + core.text.length)) === core.text) found.add(core);
      }
    }
    return [...found];
  }
}

/**
 * Can a value be told from other text, so that it may be looked for everywhere? Not one of fewer than six characters, and
 * not words and numbers between separators, such as `dark-mode`, `2024-01-31` or `password`, which stand in many places
 * without being the secret.
 */
export function isDistinctive(value: string): boolean {
  if (value.length < 6) return false;
  if (value.replace(/\D+/g, '').length >= 12) return true;
  return value.length > LONGEST_COMMON || !COMMON.test(value);
}

const LONGEST_COMMON = 20;
const COMMON = /^(?:[A-Z]?[a-z]+|[A-Z]+|\d{1,11})(?:[-_./ :,=](?:[A-Z]?[a-z]+|[A-Z]+|\d{1,11}))*$/;

function rough(bytes: string): string {
  let text = '';
  for (let index = 0; index < bytes.length; index++)
    text += String.fromCharCode(ROUGH[bytes.charCodeAt(index) & 0xff] ?? 0);
  return text;
}

function gramAt(text: string, offset: number): number {
  let gram = 0;
  for (let index = offset; index < offset + GRAM; index++) gram = (gram << 8) | text.charCodeAt(index);
  return gram;
}

/** Knuth's multiplicative hashing (The Art of Computer Programming 3, §6.4). */
function gramHash(gram: number): number {
  return Math.imul(gram, 0x9e3779b1) >>> (32 - GRAM_BITS);
}

function formName({ folding }: KeyForm): SecretForm {
  return folding === 'base64' ? 'base64' : folding === 'hex' ? 'hexadecimal' : 'as it is';
}

function packingForm(packing: 'base64' | 'hex'): SecretForm {
  return packing === 'hex' ? 'hexadecimal' : 'base64';
}

function escapeOf(written: string): SecretForm {
  if (/%[\da-f]{2}/i.test(written)) return 'percent-encoded';
  if (written.includes('\\')) return 'JSON-escaped';
  return /&#?\w+;/.test(written) ? 'escaped as in HTML' : 'as it is';
}

function outsideMarks(text: string, found: FoundSecret[]): FoundSecret[] {
  const marks = [...text.matchAll(SECRET_MARK)].map(({ index, 0: mark }) => [index, index + mark.length] as const);
  if (marks.length === 0) return found;
  return found.filter(({ start, end }) => !marks.some(([from, to]) => start >= from && end <= to));
}
