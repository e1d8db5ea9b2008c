import type { KeyTrips } from './client-keys';
import type { SourceReport } from './table';
import type { Complaint } from './trial';

/** Begins the part of docs/measured/corpus.md that `--keys` writes: all from here on. */
export const KEYS_HEAD = '## Read under the key that a client sees';

const INTRODUCTION = `Printed by \`node --import tsx test/corpus/main.ts --keys --folder FOLDER --write\`. Wherever the paths of a description say that an item can be created and read, one is created with a body that is made from the description, and read as a client would that knows nothing of what was inferred: under the key that the response shows (the property with the name of the path's variable, \`id\`, \`name\`, \`metadata.name\`, the end of \`Location\`), or that it chose itself (\`PUT\` where no \`POST\` makes items). What lies below others begins with the first item of their list that has something below it, or with one that is made. Not tried is what tells a client no key of what is read, and what nothing is there for; each stands below with its reason.`;

/** A row for each description, and every creation whose item was not found. */
export function formatKeys(reports: readonly SourceReport[]): string {
  const rows = reports
    .flatMap(({ trials }) => trials)
    .flatMap(({ name, keys }) => (keys === undefined ? [] : [{ name, keys }]));
  const all = rows.reduce((sum, { keys }) => ({ tried: sum.tried + keys.tried, held: sum.held + keys.held }), {
    tried: 0,
    held: 0,
  });
  const lines = [
    KEYS_HEAD,
    '',
    INTRODUCTION,
    '',
    '| description | found | not tried |',
    '| --- | --: | --: |',
    ...rows.map(({ name, keys }) => `| ${name} | ${share(keys)} | ${keys.untried.length} |`),
    `| **all** | **${share(all)}** | |`,
    '',
    ...rows.flatMap(({ name, keys }) => exceptionsOf(name, keys)),
  ];
  return `${lines.join('\n')}\n`;
}

function share({ held, tried }: Pick<KeyTrips, 'held' | 'tried'>): string {
  return tried === 0 ? '0 of 0' : `${held} of ${tried} (${Math.round((100 * held) / tried)} %)`;
}

function exceptionsOf(name: string, { broken, untried }: KeyTrips): string[] {
  const line = ({ operation, kind, detail }: Complaint): string => `- ${operation}: ${kind}${shown(detail)}`;
  const told = [...broken, ...untried];
  return told.length === 0 ? [] : [`### ${name}`, '', ...told.map(line), ''];
}

function shown(detail: string): string {
  const flat = detail
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[|`*_<>[\]]/g, ' ')
    .trim();
  return flat === '' ? '' : ` (${flat.slice(0, 120)})`;
}

/** The page with another part of its own at its end. */
export function withKeys(page: string, part: string): string {
  const begin = page.indexOf(KEYS_HEAD);
  return `${(begin < 0 ? page : page.slice(0, begin)).trimEnd()}\n\n${part}`;
}

/** That part of a page, where it has one. */
export function keysOf(page: string): string {
  const begin = page.indexOf(KEYS_HEAD);
  return begin < 0 ? '' : `\n${page.slice(begin)}`;
}
