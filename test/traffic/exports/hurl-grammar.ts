/**
 * The grammar of Hurl files, as far as exports use it, by the syntax of https://hurl.dev/docs/grammar.html: what does not
 * fit throws, with the line.
 */
export interface HurlEntry {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | undefined;
  readonly status: string;
  readonly captures: readonly string[];
  readonly asserts: readonly string[];
}

const TEMPLATE = String.raw`\{\{[A-Za-z][\w-]*\}\}`;
const QUOTED = String.raw`"(?:[^"\\{]|\{(?!\{)|\\(?:["\\bfnrt]|u\{[0-9a-fA-F]+\})|${TEMPLATE})*"`;
const VALUE = String.raw`(?:[^#\\{]|\{(?!\{)|\\(?:[#\\bfnrt]|u\{[0-9a-fA-F]+\})|${TEMPLATE})*`;
const REGEX = String.raw`\/(?:[^\/\\]|\\.)+\/`;
const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const QUERY = String.raw`(?:status|url|body|bytes|duration|header ${QUOTED}|jsonpath ${QUOTED}|variable ${QUOTED})`;
const FILTER = String.raw`(?:count|toString|urlEncode|regex (?:${QUOTED}|${REGEX}))`;
const OPERAND = `(?:null|true|false|${NUMBER}|${QUOTED}|${TEMPLATE})`;
const PREDICATE =
  String.raw`(?:not )?(?:(?:==|!=) ${OPERAND}|(?:>|>=|<|<=) (?:${NUMBER}|${QUOTED})|(?:startsWith|endsWith|contains) ${QUOTED}|` +
  String.raw`matches (?:${QUOTED}|${REGEX})|exists|isEmpty|isInteger|isNumber|isFloat|isBoolean|isString|isList|isObject)`;

const REQUEST = new RegExp(String.raw`^([A-Z]+) (${VALUE})$`);
const HEADER = new RegExp(String.raw`^([A-Za-z0-9!#$%&'*+.^_|~-]+):(?: (${VALUE}))?$`);
const RESPONSE = /^HTTP (\d{3}|\*)$/;
const CAPTURE = new RegExp(String.raw`^[A-Za-z][\w-]*: ${QUERY}(?: ${FILTER})*$`);
const ASSERT = new RegExp(String.raw`^${QUERY}(?: ${FILTER})* ${PREDICATE}$`);
const TEXT_BODY = new RegExp(
  `^\`(?:[^\`#\\\\{]|\\{(?!\\{)|\\\\(?:[\`#\\\\bfnrt]|u\\{[0-9a-fA-F]+\\})|${TEMPLATE})*\`$`,
);

export function parseHurl(text: string): HurlEntry[] {
  const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }));
  const rest = lines.filter(({ line }) => line !== '' && !line.startsWith('#'));
  const entries: HurlEntry[] = [];
  while (rest.length > 0) entries.push(readEntry(rest));
  return entries;
}

interface Line {
  readonly line: string;
  readonly number: number;
}

function readEntry(rest: Line[]): HurlEntry {
  const [, method = '', url = ''] = take(rest, REQUEST, 'a request');
  const headers: [string, string][] = [];
  let body: string | undefined;
  while (rest[0] !== undefined && !RESPONSE.test(rest[0].line)) {
    const header = HEADER.exec(rest[0].line);
    if (header !== null) {
      headers.push([header[1] ?? '', header[2] ?? '']);
      rest.shift();
    } else {
      body = readBody(rest);
    }
  }
  const [, status = ''] = take(rest, RESPONSE, 'HTTP and a status');
  const captures = section(rest, '[Captures]', CAPTURE);
  const asserts = section(rest, '[Asserts]', ASSERT);
  return { method, url, headers, body, status, captures, asserts };
}

/** JSON with templates in the place of values and in strings, or a text between backquotes. */
function readBody(rest: Line[]): string {
  const { line, number } = rest.shift() ?? { line: '', number: 0 };
  if (TEXT_BODY.test(line)) return line;
  const filled = line.replace(new RegExp(TEMPLATE, 'g'), '0');
  try {
    JSON.parse(filled);
  } catch {
    throw new Error(`line ${number}: no body: ${line}`);
  }
  if (filled.includes('{{')) throw new Error(`line ${number}: an open template: ${line}`);
  return line;
}

function section(rest: Line[], title: string, pattern: RegExp): string[] {
  const isNext = (test: (line: string) => boolean): boolean => rest[0] !== undefined && test(rest[0].line);
  if (!isNext((line) => line === title)) return [];
  rest.shift();
  const lines: string[] = [];
  while (isNext((line) => !line.startsWith('[') && !REQUEST.test(line)))
    lines.push(take(rest, pattern, `a line of ${title}`)[0]);
  return lines;
}

function take(rest: Line[], pattern: RegExp, what: string): RegExpExecArray {
  const { line, number } = rest.shift() ?? { line: '(the end)', number: 0 };
  const match = pattern.exec(line);
  if (match === null) throw new Error(`line ${number}: expected ${what}, got ${line}`);
  return match;
}
