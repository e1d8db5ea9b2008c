import { headerValue } from '../http/headers';
import type { RawHeaders } from '../http/message';
import type { SentRequest } from '../runner/run-result';
import { KEY_VARIABLE } from '../runner/redact';
import { printable } from '../errors/printable';

/** How a shell comes to the key that the commands of a report need. */
export type KeyInShell =
  /** The variable is set already. */
  | { readonly kind: 'set' }
  /** Everybody knows the key: it stands in the command itself. */
  | { readonly kind: 'well-known'; readonly key: string }
  /** A command sets the variable first; it never holds the key. */
  | { readonly kind: 'export'; readonly command: string };

/** Commands that send the request again, one on each line; of several, the last one sends it. */
export function commandsFor(request: SentRequest, key: KeyInShell): string[] {
  const command = curlCommand(request);
  if (!command.includes(KEY_VARIABLE)) return [command];
  switch (key.kind) {
    case 'set':
      return [command];
    case 'well-known':
      return [curlCommand(withKey(request, key.key))];
    case 'export':
      return [printable(key.command), command];
  }
}

function withKey({ method, url, headers, body }: SentRequest, key: string): SentRequest {
  const fill = (text: string): string => text.replaceAll(KEY_VARIABLE, () => key);
  return { method, url: fill(url), headers: headers.map(fill), body: body === undefined ? undefined : fill(body) };
}

/** A command that sends the request again. The key is left to the shell, which has it in a variable. */
export function curlCommand({ method, url, headers, body }: SentRequest): string {
  // Without -g, curl reads brackets and braces in a URL as ranges.
  const options = /[[\]{}]/.test(url) ? 'curl -i -g' : 'curl -i';
  const data = body === undefined ? [] : [`--data-binary ${quote(body)}`];
  return printable(
    [options, ...methodWords(method, body), quote(url), ...headerWords(headers, body !== undefined), ...data].join(' '),
  );
}

function methodWords(method: string, body: string | undefined): string[] {
  if (method === 'HEAD') return ['-I'];
  return method === 'GET' && body === undefined ? [] : [`-X ${method}`];
}

function headerWords(headers: RawHeaders, hasBody: boolean): string[] {
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

/** One word for a POSIX shell: nothing in it is expanded but the variable of the key. */
function quote(text: string): string {
  if (/^[\w :./=-]*$/.test(text.replace(KEY_VARIABLE, ''))) return `"${text}"`;
  return text
    .split(KEY_VARIABLE)
    .map((part) => (part === '' ? '' : `'${part.replaceAll("'", `'\\''`)}'`))
    .join(`"${KEY_VARIABLE}"`);
}
