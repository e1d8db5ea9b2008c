import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pickSample } from '../support/sample';
import {
  COMMIT_LINE,
  DOCS,
  findChanges,
  findUnknownCommits,
  formatChanges,
  listStale,
  nameCommit,
  readFigures,
  readRecord,
  ROOT,
} from './figures';
import { MEASUREMENTS } from './measurements';

const read = (document: string): string => readFileSync(join(DOCS, document), 'utf8');

describe('the table of measurements', () => {
  test('every file of docs/measured belongs to one measurement', () => {
    const files = readdirSync(DOCS).filter((file) => !['figures.json', 'ci.md'].includes(file));
    expect(MEASUREMENTS.flatMap(({ documents }) => documents).sort()).toEqual(files.sort());
  });

  test('every name, and the name of every record, is there once', () => {
    const names = MEASUREMENTS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
    expect(names).toEqual(expect.arrayContaining(Object.keys(readRecord())));
  });

  test.each(MEASUREMENTS)('$name: the files of its commands and its code are there', ({ command, sample, paths }) => {
    const files = [...`${command} ${sample ?? ''}`.matchAll(/[\w./-]+\.(?:ts|mjs|sh)\b/g)].map(([file]) => file);
    expect(files).not.toEqual([]);
    const needed = [...files, ...paths.map((path) => path.replace(':!', ''))];
    expect(needed.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('a sample takes the seed of the run, unless it is everything', () => {
    const fixed = MEASUREMENTS.filter(({ sample }) => sample !== undefined && !sample.includes('--seed SEED'));
    expect(fixed.map(({ command }) => command)).toEqual(fixed.map(({ sample }) => sample));
  });
});

describe('docs/measured', () => {
  test('every page names the commit of its record', () => {
    const pages = MEASUREMENTS.flatMap(({ name, documents }) =>
      documents.filter((file) => file.endsWith('.md')).map((file) => ({ name, file })),
    );
    const named = pages.map(({ file }) => [file, COMMIT_LINE.exec(read(file))?.slice(1)]);
    const record = readRecord();
    expect(named).toEqual(pages.map(({ name, file }) => [file, [record[name]?.commit, record[name]?.date]]));
  });

  test('git has every commit of the record', () => {
    const commits = Object.values(readRecord()).map(({ commit }) => commit);
    expect(findUnknownCommits(commits)).toEqual([]);
  });

  test('a page gets one line with its commit, below its title', () => {
    const first = nameCommit('# Title\n\nText.\n', { commit: '0123abcd', date: '2026-11-28' });
    expect(first).toBe('# Title\n\nMeasured at commit 0123abcd, 2026-11-28.\n\nText.\n');
    expect(nameCommit(first, { commit: '4567cdef', date: '2026-12-01' })).toBe(
      '# Title\n\nMeasured at commit 4567cdef, 2026-12-01.\n\nText.\n',
    );
  });
});

describe('a sample', () => {
  const items = Array.from('abcdefghijk');
  const sample = (turn: number): string[] => pickSample(items, 3, `${turn}-32ab58ac`);

  test('every item has its turn within a round of consecutive commits', () => {
    for (const round of [0, 1, 222]) {
      const taken = [0, 1, 2, 3].flatMap((turn) => sample(round * 4 + turn));
      expect([...new Set(taken)].sort()).toEqual(items);
    }
  });

  test('every item has its turn where only every fourth commit is measured', () => {
    const taken = Array.from({ length: 50 }, (_, run) => sample(run * 4)).flat();
    expect([...new Set(taken)].sort()).toEqual(items);
  });

  test('every item has its turn where seeds have no number', () => {
    const taken = Array.from({ length: 50 }, (_, run) => pickSample(items, 3, `commit ${run}`)).flat();
    expect([...new Set(taken)].sort()).toEqual(items);
  });

  test('a seed picks the same items each time, in the order of the list', () => {
    expect(sample(888)).toEqual(sample(888));
    expect(sample(888)).toHaveLength(3);
    expect(sample(888)).toEqual([...sample(888)].sort());
  });

  test('a sample of more items than there are has all of them', () => {
    expect(pickSample(items, 20, '1-a')).toEqual(items);
  });

  test.each([0, NaN])('a size of %s is refused', (size) => {
    expect(() => pickSample(items, size, '1-a')).toThrow('at least one item');
  });
});

describe('figures', () => {
  test('are read from the output; those of several parts add up', () => {
    const output = 'text\nfigures {"runs":2,"false alarms":0}\nmore\nfigures {"runs":3}\n';
    expect(readFigures(output)).toEqual({ runs: 5, 'false alarms': 0 });
    expect(readFigures('no figures {"runs":2}\n')).toBeUndefined();
  });

  test('that differ from the record are listed in a table', () => {
    const recorded = { defects: 214, 'defects caught': 214, alarms: 0, gone: 1 };
    const changes = findChanges({ name: 'mutants' }, recorded, {
      defects: 214,
      'defects caught': 213,
      alarms: 2,
      added: 7,
    });
    expect(formatChanges(changes)).toBe(
      [
        'measurement  figure          recorded  now',
        'mutants      defects caught       214  213',
        'mutants      alarms                 0    2',
        'mutants      gone                   1    –',
        'mutants      added                  –    7',
        '',
      ].join('\n'),
    );
    expect(formatChanges([])).toBe('No figure differs from docs/measured/figures.json.\n');
  });

  test('that differ by no more than their noise are not listed', () => {
    const now = { slow: 111, fast: 91 };
    const changes = findChanges({ name: 'memory', noise: 0.1 }, { slow: 100, fast: 100 }, now);
    expect(changes.map(({ figure }) => figure)).toEqual(['slow']);
  });
});

test('stale measurements are listed with the first of their changed files', () => {
  const recorded = { commit: '0123abcd', date: '2026-11-28', figures: {} };
  const table = ['same', 'one', 'many', 'never'].map((name) => ({
    name,
    about: '',
    command: '',
    documents: [],
    paths: [name],
  }));
  const changed: Readonly<Record<string, string[]>> = { one: ['a.ts'], many: ['a.ts', 'b.ts', 'c.ts', 'd.ts'] };
  const lines = listStale(
    table,
    { same: recorded, one: recorded, many: recorded },
    (_, [path = '']) => changed[path] ?? [],
  );
  expect(lines).toEqual([
    'one: 1 file changed since 0123abcd (2026-11-28): a.ts',
    'many: 4 files changed since 0123abcd (2026-11-28): a.ts, b.ts, c.ts, …',
    'never: not in docs/measured/figures.json',
  ]);
});
