import type { AnyApi } from '../apis';
import type { AnyDefect } from '../defect';
import type { Trigger } from '../trigger';
import type { Nearness } from '../shown';
import type { Measurement, Naming } from './measure';

export interface KillRate {
  readonly defects: readonly (Measurement & { readonly defect: AnyDefect })[];
  /** Runs at servers that conform: a finding there is a false alarm. */
  readonly lawful: readonly Measurement[];
}

/** What was measured with defects that show at some times only. */
export interface OfTrigger {
  readonly trigger: Trigger;
  readonly rate: KillRate;
}

const TRIGGER_WORDS: Readonly<Record<Trigger, string>> = {
  always: 'always',
  'first-call-only': 'at the first time that it could, and never again',
  'every-nth': 'at every third time',
  'only-after-removal': 'only after something was removed',
  'only-second-resource': 'only at the second thing',
  'one-in-ten': 'one time in ten, by chance',
};

/** How much is caught of defects that show at some times only. */
export function formatTriggers(measured: readonly OfTrigger[]): string {
  const all = measured.flatMap(({ rate }) => rate.defects);
  const caught = all.filter(({ isCaught }) => isCaught).length;
  return [
    `Over all triggers: **${caught} of ${all.length}** (${percent(caught, all.length)}).`,
    '',
    '| The defect shows | Caught | Missed at one server at least |',
    '| --- | --- | --- |',
    ...measured.map(({ trigger, rate }) => {
      const own = rate.defects.filter(({ isCaught }) => isCaught).length;
      const share = `${own} of ${rate.defects.length} (${percent(own, rate.defects.length)})`;
      return `| ${TRIGGER_WORDS[trigger]} | ${share} | ${missedOf(rate).join(', ') || '–'} |`;
    }),
    '',
  ].join('\n');
}

/** Oracles that the contract runner has to have: status, schema, Error, auth, protocol. */
const REQUIRED = ['T', 'S', 'E', 'A', 'H'] as const;

export function isRequired({ needs }: AnyDefect): boolean {
  return needs.some((oracle) => (REQUIRED as readonly string[]).includes(oracle));
}

/** Ids of the defects that were missed at one of the servers at least. */
export function missedOf({ defects }: KillRate): string[] {
  return idsOf(defects.filter(({ isCaught }) => !isCaught));
}

/** The figures as Markdown, for the terminal and for the docs. */
export function formatKillRate(rate: KillRate, { classes, dropped, targets }: AnyApi): string {
  const { defects, lawful } = rate;
  const caught = defects.filter(({ isCaught }) => isCaught);
  const required = defects.filter(({ defect }) => isRequired(defect));
  const alarms = lawful.filter(({ isCaught }) => isCaught);
  const missed = missedOf(rate);
  return [
    `Caught: **${caught.length} of ${defects.length}** (${percent(caught.length, defects.length)}), each defect at ${targetsOf(defects)}. ` +
      `Of those that need the oracles ${REQUIRED.join(', ')}: **${required.filter(({ isCaught }) => isCaught).length} of ${required.length}**. ` +
      `False alarms: **${alarms.length}** in ${lawful.length} runs at servers that conform.`,
    '',
    formatNaming(rate),
    '',
    '| Class | Caught | Missed | Requests to detection, median |',
    '| --- | --- | --- | --- |',
    ...Object.entries(classes).map(([prefix, words]) => classRow(prefix, words, defects)),
    '',
    `| Defect | Needs | What | ${Object.values(targets).join(' | ')} |`,
    `| --- | --- | --- |${' --- |'.repeat(Object.keys(targets).length)}`,
    ...[...new Set(defects.map(({ defect }) => defect))].map((defect) =>
      defectRow(defect, defects, Object.keys(targets)),
    ),
    '',
    `Missed: ${missed.length === 0 ? 'none' : missed.join(', ')}.`,
    '',
    `False alarms: ${alarms.length === 0 ? 'none' : alarms.map(({ id, target, by }) => `${id} at ${target} (${by})`).join('; ')}.`,
    '',
    ...formatDropped(dropped),
  ].join('\n');
}

function formatDropped(dropped: AnyApi['dropped']): string[] {
  const reasons = Object.entries(dropped).map(([id, reason]) => `${id} (${reason})`);
  return reasons.length === 0 ? [] : [`Dropped, for want of a counterpart in this API: ${reasons.join('; ')}.`, ''];
}

type FirstFinding = Omit<Measurement, 'named' | 'isCaught'> & Naming;

function firstFindings({ defects }: Pick<KillRate, 'defects'>): FirstFinding[] {
  return defects.flatMap(({ named, isCaught, ...defect }) =>
    named === undefined || !isCaught ? [] : [{ ...defect, ...named }],
  );
}

/** Ids of the defects whose first finding is, at one of the servers at least, at another kind of thing than the one that went wrong. */
export function misplacedOf(rate: KillRate): string[] {
  return idsOf(firstFindings(rate).filter(({ nearness }) => nearness === 'elsewhere'));
}

const idsOf = (of: readonly { readonly id: string }[]): string[] => [...new Set(of.map(({ id }) => id))];

/** Does the first finding of each defect name the operation, and the part of the response that is wrong? */
function formatNaming(rate: KillRate): string {
  const named = firstFindings(rate);
  const at = (...words: readonly Nearness[]): FirstFinding[] =>
    named.filter(({ nearness }) => words.includes(nearness));
  const listed = (of: readonly FirstFinding[]): string =>
    of.length === 0 ? '' : ` (${of.map(({ id, target, by }) => `${id} at the ${target}: ${by}`).join('; ')})`;
  const withPart = at('part', 'operation').filter(({ hasPart }) => hasPart);
  const rightPart = withPart.filter(({ nearness }) => nearness === 'part');
  const wrongPart = withPart.filter(({ nearness }) => nearness !== 'part');
  return (
    `Of ${named.length} first findings, **${at('part', 'operation').length}** name an operation whose response was wrong, ` +
    `${at('resource').length} another one on the same kind of thing${listed(at('resource'))}, ` +
    `**${at('elsewhere').length}** one on another kind of thing or none of the description${listed(at('elsewhere'))}. ` +
    `Where one part of the response was wrong, **${rightPart.length} of ${withPart.length}** name it${listed(wrongPart)}.`
  );
}

function targetsOf(defects: KillRate['defects']): string {
  return new Set(defects.map(({ target }) => target)).size === 1 ? 'one server' : 'two servers';
}

function classRow(prefix: string, words: string, defects: KillRate['defects']): string {
  const own = defects.filter(({ id }) => id.startsWith(`${prefix}-`));
  const caught = own.filter(({ isCaught }) => isCaught);
  const missed = missedOf({ defects: own, lawful: [] });
  const requests = caught.map((measurement) => measurement.requests).sort((left, right) => left - right);
  const median = requests[Math.floor(requests.length / 2)] ?? '–';
  return `| ${prefix} ${words} | ${caught.length} of ${own.length} | ${missed.join(', ') || '–'} | ${median} |`;
}

function defectRow(defect: AnyDefect, defects: KillRate['defects'], targets: readonly string[]): string {
  const cell = (target: string): string => {
    const measurement = defects.find(({ id, target: name }) => id === defect.id && name === target);
    if (measurement === undefined) return '–';
    const { isCaught, requests, by, shown } = measurement;
    if (isCaught) return `${requests}, ${by}`;
    return `**missed**, ${shown === 0 ? 'never shown' : `shown in ${shown} responses`}`;
  };
  return `| ${defect.id} | ${defect.needs.join(' ')} | ${defect.title} | ${targets.map(cell).join(' | ')} |`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
