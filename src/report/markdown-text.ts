import { printable } from '../errors/printable';
import { escapeMarkup, writable } from './plain-text';

/**
 * A text on one line that Markdown, HTML in Markdown and GitHub leave as it is: no markup, no mention of a user or a
 * team, no reference to an issue, no link of a bare URL.
 */
export function plainMarkdown(text: string): string {
  const line = escapeMarkup(printable(text)).replace(
    /[\\`*_{}[\]()#+!|~:]/g,
    (character) => `&#${character.charCodeAt(0)};`,
  );
  // A numeric reference becomes a plain @ before mentions are looked for; a word joiner keeps it from being one.
  return line
    .replaceAll('@', '@\u2060')
    .replace(/\bwww\./gi, '$&\u2060')
    .replaceAll('&#35;', '&#35;\u2060')
    .replace(/^(\d+)\./, '$1&#46;');
}

/** A text on one line as code: nothing in it has a meaning. Not for a table, where a pipe would end the cell. */
export function inCode(text: string): string {
  const line = writable(printable(text)).replaceAll('`', 'ˋ');
  return line.trim() === '' ? '(empty)' : `\`${line}\``;
}

/** Lines as a block of code, whatever they hold. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${writable(text)}\n${fence}`;
}
