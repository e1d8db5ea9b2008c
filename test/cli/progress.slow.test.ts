import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BUILT_COMMAND } from '../support/built-command';
import { screenOf } from '../support/screen';
import { smallApi } from '../support/small-api';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder';
import { endedRun } from './standin-process';

/** The `script` of util-linux runs a command at a terminal of its own. */
const { error, stdout: version } = spawnSync('script', ['--version'], { encoding: 'utf8' });
const hasTerminals = error === undefined && version.includes('util-linux');
const atTerminal = hasTerminals ? test : test.skip;
if (!hasTerminals) test.skip('at a terminal: there is no `script` of util-linux here', () => undefined);

const STEPS = 60;
/** All steps together take longer than what is shown at once. */
const DELAY_MS = 25;
const HOSTILE = 'evil \u001b[2J\u001b[31m\r\n\u0007 \u202e 日本語'.repeat(8);

let server: Server;
let folder: TemporaryFolder;
let child: ChildProcess | undefined;
let args: readonly string[];
beforeAll(async () => {
  folder = temporaryFolder();
  server = createServer((_, response) => {
    setTimeout(() => response.writeHead(200).end(), DELAY_MS);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const steps = Array.from({ length: STEPS }, (_, index) => {
    // The second one fails.
    return { name: `${HOSTILE} ${index}`, operation: 'GET /things', expect: { status: index === 1 ? 204 : 200 } };
  });
  const contract = folder.write('contract.json', JSON.stringify({ standin: 'contract/1', name: 'slow', steps }));
  const description = folder.write('openapi.json', smallApi({ 'GET /things': { answers: { 200: null, 204: null } } }));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  args = ['verify', contract, '--spec', description, '--base-url', url, '--seed', '1', '--mode', 'observe'];
});
afterEach(() => {
  child?.kill('SIGKILL');
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  folder.remove();
});

interface Shown {
  /** Everything that came to the terminal. */
  readonly output: string;
  readonly stdout: string;
}

type OnOutput = (output: string, type: (keys: string) => void) => void;

/** Types Ctrl-C when the output matches. */
function stopOnce(pattern: RegExp): OnOutput {
  let isStopped = false;
  return (output, type) => {
    if (isStopped || !pattern.test(output)) return;
    isStopped = true;
    type('\u0003');
  };
}

/**
 * Runs the built command at a terminal.
 *
 * @param onOutput - with all that came so far
 * @param file - takes stdout instead; empty for the terminal
 */
function shownBy(
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
  onOutput: OnOutput = () => undefined,
  file = folder.write('stdout', ''),
): Promise<Shown> {
  const quoted = [process.execPath, BUILT_COMMAND, ...command].map((each) => `'${each}'`).join(' ');
  const unset = { CI: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined, STANDIN_API_KEY: undefined };
  const started = spawn(
    'script',
    ['-qec', `stty cols 100 rows 30; exec ${quoted} ${file === '' ? '' : `>'${file}'`}`, '/dev/null'],
    {
      env: { ...process.env, ...unset, TERM: 'xterm', ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  child = started;
  let output = '';
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    onOutput(output, (keys) => started.stdin.write(keys));
  });
  return new Promise((resolve) => {
    started.on('close', () => {
      resolve({ output, stdout: file === '' ? '' : readFileSync(file, 'utf8') });
    });
  });
}

/** Times and the id of the run differ from run to run. */
function comparable(text: string): string {
  return text.replace(/\d+(?:\.\d+)? (?:ms|s)\b/g, 'TIME').replace(/\brun [0-9a-f]{8}\b/g, 'run ID');
}

const LINE = new RegExp(`  verify {2}\\d+/${STEPS} steps`);

atTerminal('a run says at a terminal how far it is, counts failures, and leaves nothing of it there', async () => {
  const piped = await endedRun(args, { env: { CI: '' } });
  const { output, stdout } = await shownBy(args, { NO_COLOR: '1' });
  expect(output).toMatch(LINE);
  expect(output).toMatch(/\d+\/60 steps {2}1 failed/);
  expect(output).toMatch(/steps {2}1 failed.* {2}evil \?\[2J\?\[31m \? \? 日/);
  expect(comparable(screenOf(output))).toBe(comparable(piped.stderr));
  expect(comparable(stdout)).toBe(comparable(piped.stdout));
});

test('in a pipe nothing is added to what is written', async () => {
  const { stdout, stderr } = await endedRun(args, { env: { CI: '', TERM: 'xterm' } });
  expect(stdout + stderr).not.toMatch(/[\r\u001b]|\d+\/60 steps/);
});

atTerminal.each([{ CI: 'true' }, { TERM: 'dumb' }])('with %j a terminal is as good as a file', async (env) => {
  const { output } = await shownBy(args, env);
  expect(output).toContain('Plan for ');
  expect(output.replaceAll('\r\n', '\n')).not.toMatch(/[\r\u001b]|\d+\/60 steps/);
});

atTerminal('without colours the line has none', async () => {
  const { output } = await shownBy(args, { NO_COLOR: '1' });
  expect(output).toMatch(LINE);
  expect(output).not.toMatch(/\u001b\[[\d;]*m/);
});

atTerminal('Ctrl-C takes the line away, with what the terminal itself writes of it', async () => {
  const { output } = await shownBy(args, {}, stopOnce(LINE));
  const screen = screenOf(output);
  expect(screen).toContain('\n\nStopping: what was made is being removed.');
  expect(screen).not.toMatch(/\^C|steps {2}|^ *verify/m);
});

/** The description, with so much in it that reading it is known to take long. */
function largeText(): string {
  return readFileSync(args[3] ?? '', 'utf8').replace('"paths"', `"x-long":"${'x'.repeat(9 * 1024 * 1024)}","paths"`);
}

atTerminal('an error takes the line away', async () => {
  const broken = folder.write('broken.json', largeText().slice(0, -1));
  const { output } = await shownBy(['explain', broken], { NO_COLOR: '1' });
  expect(output).toContain('  explain  reading ');
  expect(screenOf(output)).toMatch(/^SPEC_SYNTAX: /);
});

atTerminal('the start of a mock says what it does, and the window is the first thing that stays', async () => {
  const command = ['mock', folder.write('large.json', largeText()), '--port', '0'];
  const { output } = await shownBy(command, { NO_COLOR: '1' }, stopOnce(/Stop with Ctrl-C/), '');
  expect(output).toContain('  mock  reading ');
  expect(screenOf(output)).toMatch(/^Window: {3}http:\S+\/__standin\/ /);
});
