import { printable } from '../errors/printable';
import { headerValue } from '../http/headers';
import { parseRuntimeExpression, type RuntimeExpression } from '../formats/runtime-expression';
import { parsePointer } from '../json/json-pointer';
import type { Recipe, RecipeCapture } from '../runner/run-result';
import { curlCommand, shellWord } from './shell-command';

interface NamedExpression extends RecipeCapture {
  readonly expression: RuntimeExpression;
}

/**
 * Commands that send a step once, and keep in shell variables what later ones use of its answer or of its request.
 *
 * @param wanted - names of the values that are used later
 */
export function captureCommands({ request, uses, captures }: Recipe, wanted: ReadonlySet<string>): string[] {
  const kept = captures.flatMap((capture): NamedExpression[] => {
    const expression = wanted.has(capture.name) ? parseRuntimeExpression(capture.text) : undefined;
    return expression === undefined ? [] : [{ ...capture, expression }];
  });
  const answered = kept.filter(({ expression }) => isOfAnswer(expression));
  const known = kept.filter(({ expression }) => !isOfAnswer(expression));
  const curl = (show: string): string => curlCommand(request, uses, show);
  return [
    ...fromAnswer(answered, curl),
    ...known.map((capture) => printable(`${capture.name}=${fromRequest(capture, request, uses)}`)),
  ];
}

function isOfAnswer({ kind }: RuntimeExpression): boolean {
  return kind === 'body' || kind === 'header' || kind === 'status';
}

function fromAnswer(captures: readonly NamedExpression[], curl: (show: string) => string): string[] {
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

/** Takes a part out of a whole answer, head and body, whose lines end in a line feed alone. */
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
