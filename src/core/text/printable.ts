/** `1 step`, `2 steps`, `3 properties`. @param count - a number, as it is written */
export function counted(count: number | string, noun: string): string {
  return `${count} ${String(count) === '1' ? noun : `${noun.replace(/(?<=[^aeiou])y$/, 'ie')}s`}`;
}

// Control characters of both kinds (ECMA-48), which move the cursor, hide text or clear the screen; marks that turn the
// direction of what comes behind them (Unicode UAX 9), and the separators that some readers take for line ends.
const UNSAFE = '\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u206f\\ufdd0-\\ufdef\\ufffe\\uffff';
const IN_A_LINE = new RegExp(`[\\u0000-\\u001f${UNSAFE}]`, 'g');
const IN_LINES = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${UNSAFE}]`, 'g');
const IN_JSON = new RegExp(`[${UNSAFE}]`, 'g');

/**
 * A text that others wrote (a description, a server, a ledger, a contract), fit for one line of a terminal, of a log and
 * of a file that another tool reads: without characters that do something instead of being seen. This module is the one
 * place that knows which these are.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\r\n\t]+/g, ' ')
    .replace(IN_A_LINE, '?');
}

/** The same of a text of several lines, whose line feeds and tabs stay. @param instead - of each such character */
export function printableLines(text: string, instead = '?'): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(IN_LINES, instead);
}

/** A JSON text with such characters as escapes: the values stay what they are (RFC 8259 §7). */
export function printableJson(json: string): string {
  return escapeUnprintable(json).replace(COMMAND_IN_LINE, '#\\u0023');
}

/** A text with such characters as escapes, for what has them between double quotes alone, as JSON and YAML can. */
export function escapeUnprintable(text: string): string {
  return text.replace(IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// What stands behind spaces at the beginning of a line, for GitHub Actions; anywhere in one, for its older commands, Azure
// Pipelines and TeamCity.
const COMMAND_AT_BEGIN = /^([^\S\r\n]*):(?=:)/gm;
const COMMAND_IN_LINE = /##(?=\[|vso\[|teamcity\[)/g;

/**
 * Output without lines that the runner of a CI job, which reads along, would take for commands to itself: to mask words,
 * to end the reading of commands, to set a variable.
 *
 * @param begin - in the place of the first of two colons @param inLine - in the place of `##`
 */
export function withoutCiCommands(output: string, begin = ': ', inLine = '# #'): string {
  return output.replace(COMMAND_AT_BEGIN, `$1${begin}`).replace(COMMAND_IN_LINE, inLine);
}

/** A command of standin for people to copy: `npx` finds it where the package is a dependency, and in a clone. */
export function toPaste(command: string): string {
  return `npx ${command}`;
}

/** A text between tags of HTML, and in quoted attributes. */
export function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
