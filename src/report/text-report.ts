import pc from 'picocolors';
import { formatHarnessError } from '../errors/harness-error';
import {
  allSteps,
  tallyOf,
  type LocatedFinding,
  type RunResult,
  type StepResult,
  type Tally,
  type Verdict,
} from '../runner/run-result';
import { printable } from '../errors/printable';
import { commandsFor, type KeyInShell } from './shell-command';

type Colours = ReturnType<typeof pc.createColors>;

/**
 * A run as text for people: what failed first, each with a command that sends it again; then what could not be
 * judged, warnings, what was skipped and why; last the counts.
 *
 * @param isColoured - with the escape sequences of a terminal
 * @param key - where the commands take the key from
 */
export function formatTextReport(result: RunResult, isColoured: boolean, key: KeyInShell = { kind: 'set' }): string {
  const colours = pc.createColors(isColoured);
  const steps = allSteps(result);
  const blocks = [
    `${colours.bold(result.api)} at ${result.baseUrl}`,
    ...steps.flatMap((step) => formatTrouble(step, colours, key)),
    ...formatWarnings(steps, colours),
    ...formatSkipped(steps, colours),
    formatContracts(result, colours),
    formatSummary(result, tallyOf(steps), colours),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function formatTrouble(step: StepResult, colours: Colours, key: KeyInShell): string[] {
  const { verdict } = step;
  if (verdict.kind !== 'fail' && verdict.kind !== 'error') return [];
  const mark = verdict.kind === 'fail' ? colours.red('FAIL') : colours.magenta('ERROR');
  const lines = [`${mark} ${title(step, colours)}`];
  if (step.request !== undefined) {
    const answer = step.status === undefined ? 'no answer' : String(step.status);
    lines.push(`  ${step.request.method} ${printable(step.request.url)} → ${answer}`);
  }
  if (verdict.kind === 'error') lines.push(...indent(printableLines(formatHarnessError(verdict.error))));
  else lines.push(...verdict.findings.flatMap((finding) => formatFinding(finding, colours)));
  for (const command of step.request === undefined ? [] : commandsFor(step.request, key)) {
    lines.push(`  ${colours.dim(command.startsWith('curl') ? 'again' : 'first')}     ${command}`);
  }
  return [lines.join('\n')];
}

function title({ name, operation, place }: StepResult, colours: Colours): string {
  const about = operation === undefined || name.startsWith(operation) ? '' : ` (${operation})`;
  return `${colours.bold(printable(name))}${about}${place === undefined ? '' : `  ${colours.dim(place)}`}`;
}

function formatFinding(finding: LocatedFinding, colours: Colours): string[] {
  const { check, at, message, expected, actual, place, hint } = finding;
  const detail = (label: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`    ${colours.dim(label.padEnd(9))} ${printable(text)}`];
  return [
    `  ${colours.yellow(check)} ${printable(message)}`,
    ...detail('at', at),
    ...detail('expected', expected),
    ...detail('actual', actual),
    ...detail('see', place),
    ...detail('hint', hint),
  ];
}

/** The same warning from many steps is told once, with its first step. */
function formatWarnings(steps: readonly StepResult[], colours: Colours): string[] {
  const groups = groupBy(
    steps.flatMap((step) => step.warnings.map((finding) => ({ step, finding }))),
    ({ finding }) => `${finding.check} ${finding.at} ${finding.message}`,
  );
  return groups.map((group) => {
    const [{ step, finding }] = group;
    const count = group.length === 1 ? '' : `, and ${group.length - 1} more like it`;
    return [`${colours.yellow('WARNING')} ${title(step, colours)}${count}`, ...formatFinding(finding, colours)].join(
      '\n',
    );
  });
}

function formatSkipped(steps: readonly StepResult[], colours: Colours): string[] {
  const groups = groupBy(
    steps.flatMap((step) => (step.verdict.kind === 'skipped' ? [{ step, reason: step.verdict.reason }] : [])),
    ({ reason }) => reason,
  );
  if (groups.length === 0) return [];
  const lines = groups.flatMap((group) => {
    const [{ reason }] = group;
    const steps = group.length === 1 ? '1 step' : `${group.length} steps`;
    const names = group.map(({ step }) => printable(step.name)).join(', ');
    return [`  ${steps}: ${printable(reason)}`, `    ${colours.dim(names)}`];
  });
  return [[colours.cyan('SKIPPED'), ...lines].join('\n')];
}

function formatContracts({ contracts, probes }: RunResult, colours: Colours): string {
  const line = (name: string, steps: readonly StepResult[]): string => {
    const tally = tallyOf(steps);
    const mark = tally.fail + tally.error > 0 ? colours.red('✗') : tally.pass > 0 ? colours.green('✓') : '-';
    return `${mark} ${name}: ${counts(tally)}`;
  };
  return [
    ...contracts.map(({ name, file, steps }) => line(`${printable(name)} ${colours.dim(file)}`, steps)),
    ...(probes.length === 0 ? [] : [line('auth behaviour, probed by generated requests', probes)]),
  ].join('\n');
}

function formatSummary({ outcome }: RunResult, tally: Tally, colours: Colours): string {
  const words = {
    conforms: colours.green('CONFORMS'),
    violations: colours.red('VIOLATIONS'),
    'cannot-judge': colours.magenta('CANNOT JUDGE'),
    inconclusive: colours.magenta('INCONCLUSIVE'),
    'left-behind': colours.magenta('LEFT BEHIND'),
  } as const;
  return `${words[outcome]}: ${counts(tally)}`;
}

const WORDS: Readonly<Record<Verdict['kind'], string>> = {
  fail: 'failed',
  error: 'could not be judged',
  pass: 'passed',
  skipped: 'skipped',
};

function counts(tally: Tally): string {
  const parts = (['fail', 'error', 'pass', 'skipped'] as const)
    .filter((kind) => tally[kind] > 0)
    .map((kind) => `${tally[kind]} ${WORDS[kind]}`);
  return parts.length === 0 ? 'nothing was executed' : parts.join(', ');
}

function printableLines(text: string): string[] {
  return text.split('\n').map(printable);
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

type Group<Item> = readonly [Item, ...Item[]];

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Group<Item>[] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
