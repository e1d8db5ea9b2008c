import { type Document, isAlias, isMap, isNode, isScalar, isSeq, parseDocument, Parser, visit } from 'yaml';
import { ContractError, SpecError } from '../../core/errors/standin-error';
import { counted } from '../../core/text/printable';
import { isJsonNumber, type JsonNumber, numberFromLexeme, parseDecimal } from '../../core/json/exact-number';
import { getAtPointer, joinPointer } from '../../core/json/json-pointer';
import { equalJson, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { explainUnquotedPlaceholders } from '../../formats/contract/placeholders';
import { decode } from '../../formats/decode';
import { readSource } from '../../openapi/read/read-source';
import { findingAt, type SourceDocument } from '../../openapi/read/source-document';
import type { Handwriting } from './three-way';
import { isBlock, type WrittenTree, writtenTree } from './written-tree';

/** Lines of comments that stand together: offsets from the first to behind the last. */
export interface CommentRun {
  readonly start: number;
  readonly end: number;
}

interface WrittenComment {
  readonly offset: number;
  /** Without `#` and the space behind it. */
  readonly text: string;
  /** Where its line begins and ends, if nothing else is on it. */
  readonly line: CommentRun | undefined;
}

/** A contract as its file has it now, with what its text says beside its value. */
export class WrittenContract implements Handwriting {
  /** With line feeds, and one at the end. */
  readonly text: string;
  readonly value: JsonObject;
  readonly tree: WrittenTree;
  private readonly file: string;
  private readonly comments: readonly WrittenComment[];
  private readonly generated = new Set<number>();
  private readonly repeated: readonly CommentRun[];

  /** @throws ContractError `CONTRACT_INVALID` for what is no contract (any more), with every place */
  constructor(text: string, file: string) {
    this.text = text.replace(/\r\n?/g, '\n').replace(/[^\n]$/, '$&\n');
    this.file = file;
    const value = readValue(this.text, file);
    const document = parseDocument(this.text, { ...READING, keepSourceTokens: true });
    this.tree = writtenTree(document, this.text);
    this.value = asWritten(value, this.tree);
    this.comments = commentsIn(this.text);
    this.repeated = repeatedIn(document);
  }

  /** Finds lines of the generator before a value, and knows from then on that they are no handwriting. */
  findGenerated(pointer: string, comment: string): CommentRun | undefined {
    const entry = this.tree.get(pointer)?.entry;
    return entry && this.findRun(comment, entry.lead, entry.start);
  }

  findHeader(header: string): CommentRun | undefined {
    return header === '' ? undefined : this.findRun(header, 0, this.tree.get('')?.node?.range?.[0] ?? this.text.length);
  }

  /** Rejects a form in which nothing can be changed without losing something of hers. */
  rejected(pointer: string, message: string, expected: string): ContractError {
    const document = readSource(this.text, this.file);
    const finding = findingAt(document, pointer, { rule: 'contract-format', message, expected });
    return new ContractError('CONTRACT_INVALID', `${this.file} cannot be updated`, {
      findings: [finding],
      hint: UNCHANGED,
    });
  }

  isRepeated(pointer: string): boolean {
    const { node } = this.tree.get(pointer) ?? {};
    const start = node?.range?.[0];
    return start !== undefined && this.repeated.some((run) => run.start <= start && start < run.end);
  }

  holdsOwnInside(pointer: string): boolean {
    const { node, entry } = this.tree.get(pointer) ?? {};
    const [start = 0, end = 0] = node?.range ?? [];
    // What stands between a key and its first line, and behind its last value, would go with the value.
    const isLines = isBlock(node) && entry !== undefined;
    return node !== undefined && this.holdsBetween(isLines ? entry.valueStart : start, isLines ? entry.valueEnd : end);
  }

  holdsOwn(pointer: string): boolean {
    const { entry } = this.tree.get(pointer) ?? {};
    return entry === undefined ? this.holdsOwnInside(pointer) : this.holdsBetween(entry.lead, entry.end);
  }

  isWhole(pointer: string): boolean {
    const { node } = this.tree.get(pointer) ?? {};
    if (isAlias(node)) return true;
    return (isMap(node) || isSeq(node)) && node.flow === true && this.holdsOwnInside(pointer);
  }

  private findRun(comment: string, from: number, to: number): CommentRun | undefined {
    const wanted = comment.split('\n').map((line) => line.trim());
    const here = this.comments.filter(({ offset, line }) => line !== undefined && offset >= from && offset < to);
    const first = here.findIndex((_, index) => wanted.every((line, more) => here[index + more]?.text === line));
    if (first === -1) return undefined;
    const found = here.slice(first, first + wanted.length);
    for (const { offset } of found) this.generated.add(offset);
    return { start: found[0]?.line?.start ?? 0, end: found.at(-1)?.line?.end ?? 0 };
  }

  private holdsBetween(start: number, end: number): boolean {
    const isInside = (offset: number): boolean => offset >= start && offset < end;
    if (this.repeated.some((run) => isInside(run.start))) return true;
    return this.comments.some(({ offset }) => isInside(offset) && !this.generated.has(offset));
  }
}

/** As the reader of contracts reads them. */
const READING = { intAsBigInt: true, prettyErrors: false, schema: 'core', version: '1.2', merge: false } as const;

function readValue(text: string, file: string): JsonObject {
  const document = readDocument(text, file);
  const findings = decode(document, 'contract').filter(({ pointer }) => !isVariable(document, pointer));
  if (findings.length === 0 && isJsonObject(document.root)) return document.root;
  throw new ContractError('CONTRACT_INVALID', `${file} is no contract: ${counted(findings.length, 'error')}`, {
    findings,
    hint: UNCHANGED,
  });
}

function readDocument(text: string, file: string): SourceDocument {
  try {
    return readSource(text, file);
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    throw new ContractError('CONTRACT_INVALID', error.message, {
      findings: explainUnquotedPlaceholders(text, error.findings),
      hint: UNCHANGED,
      cause: error,
    });
  }
}

const UNCHANGED = 'Nothing was written. Correct the file, or remove it to have it made anew.';

/** The value with the digits of its numbers as they stand in the text: 2.50, where a reader takes 2.5. */
function asWritten(value: JsonObject, tree: WrittenTree): JsonObject {
  const spelled = (part: JsonValue, pointer: string): JsonValue => {
    if (Array.isArray(part)) return part.map((item, index) => spelled(item, joinPointer(pointer, index)));
    if (isJsonNumber(part)) {
      const node = tree.get(pointer)?.node;
      const exact = isScalar(node) && node.source !== undefined ? numberOf(node.source) : undefined;
      return exact !== undefined && equalJson(exact, part) ? exact : part;
    }
    return isJsonObject(part) ? properties(part, pointer) : part;
  };
  const properties = (object: JsonObject, pointer: string): JsonObject => {
    const entries = Object.entries(object).map(([name, part]) => [name, spelled(part, joinPointer(pointer, name))]);
    return Object.fromEntries(entries) as JsonObject;
  };
  return properties(value, '');
}

function numberOf(source: string): JsonNumber | undefined {
  return parseDecimal(source) === undefined ? undefined : numberFromLexeme(source);
}

/** What a variable comes in the place of has its type only then. */
function isVariable({ root }: SourceDocument, pointer: string): boolean {
  const value = getAtPointer(root, pointer);
  return typeof value === 'string' && value.includes('${');
}

function commentsIn(text: string): WrittenComment[] {
  const comments: WrittenComment[] = [];
  const look = (token: unknown): void => {
    if (Array.isArray(token)) token.forEach(look);
    else if (typeof token === 'object' && token !== null) {
      const { type, offset, source } = token as { type?: unknown; offset?: unknown; source?: unknown };
      if (type !== 'comment' || typeof offset !== 'number' || typeof source !== 'string') {
        Object.values(token).forEach(look);
        return;
      }
      const start = text.lastIndexOf('\n', offset - 1) + 1;
      const end = text.indexOf('\n', offset) + 1;
      const line = text.slice(start, offset).trim() === '' ? { start, end } : undefined;
      comments.push({ offset, text: source.slice(1).trim(), line });
    }
  };
  for (const token of new Parser().parse(text)) look(token);
  return comments.sort((one, other) => one.offset - other.offset);
}

/** Where the nodes stand that an alias repeats elsewhere. */
function repeatedIn(document: Document): CommentRun[] {
  const runs: CommentRun[] = [];
  const names = new Set<string>();
  visit(document, { Alias: (_, { source }) => void names.add(source) });
  if (names.size === 0) return runs;
  visit(document, {
    Node: (_, node) => {
      if (isNode(node) && !isAlias(node) && node.anchor !== undefined && names.has(node.anchor)) {
        const [start = 0, end = 0] = node.range ?? [];
        runs.push({ start, end: Math.max(end, start + 1) });
      }
    },
  });
  return runs;
}
