import { Document, isMap, isScalar, isSeq, type Node, Pair, Scalar, type ScalarTag, YAMLMap, YAMLSeq } from 'yaml';
import { isJsonNumber, type JsonNumber, toLexeme } from '../../core/json/exact-number';
import { joinPointer, parentPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { escapeUnprintable, printableLines } from '../../core/text/printable';

/** Longer lines of braces and brackets are nothing that people read; they become blocks. */
const LONGEST_FLOW = 110;

/** How a value of a contract is laid out; {@link nodeLayout} makes one. */
export interface NodeLayout {
  /** What stands before nodes, by JSON pointer: lines without `#`. */
  readonly comments: ReadonlyMap<string, string>;
  /** JSON pointers of what has a comment within. */
  readonly commented: ReadonlySet<string>;
  /** The node that has been there before, whose quotes stay. */
  readonly written: (pointer: string) => unknown;
}

/** @param written - gives the node that has been there before, whose quotes stay */
export function nodeLayout(
  comments: ReadonlyMap<string, string>,
  written: NodeLayout['written'] = () => undefined,
): NodeLayout {
  const commented = new Set<string>();
  for (const pointer of comments.keys()) {
    let above = parentPointer(pointer);
    while (above !== undefined && !commented.has(above)) {
      commented.add(above);
      above = parentPointer(above);
    }
  }
  return { comments, commented, written };
}

/** Where a value stands, as 0-based columns. */
interface Place {
  /** Of its first character, when it is on one line. */
  readonly inline: number;
  /** Of its keys or dashes, when it is a block. */
  readonly block: number;
}

/**
 * A value as YAML nodes, laid out as people write contracts: small maps and lists in braces on one line, larger ones in
 * lines of their own, and a blank line between steps and before sections.
 *
 * @param pointer - JSON pointer of the value in the contract: the contract itself, its sections and its steps are laid
 *   out by where they stand
 */
export function contractNode(value: JsonValue, pointer: string, place: Place, layout: NodeLayout): Node {
  if (Array.isArray(value)) return listNode(value, pointer, place, layout);
  if (isJsonObject(value)) return mapNode(value, pointer, place, layout);
  return scalarNode(value, layout.written(pointer));
}

/**
 * The text of one property or item, with its comment, as it stands in the file; line feeds are at the end of lines.
 *
 * @param key - `undefined` for an item
 * @param column - 0-based, of the key or the dash
 */
export function printEntry(
  key: string | undefined,
  value: JsonValue,
  pointer: string,
  column: number,
  layout: NodeLayout,
): string {
  const list = new List();
  const map = new Properties();
  if (key === undefined) list.items.push(itemNode(value, pointer, column, layout));
  else map.items.push(pairNode(key, value, pointer, column, layout));
  return indented(printNode(key === undefined ? list : map), column);
}

/**
 * The text of a value behind its colon or dash, to the end of its last line, without its comment.
 *
 * @param key - as it is written; `undefined` for an item
 * @param column - 0-based, of the key or the dash
 */
export function printValue(
  key: string | undefined,
  value: JsonValue,
  pointer: string,
  column: number,
  layout: NodeLayout,
): string {
  const inner = column + '- '.length;
  const inline = key === undefined ? inner : column + key.length + ': '.length;
  const node = contractNode(value, pointer, { inline, block: inner }, layout);
  const list = new List();
  const map = new Properties();
  if (key === undefined) list.items.push(node);
  else map.items.push(new Pair<Node, Node>(new Scalar('k'), node));
  const text = indented(printNode(key === undefined ? list : map), column).slice(column);
  return text.slice(key === undefined ? '-'.length : 'k:'.length);
}

/** The text of a value inside of braces or brackets. */
export function printFlow(value: JsonValue, pointer: string, layout: NodeLayout): string {
  const list = new List();
  list.flow = true;
  list.items.push(contractNode(value, pointer, { inline: 0, block: 0 }, layout));
  return printNode(list).trimEnd().slice(1, -1);
}

function indented(text: string, column: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(column));
}

/** The text of nodes, with a line feed at its end. */
export function printNode(contents: Node, header?: string): string {
  const document = new Document(contents, { version: '1.2', schema: 'core', customTags: [EXACT_NUMBER] });
  if (header !== undefined && header !== '') document.commentBefore = commentText(header);
  return escapeUnprintable(
    document.toString({ lineWidth: 0, singleQuote: true, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }),
  );
}

type PrintArguments = Parameters<YAMLMap['toString']>;

/** On one line with spaces inside of the braces, and none inside of brackets: `{ tags: [a, b] }`. */
class Properties extends YAMLMap<Node, Node> {
  override toString(...[context, ...rest]: PrintArguments): string {
    return super.toString(context && { ...context, flowCollectionPadding: ' ' }, ...rest);
  }
}

class List extends YAMLSeq<Node> {
  override toString(...[context, ...rest]: PrintArguments): string {
    return super.toString(context && { ...context, flowCollectionPadding: '' }, ...rest);
  }
}

const EXACT_NUMBER: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => isJsonNumber(value),
  resolve: (text) => text,
  // Nothing is read by it.
  test: /$^/,
  stringify: ({ value }) => toLexeme(value as JsonNumber),
};

function listNode(items: JsonValue[], pointer: string, place: Place, layout: NodeLayout): Node {
  const list = new List();
  list.flow = fitsOnLine(items, pointer, place.inline, layout);
  items.forEach((item, index) => {
    const node = itemNode(item, joinPointer(pointer, index), place.block, layout);
    const before = list.items.at(-1);
    if (PHASE.test(pointer) && before !== undefined && !(isFlow(before) && isFlow(node))) node.spaceBefore = true;
    list.items.push(node);
  });
  return list;
}

