import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeReports } from '../../src/cli/actions/reports';
import {
  loadBaseline,
  requireOutputs,
  takesStdout,
  writeAtomically,
  writeBaseline,
  writeReports,
} from '../../src/cli/actions/report-files';
import { formatReport, REPORT_KINDS } from '../../src/report/registry';
import { contractOf, failed, PASSED, resultOf, resultOfSteps, statusFinding } from './results';
import { thrownBy } from '../openapi/load-text';
import { temporaryFolder } from '../support/temporary-folder';
import { runMain } from '../cli/standin-process';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder().path;
});

const result = resultOfSteps(PASSED, failed([statusFinding(500, 200)]));

test('every report is written, with the folders it needs, and nothing beside it', () => {
  const targets = REPORT_KINDS.map((kind) => ({ kind, file: join(folder, 'a', 'b', `report.${kind}`) }));
  writeReports(result, targets);
  for (const { kind, file } of targets) expect(readFileSync(file, 'utf8')).toBe(formatReport(kind, result));
  expect(readdirSync(join(folder, 'a', 'b'))).toHaveLength(REPORT_KINDS.length);
});

test('a report that cannot be written is named with the outcome, after all others were written', () => {
  mkdirSync(join(folder, 'taken'));
  writeFileSync(join(folder, 'file'), '');
  const { code, message, hint } = thrownBy(() => {
    writeReports(result, [
      { kind: 'html', file: join(folder, 'taken') },
      { kind: 'junit', file: join(folder, 'file', 'below.xml') },
      { kind: 'json', file: join(folder, 'good.json') },
    ]);
  });
  expect(code).toBe('CONFIG_INVALID');
  expect(message).toContain(`html to ${join(folder, 'taken')} (EISDIR`);
  expect(message).toContain(`junit to ${join(folder, 'file', 'below.xml')} (`);
  expect(hint).toContain('The run itself ended with VIOLATIONS.');
  expect(readdirSync(folder).sort()).toEqual(['file', 'good.json', 'taken']);
});

test.each(['json=taken', 'json=file/below.json', 'json=/proc/x/y'])(
  'whether %s can be written is known before a run',
  (option) => {
    mkdirSync(join(folder, 'taken'));
    writeFileSync(join(folder, 'file'), '');
    const name = option.slice('json='.length);
    const file = name.startsWith('/') ? name : join(folder, name);
    const { code, message } = thrownBy(() => {
      requireOutputs([{ kind: 'json', file }]);
    });
    expect(code).toBe('CONFIG_INVALID');
    expect(message).toContain(`The report json=${file} cannot be written (`);
    expect(message).toContain('nothing was done');
  },
);

test('what can be written is left as it was', () => {
  const file = join(folder, 'a', 'b', 'report.json');
  writeFileSync(join(folder, 'old.json'), 'old');
  requireOutputs(
    [file, join(folder, 'old.json'), '/dev/null', '-'].map((each) => ({ kind: 'json', file: each })),
    join(folder, 'baseline.yaml'),
  );
  expect(readdirSync(folder).sort()).toEqual(['a', 'old.json']);
  expect(readdirSync(join(folder, 'a', 'b'))).toEqual([]);
  expect(readFileSync(join(folder, 'old.json'), 'utf8')).toBe('old');
});

test('a baseline that would be written over another document is refused before a run', () => {
  const file = join(folder, 'package.json');
  writeFileSync(file, '{ "name": "x" }');
  const { message } = thrownBy(() => {
    requireOutputs([], file);
  });
  expect(message).toContain(`The baseline ${file}: `);
});

test('a file that was there is replaced as a whole; a link stays one; a device is written to', () => {
  const file = join(folder, 'a.txt');
  writeFileSync(file, 'old and longer');
  symlinkSync(file, join(folder, 'link'));
  writeAtomically(join(folder, 'link'), 'new');
  writeAtomically('/dev/null', 'gone');
  expect(readFileSync(file, 'utf8')).toBe('new');
  expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
  expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['a.txt', 'link']);
});

test('whether a report takes the standard output can be asked', () => {
  expect(takesStdout([{ kind: 'json', file: 'a' }])).toBe(false);
  expect(
    takesStdout([
      { kind: 'json', file: 'a' },
      { kind: 'html', file: '-' },
    ]),
  ).toBe(true);
});

