import { counted, printable, withoutCiCommands } from '../../core/text/printable';
import type { RunResult } from '../../runner/result/run-result';
import { coverageText, openCoverageText } from '../causes/coverage-text';
import type { RootCause } from '../causes/root-cause';
import { rootCauses } from '../causes/root-causes';
import {
  othersChanged,
  OUTCOME_WORDS,
  runProblems,
  scopeText,
  summaryText,
  warningGroups,
} from '../causes/run-summary';
import { reproductionOf } from '../text/reproduction';
import type { KeyInShell } from '../text/shell-commands';
import {
  causeDetails,
  escapeMarkup,
  evidenceLines,
  isFirstOf,
  type ReportDefinition,
  writable,
} from '../text/step-text';

export const report: ReportDefinition = {
  about: 'A comment on a pull request, or $GITHUB_STEP_SUMMARY: outcome, a table of causes, details folded up',
  format: (result, key) => withoutCiCommands(formatMarkdown(result, key)),
};

/**
 * A text on one line that Markdown, HTML in Markdown and GitHub leave as it is: no markup, no mention of a user or a
 * team, no reference to an issue, no link of a bare URL.
 */
function plainMarkdown(text: string): string {
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
function inCode(text: string): string {
  const line = writable(printable(text)).replaceAll('`', 'ˋ');
  return line.trim() === '' ? '(empty)' : `\`${line}\``;
}

/** Lines as a block of code, whatever they hold. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${writable(text)}\n${fence}`;
}

/** GitHub takes 65 536 characters in a comment; beside other text this is what a report may have, in bytes. */
const MOST_BYTES = 60_000;
const MOST_CAUSES = 20;
const MOST_WARNINGS = 20;
/** What a server sent can be long; a table is not a place for it. */
const LONGEST_CELL = 160;
/** Of a request and of a response, in characters: the other reports have more. */
const LONGEST_BODY = 2000;

/** A result for a pull request: the outcome, a table of the causes, and what is behind each, folded up. */
export function formatMarkdown(result: RunResult, key: KeyInShell): string {
  const causes = rootCauses(result);
  const { outcome, api, baseUrl } = result;
  const head = [
    `## ${outcome === 'conforms' ? '✅' : '❌'} ${OUTCOME_WORDS[outcome]}: ${plainMarkdown(api)}`,
    `${summaryText(result)} at ${inCode(baseUrl)}. ${scopeText(result)}.`,
    ...changedList(result),
    ...coverageLine(result),
    ...causeTable(causes),
    ...problemList(result),
    ...warningList(result),
  ];
  const details = causes
    .slice(0, MOST_CAUSES)
    .map((cause, index) => causeBlock(cause, index, key, isFirstOf(cause, causes.slice(0, index))));
  return `${withinBudget(head, details).join('\n\n')}\n`;
}

function causeTable(causes: readonly RootCause[]): string[] {
  if (causes.length === 0) return [];
  const rows = causes.slice(0, MOST_CAUSES).map((cause, index) => {
    const { check, message, operations, consequences, suspect } = cause;
    const count = cause.kind === 'run' ? cause.steps.length : cause.count;
    const names = `${operations.slice(0, 3).map(plainMarkdown).join(', ')}${operations.length > 3 ? ', …' : ''}`;
    const skipped = consequences > 0 ? ` (+${consequences} skipped)` : '';
    return `| ${index + 1} | ${plainMarkdown(check)}: ${plainMarkdown(shorten(message))} | ${names || '–'} | ${count}${skipped} | ${suspect} |`;
  });
  const rest = causes.length - MOST_CAUSES;
  return [
    ['|  | What | Operations | Count | Suspect |', '| --- | --- | --- | --- | --- |', ...rows].join('\n'),
    ...(rest > 0 ? [`… and ${counted(rest, 'more cause')}; the JSON and HTML reports have them all.`] : []),
  ];
}

function coverageLine(result: RunResult): string[] {
  const [coverage, open] = [coverageText(result), openCoverageText(result)];
  if (coverage === undefined) return [];
  return [`Coverage: ${coverage}.${open === undefined ? '' : ` ${plainMarkdown(open)}.`}`];
}

function changedList(result: RunResult): string[] {
  const changed = othersChanged(result);
  if (changed === undefined) return [];
  return [`⚠️ ${plainMarkdown(changed.title)}:`, changed.lines.map((line) => `- ${inCode(shorten(line))}`).join('\n')];
}

function problemList(result: RunResult): string[] {
  const lines = runProblems(result).map(({ message, hint }) => `- ${plainMarkdown(message)}. ${plainMarkdown(hint)}`);
  return lines.length === 0 ? [] : [lines.slice(0, MOST_CAUSES).join('\n')];
}

function warningList(result: RunResult): string[] {
  const groups = warningGroups(result);
  if (groups.length === 0) return [];
  const lines = groups.slice(0, MOST_WARNINGS).map((group) => {
    const [{ step, finding }] = group;
    return `- ${inCode(finding.check)} ${plainMarkdown(shorten(finding.message))} (${counted(group.length, 'time')}, first in ${plainMarkdown(shorten(step.name))})`;
  });
  return [folded(counted(groups.length, 'warning'), lines.join('\n'))];
}

function causeBlock(cause: RootCause, index: number, key: KeyInShell, hasEvidence: boolean): string {
  const [owned] = cause.steps;
  const { step } = owned;
  const commands = reproductionOf(owned, key)?.commands;
  const lines = causeDetails(cause).map(([label, text]) => `- ${label}: ${inCode(shorten(text, 1000))}`);
  const again = commands === undefined ? '' : `\n\n${fenced(commands.join('\n'), 'sh')}`;
  const evidence = hasEvidence ? evidenceLines(step, LONGEST_BODY) : [];
  const exchange =
    evidence.length === 0 ? '' : `\n\n${folded('request and response', fenced(evidence.join('\n'), 'http'))}`;
  return folded(`${index + 1}. ${cause.check}: ${shorten(cause.message)}`, `${lines.join('\n')}${again}${exchange}`);
}

/** The summary is HTML, and in HTML markup of Markdown means nothing. */
function folded(summary: string, content: string): string {
  return `<details><summary>${plainMarkdown(summary)}</summary>\n\n${content}\n\n</details>`;
}

function withinBudget(head: readonly string[], details: readonly string[]): string[] {
  const size = (text: string): number => Buffer.byteLength(text) + 2;
  const blocks: string[] = [];
  // Room for the sentence that counts what is left out.
  let room = MOST_BYTES - 200;
  let omitted = 0;
  for (const block of [...head, ...details]) {
    if (size(block) <= room) {
      blocks.push(block);
      room -= size(block);
    } else omitted += 1;
  }
  return omitted === 0
    ? blocks
    : [
        ...blocks,
        `… ${counted(omitted, 'part')} omitted because of the size limit; the JSON and HTML reports have all.`,
      ];
}

function shorten(text: string, longest = LONGEST_CELL): string {
  const characters = Array.from(text);
  return characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text;
}
