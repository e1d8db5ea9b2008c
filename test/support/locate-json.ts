import { inDocumentOrder } from '../../src/core/json/document-order';
import { parsePointer } from '../../src/core/json/json-pointer';
import { type PositionNode, PositionTree } from '../../src/core/json/json-positions';
import { JsonSyntaxError, LineMap, type TextPosition } from '../../src/core/json/json-syntax-error';
import { JsonParser, MAX_DEPTH } from '../../src/core/json/parse-json';

/** The pointers in the order in which their values stand in the text. */
export function documentOrder(text: string, pointers: readonly string[]): string[] {
  return inDocumentOrder(text, pointers, (pointer) => pointer);
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
