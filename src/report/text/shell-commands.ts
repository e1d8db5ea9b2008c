import { headerValue } from '../../core/http/headers';
import type { RawHeaders } from '../../core/http/message';
import { parsePointer } from '../../core/json/json-pointer';
import { printable } from '../../core/text/printable';
import { parseRuntimeExpression, type RuntimeExpression } from '../../formats/contract/runtime-expression';
import { KEY_VARIABLE } from '../../redaction/key-redactor';
import { BASIC_USER } from '../../security/basic';
import type { Recipe, RecipeCapture, SentRequest } from '../../runner/result/run-result';

/** How a shell comes to the keys that the commands of a report need. */
export type KeyInShell = (
  | /** The variable is set already. */ { readonly kind: 'set' }
  /** Everybody knows the key: it stands in the command itself. */
  | { readonly kind: 'well-known'; readonly key: string }
  /** A command sets the variable first; it never holds the key. */
  | { readonly kind: 'export'; readonly command: string }
) & {
  /** Commands that set the variables of further callers, by the name of the variable, such as `STANDIN_KEY_READER`. */
  readonly identities?: ReadonlyMap<string, string> | undefined;
};

const KEY_NAME = KEY_VARIABLE.slice(1);

/**
 * What stands for a key in a recorded request: a variable, or one without the last character of its value, in another
 * case, or a part of it. As source of a regular expression.
 */
const KEY_NAMES = `(?:${KEY_NAME}|STANDIN_KEY_[A-Z0-9_]+)`;
const KEY_REFERENCE = `\\$(?:${KEY_NAMES}|\\{${KEY_NAMES}(?:%\\?=*|\\^\\^|,,|:\\d+(?::\\d+)?|#\\* )\\})`;

/** A key, as `user:password`, in base64: what is left of a user without a name of its own, and the variables of the key. */
const BASIC_KEY = new RegExp(`^Basic (${BASIC_USER.base64})?((?!\\$\\{\\w+#)(?:[xy]?${KEY_REFERENCE})+)={0,2}$`);

/** What curl is given as `-u`; `undefined` for other headers. */
function basicPair(value: string): string | undefined {
  const [, user, key] = BASIC_KEY.exec(value) ?? [];
  return key === undefined ? undefined : `${user === undefined ? '' : `${BASIC_USER.name}:`}${key}`;
}

/** Puts before the commands what they need to have the keys. */
export function prepareKey(commands: readonly string[], key: KeyInShell): string[] {
  const used = (name: string): boolean => commands.some((command) => new RegExp(`\\$\\{?${name}\\b`).test(command));
  const others = [...(key.identities ?? [])].filter(([name]) => used(name)).map(([, command]) => command);
  const own = key.kind === 'export' && used(KEY_NAME) ? [key.command] : [];
  return [...[...own, ...others].map(printable), ...commands];
}

/** The request with a key that everybody knows in it; other keys stay the variable of the shell. */
export function fillKey(request: SentRequest, key: KeyInShell): SentRequest {
  if (key.kind !== 'well-known') return request;
  const derived = new RegExp(`\\$\\{${KEY_NAME}([%^,:][^{}]*)\\}`, 'g');
  const fill = (text: string): string =>
    text.replaceAll(KEY_VARIABLE, () => key.key).replace(derived, (_, change: string) => derivedKey(key.key, change));
  const inHeader = (text: string): string => {
    const pair = basicPair(text);
    return pair === undefined ? fill(text) : `Basic ${Buffer.from(fill(pair)).toString('base64')}`;
  };
  const { method, url, headers, body } = request;
  return { method, url: fill(url), headers: headers.map(inHeader), body: body === undefined ? undefined : fill(body) };
}

/** What a shell makes of a key: `${NAME%?}`, `${NAME^^}`, `${NAME:4:2}`. @param change - what stands behind the name */
function derivedKey(key: string, change: string): string {
  if (change === '^^') return key.toUpperCase();
  if (change === ',,') return key.toLowerCase();
  // A question mark is any character, and the padding behind it itself.
  if (change.startsWith('%')) return key.slice(0, key.length + 1 - change.length);
  const [from = 0, length = key.length] = change.slice(1).split(':').map(Number);
  return key.slice(from, from + length);
}

/**
 * Commands that send the request again, one on each line; of several, the last one sends it.
 *
 * @param variables - see {@link curlCommand}
 */
export function commandsFor(request: SentRequest, key: KeyInShell, variables: readonly string[] = []): string[] {
  return prepareKey([curlCommand(fillKey(request, key), variables)], key);
}

