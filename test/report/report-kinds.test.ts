import { parseReportOption, REPORT_KINDS } from '../../src/report/report-kinds';
import { HarnessError } from '../../src/errors/harness-error';
import { createProgress } from '../../src/report/progress';
import { exitCodeOf } from '../../src/report/exit-code';
import { EXIT } from '../../src/cli/main';
import { failed, PASSED, statusFinding } from './results';

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
    says: 'There is no report of the kind "jnit"',
    hint: 'Did you mean junit? The kinds are json, junit,',
  },
  { text: 'report.xml', says: 'There is no report of the kind "report.xml"', hint: 'write kind=FILE' },
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
  expect(refusal).toBeInstanceOf(HarnessError);
  expect((refusal as HarnessError).message).toContain(says);
  expect((refusal as HarnessError).hint).toContain(hint);
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

describe('progress', () => {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text), columns: 30 };
  beforeEach(() => (written.length = 0));

  test('is one line of a terminal, written over and over, and taken away at the end', () => {
    const progress = createProgress(stream, true);
    progress.onStep(PASSED, 1, 20);
    progress.onStep(failed([statusFinding(500, 200)], { name: `a\u001b[2J very long name ${'x'.repeat(50)}` }), 2, 20);
    progress.end();
    expect(written).toHaveLength(3);
    const [first, second, last] = written.map((text) => text.replace(/\u001b\[\d+m/g, ''));
    expect(first).toBe('\r\u001b[2K1/20 read a book');
    expect(second).toMatch(/^\r\u001b\[2K2\/20 1 not green a\?\[2J/);
    expect(second!.length).toBeLessThanOrEqual(30 + '\r\u001b[2K'.length);
    expect(last).toBe('\r\u001b[2K');
  });

  test('is nothing where nobody watches', () => {
    const progress = createProgress(stream, false);
    progress.onStep(PASSED, 1, 2);
    progress.end();
    expect(written).toEqual([]);
  });
});
