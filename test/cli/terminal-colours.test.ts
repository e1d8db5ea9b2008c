import { printText, usesColours } from '../../src/cli/terminal/terminal';
import { endedRun } from './standin-process';

const VARIABLES = ['NO_COLOR', 'FORCE_COLOR', 'TERM', 'CI'] as const;
const before = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));

afterEach(() => {
  for (const name of VARIABLES) {
    if (before[name] === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = before[name];
  }
});

function setVariables(variables: Readonly<Record<string, string>>): void {
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, variables);
}

test.each([
  ['a terminal', true, {}, true],
  ['a terminal that knows no escape sequences', true, { TERM: 'dumb' }, false],
  ['a file', undefined, {}, false],
  ['a file where CI is set', undefined, { CI: '1' }, false],
  ['a file where colours are forced', undefined, { FORCE_COLOR: '1' }, true],
  ['a terminal where nobody wants colours', true, { NO_COLOR: '1' }, false],
])('%s: colours are shown as it can show them', (_, isTTY, variables, expected) => {
  setVariables(variables);
  expect(usesColours({ isTTY })).toBe(expected);
  const written: string[] = [];
  printText(
    { isTTY, write: (text: string | Uint8Array) => written.push(String(text)) > 0 },
    '\u001b[32mgreen\u001b[39m',
  );
  expect(written.join('').startsWith('\u001b[32m')).toBe(expected);
});

test('a pipe gets no escape sequence although CI is set', async () => {
  const { stdout, stderr } = await endedRun(['check'], { env: { CI: '1', NO_COLOR: '' } });
  expect(stdout).toContain('OK');
  expect(stdout + stderr).not.toContain('\u001b');
});
