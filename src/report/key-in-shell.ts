import { KEY_VARIABLE } from '../runner/redact';
import { printable } from '../errors/printable';
import type { SentRequest } from '../runner/run-result';

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
 * What stands for a key in a recorded request: a variable, or one without the last character of its value. As source
 * of a regular expression.
 */
export const KEY_REFERENCE = `\\$(?:${KEY_NAME}|STANDIN_KEY_[A-Z0-9_]+|\\{(?:${KEY_NAME}|STANDIN_KEY_[A-Z0-9_]+)%\\?=*\\})`;

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
  const cut = new RegExp(`\\$\\{${KEY_NAME}%\\?(=*)\\}`, 'g');
  const fill = (text: string): string =>
    text
      .replaceAll(KEY_VARIABLE, () => key.key)
      .replace(cut, (_, padding: string) => key.key.slice(0, key.key.length - 1 - padding.length));
  const { method, url, headers, body } = request;
  return { method, url: fill(url), headers: headers.map(fill), body: body === undefined ? undefined : fill(body) };
}
