import { headerValue } from '../http/headers';
import type { RawHeaders } from '../http/message';
import type { SentRequest } from '../runner/run-result';
import { printable } from '../errors/printable';
export type { KeyInShell } from './key-in-shell';
import { fillKey, KEY_REFERENCE, prepareKey, type KeyInShell } from './key-in-shell';

/** Commands that send the request again, one on each line; of several, the last one sends it. */
export function commandsFor(request: SentRequest, key: KeyInShell): string[] {
  return prepareKey([curlCommand(fillKey(request, key))], key);
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

/** A body that is not shown as a whole comes out of a file, which whoever has the contract can write. */
function dataWords(body: string | undefined, omitted: string | undefined, quote: Quote): string[] {
  if (omitted !== undefined) return ['--data-binary @body', `# write the body into the file "body" first: ${omitted}`];
  return body === undefined ? [] : [`--data-binary ${quote(body)}`];
}

function headerWords(headers: RawHeaders, hasBody: boolean, quote: Quote): string[] {
  const words: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    words.push(`-H ${quote(`${headers[index] ?? ''}: ${headers[index + 1] ?? ''}`)}`);
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
export function shellWord(text: string, variables: readonly string[] = []): string {
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
