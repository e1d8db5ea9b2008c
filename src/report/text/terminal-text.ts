import type pc from 'picocolors';
import { formatStandinError } from '../../core/errors/standin-error';
import type { Group } from '../../core/text/group-by';
import { counted, printable } from '../../core/text/printable';
import type { Mode, StepResult } from '../../runner/result/run-result';
import type { Plan, PlannedCreation } from '../../runner/run/plan';
import type { RootCause } from '../causes/root-cause';
import { extentText, otherViews } from '../causes/run-summary';
import { reproductionOf } from './reproduction';
import type { KeyInShell } from './shell-commands';
import { evidenceLines, requestIdText } from './step-text';

const MODE_WORDS: Readonly<Record<Mode, string>> = {
  observe: 'observe: safe methods only, nothing is changed',
  own: 'own: changes only what this run creates; steps that would change anything else are skipped',
  full: 'full: sends every step of contracts that a person wrote; what is generated changes only what this run creates',
};

/** A plan as text for people, before anything is sent. */
export function formatPlan(plan: Plan): string {
  const {
    baseUrl,
    mode,
    runId,
    contracts,
    methods,
    skippedSteps,
    operations,
    creations,
    unclear,
    ledger,
    receiverUrl,
  } = plan;
  const all = skippedSteps.reduce((sum, { steps: count }) => sum + count, 0);
  const steps = methods.reduce((sum, { steps: count }) => sum + count, 0);
  const byMethod = methods.map(({ method, steps: count }) => `${count} ${method}`).join(', ');
  const lines = [
    `Plan for ${baseUrl}, run ${runId}`,
    `  mode        ${MODE_WORDS[mode]}${stayingText(creations)}`,
    ...shardLines(plan),
    ...changeLines(plan),
    `  requests    ${counted(steps, 'step')} of ${counted(contracts, 'contract')}${byMethod === '' ? '' : `: ${byMethod}`}`,
    ...(all === 0 ? [] : [`  held back   ${counted(all, 'step')}${reasonsText(skippedSteps)}`]),
    `  operations  ${operations.length}: ${operations.join(', ')}`,
    `  probes      ${probeText(plan)}`,
    ...(mode === 'observe' ? [] : creationLines(creations, unclear)),
    ...(ledger === undefined ? [] : [`  ledger      ${ledger}`]),
    ...(receiverUrl === undefined ? [] : [`  listens     ${receiverUrl}, for what the service sends`]),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

/** Whatever the mode, what cannot be removed is said where people look first. */
function stayingText(creations: readonly PlannedCreation[]): string {
  const isRemoved = ({ removal, staying }: PlannedCreation): boolean => removal !== undefined && staying === 0;
  return creations.every(isRemoved) ? '' : '; not all of what it creates can be removed, see creates';
}

function shardLines({ shard, contracts, probed }: Plan): string[] {
  if (shard === undefined) return [];
  const isEmpty = contracts === 0 && probed.length === 0;
  const note = isEmpty ? ', which is empty: there are fewer contracts than shards' : '';
  return [`  shard       ${shard.index} of ${shard.count}${note}`];
}

function changeLines({ mayChangeOthers: operations }: Plan): string[] {
  return operations.length === 0
    ? []
    : [`  may change  rows of others, by ${operations.join(', ')}: the contracts say so`];
}

/** Probes that find nothing to ask for are not sent, and looks may take more than a page. */
function probeText({ probed, probes }: Plan): string {
  if (probed.length === 0) return 'none';
  const count = probes.reduce((sum, { requests }) => sum + requests, 0);
  const byMethod = probes.map(({ method, requests }) => `${requests} ${method}`).join(', ');
  return `${counted(probed.length, 'operation')} without a valid key, about ${counted(count, 'additional request')}: ${byMethod}`;
}

function reasonsText(heldBack: Plan['skippedSteps']): string {
  const [only, ...others] = heldBack;
  if (only !== undefined && others.length === 0) return `, because ${only.reason}`;
  return `: ${heldBack.map(({ reason, steps }) => `${steps}, because ${reason}`).join('; ')}`;
}

function creationLines(creations: readonly PlannedCreation[], unclear: number): string[] {
  const texts = creations.map(
    (creation) => `${creation.operation} ${counted(creation.steps, 'time')}${removalText(creation)}`,
  );
  const more = unclear === 0 ? [] : [`${counted(unclear, 'POST')} whose effect is unknown`];
  const all = texts.length + more.length === 0 ? ['nothing'] : [...texts, ...more];
  return all.map((text, index) => `  ${index === 0 ? 'creates   ' : '          '}  ${text}`);
}

/** A removal that its contract does not believe in is tried all the same. */
function removalText({ steps, removal, staying }: PlannedCreation): string {
  if (removal === undefined)
    return `, not removed: the description has no way to remove ${steps === 1 ? 'it' : 'them'}`;
  const gone = `removed by ${removal}`;
  const left = 'may stay, as the step says';
  if (staying === 0) return `, ${gone}`;
  return steps === staying ? `, ${left}` : `: ${steps - staying} ${gone}, ${staying} ${left}`;
}

export type Colours = ReturnType<typeof pc.createColors>;

/** Names of steps in one line; the rest is counted. */
const MOST_NAMES = 5;
const LONGEST_NAME = 72;

/** Causes that first showed in one step: the step once, each cause, and commands that bring it about again. */
export function formatCauses(causes: Group<RootCause>, colours: Colours, key: KeyInShell, isVerbose = false): string {
  const [cause] = causes;
  const [owned] = cause.steps;
  const lines = [
    `${owned.step.verdict.kind === 'error' ? colours.magenta('ERROR') : colours.red('FAIL')} ${stepTitle(owned.step, colours)}`,
    ...formatExchange(owned.step, colours),
    ...causes.flatMap((each) => [...formatCause(each, colours), ...formatExtent(each, colours)]),
    ...formatCommands(reproductionOf(owned, key), colours),
    ...(isVerbose ? evidenceLines(owned.step).map((line) => `    ${line}`) : []),
  ];
  return lines.join('\n');
}

export function stepTitle({ name, operation, place }: StepResult, colours: Colours): string {
  const about = operation === undefined || name.startsWith(operation) ? '' : ` (${operation})`;
  return `${colours.bold(printable(name))}${about}${place === undefined ? '' : `  ${colours.dim(printable(place))}`}`;
}

function formatExchange(step: StepResult, colours: Colours): string[] {
  const { request, status, attempts } = step;
  if (request === undefined) return [];
  const ids = requestIdText(step);
  const response = status === undefined ? 'no response' : String(status);
  const often = attempts > 1 ? ` (sent ${attempts} times)` : '';
  return [
    `  ${request.method} ${printable(request.url)} → ${response}${often}`,
    ...(ids === undefined ? [] : [`  ${colours.dim(printable(ids))}`]),
  ];
}

/** What a check, or a warning, says; with the properties that are there. */
export function formatCause(
  { check, message, at, expected, actual, place, hint, ...cause }: Details & Partial<RootCause>,
  colours: Colours,
): string[] {
  const detail = (label: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`    ${colours.dim(label.padEnd(9))} ${printable(text)}`];
  const isElsewhere = cause.suspect !== undefined && cause.suspect !== 'service';
  const [first] = cause.steps ?? [];
  if (first?.step.verdict.kind === 'error') {
    const lines = formatStandinError(first.step.verdict.error).split('\n');
    return [
      ...lines.map((line) => `  ${printable(line)}`),
      ...detail('suspect', isElsewhere ? `the ${cause.suspect}` : undefined),
    ];
  }
  return [
    `  ${colours.yellow(check)} ${printable(message)}`,
    ...detail('at', at),
    ...detail('expected', expected),
    ...detail('actual', actual),
    ...detail('see', place),
    ...detail('suspect', isElsewhere ? `the ${cause.suspect}` : undefined),
    ...detail('hint', hint),
  ];
}

type Details = Pick<RootCause, 'check' | 'message'> &
  Partial<Pick<RootCause, 'at' | 'expected' | 'actual' | 'place' | 'hint'>>;

/** How far a cause reaches, where that is beyond one finding. */
function formatExtent(cause: RootCause, colours: Colours): string[] {
  const { steps, count, operations, consequences } = cause;
  const detail = (label: string, text: string): string => `    ${colours.dim(label.padEnd(9))} ${text}`;
  const lines = otherViews(cause).map((view) => detail('related', printable(view)));
  if (count > 1) {
    const where = operations.length > 1 ? `, ${counted(operations.length, 'operation')}: ${shortList(operations)}` : '';
    lines.push(detail('total', `${extentText(cause)}${where}`));
  }
  if (steps.length > 1) lines.push(detail('also', shortList(steps.slice(1).map(({ step }) => step.name))));
  if (consequences > 0) lines.push(detail('so', `${counted(consequences, 'step')} could not be sent`));
  return lines;
}

/** Some names, and how many more there are. */
export function shortList(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  const shown = names.slice(0, MOST_NAMES).map((name) => {
    const characters = Array.from(printable(name));
    return characters.length > LONGEST_NAME ? `${characters.slice(0, LONGEST_NAME).join('')}…` : characters.join('');
  });
  return `${shown.join(', ')}${more}`;
}

function formatCommands(reproduction: ReturnType<typeof reproductionOf>, colours: Colours): string[] {
  if (reproduction === undefined) return [];
  if (reproduction.isSequence) {
    return [
      `  ${colours.dim('reproduce, in one shell:')}`,
      ...reproduction.commands.map((command) => `    ${command}`),
    ];
  }
  const last = reproduction.commands.length - 1;
  return reproduction.commands.map(
    (command, index) => `  ${colours.dim(index === last ? 'reproduce' : 'first    ')} ${command}`,
  );
}
