import { join } from 'node:path';
import { endedHere, endedRun } from './standin-process';

const CASES = join(__dirname, '..', 'cases', 'bad-documents');
const caseFile = (name: string, file = 'openapi.yaml'): string => join(CASES, name, file);

test('the bundled description has nothing against it', async () => {
  expect(await endedRun(['check'])).toMatchObject({ exitCode: 0, stderr: '' });
});

test('errors come first, findings of one rule together, and the exit code is 2', async () => {
  const { exitCode, stdout } = await endedHere(['check', caseFile('several-faults')]);
  expect(exitCode).toBe(2);
  expect(stdout.indexOf('error ref-resolves (1)')).toBe(0);
  expect(stdout).toContain(`${caseFile('several-faults')}:12:25 #/components/schemas/Bok does not exist`);
  expect(stdout.indexOf('warning operation-id-unique')).toBeGreaterThan(stdout.indexOf('error schema-compiles'));
  expect(stdout).toContain('3 errors, 3 warnings');
});

test('warnings alone are exit code 0, and 2 with --strict', async () => {
  expect((await endedHere(['check', caseFile('template-conflict')])).exitCode).toBe(0);
  expect((await endedHere(['check', '--strict', caseFile('template-conflict')])).exitCode).toBe(2);
});

test.each([
  ['truncated-yaml', 'broken.yaml'],
  ['not-openapi', 'openapi.yaml'],
])('what cannot be read at all is findings too: %s', async (name, file) => {
  const { exitCode, stdout } = await endedHere(['check', '--json', caseFile(name, file)]);
  const { standin, errors, findings } = JSON.parse(stdout) as { standin: string; errors: number; findings: unknown[] };
  expect({ exitCode, standin }).toStrictEqual({ exitCode: 2, standin: 'check/1' });
  expect(findings).toHaveLength(errors);
});

test('a file that is not there is told as an error', async () => {
  expect(await endedHere(['check', 'none.yaml'])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('SPEC_UNREADABLE') as string,
  });
});

test('the description as an option: where it goes is told', async () => {
  const { exitCode, stderr } = await endedHere(['check', '--spec', 'openapi.yaml']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    "unknown option '--spec'\n(The description has no option before it: standin check openapi.yaml)",
  );
});
