import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockServer } from '../../src/express';
import { startPeer } from '../runner/peer';
import { ROOT } from './source-files';
import { temporaryFolder } from '../support/temporary-folder';

const DOCUMENT = readFileSync(join(ROOT, 'docs', 'reference', 'verify.md'), 'utf8');

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
