import { joinPointer, parsePointer } from './json-pointer';
import { LineMap, type TextPosition } from './json-syntax-error';

/** Is reported by a parser where it is, and knows what was told. Offsets are in UTF-16 units. */
export interface PositionRecorder {
  /** Opens a property or element of the open value. */
  enter(segment: string | number, keyOffset?: number): void;
  /** Notes where the open value starts. */
  start(offset: number): void;
  /** Closes the open value. */
  leave(): void;
  /** Where the open object's first property name that reads so stands; undefined when it has none of that name yet. */
  keyOffset(name: string): number | undefined;
  /** JSON pointer (RFC 6901) of the open value. */
  pointer(): string;
}

/** Where one value of a JSON text, and its property name, stand. Offsets are in UTF-16 units; -1 while unknown. */
export interface PositionNode {
  readonly parent: PositionNode | undefined;
  /** The property name or array index; '' at the root. */
  readonly segment: string;
  /** Offset of the property name's opening quote; -1 for the root and for array elements. */
  readonly keyOffset: number;
  /** Offset of the value's first character. */
  offset: number;
  /** By segment; undefined while there are none, as in every scalar. */
  children: Map<string, PositionNode> | undefined;
}

/**
 * Records where the values of a text stand while a parser walks it.
 *
 * A tree, and not a map by pointer, because the pointers of a deep document can be far longer than the document.
 */
export class PositionTree implements PositionRecorder {
  readonly root: PositionNode = createNode(undefined, '', -1);
  #open: PositionNode = this.root;
  #depth = 0;
  #levels: number;
  #room: number;

  /**
   * @param levels - how many of them below the root are recorded; what lies deeper is passed over
   * @param most - how many values; of a text with more of them on these levels nothing but the root is known
   */
  constructor(levels = Infinity, most = Infinity) {
    this.#levels = levels;
    this.#room = most;
  }

  /** Opens a property or element of the open value. */
  enter(segment: string | number, keyOffset = -1): void {
    if (++this.#depth > this.#levels) return;
    if (--this.#room < 0) {
      this.#forget();
      return;
    }
    const name = String(segment);
    const node = createNode(this.#open, name, keyOffset);
    this.#open.children ??= new Map();
    this.#open.children.set(name, node);
    this.#open = node;
  }

  /** Part of a level would look like the whole of it. */
  #forget(): void {
    this.#levels = 0;
    this.root.children = undefined;
  }

  /** Notes where the open value starts. */
  start(offset: number): void {
    if (this.#depth <= this.#levels) this.#open.offset = offset;
  }

  /** Closes the open value. */
  leave(): void {
    if (this.#depth-- > this.#levels) return;
    this.#open = this.#open.parent ?? this.root;
  }

  /** Where the open object's property name stands; undefined when it has none of that name yet. */
  keyOffset(name: string): number | undefined {
    return this.#open.children?.get(name)?.keyOffset;
  }

  /** JSON pointer (RFC 6901) of the open value. */
  pointer(): string {
    const segments: string[] = [];
    for (let node = this.#open; node.parent !== undefined; node = node.parent) segments.push(node.segment);
    return segments.reduceRight(joinPointer, '');
  }
}

function createNode(parent: PositionNode | undefined, segment: string, keyOffset: number): PositionNode {
  return { parent, segment, keyOffset, offset: -1, children: undefined };
}

/** A value of the text; its properties are looked for when somebody asks for one. */
interface LazyNode {
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

/** The properties or elements of the value that begins at an offset; none for a scalar. */
function childrenAt(text: string, offset: number): Map<string, LazyNode> {
  const children = new Map<string, LazyNode>();
  eachChild(text, offset, ({ name, offset: at }) => {
    children.set(name, { offset: at, children: undefined });
    return true;
  });
  return children;
}

/** A property or an element, and where it stands. */
interface PlacedChild {
  readonly name: string;
  /** Of the opening quote of a property's name; of the value for an element. */
  readonly nameOffset: number;
  readonly offset: number;
}

/**
 * Goes through the properties or elements of the value that begins at an offset, passing over what is in them.
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

/**
 * Knows the way to the value that a parser is at, and forgets what it has left: enough to say where a text is wrong, at
 * a fraction of the cost of a tree of all its values.
 */
export class OpenPath implements PositionRecorder {
  readonly #text: string;
  readonly #segments: (string | number)[] = [];
  /** Of the root and of each open value, from the outside in. */
  readonly #offsets: number[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  enter(segment: string | number): void {
    this.#segments.push(segment);
  }

  start(offset: number): void {
    this.#offsets[this.#segments.length] = offset;
  }

  leave(): void {
    this.#segments.pop();
  }

  keyOffset(name: string): number | undefined {
    let found: number | undefined;
    eachChild(this.#text, this.#offsets[this.#segments.length] ?? 0, (child) => {
      if (child.name === name) found = child.nameOffset;
      return found === undefined;
    });
    return found;
  }

  pointer(): string {
    return this.#segments.reduce<string>(joinPointer, '');
  }
}
