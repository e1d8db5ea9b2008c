import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROBLEM_STATUS } from '../../src/core/http/problem';
import { ERROR_CODES } from '../../src/core/errors/standin-error';
import { LINTS } from '../../src/openapi/lint/registry';
import { ROOT, SOURCE_FILES } from './source-files';

/** Rows of the tables of docs/reference/errors.md: their cells, by the name in code style that each begins with. */
const ROWS: ReadonlyMap<string, string[]> = new Map(
  readFileSync(join(ROOT, 'docs', 'reference', 'errors.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .flatMap((cells) => {
      const at = cells.findIndex((cell) => /^`[^`]+`$/.test(cell));
      return at === -1 ? [] : [[cells[at]!.slice(1, -1), cells] as const];
    }),
);

const ruleIds = (pattern: RegExp): string[] => {
  const ids = SOURCE_FILES.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, id = '']) => id));
  return [...new Set(ids)].sort();
};

/** Of the formats whose findings are shown with their rule. */
const FORMAT_IDS = ruleIds(/decode(?:Parts)?\(document, '([a-z]+)'\)/g).map((format) => `${format}-format`);
const RULE_IDS = [
  ...ruleIds(/(?:\b|_)rule(?::| =) '([a-z0-9-]+)'/gi).filter((id) => !id.startsWith('contract')),
  ...FORMAT_IDS.filter((id) => id !== 'result-format'),
];
const LINT_IDS = LINTS.map(({ id }) => id);

test.each([...ERROR_CODES])('docs/reference/errors.md says what %s means and what to do', (code) => {
  const [, means, todo] = ROWS.get(code) ?? [];
  expect(means).toMatch(/\w.*\.$/);
  expect(todo).toMatch(/\w.*\.$/);
});

test.each(Object.entries(PROBLEM_STATUS))(
  'docs/reference/errors.md says what the answer %s (%d) means and what to do',
  (code, status) => {
    const [documented, , means, todo] = ROWS.get(code) ?? [];
    expect(documented).toBe(String(status));
    expect(means).toMatch(/\w.*\.$/);
    expect(todo).toMatch(/\w.*\.$/);
  },
);

test.each([...new Set([...LINT_IDS, ...RULE_IDS])])(
  'docs/reference/errors.md says what the rule %s means and what to do',
  (id) => {
    const [, means, todo] = ROWS.get(id) ?? [];
    expect(means).toMatch(/\w.*\.$/);
    expect(todo).toMatch(/\w.*\.$/);
  },
);

test("docs/reference/errors.md has the codes of the bundled description's rules", () => {
  const text = readFileSync(join(ROOT, 'spec', 'petstore.rules.ts'), 'utf8');
  const refusals = [...text.matchAll(/refuse\(\s*(\d{3}),\s*'([a-z_]+)'/g)].map(([, status, code]) => [code, status]);
  const removals = [...text.matchAll(/refuseRemoval: '([a-z_]+)'/g)].map(([, code]) => [code, '409']);
  expect(refusals.length).toBeGreaterThan(3);
  for (const [code = '', status] of [...refusals, ...removals]) {
    expect({ code, status: ROWS.get(code)?.[0] }).toStrictEqual({ code, status });
  }
});

test('docs/reference/errors.md has no name that does not exist', () => {
  const rules = readFileSync(join(ROOT, 'spec', 'petstore.rules.ts'), 'utf8');
  const known = new Set<string>([...ERROR_CODES, ...Object.keys(PROBLEM_STATUS), ...LINT_IDS, ...RULE_IDS]);
  const stray = [...ROWS.keys()].filter((name) => !known.has(name) && !rules.includes(`'${name}'`));
  expect(stray).toStrictEqual([]);
});

test('every code is used somewhere', () => {
  const text = SOURCE_FILES.filter(({ path }) => path !== 'errors/codes.ts' && path !== 'checks/problem.ts')
    .map((file) => file.text)
    .join('\n');
  const unused = [...ERROR_CODES, ...Object.keys(PROBLEM_STATUS)].filter((code) => !text.includes(`'${code}'`));
  expect(unused).toStrictEqual([]);
});

/** Rules that refuse no document; the warning has a test of its own. */
const ONLY_WARN: ReadonlySet<string> = new Set(['parameter-style']);

test.each(LINT_IDS.filter((id) => !ONLY_WARN.has(id)))('there is a bad document that %s finds', (id) => {
  const cases = join(ROOT, 'test', 'cases', 'bad-documents');
  const found = readdirSync(cases).filter((name) => {
    return readFileSync(join(cases, name, 'expected.json'), 'utf8').includes(`"rule": "${id}"`);
  });
  expect(found.length).toBeGreaterThan(0);
});

test('every lint names the paragraph that it comes from', () => {
  for (const { id, source } of LINTS) expect(`${id}: ${source}`).toMatch(/: (?:OAS \d\.\d\.\d|RFC \d+) §?/);
  expect(new Set(LINT_IDS).size).toBe(LINT_IDS.length);
});
