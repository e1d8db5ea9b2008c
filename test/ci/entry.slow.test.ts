import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { parse } from 'yaml';
import { BUILT_COMMAND } from '../support/built-command';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '..', '..');
const COMMAND = `${process.execPath} ${BUILT_COMMAND}`;

let folder: TemporaryFolder;
const started: number[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  for (const pid of started.splice(0)) process.kill(pid, 'SIGKILL');
});

type Variables = Readonly<Record<string, string>>;

/** Runs lines of a job in a shell, as the CI does that has so many variables. */
function runLines(lines: string, variables: Variables): SpawnSyncReturns<string> {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:GITHUB|STANDIN|CI$)/.test(name)));
  return spawnSync('bash', ['--norc', '-euo', 'pipefail', '-c', lines], {
    cwd: folder.path,
    encoding: 'utf8',
    env: { ...own, STANDIN_API_KEY: 'test-key', ...variables },
    timeout: 120_000,
  });
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' && address !== null ? address.port : 0);
}

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly env?: Variables;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const ACTION = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;

/** Runs the step of the action that runs a shell, with inputs as a workflow gives them. */
function runAction(inputs: Variables): {
  code: number | null;
  outputs: Variables;
  summary: string;
  stdout: string;
  stderr: string;
} {
  const [step] = ACTION.runs.steps;
  const valueOf = (expression: string): string =>
    expression.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => {
      expect(ACTION.inputs).toHaveProperty([name]);
      return inputs[name] ?? ACTION.inputs[name]?.default ?? '';
    });
  const env = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, value]) => [name, valueOf(value)]));
  const [output, summary] = [folder.write('output', ''), folder.write('step-summary', '')];
  const { status, stdout, stderr } = runLines(step?.run ?? 'exit 9', {
    ...env,
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_OUTPUT: output,
    GITHUB_STEP_SUMMARY: summary,
    STANDIN_COMMAND: COMMAND,
  });
  const outputs = Object.fromEntries(
    readFileSync(output, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  if (outputs['pid'] !== undefined) started.push(Number(outputs['pid']));
  return { code: status, outputs, summary: readFileSync(summary, 'utf8'), stdout, stderr };
}

test('the action starts a mock that runs on, and verifies with annotations, a summary and SARIF', async () => {
  const port = await freePort();
  const mock = runAction({ do: 'mock', port, args: "--auth keys --api-key 'test-key'" });
  expect([mock.code, mock.outputs['url'], mock.stderr]).toEqual([0, `http://127.0.0.1:${port}`, '']);
  const url = mock.outputs['url'] ?? '';
  expect((await fetch(`${url}/pets`, { headers: { Authorization: 'Bearer test-key' } })).status).toBe(200);

  const contracts = join(ROOT, 'contracts', 'core');
  const good = runAction({ do: 'verify', contracts, 'base-url': url });
  expect([good.code, good.outputs['exit-code'], good.outputs['reports']]).toEqual([0, '0', 'standin-reports']);
  expect(good.summary).toContain('Petstore API');

  // A fault makes it another service.
  await fetch(`${url}/__standin/faults`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ faults: ['status:500;operation=listPets'] }),
  });
  const bad = runAction({ do: 'verify', contracts, 'base-url': url });
  expect([bad.code, bad.outputs['exit-code']]).toEqual([1, '1']);
  expect(bad.stdout).toMatch(/^::error /m);
  for (const name of ['result.sarif', 'result.html', 'result.xml', 'result.json', 'summary.md'])
    expect([name, existsSync(join(folder.path, 'standin-reports', name))]).toEqual([name, true]);
  const sarif = JSON.parse(readFileSync(folder.file('standin-reports/result.sarif'), 'utf8')) as {
    runs: { results: object[] }[];
  };
  expect(sarif.runs[0]?.results.length).toBeGreaterThan(0);
});

test('a mock that cannot start fails the step, with its log', async () => {
  const { code, stderr } = runAction({ do: 'mock', port: await freePort(), description: 'missing.yaml' });
  expect(code).toBe(2);
  expect(stderr).toContain('SPEC_UNREADABLE');
  expect(stderr).toContain('the mock did not answer');
});

test.each([
  [{ do: 'verify' }, 'name the service: STANDIN_BASE_URL, or the input base-url'],
  [{ do: 'grade' }, 'STANDIN_DO is "grade"; expected mock or verify'],
])('%j is told what it lacks', (inputs, message) => {
  const { code, stderr } = runAction(inputs);
  expect([code, stderr]).toEqual([2, `standin: ${message}\n`]);
});

test('the action is complete: each output has its step, each input is used', () => {
  const [step] = ACTION.runs.steps;
  const text = JSON.stringify(ACTION.runs);
  for (const name of Object.keys(ACTION.inputs)) expect([name, text.includes(`inputs.${name}`)]).toEqual([name, true]);
  for (const { value } of Object.values(ACTION.outputs)) expect(value).toContain(`steps.${step?.id ?? ''}.outputs.`);
});

test('the template for GitLab verifies and mocks by the same script', async () => {
  const template = parse(readFileSync(join(ROOT, 'ci', 'gitlab.yml'), 'utf8')) as Record<
    string,
    { readonly script?: readonly string[]; readonly variables?: Variables; readonly extends?: string }
  >;
  mkdirSync(folder.file('node_modules'));
  symlinkSync(ROOT, folder.file('node_modules/standin'));
  const job = (name: string, variables: Variables): SpawnSyncReturns<string> => {
    const { script = [], variables: own = {}, extends: above } = template[name] ?? {};
    expect(template).toHaveProperty([above ?? '']);
    return runLines(script.join('\n'), {
      CI: 'true',
      GITLAB_CI: 'true',
      STANDIN_COMMAND: COMMAND,
      ...own,
      ...variables,
    });
  };
  const port = await freePort();
  const mock = job('.standin-mock', { STANDIN_PORT: port });
  started.push(Number(/^pid=(\d+)$/m.exec(mock.stdout)?.[1]));
  expect([mock.status, mock.stderr]).toEqual([0, '']);
  const verified = job('.standin-verify', {
    STANDIN_CONTRACTS: join(ROOT, 'contracts', 'core'),
    STANDIN_BASE_URL: `http://127.0.0.1:${port}`,
  });
  expect([verified.status, existsSync(folder.file('standin-reports/result.xml'))]).toEqual([0, true]);
});
