import { isMap, isScalar, isSeq, visit, type Document, type ErrorCode, type LineCounter, type YAMLMap } from 'yaml';
import { counted } from '../../core/text/printable';

/** A syntax error in YAML as the parser tells it. */
interface YamlSyntaxError {
  readonly code: ErrorCode;
  readonly message: string;
  /** Offsets into the text. */
  readonly pos: readonly [number, number];
}

/** What is reported of an error in place of the parser's words, as far as there is a better word. */
export interface YamlAdvice {
  readonly message?: string;
  readonly hint?: string;
}

/** The parser's tree and the text that it was made of. */
export interface ParsedYaml {
  readonly document: Document;
  readonly text: string;
  readonly lines: LineCounter;
}

type Advise = (error: YamlSyntaxError, parsed: ParsedYaml) => YamlAdvice;

/** Says what is mostly the cause of a syntax error, and how it is mended. */
export function adviseOnYaml(error: YamlSyntaxError, parsed: ParsedYaml): YamlAdvice {
  return ADVICE[error.code]?.(error, parsed) ?? {};
}

const unquotedStart: Advise = ({ pos }, { text }) => {
  const value = restOfLine(text, pos[0]);
  return {
    message: `A value cannot begin with ${value.charAt(0)} unless it is quoted`,
    hint: `Quote it: ${quoted(value)}`,
  };
};

/** A line that has no key, or whose key has no space behind its colon: both read as the first half of a key. */
const noKey: Advise = ({ pos }, { text }) => {
  const line = restOfLine(text, pos[0]);
  const colon = line.indexOf(':');
  if (colon > 0) {
    const mended = `${line.slice(0, colon)}: ${line.slice(colon + 1).trimStart()}`;
    return { message: 'A space is missing behind a colon, or a value runs over lines', hint: `Write ${mended}` };
  }
  if (line.startsWith('- ')) return { hint: 'A list cannot be where properties are: indent it below its key.' };
  return {
    message: 'A line between properties has no colon',
    hint: 'A property is written as key: value; a string over several lines is quoted, or begins with | or >.',
  };
};

const nestedOnOneLine: Advise = ({ pos }, { text, lines }) => {
  const value = restOfLine(text, pos[0]);
  if (/:(?:\s|$)/.test(value)) {
    return { message: 'A value holds a colon and a space, and has no quotes', hint: `Quote it: ${quoted(value)}` };
  }
  const { line } = lines.linePos(pos[0]);
  return {
    message: `Line ${line + 1} is indented below line ${line}, which has a value already`,
    hint: `Indent line ${line + 1} like line ${line}, or take away the value of line ${line}.`,
  };
};

const badIndent: Advise = ({ pos, message }, { text, lines }) => {
  if (message.startsWith('Flow')) {
    return { hint: 'A bracket or brace before this line is not closed, or what closes it is not indented enough.' };
  }
  const { line } = lines.linePos(pos[0]);
  const spaces = /^ */.exec(text.slice(lines.lineStarts[line - 1]))?.[0].length ?? 0;
  return {
    hint: `Line ${line} is indented by ${counted(spaces, 'space')}, and no line around it is: give it as many as its neighbours.`,
  };
};

const duplicateKey: Advise = ({ pos }, { document, lines }) => {
  let advice: YamlAdvice = {};
  visit(document, {
    Map(_, map) {
      const again = map.items.find(({ key }) => isScalar(key) && key.range?.[0] === pos[0]);
      if (again === undefined) return undefined;
      advice = { ...keyWrittenBefore(map, again.key, lines) };
      return visit.BREAK;
    },
  });
  return advice;
};

function keyWrittenBefore(map: YAMLMap, again: unknown, lines: LineCounter): YamlAdvice {
  const name = isScalar(again) ? String(again.value) : '';
  const first = map.items.find(({ key }) => isScalar(key) && String(key.value) === name)?.key;
  const offset = isScalar(first) ? (first.range?.[0] ?? 0) : 0;
  return {
    message: `Map keys must be unique: "${name}" is written twice`,
    hint: `It stands on line ${lines.linePos(offset).line} already. Put what both hold under one of them.`,
  };
}

const missingCharacter: Advise = (error, parsed) => {
  const { message, pos } = error;
  const { document, text, lines } = parsed;
  if (message.startsWith('Implicit map keys')) return noKey(error, parsed);
  const quote = /^Missing closing (["'])quote/.exec(message)?.[1];
  if (quote === undefined) return {};
  let opened: number | undefined;
  visit(document, {
    Scalar(_, { range }) {
      // Behind the error the parser has lost its way: what looks like a quoted text there may be the end of one.
      if (range && range[0] <= pos[0] && text[range[0]] === quote) opened = range[0];
    },
  });
  if (opened === undefined) return {};
  return {
    message: `Missing closing ${quote}`,
    hint: `The quote that opens on line ${lines.linePos(opened).line} is not closed.`,
  };
};

const unexpected: Advise = ({ pos, message }, { document, text, lines }) => {
  const before = text.slice(lines.lineStarts[lines.linePos(pos[0]).line - 1], pos[0]);
  if (message.startsWith('Block scalar header')) {
    return { hint: 'Behind | or > the line ends; the text begins on the next line, indented.' };
  }
  const last = before.trimEnd().at(-1) ?? '';
  if ((last === '"' || last === "'") && before.includes(`: ${last}`)) {
    return { hint: "Nothing may follow a closing quote. Within '…' a quote is written twice: ''." };
  }
  if (isSeq(document.contents) || isMap(document.contents)) {
    return { hint: 'It does not fit what is before it: look for a wrong indentation, or a bracket too many.' };
  }
  return {};
};

const ADVICE: Partial<Record<ErrorCode, Advise>> = {
  BAD_SCALAR_START: unquotedStart,
  MULTILINE_IMPLICIT_KEY: noKey,
  BLOCK_AS_IMPLICIT_KEY: nestedOnOneLine,
  BAD_INDENT: badIndent,
  DUPLICATE_KEY: duplicateKey,
  MISSING_CHAR: missingCharacter,
  UNEXPECTED_TOKEN: unexpected,
  TAB_AS_INDENT: () => ({ hint: 'Indent with spaces.' }),
  BAD_DQ_ESCAPE: () => ({ hint: 'Within "…" a backslash is written twice. Within \'…\' it stands for itself.' }),
  BAD_ALIAS: () => ({ hint: 'A value that begins with & or * is quoted.' }),
  MULTIPLE_DOCS: () => ({
    message: 'Source contains multiple documents',
    hint: 'A file holds one document: remove --- and what follows, or make it a file of its own.',
  }),
};

/** What stands on a line from an offset on, without a comment. */
function restOfLine(text: string, offset: number): string {
  const end = text.slice(offset).search(/[\r\n]/);
  const rest = end === -1 ? text.slice(offset) : text.slice(offset, offset + end);
  const comment = rest.indexOf(' #');
  return (comment === -1 ? rest : rest.slice(0, comment)).trim();
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
