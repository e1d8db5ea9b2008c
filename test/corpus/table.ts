import type { Comparison } from './prism';
import type { Complaint, Trial } from './trial';

export interface SourceReport {
  readonly title: string;
  readonly trials: readonly Trial[];
  readonly comparison: Comparison | undefined;
}

const HEAD = `# Descriptions that were tried

Printed by \`node --import tsx test/corpus/main.ts --write\`; \`npm run measure -- corpus\` tries the first table. Each description is served by \`standin mock\` in a process of its own; every operation is called once with a valid request that is made from the description, and each response is checked by the checks of \`standin verify\`. Where a resource was inferred that can be created and read, an item is created, read, listed, changed and removed. The time is from the start of the process to the end of the first response, the memory is the peak of the process by then.

`;

/** Documents with a row of their own; of more, only the sums and the exceptions are shown. */
const ROWS = 40;
const EXAMPLES = 25;

export function formatReport(reports: readonly SourceReport[]): string {
  return HEAD + reports.map(formatSource).join('\n');
}

function formatSource({ title, trials, comparison }: SourceReport): string {
  const lines = [`## From ${title}`, '', summary(trials), ''];
  if (trials.length <= ROWS) lines.push(...table(trials), '');
  if (comparison !== undefined) lines.push(compared(comparison), '');
  const served = trials.filter(({ refused }) => refused === undefined);
  lines.push(...exceptions('Not served', refusals(trials)));
  lines.push(
    ...exceptions(
      'Wrong responses',
      complaints(served, ({ wrong }) => wrong),
    ),
  );
  lines.push(
    ...exceptions(
      'Operations without a good response',
      complaints(served, ({ failed }) => failed),
    ),
  );
  lines.push(
    ...exceptions(
      'Round trips that did not hold',
      complaints(served, ({ broken }) => broken),
    ),
  );
  return `${lines.join('\n')}\n`;
}

function summary(trials: readonly Trial[]): string {
  const served = trials.filter(({ refused }) => refused === undefined);
  const sum = (read: (trial: Trial) => number): number => served.reduce((total, trial) => total + read(trial), 0);
  const times = served.map(({ firstAnswerMs }) => firstAnswerMs).sort((left, right) => left - right);
  const wrong = sum((trial) => new Set(trial.wrong.map(({ operation }) => operation)).size);
  return [
    `Served: ${served.length} of ${trials.length}.`,
    `First response after ${ms(quantile(times, 0.5))} (median), ${ms(quantile(times, 0.95))} (95 %), ${ms(times.at(-1) ?? 0)} (slowest).`,
    `Operations: ${sum(({ operations }) => operations)}; responses without 5xx: ${sum(({ answered }) => answered)}; with a wrong response: ${wrong}.`,
    `Resources: ${sum(({ resources }) => resources)}; operations with state: ${sum(({ stateful }) => stateful)}.`,
    `Round trips: ${sum(({ roundTripsHeld }) => roundTripsHeld)} of ${sum(({ roundTrips }) => roundTrips)} hold.`,
  ].join(' ');
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}

function table(trials: readonly Trial[]): string[] {
  const rows = trials.map((trial) => {
    if (trial.refused !== undefined) return `| ${trial.name} | refused | | | | | | |`;
    const { operations, answered, wrong, resources, stateful, roundTrips, roundTripsHeld } = trial;
    const cells = [
      trial.name,
      ms(trial.firstAnswerMs),
      `${Math.round(trial.memoryMb)} MB`,
      `${answered} of ${operations}`,
      String(wrong.length),
      String(resources),
      `${stateful} of ${operations}`,
      `${roundTripsHeld} of ${roundTrips}`,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| description | first response | memory | responses | wrong | resources | with state | round trips |',
    '| --- | --: | --: | --: | --: | --: | --: | --: |',
    ...rows,
  ];
}

function compared({ name, ours, prism }: Comparison): string {
  const own = `${ms(ours.ms)} and ${Math.round(ours.memoryMb)} MB`;
  if ('failed' in prism) return `${name}: ${own}; Prism's CLI: ${prism.failed}.`;
  const share = (prism.ms / ours.ms).toFixed(1);
  return `${name}, first response: ${own}; Prism's CLI in the same run: ${ms(prism.ms)} and ${Math.round(prism.memoryMb)} MB, ${share} times as long.`;
}

interface Exception {
  readonly kind: string;
  readonly document: string;
  readonly text: string;
}

function refusals(trials: readonly Trial[]): Exception[] {
  return trials.flatMap(({ name, refused }) => {
    if (refused === undefined) return [];
    const kind = /(?:error|warning) ([a-z-]+):/.exec(refused)?.[1] ?? /^[A-Z_]+/.exec(refused)?.[0] ?? 'refused';
    return [{ kind, document: name, text: oneLine(refused) }];
  });
}

function complaints(trials: readonly Trial[], read: (trial: Trial) => readonly Complaint[]): Exception[] {
  return trials.flatMap((trial) =>
    read(trial).map(({ operation, kind, detail }) => ({
      kind,
      document: trial.name,
      text: `${operation}${detail === '' ? '' : ` (${oneLine(detail)})`}`,
    })),
  );
}

/** Counts by kind, then one line for each kind in each document, those with the most first. */
function exceptions(title: string, list: readonly Exception[]): string[] {
  if (list.length === 0) return [];
  const kinds = [...groupBy(list, ({ kind }) => kind)].map(([kind, members]) => `${members.length} ${kind}`);
  const groups = [...groupBy(list, ({ kind, document }) => `${kind}: ${document}`)];
  const shown = groups.slice(0, EXAMPLES).map(([name, members]) => {
    const times = members.length > 1 ? `, ${members.length} times` : '';
    return `- ${name}${times}: ${members[0]?.text ?? ''}`;
  });
  const more = groups.length > EXAMPLES ? [`- and ${groups.length - EXAMPLES} more`] : [];
  return [`### ${title}: ${list.length}`, '', `${kinds.join(', ')}.`, '', ...shown, ...more, ''];
}

/** The largest groups first. */
function groupBy<T>(list: readonly T[], nameOf: (member: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const member of list) {
    const name = nameOf(member);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [member]);
    else group.push(member);
  }
  return [...groups].sort(([, left], [, right]) => right.length - left.length);
}

/** For a line of Markdown: no line breaks, no table, no markup. */
function oneLine(text: string): string {
  const flat = text
    .replace(/\s+/g, ' ')
    .replace(/[|`*_<>[\]]/g, ' ')
    .trim();
  return flat.length > 160 ? `${flat.slice(0, 160)}…` : flat;
}
