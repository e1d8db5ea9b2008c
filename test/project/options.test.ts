import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMANDS } from '../../src/cli/registry';
import { MOCK_OPTIONS } from '../../src/library/mock-options';
import { CLEAN_UP_OPTIONS } from '../../src/library/clean-up-options';
import { GRADE_OPTIONS } from '../../src/library/grade-options';
import { DESCRIBE_OPTIONS, RUN_OPTIONS } from '../../src/library/run-options';
import { optionsDocument } from './option-tables';
import { ROOT } from './source-files';

/** Without the padding of columns, which is the formatter's. */
const bare = (text: string): string =>
  text
    .replace(/ +/g, ' ')
    .replace(/-{2,}/g, '-')
    .replace(/\n{2,}/g, '\n')
    .trim();

test('docs/reference/options.md is what `npm run options` writes', () => {
  expect(bare(readFileSync(join(ROOT, 'docs', 'reference', 'options.md'), 'utf8'))).toBe(bare(optionsDocument()));
});

test.each(COMMANDS)('the help of $name has each of its flags once, in a group', ({ options }) => {
  const flags = Object.values(options).flatMap(({ flag, group }) => (flag === undefined ? [] : [{ flag, group }]));
  expect(flags.filter(({ group }) => group === '')).toEqual([]);
  expect(new Set(flags.map(({ flag }) => flag)).size).toBe(flags.length);
});

test('each option of a function has its docstring', () => {
  const text = [
    'library/mock-options',
    'library/event-options',
    'library/issuer-options',
    'library/agent-options',
    'library/store-options',
    'library/run-options',
    'library/lock-step-options',
    'library/receiver-options',
    'library/clean-up-options',
    'library/grade-options',
    'network/target',
    'files/load-api',
  ]
    .map((file) => readFileSync(join(ROOT, 'src', `${file}.ts`), 'utf8'))
    .join('\n');
  const tables = [MOCK_OPTIONS, RUN_OPTIONS, DESCRIBE_OPTIONS, CLEAN_UP_OPTIONS, GRADE_OPTIONS];
  const names = [...new Set(tables.flatMap((table) => Object.keys(table)))];
  const bareNames = names.filter((name) => !new RegExp(`\\*/\\n  readonly ${name}\\??:`).test(text));
  expect(bareNames).toEqual([]);
});
