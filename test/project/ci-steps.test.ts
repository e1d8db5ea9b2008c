import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files';

const ci = (...args: readonly string[]): ReturnType<typeof spawnSync> =>
  spawnSync('bash', [join(ROOT, '.ci', 'run'), ...args], { encoding: 'utf8' });

test('the steps of CI are those in the table of CONTRIBUTING.md, in the same order', () => {
  const { stdout, status } = ci('--list');
  const documented = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split(/^\| step .*\|$/m)[1] ?? '';
  const names = [...documented.matchAll(/^\| `([\w-]+)` +\|/gm)].map(([, name]) => name);
  expect(status).toBe(0);
  expect(names).not.toHaveLength(0);
  expect(String(stdout).trim().split('\n')).toEqual(names);
});

test('a step that does not exist is refused before anything runs', () => {
  const { stdout, stderr, status } = ci('build', 'tests');
  expect(status).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^There is no step "tests"\. The steps are: tools build test slow /);
});
