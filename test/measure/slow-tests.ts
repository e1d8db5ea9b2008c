// The tests that `npm test` leaves out: npm run measure -- slow-tests
//
//   --share 6 --seed TEXT    a sixth of the files, chosen by the seed
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pickSample } from '../support/sample';

const ROOT = join(__dirname, '..', '..');

function main(): number {
  const { values } = parseArgs({ options: { share: { type: 'string', default: '1' }, seed: { type: 'string' } } });
  const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.slow.test.ts') && !file.includes('node_modules'))
    .map((file) => join('test', file))
    .sort();
  const chosen = pickSample(files, Math.ceil(files.length / Number(values.share)), values.seed ?? '');
  process.stdout.write(`${chosen.length} of ${files.length} slow test files\n`);
  const only = chosen.length === files.length ? [] : ['--runTestsByPath', ...chosen];
  const { status } = spawnSync(process.execPath, [join('scripts', 'test.mjs'), 'slow', ...only], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  process.stdout.write(`figures ${JSON.stringify({ files: chosen.length, failed: status === 0 ? 0 : 1 })}\n`);
  return status ?? 1;
}

process.exitCode = main();