/** @param column - of the dash */
function itemNode(value: JsonValue, pointer: string, column: number, layout: NodeLayout): Node {
  const inner = column + '- '.length;
  const node = contractNode(value, pointer, { inline: inner, block: inner }, layout);
  const comment = layout.comments.get(pointer);
  if (comment !== undefined) node.commentBefore = commentText(comment);
  return node;
}

function mapNode(value: JsonObject, pointer: string, place: Place, layout: NodeLayout): Node {
  const map = new Properties();
  map.flow = fitsOnLine(value, pointer, place.inline, layout);
  let isAfterBlock = false;
  for (const [key, property] of Object.entries(value)) {
    const pair = pairNode(key, property, joinPointer(pointer, key), place.block, layout);
    const isBlock = pair.value !== null && isCollection(pair.value) && !isFlow(pair.value);
    if (pointer === '' && map.items.length > 0 && (isBlock || isAfterBlock)) pair.key.spaceBefore = true;
    isAfterBlock = isBlock;
    map.items.push(pair);
  }
  return map;
}

/** @param column - of the key */
function pairNode(
  key: string,
  value: JsonValue,
  pointer: string,
  column: number,
  layout: NodeLayout,
): Pair<Node, Node> {
  const name = new Scalar(key);
  const style = styleOf(key, undefined);
  // A key of several lines would need marks of its own.
  if (style !== undefined) name.type = style === Scalar.BLOCK_LITERAL ? Scalar.QUOTE_DOUBLE : style;
  const comment = layout.comments.get(pointer);
  if (comment !== undefined) name.commentBefore = commentText(comment);
  const place = { inline: column + widthOf(key) + ': '.length, block: column + '  '.length };
  return new Pair(name, contractNode(value, pointer, place, layout));
}

function isCollection(node: Node): node is YAMLMap | YAMLSeq {
  return isMap(node) || isSeq(node);
}

function isFlow(node: Node): boolean {
  return isCollection(node) && node.flow === true;
}

const PHASE = /^\/(?:setup|steps|cleanup)$/;

/** What is always a block: the contract, its sections, and the steps that people read. */
const BLOCK = /^(?:|\/(?:setup|steps|cleanup)|\/(?:setup|steps)\/\d+)$/;
/** Those of a cleanup are short where they have no name. */
const CLEANUP_STEP = /^\/cleanup\/\d+$/;

/** Is the value written in braces or brackets, if it is a map or a list? */
export function fitsOnLine(value: JsonValue, pointer: string, column: number, layout: NodeLayout): boolean {
  if (!Array.isArray(value) && !isJsonObject(value)) return true;
  if (Object.keys(value).length === 0) return true;
  if (CLEANUP_STEP.test(pointer) && Object.hasOwn(value, 'name')) return false;
  return !BLOCK.test(pointer) && !layout.commented.has(pointer) && flowWidth(value, LONGEST_FLOW - column) >= 0;
}

/** @returns what is left of the room on a line; negative where there is none, or where a value needs lines of its own */
function flowWidth(value: JsonValue, room: number): number {
  if (room < 0) return room;
  if (typeof value === 'string') return isLiteral(value) ? -1 : room - widthOf(value);
  if (!Array.isArray(value) && !isJsonObject(value)) return room - scalarText(value).length;
  let left = room - (Array.isArray(value) ? '[]'.length : '{  }'.length);
  for (const [key, property] of Object.entries<JsonValue>(value)) {
    if (!Array.isArray(value)) left -= widthOf(key) + ': '.length;
    left = flowWidth(property, left) - ', '.length;
    if (left < -', '.length) return -1;
  }
  return left + ', '.length;
}

/** How many characters a text takes on a line, about: quotes are counted where they are likely. */
function widthOf(text: string): number {
  return /^[\w$./~-][^[\]{},:#'"]*$/.test(text) ? text.length : JSON.stringify(text).length;
}

function scalarNode(value: Exclude<JsonValue, JsonValue[] | JsonObject>, written: unknown): Scalar {
  const scalar = new Scalar<unknown>(value);
  if (typeof value === 'string') {
    const style = styleOf(value, isScalar(written) ? written.type : undefined);
    if (style !== undefined) scalar.type = style;
  }
  return scalar;
}

/** `undefined` for what stands without quotes wherever YAML allows it. */
function styleOf(text: string, written: Scalar['type'] | undefined): Scalar.Type | undefined {
  if (printableLines(text) !== text || text.includes('\uFEFF')) return Scalar.QUOTE_DOUBLE;
  if (isLiteral(text)) return Scalar.BLOCK_LITERAL;
  if (text.includes('\n')) return Scalar.QUOTE_DOUBLE;
  if (written === Scalar.QUOTE_DOUBLE || written === Scalar.QUOTE_SINGLE) return written;
  // In braces a placeholder has to have quotes, and so it has them everywhere.
  if (text.includes('${')) return text.includes("'") && !text.includes('"') ? Scalar.QUOTE_DOUBLE : Scalar.QUOTE_SINGLE;
  return undefined;
}

/** Is it a text of several lines that stays what it is when an editor cuts spaces at the ends of lines? */
function isLiteral(text: string): boolean {
  return /^\S[^]*\n[^]*\S\n?$/.test(text) && !/[ \t]\n/.test(text) && printableLines(text) === text;
}

/** Lines as the library takes them: each with the space behind its `#`. */
function commentText(text: string): string {
  return text.replace(/^/gm, ' ');
}