test('a baseline that cannot be read is rejected with every fault', () => {
  const file = join(folder, 'baseline.yaml');
  writeFileSync(file, 'standin: baseline/1\naccepted:\n  - reason: a\n    check: [');
  expect(thrownBy(() => loadBaseline(file)).findings[0]).toMatchObject({ file, rule: 'yaml-syntax' });
  writeFileSync(file, 'standin: baseline/1\naccepted: [{}]');
  expect(thrownBy(() => loadBaseline(file)).message).toBe(`The baseline ${file}: 5 errors`);
  expect(thrownBy(() => loadBaseline(join(folder, 'none'))).message).toContain('does not exist');
});

test('a baseline is written, and what it held is kept', () => {
  const file = join(folder, 'new', 'baseline.yaml');
  const today = new Date('2026-11-20T10:00:00Z');
  expect(writeBaseline(file, result, today).entries).toMatchObject([
    { reason: 'not looked at yet', expires: '2026-12-20' },
  ]);
  writeFileSync(file, readFileSync(file, 'utf8').replace('not looked at yet', 'known'));
  expect(writeBaseline(file, result, new Date('2027-11-20T10:00:00Z')).entries).toMatchObject([
    { reason: 'known', expires: '2026-12-20' },
  ]);
  expect(loadBaseline(file).entries).toHaveLength(1);
  writeFileSync(file, 'something: else');
  expect(thrownBy(() => writeBaseline(file, result, today)).message).toContain('The baseline');
  expect(readFileSync(file, 'utf8')).toBe('something: else');
});

describe('joining shards', () => {
  const shard = (index: number, ...steps: (typeof PASSED)[]): string => {
    const file = join(folder, `${index}.json`);
    const part = resultOf({ shard: { index, count: 2 }, contracts: [contractOf(`c${index}`, ...steps)] });
    writeReports(part, [{ kind: 'json', file }]);
    return file;
  };

  test('ends like one run, and writes reports of the whole', async () => {
    const files = [shard(1, PASSED), shard(2, failed([statusFinding(500, 200)]))];
    const junit = join(folder, 'junit.xml');
    const { exitCode, stdout } = await runMain('merge-reports', ...files, '--report', `junit=${junit}`);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('VIOLATIONS: 1 failed, 1 passed');
    expect(readFileSync(junit, 'utf8')).toContain('tests="2" failures="1"');
  });

  test.each([
    { what: 'no result', files: () => [join(folder, 'none.json')], says: 'does not exist' },
    { what: 'one shard alone', files: () => [shard(1, PASSED)], says: 'Shard 2 of 2 is missing' },
    {
      what: 'a file that is no result',
      files: () => {
        writeFileSync(join(folder, 'other.json'), '{"a":1}');
        return [join(folder, 'other.json')];
      },
      says: 'is not a result of standin',
    },
  ])('$what is refused', ({ files, says }) => {
    expect(thrownBy(() => mergeReports(files(), {})).message).toContain(says);
  });
});

test.each([
  { name: 'a.html', text: '\n<!DOCTYPE html><html></html>', says: 'is HTML' },
  { name: 'junit.xml', text: formatReport('junit', result), says: 'is a JUnit report' },
  { name: 'page.html', text: formatReport('html', result), says: 'is HTML' },
  { name: 'ctrf.json', text: formatReport('ctrf', result), says: 'is a CTRF report' },
  { name: 'sarif.json', text: formatReport('sarif', result), says: 'is a SARIF report' },
  { name: 'package.json', text: '{ "name": "x" }', says: 'is JSON of another kind' },
  { name: 'list.json', text: '[1]', says: 'is JSON of another kind' },
  { name: 'empty.json', text: ' \n', says: 'is empty' },
  { name: 'report.md', text: '# Report', says: 'is not JSON' },
  {
    name: 'left.ndjson',
    text: '{"kind":"run","format":"ledger/1"}\n{"kind":"pending"}\n',
    says: 'is a ledger, which standin cleanup takes',
  },
])('$name is no result to merge: it $says', ({ name, text, says }) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  const { code, message, hint, findings } = thrownBy(() => mergeReports([file], {}));
  expect({ code, message, findings }).toEqual({
    code: 'CONFIG_INVALID',
    message: `${file} is not a result of standin: it ${says}`,
    findings: [],
  });
  expect(hint).toContain('standin verify --report json=FILE writes one');
});

test('a result that was torn is told with the place where it ends', () => {
  const file = join(folder, 'torn.json');
  writeFileSync(file, formatReport('json', result).slice(0, 400));
  const { message, findings } = thrownBy(() => mergeReports([file], {}));
  expect(message).toBe(`${file} is not a result of standin`);
  expect(findings).toHaveLength(1);
  expect(findings[0]?.message).toContain('Unexpected end of JSON');
});
