import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { readLines } from '../../src/files/line-file';
import { readRecordingLines, type Recording } from '../../src/traffic/exchange/recording-lines';
import { closeAll, serve, type Target } from '../recorder/recorder';
import { temporaryFolder } from '../support/temporary-folder';
import { killAll, type Served, standin } from './standin-process';
import { until } from '../support/until';

afterEach(async () => {
  killAll();
  await closeAll();
});
const folder = temporaryFolder();

async function start(target: Target, name: string): Promise<Served> {
  const out = folder.file(`${name}.yaml`);
  const result = await standin(['record', '--target', target.url, '--out', out, '--port', '0']);
  if ('stop' in result) return result;
  throw new Error(result.stderr);
}

function recordingOf(name: string): Recording {
  const file = folder.file(`${name}.recording.ndjson`);
  return readRecordingLines(readLines(file), file);
}

test('a process that is killed has lost nothing that was answered', async () => {
  const target = await serve((request, response) => {
    const body = JSON.stringify({ path: request.url, filler: 'some words '.repeat(Number(request.url?.slice(1)) * 4) });
    // Both ways in which a client can tell the end of a body.
    if (Number(request.url?.slice(1)) % 2 === 0) response.setHeader('Content-Length', body.length);
    response.end(body);
  });
  const recorder = await start(target, 'killed');
  const answered = new Set<string>();
  let isKilled = false;
  let next = 0;
  const client = async (): Promise<void> => {
    while (!isKilled) {
      const path = `/${(next += 1)}`;
      try {
        const response = await fetch(recorder.url + path);
        await response.text();
        answered.add(path);
      } catch {
        return;
      }
      if (answered.size === 100) {
        isKilled = true;
        await recorder.stop('SIGKILL');
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  const { exchanges, problems } = recordingOf('killed');
  const kept = new Set(exchanges.map(({ request }) => request.target));
  expect([...answered].filter((path) => !kept.has(path))).toEqual([]);
  expect(answered.size).toBeGreaterThanOrEqual(100);
  expect(problems).toEqual([]);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s ends a recording in order: what is on its way is answered',
  async (signal) => {
    let answer: (() => void) | undefined;
    const target = await serve((request, response) => {
      if (request.url === '/late') answer = () => response.end('late');
      else response.end('ok');
    });
    const recorder = await start(target, signal);
    await fetch(recorder.url);
    const late = fetch(`${recorder.url}/late`);
    await once(target.server, 'request');
    const ended = recorder.stop(signal);
    await until(() => recorder.output().stderr.includes('Stopping'), 'the message that the recorder stops');
    answer?.();
    expect(await (await late).text()).toBe('late');
    const { exitCode, stderr } = await ended;
    expect(exitCode).toBe(0);
    expect(stderr).toContain('2 exchanges in');
    expect(recordingOf(signal).exchanges.map(({ request }) => request.target)).toEqual(['/', '/late']);
  },
);

test('a second signal ends the process at once, and what was answered is there', async () => {
  const target = await serve((request, response) => {
    if (request.url !== '/never') response.end('ok');
  });
  const recorder = await start(target, 'twice');
  await fetch(recorder.url);
  const never = fetch(`${recorder.url}/never`).catch(() => 'lost');
  await once(target.server, 'request');
  const ended = recorder.stop('SIGINT');
  await until(() => recorder.output().stderr.includes('Stopping'), 'the message that the recorder stops');
  void recorder.stop('SIGINT');
  expect((await ended).exitCode).toBe(130);
  expect(await never).toBe('lost');
  expect(recordingOf('twice').exchanges).toHaveLength(1);
});

test('the file is for the eyes of its user alone', async () => {
  const target = await serve((_, response) => response.end());
  const recorder = await start(target, 'mode');
  expect(statSync(folder.file('mode.recording.ndjson')).mode & 0o777).toBe(0o600);
  await recorder.stop('SIGTERM');
});

test('a large upload and a large download pass through in bounded memory', async () => {
  const piece = Buffer.alloc(1024 * 1024, 7);
  const target = await serve((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => {
      response.setHeader('X-Bytes', bytes);
      for (let left = 0; left < 50; left++) response.write(piece);
      response.end();
    });
  });
  const recorder = await start(target, 'large');
  const put = httpRequest(recorder.url, { method: 'PUT' });
  for (let left = 0; left < 50; left++) if (!put.write(piece)) await once(put, 'drain');
  put.end();
  const [response] = (await once(put, 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  expect([response.headers['x-bytes'], bytes]).toEqual([String(50 * piece.length), 50 * piece.length]);
  await recorder.stop('SIGTERM');
  const [exchange] = recordingOf('large').exchanges;
  expect([exchange?.request.body, exchange?.response?.body]).toEqual(
    Array(2).fill({ kind: 'omitted', reason: 'it has more than 8388608 bytes', bytes: 50 * piece.length }),
  );
});