/**
 * A command that sends the request again. The key is left to the shell, which has it in a variable.
 *
 * @param variables - names of other shell variables that the request uses, `$name`
 * @param show - what curl gives out: `-i` head and body, `-sS` the body, `-sSi` both without a progress bar
 */
export function curlCommand(
  { method, url, headers, body, omitted }: SentRequest,
  variables: readonly string[] = [],
  show = '-i',
): string {
  const quote: Quote = (text) => shellWord(text, variables);
  // Without -g, curl reads brackets and braces in a URL as ranges.
  const options = /[[\]{}]/.test(url.replace(/\$\{\w+\}/g, '')) ? `curl ${show} -g` : `curl ${show}`;
  const data = dataWords(body, omitted, quote);
  const lines = headerWords(headers, data.length > 0, quote);
  return printable([options, ...methodWords(method, data), quote(url), ...lines, ...data].join(' '));
}

function methodWords(method: string, data: readonly string[]): string[] {
  if (method === 'HEAD') return ['-I'];
  return method === 'GET' && data.length === 0 ? [] : [`-X ${method}`];
}

/** A body that is not shown as a whole comes out of a file, which who has the contract can write. */
function dataWords(body: string | undefined, omitted: string | undefined, quote: Quote): string[] {
  if (omitted !== undefined) return ['--data-binary @body', `# write the body into the file "body" first: ${omitted}`];
  if (body === undefined) return [];
  // Behind an @ curl would read a file.
  return [`${body.startsWith('@') ? '--data-raw' : '--data-binary'} ${quote(body)}`];
}

function headerWords(headers: RawHeaders, hasBody: boolean, quote: Quote): string[] {
  const words: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', value = ''] = headers.slice(index, index + 2);
    const pair = name.toLowerCase() === 'authorization' ? basicPair(value) : undefined;
    // curl takes a header without a value away, unless it is written so.
    words.push(
      pair !== undefined ? `-u ${quote(pair)}` : `-H ${quote(value === '' ? `${name};` : `${name}: ${value}`)}`,
    );
  }
  // curl would add these by itself where we sent none.
  for (const name of hasBody ? ['Accept', 'Content-Type'] : ['Accept']) {
    if (headerValue(headers, name) === undefined) words.push(`-H '${name}:'`);
  }
  return words;
}

type Quote = (text: string) => string;

/**
 * One word for a POSIX shell. Nothing in it is expanded but the variables of keys and these, written `$name` or
 * `${name}`.
 */
function shellWord(text: string, variables: readonly string[] = []): string {
  // The longest first: one name may begin with another.
  const names = [...variables].sort((left, right) => right.length - left.length).join('|');
  const own = names === '' ? '' : `|\\$(?:(${names})|\\{(${names})\\})`;
  const parts = splitAt(text, new RegExp(`(?<key>${KEY_REFERENCE})${own}`, 'g'));
  const isPlain = parts.every(({ text: plain }) => /^[\w :./=-]*$/.test(plain));
  const words = parts.map(({ text: plain, variable }, index) => {
    const next = parts[index + 1]?.text ?? '';
    const reference = /^\w/.test(next) ? variable.replace(/^\$(\w+)$/, '${$1}') : variable;
    if (isPlain) return `${plain}${reference}`;
    return `${plain === '' ? '' : `'${plain.replaceAll("'", `'\\''`)}'`}${variable === '' ? '' : `"${variable}"`}`;
  });
  return isPlain ? `"${words.join('')}"` : words.join('');
}

/** A text in pieces, each with the variable that comes after it, as the shell writes it. */
function splitAt(text: string, pattern: RegExp): { readonly text: string; readonly variable: string }[] {
  const parts: { text: string; variable: string }[] = [];
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [whole, key, bare, braced] = match;
    parts.push({ text: text.slice(end, match.index), variable: key ?? `$${bare ?? braced ?? ''}` });
    end = match.index + whole.length;
  }
  return [...parts, { text: text.slice(end), variable: '' }];
}

interface NamedExpression extends RecipeCapture {
  readonly expression: RuntimeExpression;
}

/**
 * Commands that send a step once, and keep in shell variables what later ones use of its response or of its request.
 *
 * @param wanted - names of the values that are used later
 */
