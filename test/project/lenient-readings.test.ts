import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LENIENT_READINGS } from '../../src/checks/request/warnings';
import { ROOT } from './source-files';

const DOCUMENT = readFileSync(join(ROOT, 'docs', 'reference', 'requests.md'), 'utf8');
const section = DOCUMENT.slice(DOCUMENT.indexOf('## Lenient readings'));
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

test('docs/reference/requests.md has the lenient readings as they are', () => {
  const written = rows.map(([, code, what, standard]) => [code, what, standard]);
  const known = Object.entries(LENIENT_READINGS).map(([code, { what, standard }]) => [`\`${code}\``, what, standard]);
  expect(written).toEqual(known);
});
