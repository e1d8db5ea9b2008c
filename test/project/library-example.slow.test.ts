import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endedHere, killAll, serve } from '../cli/standin-process';
import { temporaryFolder } from '../support/temporary-folder';
import { ROOT } from './source-files';

const LIBRARY = join(ROOT, 'examples', 'library');
const CONTRACT = readFileSync(join(LIBRARY, 'contracts', 'books.yaml'), 'utf8');

const servers: ChildProcess[] = [];
afterAll(() => {
  for (const server of servers) server.kill();
  killAll();
});

/** @returns the base URL of a server of the library */
async function startLibrary(...flags: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['server.cjs', '--port', '0', ...flags], { cwd: LIBRARY });
  servers.push(child);
  const line = await new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve));
  return /http:\S+/.exec(line)?.[0] ?? '';
}

let conforming: string;
beforeAll(async () => {
  conforming = await startLibrary();
});

/** Runs the contracts of the library as the documents do; the output has the port of the documents. */
async function verifyLibrary(baseUrl: string): Promise<{ exitCode: number | undefined; output: string }> {
  const ledger = join(temporaryFolder().path, 'ledger.ndjson');
  const args = ['verify', 'contracts', '--spec', 'openapi.yaml', '--base-url', baseUrl, '--ledger', ledger];
  const { exitCode, stdout } = await endedHere(args, { cwd: LIBRARY, env: { STANDIN_API_KEY: 'secret' } });
  return { exitCode, output: stdout.replaceAll(baseUrl, 'http://127.0.0.1:3000') };
}

/** The parts of a sample of the output of a run, between the lines `…`. */
function excerptsOf(document: string): string[][] {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```text\n(FAIL .*?)^```/gms)].map(([, sample = '']) => sample.split('…\n'));
}

test('the server of the library conforms to its description and contract', async () => {
  const { exitCode, output } = await verifyLibrary(conforming);
  expect(output).toMatch(/\nCONFORMS: \d+ passed\n/);
  expect(exitCode).toBe(0);
});

test('with --broken, the run fails as README.md and docs/write-a-contract.md show', async () => {
  const { exitCode, output } = await verifyLibrary(await startLibrary('--broken'));
  expect(exitCode).toBe(1);
  const samples = ['README.md', 'docs/write-a-contract.md'].flatMap(excerptsOf);
  expect(samples).toHaveLength(2);
  for (const excerpts of samples) {
    let rest = output;
    for (const excerpt of excerpts) {
      expect(rest).toContain(excerpt);
      rest = rest.slice(rest.indexOf(excerpt) + excerpt.length);
    }
  }
});

test('docs/write-a-contract.md shows the contract of the library', () => {
  const text = readFileSync(join(ROOT, 'docs', 'write-a-contract.md'), 'utf8');
  const steps = CONTRACT.slice(CONTRACT.indexOf('standin: contract/1'));
  expect(text).toContain(`${steps}\`\`\``);
});

test('docs/staging.md shows the plan of a shared server, which is not changed without a yes', async () => {
  const cwd = temporaryFolder().path;
  const target = ['--spec', join(LIBRARY, 'openapi.yaml'), '--base-url', conforming, '--remote'];
  const args = ['verify', join(LIBRARY, 'contracts'), ...target];
  const { exitCode, stderr } = await endedHere(args, { cwd, env: { STANDIN_API_KEY: 'secret' } });
  expect(exitCode).toBe(2);
  const run = /, run (\w+)/.exec(stderr)?.[1] ?? '';
  const shown =
    /^```text\n(Plan for .*?)^```/ms.exec(readFileSync(join(ROOT, 'docs', 'staging.md'), 'utf8'))?.[1] ?? '';
  const here = shown.replace('https://staging.example.com/v1', conforming).replaceAll('c182fcab', run);
  expect(stderr.slice(0, here.length)).toBe(here);
});

test('docs/mock-your-api.md shows what the mock prints at its start', async () => {
  const mock = await serve([join(LIBRARY, 'openapi.yaml')]);
  const text = readFileSync(join(ROOT, 'docs', 'mock-your-api.md'), 'utf8');
  const shown = /^```text\n(.*?)^```/ms.exec(text)?.[1] ?? '';
  expect(mock.output().stdout).toContain(shown.replaceAll('http://127.0.0.1:4010', mock.url));
  await mock.stop();
});
