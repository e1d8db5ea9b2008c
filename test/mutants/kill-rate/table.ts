import { DROPPED } from '../dropped';
import type { Defect } from '../defect';
import type { Measurement } from './measure';

export interface KillRate {
  readonly defects: readonly (Measurement & { readonly defect: Defect })[];
  /** Runs at servers that conform: a finding there is a false alarm. */
  readonly lawful: readonly Measurement[];
}

/** Oracles that the contract runner has to have: status, schema, Error, auth, protocol. */
const REQUIRED = ['T', 'S', 'E', 'A', 'H'] as const;

const CLASSES: Readonly<Record<string, string>> = {
  ST: 'status codes',
  SH: 'response shape',
  TY: 'types, formats, enums',
  ER: 'Error contract',
  AU: 'authentication',
  HD: 'headers and content types',
  IV: 'input validation',
  CR: 'create',
  UP: 'update',
  DE: 'delete',
  LI: 'lists, filters, paging',
  BR: 'rules between resources',
  ID: 'identity',
  NC: 'concurrency and time',
  EN: 'deployment',
};

export function isRequired({ needs }: Defect): boolean {
  return needs.some((oracle) => (REQUIRED as readonly string[]).includes(oracle));
}

/** Ids of the defects that were missed at one of the servers at least. */
export function missedOf({ defects }: KillRate): string[] {
  return [...new Set(defects.filter(({ isCaught }) => !isCaught).map(({ id }) => id))];
}

/** The figures as Markdown, for the terminal and for the docs. */
export function formatKillRate(rate: KillRate): string {
  const { defects, lawful } = rate;
  const caught = defects.filter(({ isCaught }) => isCaught);
  const required = defects.filter(({ defect }) => isRequired(defect));
  const alarms = lawful.filter(({ isCaught }) => isCaught);
  const missed = missedOf(rate);
  return [
    `Caught: **${caught.length} of ${defects.length}** (${percent(caught.length, defects.length)}), each defect at two servers. ` +
      `Of those that need the oracles ${REQUIRED.join(', ')}: **${required.filter(({ isCaught }) => isCaught).length} of ${required.length}**. ` +
      `False alarms: **${alarms.length}** in ${lawful.length} runs at servers that conform.`,
    '',
    '| Class | Caught | Missed | Requests to detection, median |',
    '| --- | --- | --- | --- |',
    ...Object.keys(CLASSES).map((prefix) => classRow(prefix, defects)),
    '',
    '| Defect | Needs | What | Mock | Second server |',
    '| --- | --- | --- | --- | --- |',
    ...[...new Set(defects.map(({ defect }) => defect))].map((defect) => defectRow(defect, defects)),
    '',
    `Missed: ${missed.length === 0 ? 'none' : missed.join(', ')}.`,
    '',
    `False alarms: ${alarms.length === 0 ? 'none' : alarms.map(({ id, target, by }) => `${id} at ${target} (${by})`).join('; ')}.`,
    '',
    `Dropped, for want of a counterpart in this API: ${Object.entries(DROPPED)
      .map(([id, reason]) => `${id} (${reason})`)
      .join('; ')}.`,
    '',
  ].join('\n');
}

function classRow(prefix: string, defects: KillRate['defects']): string {
  const own = defects.filter(({ id }) => id.startsWith(`${prefix}-`));
  const caught = own.filter(({ isCaught }) => isCaught);
  const missed = [...new Set(own.filter(({ isCaught }) => !isCaught).map(({ id }) => id))];
  const requests = caught.map((measurement) => measurement.requests).sort((left, right) => left - right);
  const median = requests[Math.floor(requests.length / 2)] ?? '–';
  return `| ${prefix} ${CLASSES[prefix] ?? ''} | ${caught.length} of ${own.length} | ${missed.join(', ') || '–'} | ${median} |`;
}

function defectRow(defect: Defect, defects: KillRate['defects']): string {
  const cell = (target: string): string => {
    const measurement = defects.find(({ id, target: name }) => id === defect.id && name === target);
    if (measurement === undefined) return '–';
    return measurement.isCaught ? `${measurement.requests}, ${measurement.by}` : '**missed**';
  };
  return `| ${defect.id} | ${defect.needs.join(' ')} | ${defect.title} | ${cell('mock')} | ${cell('second')} |`;
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}
