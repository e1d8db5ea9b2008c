const WORD = /[\p{L}\p{N}_$]{1,20}/uy;
const VISIBLE_ASCII = /^[!-~]+$/;
const PRINTABLE = /^[^\p{C}\p{Z}]$/u;

/** The word or character at an offset as error messages show it; `end of JSON` past the last one. */
export function describeNext(text: string, offset: number): string {
  WORD.lastIndex = offset;
  const word = WORD.exec(text)?.[0];
  if (word !== undefined) return `"${word}"`;
  const code = text.codePointAt(offset);
  if (code === undefined) return 'end of JSON';
  const character = String.fromCodePoint(code);
  if (character === '"') return `'"'`;
  return PRINTABLE.test(character) ? `"${character}"` : `character ${codePointName(code)}`;
}

/** The escape whose backslash is at an offset, as error messages show it. */
export function describeEscape(text: string, offset: number): string {
  const escape = text.slice(offset, offset + (text.startsWith('u', offset + 1) ? 6 : 2));
  return VISIBLE_ASCII.test(escape) ? `escape ${escape}` : 'escape';
}

/** A code point in Unicode notation, such as U+000A. */
export function codePointName(code: number): string {
  return `U+${fourHexDigits(code)}`;
}

/** A UTF-16 unit as JSON escapes it (RFC 8259 section 7), such as `\u000A`. */
export function unicodeEscape(code: number): string {
  return `\\u${fourHexDigits(code)}`;
}

function fourHexDigits(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0');
}
