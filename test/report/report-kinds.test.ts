import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseReportOption, REPORT_KINDS, REPORTS } from '../../src/report/registry';
import { StandinError } from '../../src/core/errors/standin-error';
import { exitCodeOf } from '../../src/report/causes/run-summary';
import { EXIT } from '../../src/cli/terminal/terminal';

test.each([
  { text: 'junit=out/report.xml', want: { kind: 'junit', file: 'out/report.xml' } },
  { text: 'json=a=b.json', want: { kind: 'json', file: 'a=b.json' } },
  { text: 'html=-', want: { kind: 'html', file: '-' } },
  { text: 'github', want: { kind: 'github', file: '-' } },
])('--report $text', ({ text, want }) => {
  expect(parseReportOption(text)).toEqual(want);
});

test.each([
  {
    text: 'jnit=a.xml',
    says: 'Unknown kind of report "jnit"',
    hint: 'Did you mean junit? The kinds are json, junit,',
  },
  { text: 'report.xml', says: 'Unknown kind of report "report.xml"', hint: 'write kind=FILE' },
  { text: 'junit=', says: 'names no file', hint: 'Write junit=FILE' },
  { text: 'html=./a.xml', says: 'Two reports, junit and html, would go to ./a.xml', hint: 'a file of its own' },
  { text: 'json', says: 'Two reports, github and json, would go to the standard output', hint: 'a file of its own' },
])('--report $text is refused', ({ text, says, hint }) => {
  const earlier = [parseReportOption('junit=a.xml'), parseReportOption('github')];
  let refusal: unknown;
  try {
    parseReportOption(text, earlier);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(StandinError);
  expect((refusal as StandinError).message).toContain(says);
  expect((refusal as StandinError).hint).toContain(hint);
});

test('docs/reference/reports.md lists every kind, with what it is for', () => {
  const text = readFileSync(join(__dirname, '../../docs/reference/reports.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)].map(([, id, about = '']) => ({
    id,
    about: about.replaceAll('`', ''),
  }));
  for (const id of REPORT_KINDS) {
    expect(rows.find((row) => row.id === id)?.about.startsWith(REPORTS[id]().about)).toBe(true);
  }
  expect(rows.map(({ id }) => id).slice(0, REPORT_KINDS.length)).toEqual(REPORT_KINDS);
});

test('every kind has a name that files can have', () => {
  for (const kind of REPORT_KINDS) expect(kind).toMatch(/^[a-z]+$/);
});

test('outcomes end with the exit codes of the command line', () => {
  expect({
    ok: exitCodeOf('conforms'),
    violations: exitCodeOf('violations'),
    usage: exitCodeOf('cannot-judge'),
    unreachable: exitCodeOf('inconclusive'),
    leftBehind: exitCodeOf('left-behind'),
  }).toEqual(EXIT);
});
