import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockServer } from '../../src/express';
import { REPORT_KINDS } from '../../src/report/registry';
import { runMain } from '../cli/standin-process';
import { startPeer } from '../runner/peer';
import { ROOT } from './source-files';
import { temporaryFolder } from '../support/temporary-folder';

const DOCUMENT = readFileSync(join(ROOT, 'docs', 'reference', 'verify.md'), 'utf8');

/** Long flags in a text. */
function flagsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([flag]) => flag))].sort();
}

async function helpOf(command: string): Promise<string[]> {
  const { stdout } = await runMain(command, '--help');
  // Not what a description says about other commands.
  return [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z][a-z-]*)/gm)].map(([, flag = '']) => flag);
}

test('docs/reference/verify.md has every flag of standin verify and cleanup, and none that there is not', async () => {
  const known = [...(await helpOf('verify')), ...(await helpOf('cleanup'))].filter((flag) => flag !== '--help');
  expect(known.length).toBeGreaterThan(20);
  expect(flagsIn(DOCUMENT)).toEqual([...new Set(known)].sort());
});

test.each(['verify', 'merge-reports'])('the help of standin %s has every kind of report', async (command) => {
  const { stdout } = await runMain(command, '--help');
  const words = stdout.split(/[\s,;]+/);
  expect(REPORT_KINDS.filter((kind) => !words.includes(kind))).toEqual([]);
});

test('the script of docs/reference/verify.md runs where the package is installed', async () => {
  const folder = temporaryFolder().path;
  const library = join(ROOT, 'examples', 'library');
  const peer = await startPeer(await createMockServer({ description: join(library, 'openapi.yaml') }));
  try {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(ROOT, join(folder, 'node_modules', 'standin'));
    const script = [...DOCUMENT.matchAll(/^```js\n(.*?)^```/gms)].find(([, code = '']) => code.includes('runContract'));
    // With the options that are comments: the contracts of the library take less time than the bundled ones.
    const code = (script?.[1] ?? '').replaceAll(/\/\/ (?=description: |contracts: )/g, '');
    expect(code).toMatch(/^ {4}description: 'openapi.yaml',\n {4}contracts: 'contracts',$/m);
    writeFileSync(join(folder, 'verify.cjs'), code);
    const run = (...args: string[]): Promise<{ exitCode: unknown; stdout: string; stderr: string }> => {
      const env = { ...process.env, STANDIN_API_KEY: 'test-key' };
      const script = [join(folder, 'verify.cjs'), ...args];
      return new Promise((resolve) => {
        execFile(process.execPath, script, { cwd: library, env }, (error, stdout, stderr) => {
          resolve({ exitCode: error?.code ?? 0, stdout, stderr });
        });
      });
    };
    const good = await run(peer.url);
    expect(good).toMatchObject({ exitCode: 0, stderr: '' });
    expect(good.stdout).toContain('\nCONFORMS: ');
    const bad = await run('localhost');
    expect(bad).toMatchObject({ exitCode: 2, stdout: '' });
    expect(bad.stderr).toContain('Name scheme and host, such as http://127.0.0.1:4010.');
  } finally {
    await peer.close();
  }
});
