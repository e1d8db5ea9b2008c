import {
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { joinPointer } from '../../core/json/json-pointer';

/** A property or an item that has lines of its own. Offsets are of the text. */
export interface Entry {
  /** Where the first of the blank lines and comments before it begins. */
  readonly lead: number;
  /** Of its key or its dash. */
  readonly start: number;
  /** Behind its colon or its dash. */
  readonly valueStart: number;
  /** Behind the last line of its value. */
  readonly valueEnd: number;
  /** Behind the comments that are indented as something of it. */
  readonly end: number;
  /** 0-based, of its key or its dash. */
  readonly column: number;
  /** Does it begin behind the dash of an item? */
  readonly isBehindDash: boolean;
}

/** A value in the text. */
export interface WrittenNode {
  /** `undefined` where there is no text: a null that is left out. */
  readonly node: Node | undefined;
  readonly key: Node | undefined;
  /** `undefined` for the whole of it, and inside of braces and brackets. */
  readonly entry: Entry | undefined;
}

/** Where the values of a YAML text stand, by JSON pointer. What an alias repeats is not in it. */
export type WrittenTree = ReadonlyMap<string, WrittenNode>;

/** @param document - of this text, with its tokens; line breaks are line feeds, and there is one at the end */
export function writtenTree(document: Document, text: string): WrittenTree {
  const tree = new Map<string, WrittenNode>();
  const walker = new TreeWalker(text, tree);
  if (document.contents !== null) walker.walk(document.contents, '', { entry: undefined, key: undefined }, text.length);
  return tree;
}

/** Is it a map or list with lines of its own? */
export function isBlock(node: Node | undefined): node is YAMLMap | YAMLSeq {
  return (isMap(node) || isSeq(node)) && node.flow !== true;
}

export function keyText(key: unknown): string {
  if (!isScalar(key)) return '';
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

/** What the tokens of an item or a pair say of where it stands. */
interface ItemPlace {
  readonly start: number;
  readonly valueStart: number;
  readonly segment: string | number;
  readonly key: Node | undefined;
  readonly value: Node | undefined;
}

class TreeWalker {
  private readonly text: string;
  private readonly tree: Map<string, WrittenNode>;

  constructor(text: string, tree: Map<string, WrittenNode>) {
    this.text = text;
    this.tree = tree;
  }

  /** @param limit - where what holds the node ends */
  walk(node: Node | undefined, pointer: string, about: Omit<WrittenNode, 'node'>, limit: number): void {
    this.tree.set(pointer, { node, ...about });
    if (isBlock(node)) this.walkBlock(node, pointer, limit);
    else if (isMap(node)) {
      for (const { key, value } of node.items) {
        const about = { entry: undefined, key: isNode(key) ? key : undefined };
        this.walk(nodeWithText(value), joinPointer(pointer, keyText(key)), about, limit);
      }
    } else if (isSeq(node)) {
      node.items.forEach((item, index) => {
        this.walk(nodeWithText(item), joinPointer(pointer, index), { entry: undefined, key: undefined }, limit);
      });
    }
  }

  private walkBlock(node: YAMLMap | YAMLSeq, pointer: string, limit: number): void {
    const items = placesOf(node);
    let lead: number | undefined;
    items.forEach(({ start, valueStart, segment, key, value }, index) => {
      const next = items[index + 1];
      const nextLine = next === undefined ? limit : this.lineStart(next.start);
      const column = start - this.lineStart(start);
      const isBehindDash = this.text.slice(this.lineStart(start), start).trim() !== '';
      const last = Math.max(valueStart, endOf(value));
      // A text of several lines ends behind a line feed itself.
      const valueEnd = this.text[last - 1] === '\n' ? last : this.lineEnd(last);
      const end = this.endOfComments(valueEnd, nextLine, column);
      const first = pointer === '' ? 0 : this.leadStart(this.lineStart(start), column);
      const entry = {
        lead: lead ?? (isBehindDash ? start : first),
        start,
        valueStart,
        valueEnd,
        end,
        column,
        isBehindDash,
      };
      lead = end;
      this.walk(value, joinPointer(pointer, segment), { entry, key }, end);
    });
  }

  /** Comments between a key and the first line of its value belong to that when they are indented like it. */
  private leadStart(line: number, column: number): number {
    let start = line;
    while (start > 0) {
      const before = this.lineStart(start - 1);
      const text = this.text.slice(before, start).trim();
      if (text !== '' && !(text.startsWith('#') && this.indentAt(before) >= column)) break;
      start = before;
    }
    return start;
  }

  private endOfComments(from: number, limit: number, column: number): number {
    let end = from;
    for (let at = from; at < limit; at = this.lineEnd(at)) {
      const line = this.text.slice(at, this.lineEnd(at)).trim();
      if (line === '') continue;
      if (!line.startsWith('#') || this.indentAt(at) <= column) break;
      end = this.lineEnd(at);
    }
    return end;
  }

  private indentAt(line: number): number {
    return /^[ \t]*/.exec(this.text.slice(line, this.lineEnd(line)))?.[0].length ?? 0;
  }

  private lineStart(offset: number): number {
    return offset === 0 ? 0 : this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** Behind the line feed of the line. */
  private lineEnd(offset: number): number {
    const end = this.text.indexOf('\n', offset);
    return end === -1 ? this.text.length : end + 1;
  }
}

function placesOf(node: YAMLMap | YAMLSeq): ItemPlace[] {
  if (isMap(node)) {
    return node.items.map(({ key, value, srcToken }) => {
      const offset = isNode(key) ? (key.range?.[0] ?? 0) : 0;
      const start = firstOffset(srcToken?.start) ?? offset;
      const colon = srcToken?.sep?.find(({ type }) => type === 'map-value-ind');
      const valueStart = colon === undefined ? endOf(isNode(key) ? key : undefined) : colon.offset + 1;
      return {
        start,
        valueStart,
        segment: keyText(key),
        key: isNode(key) ? key : undefined,
        value: nodeWithText(value),
      };
    });
  }
  const tokens = (node.srcToken as CST.BlockSequence | undefined)?.items ?? [];
  const dashes = tokens.flatMap(({ start }) => start.find(({ type }) => type === 'seq-item-ind') ?? []);
  return node.items.map((item, index) => {
    const start = dashes[index]?.offset ?? 0;
    return { start, valueStart: start + 1, segment: index, key: undefined, value: nodeWithText(item) };
  });
}

function firstOffset(tokens: readonly CST.SourceToken[] = []): number | undefined {
  return tokens.find(({ type }) => !['space', 'newline', 'comment'].includes(type))?.offset;
}

function nodeWithText(node: unknown): Node | undefined {
  if (!isNode(node)) return undefined;
  const [start, end] = node.range ?? [0, 0];
  return start === end && !isAlias(node) ? undefined : node;
}

/** Behind the text of a value; of a block, behind its last value. */
function endOf(node: Node | undefined): number {
  if (node === undefined) return 0;
  if (!isBlock(node)) return node.range?.[1] ?? 0;
  return Math.max(0, ...placesOf(node).map(({ valueStart, value }) => Math.max(valueStart, endOf(value))));
}
