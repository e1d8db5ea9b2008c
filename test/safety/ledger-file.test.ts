import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createFileLedger, reopenFileLedger } from '../../src/files/ledger-file';
import { LEDGER_FORMAT, type Ledger, type LedgerEntry } from '../../src/runner/ownership/ledger';
import { readLedger } from '../../src/runner/ownership/ledger-lines';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder';

const START: LedgerEntry = {
  kind: 'run',
  format: LEDGER_FORMAT,
  runId: '1a2b3c4d',
  baseUrl: 'http://127.0.0.1:1',
  description: 'openapi.yaml',
  startedAt: '2031-01-01T00:00:00Z',
};
const PENDING: LedgerEntry = { kind: 'pending', entry: 1, operation: 'addBook', path: '/books' };
const CREATED: LedgerEntry = { kind: 'created', entry: 1, item: '/books/17' };

let folder: TemporaryFolder;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = folder.file('run.ndjson');
});
afterEach(() => {
  folder.remove();
});

function append(open: (path: string) => Ledger & { close(): void }, ...entries: readonly LedgerEntry[]): void {
  const ledger = open(file);
  for (const entry of entries) ledger.append(entry);
  ledger.close();
}

const entriesIn = (): readonly LedgerEntry[] => readLedger(readFileSync(file, 'utf8'), file).entries;

test('a ledger that is there is not written over: it tells what an earlier run left', () => {
  append(createFileLedger, START, PENDING);
  expect(() => createFileLedger(file)).toThrow(`The ledger ${file} is there already`);
  expect(entriesIn()).toEqual([START, PENDING]);
});

test('half a line at the end, as a crash leaves it, does not spoil what comes later', () => {
  append(createFileLedger, START, PENDING);
  appendFileSync(file, '{"kind":"pending","entr');
  append(reopenFileLedger, CREATED);
  append(reopenFileLedger, { kind: 'removed', entry: 1 });
  expect(entriesIn()).toEqual([START, PENDING, CREATED, { kind: 'removed', entry: 1 }]);
});

test('a whole line that lacks its end is kept', () => {
  writeFileSync(file, `${JSON.stringify(START)}\n${JSON.stringify(PENDING)}`);
  append(reopenFileLedger, CREATED);
  expect(entriesIn()).toEqual([START, PENDING, CREATED]);
});

test('a ledger that is of no use is removed', () => {
  const ledger = createFileLedger(file);
  ledger.remove();
  ledger.close();
  expect(existsSync(file)).toBe(false);
});
