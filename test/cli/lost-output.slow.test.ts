import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { BUILT_COMMAND } from '../support/built-command';
import { serve, killAll } from './standin-process';

const FULL = '/dev/full';
const here = existsSync(FULL) ? test : test.skip;

afterEach(killAll);

async function withFullOutput(args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const output = openSync(FULL, 'w');
  try {
    const child = spawn(process.execPath, [BUILT_COMMAND, ...args], { stdio: ['ignore', output, 'pipe'] });
    let stderr = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, stderr };
  } finally {
    closeSync(output);
  }
}

here.each([
  ['check'],
  ['check', '--json'],
  ['explain'],
  ['explain', 'GET', '/pets', '--json'],
  ['--version'],
  ['--help'],
  ['mock', '--port', '0'],
  ['mock', '--port', '0', '--log', 'json'],
])('an output that cannot be written ends with 2 and a message: %s %s', async (...args: readonly string[]) => {
  const { code, stderr } = await withFullOutput(args);
  expect(stderr).toContain('The standard output could not be written: ENOSPC');
  expect(stderr).not.toContain('    at ');
  expect(code).toBe(2);
});

here('so does a run, and tells how it ended', async () => {
  const mock = await serve();
  for (const report of [[], ['--report', 'json=-']]) {
    const { code, stderr } = await withFullOutput(['verify', '--base-url', mock.url, '--only', 'listPets', ...report]);
    expect(stderr).toContain('the exit code would have been 0');
    expect(code).toBe(2);
  }
});
