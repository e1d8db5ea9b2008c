import { joinPointer } from './json-pointer';
import type { PositionRecorder } from './position-recorder';

/** Where one value of a JSON text, and its member name, stand. Offsets are in UTF-16 units; -1 while unknown. */
export interface PositionNode {
  readonly parent: PositionNode | undefined;
  /** The member name or array index; '' at the root. */
  readonly segment: string;
  /** Offset of the member name's opening quote; -1 for the root and for array elements. */
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

  /** Opens a member or element of the open value. */
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
  place(offset: number): void {
    if (this.#depth <= this.#levels) this.#open.offset = offset;
  }

  /** Closes the open value. */
  leave(): void {
    if (this.#depth-- > this.#levels) return;
    this.#open = this.#open.parent ?? this.root;
  }

  /** Where the open object's member name stands; undefined when it has none of that name yet. */
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
