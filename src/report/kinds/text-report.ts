import pc from 'picocolors';
import { type Group, groupBy } from '../../core/text/group-by';
import { counted, printable, withoutCiCommands } from '../../core/text/printable';
import { allSteps, missedCoverage, tallyOf } from '../../runner/result/outcome';
import type { OperationCoverage, Residue, RunResult, SkipCause, StepResult } from '../../runner/result/run-result';
import { coverageText, missedHint, missedText, openCoverageText, unseenText } from '../causes/coverage-text';
import { compareResults, comparisonText } from '../causes/comparison';
import type { RootCause } from '../causes/root-cause';
import { explainsContracts } from '../causes/whole-run-cause';
import { rootCauses } from '../causes/root-causes';
import {
  countsText,
  isPending,
  lockStepText,
  operationsWithoutResponse,
  OUTCOME_WORDS,
  othersChanged,
  residueGroups,
  residueText,
  scopeText,
  summaryText,
  warningGroups,
} from '../causes/run-summary';
import type { KeyInShell } from '../text/shell-commands';
import { type Colours, formatCause, formatCauses, shortList, stepTitle } from '../text/terminal-text';
import type { ReportDefinition } from '../text/step-text';

export const report: ReportDefinition = {
  about: 'The console report without colours, in a file',
  format: (result, key, before) => withoutCiCommands(formatTextReport(result, false, key, { before })),
};

interface TextReportOptions {
  /**
   * With what is reported only to those who ask: failing requests and their responses, every status that each operation
   * answered with, and what became of each contract where one cause explains the whole run.
   */
  readonly isVerbose?: boolean | undefined;
  /** An earlier run: what is new and what is fixed is told. */
  readonly before?: RunResult | undefined;
}

/** More causes than these are no reading any more. */
const MOST_CAUSES = 20;
const MOST_WARNINGS = 10;
const MOST_PENDING = 10;
/** Of what was not seen of each dimension, when verbose. */
const MOST_UNSEEN = 20;
/** Of each cause of skipping: a step that fails can take hundreds with it, each for a reason of its own. */
const MOST_REASONS = 3;
/** Of what stays, as was planned, so many of each kind are named. */
const MOST_EXPECTED = 3;

/**
 * A run as text for people: first what failed, one cause once, with commands that bring it about again; then what
 * could not be checked, warnings, what was skipped and why, what was left behind; last the counts.
 *
 * @param isColoured - with the escape sequences of a terminal
 * @param key - where the commands take the key from
 */
