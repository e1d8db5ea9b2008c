import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingFile } from '../../src/library/recording-file';
import { readRecordingLines } from '../../src/traffic/exchange/recording-lines';
import type { RecordedExchange, SecretUse } from '../../src/traffic/exchange/recorded-exchange';

const folder = mkdtempSync(join(tmpdir(), 'standin-recording-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const flags = { out: '--out', update: '--update', force: '--force' };
const origin = 'http://127.0.0.1:4020';

function exchange(number: number): RecordedExchange {
  const request = { method: 'GET', target: `/things/${number}`, headers: [], body: undefined };
  const response = number === 4 ? undefined : { status: 200, headers: [], body: undefined };
  return { source: String(number), startedAt: number, endedAt: number, origin, request, response, notes: [] };
}

/** Meets a secret in each exchange of an even number, and cannot clean the third. */
function begin(name: string) {
  const uses: SecretUse[] = [];
  const notices: string[] = [];
  const recording = new RecordingFile({
    file: join(folder, name),
    header: { version: '1.0.0' },
    flags,
    onNotice: (text) => notices.push(text),
    cleaner: {
      uses: () => uses,
      clean(recorded) {
        const number = Number(recorded.source);
        if (number === 3) throw new Error('no way through');
        if (number % 2 === 0) uses.push({ name: `SECRET_${number}`, kind: 'value', where: '/key' });
        return { ...recorded, secrets: 'replaced' };
      },
    },
  });
  return { recording, notices };
}

test('exchanges that are over at the same time stand in the file each with the secrets that it showed first', () => {
  const { recording, notices } = begin('together.ndjson');
  recording.begin(origin);
  expect(recording.write([1, 2, 3, 4].map(exchange)).map(({ source }) => source)).toEqual(['1', '2', '4']);
  recording.write([exchange(5)]);
  recording.close();
  const lines = readFileSync(recording.file, 'utf8').trimEnd().split('\n').slice(1);
  const told = lines.map((line) => JSON.parse(line) as { source: string; secrets?: SecretUse[] });
  expect(told.map(({ source, secrets = [] }) => [source, secrets.map(({ name }) => name)])).toEqual([
    ['1', []],
    ['2', ['SECRET_2']],
    ['4', ['SECRET_4']],
    ['5', []],
  ]);
  const { written, lost, unanswered } = recording;
  expect({ written, lost, unanswered }).toEqual({ written: 4, lost: 1, unanswered: 1 });
  expect(notices).toEqual(['Exchange 3 could not be recorded, by a defect of standin: no way through']);
});

test('the first exchanges begin the file, where nothing did', () => {
  const { recording } = begin('begun.ndjson');
  recording.write([2, 4].map(exchange));
  recording.close();
  const { header, secrets, exchanges } = readRecordingLines(readFileSync(recording.file, 'utf8').split('\n'), 'begun');
  expect(header).toMatchObject({ target: origin, version: '1.0.0' });
  expect(secrets.map(({ name }) => name)).toEqual(['SECRET_2', 'SECRET_4']);
  expect(exchanges).toHaveLength(2);
});

test('what cannot be written is told once, and counted', () => {
  const { recording, notices } = begin('closed.ndjson');
  recording.begin(origin);
  recording.close();
  expect(recording.write([1, 2].map(exchange))).toHaveLength(2);
  recording.write([exchange(5)]);
  const { written, lost } = recording;
  expect({ written, lost }).toEqual({ written: 0, lost: 3 });
  expect(notices).toHaveLength(1);
  expect(notices[0]).toContain('cannot be written');
});
