import { parsePointer } from './json-pointer';
import { eachChild, type PositionNode, PositionTree } from './json-positions';
import { JsonSyntaxError, LineMap, type TextPosition } from './json-syntax-error';
import { JsonParser, MAX_DEPTH } from './parse-json';

/** A value that is looked for in a text, with those in it that are. */
interface SoughtValue {
  /** Where it stands; -1 where the text has none. */
  offset: number;
  readonly children: Map<string, SoughtValue>;
}

/**
 * Sorts by where values stand in a JSON text: a container comes before its contents, and a value that the text does not
 * have, such as a missing property, right after its nearest container. Only the containers on the way are looked into, and
 * no further than to the last value that is asked for, so that a large text is gone through once at most.
 *
 * @param text - acceptable JSON
 * @param pointerOf - gives the JSON pointer of the value that a thing is about
 * @throws SyntaxError when a pointer is not one (RFC 6901)
 */
export function inDocumentOrder<T>(text: string, things: readonly T[], pointerOf: (thing: T) => string): T[] {
  if (things.length < 2) return [...things];
  const root: SoughtValue = { offset: startOf(text), children: new Map() };
  // Many things may be about one value, deep in the text.
  const known = new Map<string, SoughtValue[]>();
  const paths = things.map((thing) => {
    const pointer = pointerOf(thing);
    const path = known.get(pointer) ?? addSought(root, parsePointer(pointer));
    known.set(pointer, path);
    return path;
  });
  locate(text, root);
  const places = paths.map((path, index) => {
    const missing = path.filter(({ offset }) => offset < 0).length;
    return { index, missing, offset: path.at(-1 - missing)?.offset ?? root.offset };
  });
  places.sort((left, right) => left.offset - right.offset || left.missing - right.missing);
  return places.flatMap(({ index }) => things.slice(index, index + 1));
}

/** The pointers in the order in which their values stand in the text. */
export function documentOrder(text: string, pointers: readonly string[]): string[] {
  return inDocumentOrder(text, pointers, (pointer) => pointer);
}

/** @returns what is looked for from the root to the last segment, the root among it */
function addSought(root: SoughtValue, segments: readonly string[]): SoughtValue[] {
  const path = [root];
  let around = root;
  for (const segment of segments) {
    const known = around.children.get(segment) ?? { offset: -1, children: new Map<string, SoughtValue>() };
    around.children.set(segment, known);
    path.push(known);
    around = known;
  }
  return path;
}

function locate(text: string, around: SoughtValue): void {
  let left = around.children.size;
  if (left === 0) return;
  eachChild(text, around.offset, ({ name, offset }) => {
    const wanted = around.children.get(name);
    if (wanted === undefined) return true;
    wanted.offset = offset;
    locate(text, wanted);
    left -= 1;
    return left > 0;
  });
}

function startOf(text: string): number {
  return text.search(/[^\s\uFEFF]/);
}

/** What to locate at a pointer. */
interface LocateOptions {
  /** Locate the property name instead of its value. The root and array elements have none. */
  readonly key?: boolean;
}

/**
 * Where the values of one JSON text stand. The text is scanned once, on the first question; a text that is not
 * acceptable JSON is known up to its first error.
 */
export class JsonPositions {
  readonly #text: string;
  #root: PositionNode | undefined;
  #lines: LineMap | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * The position of the value at a JSON pointer, or undefined when the text has none.
   * Throws SyntaxError when the pointer is not one (RFC 6901).
   */
  locate(pointer: string, options: LocateOptions = {}): TextPosition | undefined {
    const segments = parsePointer(pointer);
    const { node, depth } = this.#nearest(segments);
    const offset = options.key === true ? node.keyOffset : node.offset;
    if (depth < segments.length || offset < 0) return undefined;
    this.#lines ??= new LineMap(this.#text);
    return this.#lines.at(offset);
  }

  /** The deepest value of the text on the way along the segments, and how many of them lead to it. */
  #nearest(segments: readonly string[]): { node: PositionNode; depth: number; missing: number } {
    this.#root ??= scanPositions(this.#text);
    let node = this.#root;
    let depth = 0;
    for (const segment of segments) {
      const child = node.children?.get(segment);
      if (child === undefined) break;
      node = child;
      depth++;
    }
    return { node, depth, missing: segments.length - depth };
  }
}

/**
 * The position of the value, or with `key` of the property name, at a JSON pointer; undefined when there is none.
 * Scans the whole text: to locate several places in one text, use JsonPositions.
 * Throws SyntaxError when the pointer is not one (RFC 6901).
 */
export function locateJson(text: string, pointer: string, options: LocateOptions = {}): TextPosition | undefined {
  return new JsonPositions(text).locate(pointer, options);
}

function scanPositions(text: string): PositionNode {
  const tree = new PositionTree();
  try {
    new JsonParser(text, { maxDepth: MAX_DEPTH, maxNumberLength: Infinity }, tree).readDocument();
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  return tree.root;
}
