import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPORT_KINDS } from '../../src/report/registry';
import { runMain } from '../cli/standin-process';
import { ROOT } from './source-files';

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
