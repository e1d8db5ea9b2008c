import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readLines } from '../../src/files/line-file';
import { readRecordingLines } from '../../src/traffic/exchange/recording-lines';
import { temporaryFolder } from '../support/temporary-folder';
import { endedRun, killAll, serve } from './standin-process';

afterEach(killAll);
const folder = temporaryFolder();
const HEADERS = { Authorization: 'Bearer test-key', 'Content-Type': 'application/json' };

async function createdAndRead(url: string): Promise<void> {
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
  const { id } = (await (await fetch(`${url}/pets`, { method: 'POST', headers: HEADERS, body })).json()) as {
    id: number;
  };
  await fetch(`${url}/pets/${id}`, { headers: HEADERS });
}

test.each(['SIGINT', 'SIGTERM'] as const)('%s makes the contract, which passes at another mock', async (signal) => {
  const contract = folder.file(`${signal}.yaml`);
  const recording = folder.file(`${signal}.recording.ndjson`);
  const mock = await serve(['--record', contract]);
  expect(mock.output().stdout).toContain(`Record:   ${recording}, each exchange as it is answered`);
  await createdAndRead(mock.url);
  expect(readRecordingLines(readLines(recording), recording).exchanges).toHaveLength(2);
  expect(existsSync(contract)).toBe(false);
  const { exitCode, stderr } = await mock.stop(signal);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(`2 exchanges in ${recording}.\n`);
  expect(stderr).toContain(`Replay it: npx standin verify ${contract} --base-url ${mock.url}\n`);
  expect(readFileSync(contract, 'utf8')).not.toContain('test-key');
  const other = await serve();
  const args = ['verify', contract, '--base-url', other.url, '--mode', 'own', '--api-key', 'test-key'];
  expect((await endedRun(args)).exitCode).toBe(0);
});

test('a kill loses nothing that was answered, and standin import makes the contract', async () => {
  const contract = folder.file('killed.yaml');
  const mock = await serve(['--record', contract, '--log', 'json']);
  await createdAndRead(mock.url);
  await mock.stop('SIGKILL');
  const file = folder.file('killed.recording.ndjson');
  expect((await endedRun(['import', file, '--out', contract])).exitCode).toBe(0);
  expect(readFileSync(contract, 'utf8')).toContain('/pets');
});

test('what cannot be made into a contract is exit code 2, and the recording stays', async () => {
  const contract = folder.file('lost.yaml');
  const mock = await serve(['--record', contract]);
  await fetch(`${mock.url}/nowhere`, { headers: HEADERS });
  const { exitCode, stderr } = await mock.stop('SIGINT');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('No contract was made of the recording:');
  expect(existsSync(folder.file('lost.recording.ndjson'))).toBe(true);
});

test('a port in use leaves no file in the way of the next start', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;
  const contract = folder.file('taken.yaml');
  const { exitCode } = await endedRun(['mock', '--port', String(port), '--record', contract]);
  taken.close();
  expect(exitCode).toBe(2);
  expect(existsSync(folder.file('taken.recording.ndjson'))).toBe(false);
});
