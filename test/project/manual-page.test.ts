import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/registry';
import { ROOT } from './source-files';

const PAGE = join(ROOT, 'dist', 'man', 'standin.1');
const text = readFileSync(PAGE, 'utf8').replaceAll('\\-', '-');

test.each(COMMANDS)('the manual page has $name with its flags', ({ name, options }) => {
  const part = new RegExp(String.raw`^\.SS \\fB${name}\b[\s\S]*?(?=^\.S[SH] |(?![\s\S]))`, 'm').exec(text)?.[0] ?? '';
  const missing = Object.values(options).filter(({ flag }) => flag !== undefined && !part.includes(`\\fB${flag}\\fR`));
  expect(part).not.toBe('');
  expect(missing.map(({ flag }) => flag)).toEqual([]);
});

(spawnSync('groff', ['--version']).error === undefined ? test : test.skip)('groff shows it without a warning', () => {
  const { stdout, stderr, status } = spawnSync('groff', ['-man', '-ww', '-Tutf8', PAGE], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.length).toBeGreaterThan(10_000);
});
