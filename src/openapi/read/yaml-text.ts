import { Lexer, LineCounter, parseDocument, stringify } from 'yaml';
import type { SourceFinding } from '../../core/errors/standin-error';
import { ExactNumber } from '../../core/json/exact-number';
import type { SourceLocation } from './source-document';
import type { ParsedYaml } from './yaml-syntax-hints';

/** Each line alone would be too little to tell of. */
const TOLD_LINES = 1000;

/**
 * The tree of a text in YAML 1.2 with the core schema, and the errors in it.
 *
 * @param tell - called now and then while the text is read
 */
export function parseYaml(text: string, tell?: () => void): ParsedYaml {
  const lines = new LineCounter();
  if (tell !== undefined) {
    const { addNewLine } = lines;
    lines.addNewLine = (offset) => {
      if (lines.lineStarts.length % TOLD_LINES === 0) tell();
      return addNewLine(offset);
    };
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    intAsBigInt: true,
    prettyErrors: false,
    uniqueKeys: true,
    schema: 'core',
    version: '1.2',
    merge: false,
  });
  return { document, text, lines };
}

export function locationInYaml(lines: LineCounter, offset: number): SourceLocation {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

/**
 * The same text as other readers take it, and what was forgiven.
 *
 * @returns what was given, with its errors, where some of them cannot be forgiven
 */
export function withToleratedErrors(
  parsed: ParsedYaml,
  file: string,
): { parsed: ParsedYaml; findings: SourceFinding[] } {
  if (parsed.document.errors.length === 0) return { parsed, findings: [] };
  const mended = isForgivable(parsed) ? undefined : indentContinuations(parsed.text);
  const again = mended === undefined ? parsed : parseYaml(mended.text);
  const { document, lines } = again;
  if (!isForgivable(again)) return { parsed, findings: [] };
  const warn = (offset: number, message: string): SourceFinding => ({
    rule: 'yaml-form',
    severity: 'warning',
    file,
    pointer: '',
    message,
    ...locationInYaml(lines, offset),
  });
  const findings = [
    ...(mended?.places ?? []).map(({ start, kind }) =>
      warn(start, `The lines of this ${kind} are indented too little for YAML; it is read as if they were not`),
    ),
    ...document.errors
      .filter(({ code }) => code !== 'DUPLICATE_KEY')
      .map(({ pos, message }) => warn(pos[0], `${message}; it is read all the same`)),
  ];
  document.errors = [];
  return { parsed: again, findings };
}

/** Are there errors of form only, with which the tree is whole? */
function isForgivable({ document, text }: ParsedYaml): boolean {
  return document.errors.every(({ code, message, pos }) => {
    // Merge keys may stand side by side.
    if (code === 'DUPLICATE_KEY') return /^<<\s*:/.test(text.slice(pos[0], pos[0] + 20));
    return code === 'KEY_OVER_1024_CHARS' || message.startsWith('Comments must be separated');
  });
}

/** A quoted text or a bracketed value whose later lines are indented too little for the rules of YAML. */
interface UnderIndented {
  /** Offset of the quote or bracket that opens it. */
  readonly start: number;
  readonly kind: 'quoted text' | 'bracketed value';
}

/** Each mend reads the text again: together no more characters than this. */
const MAX_READ = 64 * 1024 * 1024;

/** Marks of the lexer that stand for no character of the text: a document, the end of a bracketed value, a scalar. */
const DOCUMENT_MARK = '\u0002';
const FLOW_END_MARK = '\u0018';
const SCALAR_MARK = '\u001f';
const MARKS: ReadonlySet<string> = new Set([DOCUMENT_MARK, FLOW_END_MARK, SCALAR_MARK]);

/**
 * Indents the later lines of quoted texts and bracketed values as YAML 1.2 §7.3 and §7.4 want it. Other readers take
 * such lines as they are: line breaks and spaces in a quoted text fold to one space either way. Lines stay lines.
 *
 * @returns `undefined` where there is nothing of the kind
 */
function indentContinuations(text: string): { text: string; places: UnderIndented[] } | undefined {
  const places: UnderIndented[] = [];
  let mended = text;
  for (let read = 0; read < MAX_READ; read += mended.length) {
    const place = firstUnderIndented(mended);
    if (place === undefined) break;
    const end = place.kind === 'quoted text' ? endOfQuoted(mended, place.start) : endOfBrackets(mended, place.start);
    // It is not closed at all: who parses it says so.
    if (end === undefined) break;
    const inner = mended.slice(place.start, end);
    const indented = inner.replace(/(\r?\n)[ \t]*(?=[^\s])/g, `$1${' '.repeat(columnOf(mended, place.start) + 1)}`);
    if (indented === inner) break;
    mended = mended.slice(0, place.start) + indented + mended.slice(end);
    places.push(place);
  }
  return places.length === 0 ? undefined : { text: mended, places };
}

function firstUnderIndented(text: string): UnderIndented | undefined {
  const open: number[] = [];
  for (const { token, offset } of plainTokens(text)) {
    if (token === FLOW_END_MARK) return open[0] === undefined ? undefined : { start: open[0], kind: 'bracketed value' };
    if (token === '[' || token === '{') open.push(offset);
    else if (token === ']' || token === '}') open.pop();
    else if (/^["']/.test(token) && endOfQuoted(text, offset) !== offset + token.length)
      return { start: offset, kind: 'quoted text' };
  }
  return undefined;
}

/** The tokens of a text with their offsets, without those that are scalars without quotes. */
function* plainTokens(text: string): Generator<{ readonly token: string; readonly offset: number }> {
  let offset = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (token === FLOW_END_MARK) yield { token, offset };
    if (MARKS.has(token)) {
      isScalar = token === SCALAR_MARK;
      continue;
    }
    if (!isScalar) yield { token, offset };
    isScalar = false;
    offset += token.length;
  }
}

/** The offset behind the quote that closes, by the rules of YAML 1.2 §7.3.1 and §7.3.2. */
function endOfQuoted(text: string, start: number): number | undefined {
  const pattern = text[start] === '"' ? /"(?:[^"\\]|\\[^])*"/y : /'(?:[^']|'')*'(?!')/y;
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function endOfBrackets(text: string, start: number): number | undefined {
  let depth = 0;
  for (let offset = start; offset < text.length; offset += 1) {
    const character = text[offset] ?? '';
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    else {
      const end = endOfPassage(text, offset);
      if (end === undefined) return undefined;
      offset = end - 1;
    }
    if (depth === 0) return offset + 1;
  }
  return undefined;
}

/** The offset behind a quoted text or a comment that begins here, in which brackets mean nothing; else behind one character. */
function endOfPassage(text: string, offset: number): number | undefined {
  const before = text[offset - 1] ?? ' ';
  const character = text[offset];
  if ((character === '"' || character === "'") && /[\s[{,:]/.test(before)) return endOfQuoted(text, offset);
  if (character !== '#' || !/\s/.test(before)) return offset + 1;
  const end = text.indexOf('\n', offset);
  return end === -1 ? undefined : end + 1;
}

/** The 0-based column, counting a tab as one. */
function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** A value as a YAML document that {@link readSource} reads back; a number in another form than its digits is the nearest one. */
export function writeYaml(value: unknown): string {
  return stringify(exactAsNumber(value), { lineWidth: 0, aliasDuplicateObjects: false, version: '1.2' });
}

function exactAsNumber(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.lexeme);
  if (Array.isArray(value)) return value.map(exactAsNumber);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, exactAsNumber(property)]));
}
