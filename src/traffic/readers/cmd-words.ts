import type { ShellCommand } from './shell-words';

/**
 * Is a text of commands one for `cmd` of Windows, as browsers copy it? There a caret escapes, also at the end of a line.
 */
export function isCmdScript(text: string): boolean {
  return /\^\r?\n|\^["%&{}]|%\^\w/.test(text) && /^\s*curl(?:\.exe)?\s/im.test(text) && !/\\\r?\n/.test(text);
}

/**
 * The commands of such a text: a caret takes its meaning from the next character, and at the end of a line goes on with
 * the next one; then quotes and backslashes are read as programs of Windows read their command line.
 */
export function readCmdCommands(text: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let line = 1;
  for (const { raw, lines } of cmdLines(text.replaceAll('\r\n', '\n'))) {
    for (const words of splitCommands(raw)) commands.push({ words, line, input: undefined });
    line += lines;
  }
  return commands;
}

/** Lines without carets; an empty line behind a caret is a line feed within the command. */
function cmdLines(text: string): { readonly raw: string; readonly lines: number }[] {
  const found: { raw: string; lines: number }[] = [];
  let [raw, lines] = ['', 1];
  for (let at = 0; at < text.length; at++) {
    const [character = '', next] = [text[at], text[at + 1]];
    if (character === '^' && next === '\n') {
      lines += 1;
      at += 1;
      if (text[at + 1] === '\n') {
        raw += '\n';
        lines += 1;
        at += 1;
      }
    } else if (character === '^' && next !== undefined) {
      raw += next;
      at += 1;
    } else if (character === '\n') {
      found.push({ raw, lines });
      [raw, lines] = ['', 1];
    } else raw += character;
  }
  return [...found, { raw, lines }];
}

/**
 * An escaped quote, a pair of backslashes, one quote or two, a gap, what ends a command, or any other text. Behind text, as
 * in an address without quotes, `&` is meant as it is.
 */
const PIECE = /\\(["\\])|(""?)|(\s)|(?<=["\s]|^)(&+)|[^\\"\s&]+|[\\&]/g;

/** As programs of Windows take their command line apart: `\"` is a quote; white space within quotes belongs to a word. */
function splitCommands(raw: string): string[][] {
  const commands: string[][] = [[]];
  let word: string | undefined;
  let isQuoted = false;
  const endWord = (): void => {
    if (word !== undefined) commands.at(-1)?.push(word);
    word = undefined;
  };
  for (const [piece, escaped = piece, quote = '', space, end] of raw.matchAll(PIECE)) {
    // Two quotes within quotes are one that belongs to the word.
    const text = { '"': '', '""': isQuoted ? '"' : '' }[quote] ?? escaped;
    if (quote === '"') isQuoted = !isQuoted;
    if (isQuoted || (space ?? end) === undefined) word = (word ?? '') + text;
    else {
      endWord();
      if (end !== undefined) commands.push([]);
    }
  }
  endWord();
  return commands.filter((words) => words.length > 0);
}
