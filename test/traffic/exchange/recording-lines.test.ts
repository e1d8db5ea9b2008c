import { createLineFile, readLines } from '../../../src/files/line-file';
import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import {
  exchangeLine,
  headerLine,
  readRecordingLines,
  type RecordingHeader,
} from '../../../src/traffic/exchange/recording-lines';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();

const HEADER: RecordingHeader = {
  target: 'https://api.example',
  startedAt: '2026-01-01T00:00:00.000Z',
  version: '1.2.3',
  description: 'openapi.yaml',
  secrets: [{ name: 'key', kind: 'credential', where: 'the header Authorization' }],
};

function exchange(target: string, startedAt: number | undefined, more: Partial<CleanExchange> = {}): CleanExchange {
  return {
    source: '1',
    startedAt,
    endedAt: startedAt,
    origin: 'https://api.example',
    request: { method: 'GET', target, headers: ['Host', 'api.example'], body: undefined },
    response: { status: 200, headers: [], body: { kind: 'text', text: 'a\n"b"\u2028\ud800' } },
    notes: ['n'],
    secrets: 'replaced',
    ...more,
  };
}

test('what was written is read again, in the order in which the requests began', () => {
  const first = exchange('/1', 10.25);
  const second = exchange('/2', 10.5, {
    request: { method: 'PUT', target: '/2', headers: [], body: { kind: 'bytes', base64: 'AA==' } },
    response: undefined,
    endedAt: undefined,
    notes: [],
  });
  const met = [{ name: 'pin', kind: 'property', where: 'the property pin of PUT /2' }] as const;
  const lines = [headerLine(HEADER), exchangeLine(second, met), exchangeLine(first)];
  expect(lines.every((line) => !line.includes('\n'))).toBe(true);
  const recording = readRecordingLines(lines, 'new.recording.ndjson');
  expect(recording.header).toMatchObject(HEADER);
  expect(recording.exchanges).toEqual([
    { ...first, source: 'new.recording.ndjson:3' },
    { ...second, source: 'new.recording.ndjson:2' },
  ]);
  expect(recording.secrets).toEqual([...HEADER.secrets, ...met]);
  expect(recording.problems).toEqual([]);
});

test('lines whose time nobody noted stay in their order', () => {
  const lines = [headerLine(HEADER), exchangeLine(exchange('/1', 3)), exchangeLine(exchange('/2', undefined))];
  const { exchanges } = readRecordingLines(lines, 'f');
  expect(exchanges.map(({ request }) => request.target)).toEqual(['/1', '/2']);
});

test('a last line that a kill has cut is told, and all others are there', () => {
  const cut = exchangeLine(exchange('/2', 2)).slice(0, 50);
  const { exchanges, problems } = readRecordingLines([headerLine(HEADER), exchangeLine(exchange('/1', 1)), cut], 'f');
  expect(exchanges).toHaveLength(1);
  expect(problems).toEqual([
    {
      rule: 'recording-line',
      severity: 'warning',
      file: 'f',
      line: 3,
      pointer: '',
      message: 'The last line is cut, as by a process that was killed while it wrote: it was left out',
      hint: 'All exchanges before it are there.',
    },
  ]);
});

test('a line in the middle that is no exchange is told and left out', () => {
  const lines = [
    headerLine(HEADER),
    '{"half',
    '{"origin":"https://api.example","request":{"method":7,"target":"/","headers":[]}}',
    headerLine(HEADER),
    '',
    '{"origin":"https://api.example","request":{"method":"GET","target":"/","headers":[]}}',
  ];
  const { exchanges, problems } = readRecordingLines(lines, 'f');
  expect(exchanges).toEqual([expect.objectContaining({ source: 'f:6', notes: [], response: undefined })]);
  expect(problems.map(({ line, message }) => [line, message])).toEqual([
    [2, 'The line is no JSON and was left out'],
    [3, expect.stringContaining('The line is no exchange and was left out: "method" must be a string')],
    [4, 'The line is no exchange and was left out: it is the first line of a recording'],
  ]);
});

test.each([
  ['', 'f is no recording of this version'],
  ['{"log":{}}', 'f is no recording of this version'],
  ['{"standin":"recording/2"}', 'f is no recording of this version'],
  ['{"standin":"recording/1","target":"x"}', /^f:1 cannot be used: The property "startedAt" is missing/],
])('%p is no recording', (line, message) => {
  expect(() => readRecordingLines(line === '' ? [] : [line], 'f')).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringMatching(message) as string }) as Error,
  );
});

test('a file of lines is read as it was written, whatever the length of its lines', () => {
  const name = folder.file('lines.ndjson');
  const lines = ['short', '', 'ä'.repeat(1_500_000), 'end'];
  const file = createLineFile(name);
  for (const line of lines) file.append(line);
  file.close();
  expect([...readLines(name)]).toEqual(lines);
  expect(() => createLineFile(name)).toThrow(/EEXIST/);
  expect([...readLines(folder.write('cut', 'one\ntwo'))]).toEqual(['one', 'two']);
});
