import { parsePointer } from './json-pointer';
import { LineMap, type TextPosition } from './text-position';

/** A value of the text; its members are looked for when somebody asks for one. */
export interface LazyNode {
  readonly offset: number;
  children: Map<string, LazyNode> | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Where values stand in a JSON text that was read already. Only the objects and arrays on the way to what is asked for
 * are looked into, the rest is skipped: the first question about a text of 13 MB takes a fraction of reading it, and
 * keeps next to nothing.
 *
 * @param text - acceptable JSON; any other text gives positions without meaning
 * @param root - what was recorded while the text was read, complete as far as it goes
 */
export class LazyJsonPositions {
  readonly #text: string;
  readonly #root: LazyNode;
  #lines: LineMap | undefined;

  constructor(text: string, root?: LazyNode) {
    this.#text = text;
    this.#root = root ?? { offset: skipSpace(text, text.startsWith('\uFEFF') ? 1 : 0), children: undefined };
  }

  /**
   * The position of the value at a JSON pointer, or of the nearest value around it that the text has.
   * Throws SyntaxError when the pointer is not one (RFC 6901).
   */
  nearest(pointer: string): TextPosition {
    let node = this.#root;
    for (const segment of parsePointer(pointer)) {
      node.children ??= childrenAt(this.#text, node.offset);
      const child = node.children.get(segment);
      if (child === undefined) break;
      node = child;
    }
    this.#lines ??= new LineMap(this.#text);
    return this.#lines.at(node.offset);
  }
}

/** The members or elements of the value that begins at an offset; none for a scalar. */
function childrenAt(text: string, offset: number): Map<string, LazyNode> {
  const children = new Map<string, LazyNode>();
  eachChild(text, offset, ({ name, offset: at }) => {
    children.set(name, { offset: at, children: undefined });
    return true;
  });
  return children;
}

/** A member or an element, and where it stands. */
export interface PlacedChild {
  readonly name: string;
  /** Of the opening quote of a member's name; of the value for an element. */
  readonly nameOffset: number;
  readonly offset: number;
}

/**
 * Goes through the members or elements of the value that begins at an offset, passing over what is in them.
 *
 * @param visit - whether to go on
 */
export function eachChild(text: string, offset: number, visit: (child: PlacedChild) => boolean): void {
  const opening = text.charCodeAt(offset);
  if (opening !== OPEN_BRACE && opening !== OPEN_BRACKET) return;
  let at = skipSpace(text, offset + 1);
  for (let index = 0; at < text.length && !isClosing(text.charCodeAt(at)); index++) {
    const nameOffset = at;
    let name = String(index);
    if (opening === OPEN_BRACE) {
      const end = stringEnd(text, at);
      name = JSON.parse(text.slice(at, end)) as string;
      // Past the colon.
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    if (!visit({ name, nameOffset, offset: at })) return;
    at = skipSpace(text, valueEnd(text, at));
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
}

function isClosing(code: number): boolean {
  return code === CLOSE_BRACE || code === CLOSE_BRACKET;
}

function skipSpace(text: string, offset: number): number {
  let at = offset;
  for (let code = text.charCodeAt(at); code === 0x20 || (code >= 0x09 && code <= 0x0d);) code = text.charCodeAt(++at);
  return at;
}

/** @returns the offset behind the value */
function valueEnd(text: string, offset: number): number {
  let at = offset;
  let depth = 0;
  for (; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = stringEnd(text, at);
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth += 1;
      at += 1;
    } else if (isClosing(code)) {
      // The end of the container around a number or a word.
      if (depth === 0) return at;
      depth -= 1;
      at += 1;
    } else if (depth === 0) {
      return scalarEnd(text, at);
    } else {
      at += 1;
      continue;
    }
    if (depth === 0) return at;
  }
  return at;
}

/** @returns the offset behind the closing quote of the string that begins at an offset */
function stringEnd(text: string, offset: number): number {
  for (let quote = text.indexOf('"', offset + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (text.charCodeAt(quote - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function scalarEnd(text: string, offset: number): number {
  let at = offset;
  for (let code = text.charCodeAt(at); at < text.length && code !== COMMA && !isClosing(code) && code > 0x20;) {
    code = text.charCodeAt(++at);
  }
  return at;
}