export function captureCommands({ request, uses, captures }: Recipe, wanted: ReadonlySet<string>): string[] {
  const stored = captures.flatMap((capture): NamedExpression[] => {
    const expression = wanted.has(capture.name) ? parseRuntimeExpression(capture.text) : undefined;
    return expression === undefined ? [] : [{ ...capture, expression }];
  });
  const answered = stored.filter(({ expression }) => isOfResponse(expression));
  const known = stored.filter(({ expression }) => !isOfResponse(expression));
  const curl = (show: string): string => curlCommand(request, uses, show);
  return [
    ...fromResponse(answered, curl),
    ...known.map((capture) => printable(`${capture.name}=${fromRequest(capture, request, uses)}`)),
  ];
}

function isOfResponse({ kind }: RuntimeExpression): boolean {
  return kind === 'body' || kind === 'header' || kind === 'status';
}

function fromResponse(captures: readonly NamedExpression[], curl: (show: string) => string): string[] {
  const [first, ...others] = captures;
  if (first === undefined) return [`${curl('-sS')} > /dev/null`];
  const { name, expression, pattern } = first;
  if (others.length > 0) {
    // One request for all of them: sent twice, it could make two things.
    const values = captures.map((each) => {
      return `${each.name}=$(printf '%s\\n' "$answer" | ${filterOf(each.expression)}${patternFilter(each.pattern)})`;
    });
    return [`answer=$(${curl('-sSi')} | tr -d '\\r')`, ...values];
  }
  const take = patternFilter(pattern);
  if (expression.kind === 'body') return [`${name}=$(${curl('-sS')} | ${jqFilter(expression.pointer)}${take})`];
  return [`${name}=$(${curl('-sSD - -o /dev/null')} | tr -d '\\r' | ${filterOf(expression)}${take})`];
}

/** Takes what the one group of a pattern matches out of a text. */
function patternFilter(pattern: string | undefined): string {
  if (pattern === undefined) return '';
  const filter = `match(${JSON.stringify(pattern)}).captures[0].string`;
  return printable(` | jq -Rr '${filter.replaceAll("'", `'\\''`)}'`);
}

/** Takes a part out of a whole response, head and body, whose lines end in a line feed alone. */
function filterOf(expression: RuntimeExpression): string {
  if (expression.kind === 'header') return headerFilter(expression.name);
  if (expression.kind === 'status') return `sed -n '1s/^[^ ]* \\([0-9]*\\).*/\\1/p'`;
  return `sed '1,/^$/d' | ${jqFilter(expression.kind === 'body' ? expression.pointer : '')}`;
}

/** Any case of the name, without the flag for it that not every sed has. */
function headerFilter(name: string): string {
  const pattern = Array.from(name, (letter) => {
    if (/[a-z]/i.test(letter)) return `[${letter.toUpperCase()}${letter.toLowerCase()}]`;
    return /[\w-]/.test(letter) ? letter : letter === '^' ? '\\^' : `[${letter}]`;
  });
  return `sed -n '1,/^$/s/^${pattern.join('').replaceAll("'", `'\\''`)}: *//p'`;
}

/** A JSON pointer as a filter of jq. A token of digits is taken for the index of a list, which it practically is. */
function jqFilter(pointer: string): string {
  const path = parsePointer(pointer).map((token) => {
    if (/^(?:0|[1-9]\d*)$/.test(token)) return `[${token}]`;
    return /^[A-Za-z_]\w*$/.test(token) ? `.${token}` : `[${JSON.stringify(token)}]`;
  });
  const filter = path.join('');
  return printable(`jq -r '${(filter.startsWith('.') ? filter : `.${filter}`).replaceAll("'", `'\\''`)}'`);
}

/** What is known before anything is sent, as a word of the shell. */
function fromRequest(
  { expression, pattern, value }: NamedExpression,
  request: Recipe['request'],
  uses: readonly string[],
): string {
  const word = value === undefined ? partOfRequest(expression, request, uses) : shellWord(value, uses);
  return pattern === undefined ? word : `$(printf '%s\\n' ${word}${patternFilter(pattern)})`;
}

function partOfRequest(
  expression: RuntimeExpression,
  { method, url, headers, body = '' }: Recipe['request'],
  uses: readonly string[],
): string {
  switch (expression.kind) {
    case 'url':
      return shellWord(url, uses);
    case 'method':
      return method;
    case 'request-header':
      return shellWord(headerValue(headers, expression.name) ?? '', uses);
    case 'request-body':
      return `"$(printf '%s' ${shellWord(body, uses)} | ${jqFilter(expression.pointer)})"`;
    case 'request-query':
      return shellWord(queryValue(url, expression.name), uses);
    default:
      // A result of an earlier version does not have the value.
      return '…';
  }
}

function queryValue(url: string, name: string): string {
  const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
  return new URLSearchParams(query).get(name) ?? '';
}