export function formatTextReport(
  result: RunResult,
  isColoured: boolean,
  key: KeyInShell = { kind: 'set' },
  options: TextReportOptions = {},
): string {
  const colours = pc.createColors(isColoured);
  // What explains the whole run explains what was not tried, and every contract, as well.
  const isExplained = options.isVerbose !== true && rootCauses(result).some(explainsContracts);
  const steps = allSteps(result);
  const blocks = [
    `${colours.bold(printable(result.api))} at ${printable(result.baseUrl)}`,
    ...formatOthersChanged(result, colours),
    ...formatFailures(result, colours, key, options.isVerbose),
    ...formatWarnings(result, colours),
    ...formatLearnt(result, colours),
    ...formatPending(steps, colours),
    ...formatSkipped(isExplained ? steps.filter(isLeftOut) : steps, colours),
    ...formatLeftBehind(result, colours),
    ...(isExplained ? [] : [...formatCoverage(result, colours, options), ...formatContracts(result, colours)]),
    ...formatComparison(result, options, colours),
    formatSummary(result, colours),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function formatFailures(result: RunResult, colours: Colours, key: KeyInShell, isVerbose = false): string[] {
  const causes = rootCauses(result);
  const shown = groupBy(causes.slice(0, MOST_CAUSES), ({ kind, steps: [{ step, contract }] }) =>
    // Steps may share a name: where one stands in its contract distinguishes it.
    JSON.stringify([kind, contract?.file, contract?.steps.indexOf(step), step.name]),
  );
  const rest = causes.length - MOST_CAUSES;
  const more = `… and ${counted(rest, 'more cause')}: --report json=FILE and --report html=FILE have them all`;
  return [
    ...shown.map((group) => formatCauses(group, colours, key, isVerbose)),
    ...(rest > 0 ? [colours.red(more)] : []),
  ];
}

/** The first finding: whoever reads a report at a shared server wants to know this before everything else. */
function formatOthersChanged(result: RunResult, colours: Colours): string[] {
  const changed = othersChanged(result);
  if (changed === undefined) return [];
  const title = `${colours.magenta('CHANGED MEANWHILE')} — ${changed.title}`;
  return [[title, ...changed.lines.map((line) => `  ${printable(line)}`)].join('\n')];
}

/** What was learnt is told, a line each: what was sent afterwards follows from it. */
function formatLearnt({ learnt = [] }: RunResult, colours: Colours): string[] {
  if (learnt.length === 0) return [];
  return [
    [colours.cyan('LEARNT'), ...learnt.map((fact) => printable(`  ${fact.operation} ${fact.message}`))].join('\n'),
  ];
}

/** The same warning from many steps is reported once, with its first step. */
function formatWarnings(result: RunResult, colours: Colours): string[] {
  const groups = warningGroups(result);
  const blocks = groups.slice(0, MOST_WARNINGS).map((group) => {
    const [{ step, finding }] = group;
    const times = group.reduce((sum, each) => sum + (each.step.times ?? 1), 0);
    const count = times === 1 ? '' : `, and ${times - 1} more like it`;
    const label = finding.severity === 'info' ? colours.cyan('NOTE') : colours.yellow('WARNING');
    return [`${label} ${stepTitle(step, colours)}${count}`, ...formatCause(finding, colours)].join('\n');
  });
  const rest = groups.length - MOST_WARNINGS;
  return rest > 0
    ? [...blocks, colours.yellow(`… and ${counted(rest, 'more warning')}: --report json=FILE has them all`)]
    : blocks;
}

const LEFT_OUT: ReadonlySet<SkipCause> = new Set(['selection', 'mode', 'not-harmless']);

function isLeftOut({ verdict }: StepResult): boolean {
  return verdict.kind === 'skipped' && LEFT_OUT.has(verdict.cause);
}

/** What was sent and does not count yet, with the reasons of the contracts; what was found stands with the warnings. */
function formatPending(steps: readonly StepResult[], colours: Colours): string[] {
  const pending = steps.filter(isPending);
  if (pending.length === 0) return [];
  const lines = pending.slice(0, MOST_PENDING).map(({ name, verdict }) => {
    return `  ${printable(name)}: ${verdict.kind === 'skipped' ? printable(verdict.reason.replace(/^pending: /, '')) : ''}`;
  });
  const rest = pending.length - MOST_PENDING;
  const title = `${colours.cyan('PENDING')} — sent and checked; what was found does not fail the run yet`;
  return [[title, ...lines, ...(rest > 0 ? [`  … and ${counted(rest, 'more step')}`] : [])].join('\n')];
}

/** What was left out on purpose, and what could not be tried; of many reasons the most frequent. */
function formatSkipped(steps: readonly StepResult[], colours: Colours): string[] {
  const skipped = steps.flatMap((step) => {
    return step.verdict.kind === 'skipped' && !isPending(step) ? [{ step, verdict: step.verdict }] : [];
  });
  if (skipped.length === 0) return [];
  const lines = groupBy(skipped, ({ verdict }) => verdict.cause).flatMap((group) => {
    // Nobody wants to read the names of what they left out themselves.
    if (group[0].verdict.cause === 'selection') return [`  ${counted(group.length, 'step')}: not selected`];
    // Nor of the removals of what was refused as it should be.
    const isNeedless = ({ step, verdict }: (typeof group)[number]): boolean =>
      verdict.cause === 'refused' && step.phase === 'cleanup';
    const needless = group.filter(isNeedless);
    const reasons = groupBy(
      group.filter((each) => !isNeedless(each)),
      ({ verdict }) => verdict.reason,
    ).sort((left, right) => right.length - left.length);
    const rest = reasons.slice(MOST_REASONS);
    const count = rest.reduce((sum, each) => sum + each.length, 0);
    return [
      ...reasons
        .slice(0, MOST_REASONS)
        .flatMap((each) => [
          `  ${counted(each.length, 'step')}: ${printable(each[0].verdict.reason)}`,
          `    ${colours.dim(shortList(each.map(({ step }) => step.name)))}`,
        ]),
      ...(rest.length === 0
        ? []
        : [`  ${counted(count, 'step')}: ${counted(rest.length, 'more reason')} of this kind`]),
      ...(needless.length === 0
        ? []
        : [`  ${counted(needless.length, 'step')}: what they would remove was not made, as it should be`]),
    ];
  });
  return [[colours.cyan('SKIPPED'), ...lines].join('\n')];
}

/** What is still there, and apart from it what is there because it cannot be removed: of each kind the first ones. */
function formatLeftBehind(result: RunResult, colours: Colours): string[] {
  const block = (title: string, groups: readonly Group<Residue>[], most: number): string[] => {
    const lines = groupBy(groups, ([{ operation, reason }]) => JSON.stringify([operation, reason])).flatMap((kind) => [
      ...kind.slice(0, most).map((group) => `  ${printable(residueText(group))}`),
      ...(kind.length > most
        ? [`  … and ${kind.length - most} more of ${printable(kind[0][0].operation)}: --report json=FILE has them all`]
        : []),
    ]);
    return lines.length === 0 ? [] : [[title, ...lines].join('\n')];
  };
  return [
    ...block(
      `${colours.magenta('LEFT BEHIND')} — not removed; run standin cleanup with the ledger of the run, or say in the step that makes it why it \`leaves\` something`,
      residueGroups(result, false),
      Infinity,
    ),
    ...block(
      `${colours.cyan('NOT REMOVED (expected)')} — the description has no way to remove it, or its contract expects it to stay`,
      residueGroups(result, true),
      MOST_EXPECTED,
    ),
  ];
}

function formatContracts({ contracts, probes }: RunResult, colours: Colours): string[] {
  const line = (name: string, steps: readonly StepResult[]): string => {
    const tally = tallyOf(steps);
    const mark = tally.fail + tally.error > 0 ? colours.red('✗') : tally.pass > 0 ? colours.green('✓') : '-';
    return `${mark} ${name}: ${countsText(steps)}`;
  };
  const lines = [
    ...contracts
      .filter(({ steps }) => !isUnselected(steps))
      .map(({ name, file, steps }) => line(`${printable(name)} ${colours.dim(printable(file))}`, steps)),
    ...(probes.length === 0 ? [] : [line('auth behaviour, probed by generated requests', probes)]),
  ];
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function isUnselected(steps: readonly StepResult[]): boolean {
  return steps.length > 0 && steps.every(({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'selection');
}

/** What is new and what is fixed since the earlier run; what is as before stands above. */
function formatComparison(result: RunResult, { before }: TextReportOptions, colours: Colours): string[] {
  if (before === undefined) return [];
  const comparison = compareResults(before, result);
  const { fixed, fresh } = comparison;
  const line = (word: string, { check, message }: RootCause): string =>
    `  ${word} ${printable(`${check}: ${message}`)}`;
  const lines = [
    ...rootCauses(result)
      .filter(({ fingerprint }) => fresh.has(fingerprint))
      .map((cause) => line('new  ', cause)),
    ...fixed.map((cause) => line('fixed', cause)),
  ];
  const more = lines.length > MOST_CAUSES ? [`  … and ${lines.length - MOST_CAUSES} more`] : [];
  const title = `Since run ${printable(before.runId)}: ${comparisonText(comparison)}`;
  return [[colours.bold(title), ...lines.slice(0, MOST_CAUSES), ...more].join('\n')];
}

function formatSummary(result: RunResult, colours: Colours): string {
  const { outcome } = result;
  const paint = { conforms: colours.green, violations: colours.red }[outcome as string] ?? colours.magenta;
  const compared = lockStepText(result);
  const scope = [scopeText(result), ...(compared === undefined ? [] : [printable(compared)])].join('\n');
  return `${scope}\n${paint(OUTCOME_WORDS[outcome])}: ${summaryText(result)}`;
}

/**
 * How much was seen of each dimension, what was asked for and not seen, and which operations gave no response; when
 * verbose, what each answered with, and what was not seen.
 */
function formatCoverage(result: RunResult, colours: Colours, options: TextReportOptions): string[] {
  const silent = operationsWithoutResponse(result);
  const isSelected = allSteps(result).some(
    ({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'selection',
  );
  const open = openCoverageText(result);
  const lines = [
    ...[coverageText(result) ?? []].flat().map((line) => `  ${line}`),
    ...missedCoverage(result).flatMap((missed) => [`  ${missedText(missed)}`, `    hint ${missedHint(missed)}`]),
    ...(open === undefined ? [] : [`  ${open}`]),
    ...listed(
      'that a step was to call gave no response',
      silent.filter(({ wasMeant }) => wasMeant),
    ),
    ...listed(
      'not called by any step',
      // What was left out by --only or --skip is no news to who wrote it.
      isSelected ? [] : silent.filter(({ wasMeant }) => !wasMeant),
    ),
    ...(options.isVerbose === true ? verboseCoverage(result) : []),
  ];
  return lines.length === 0 ? [] : [[colours.cyan('COVERAGE'), ...lines.map(printable)].join('\n')];
}

function listed(what: string, operations: readonly { readonly operation: string }[]): string[] {
  if (operations.length === 0) return [];
  return [
    `  ${counted(operations.length, 'operation')} ${what}: ${operations.map(({ operation }) => operation).join(', ')}`,
  ];
}

/** A line for each operation with its statuses, and one for each other dimension that was not seen as a whole. */
function verboseCoverage({ coverage, dimensions = [] }: RunResult): string[] {
  const statuses = dimensions.find(({ dimension }) => dimension === 'statuses')?.unseen ?? [];
  const unseen = groupBy(
    statuses.filter(({ units }) => units === undefined),
    ({ operation }) => operation,
  );
  const others = dimensions.filter((each) => !['operations', 'statuses'].includes(each.dimension));
  return [
    ...coverage.map((operation) => {
      const own = unseen.find(([first]) => first.operation === operation.operation) ?? [];
      return formatOperation(
        operation,
        own.map(({ name }) => name),
      );
    }),
    ...others
      .filter((each) => each.unseen.length > 0)
      .map((each) => `  ${each.dimension} not seen: ${unseenText(each.unseen, MOST_UNSEEN)}`),
  ];
}

function formatOperation(
  { operation, method, path, steps, statuses }: OperationCoverage,
  unseen: readonly string[],
): string {
  const seen = statuses.length === 0 ? 'no response' : statuses.join(', ');
  const rest = unseen.length === 0 ? '' : `; documented but never seen: ${unseen.join(', ')}`;
  return `  ${operation} (${method} ${printable(path)}), ${counted(steps, 'step')}: ${seen}${rest}`;
}
