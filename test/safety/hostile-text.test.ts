import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPORT_KINDS } from '../../src/report/registry';
import { endedHere, killAll, serve } from '../cli/standin-process';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder';
import { openOther, type OtherService } from './other-service';

/** Clears the screen, rings, turns the direction of what follows, ends lines, and begins a command of a build server. */
const UNSEEN = 'a\u001b[2J\u001b[31m\u0000\u0007\u009b2J\u007f\u202e\u2066\u200e\u200f\u061c\u2028\u2029\r\n::error::x';
/** Begins with one as well, and has those that may stand anywhere in a line. */
const HOSTILE = `::add-mask::${UNSEEN}\n  ::stop-commands::y ##[error]z ##vso[task.setvariable]z ##teamcity[z]`;
/** What no output may hold, but for its own line ends and tabs. */
const ACTIVE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f]/;

const DESCRIPTION = JSON.stringify({
  openapi: '3.0.3',
  info: { title: HOSTILE, version: HOSTILE },
  servers: [{ url: '/' }],
  tags: [{ name: HOSTILE }],
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        tags: [HOSTILE],
        summary: HOSTILE,
        parameters: [{ name: HOSTILE, in: 'query', description: HOSTILE, schema: { enum: [HOSTILE, HOSTILE] } }],
        responses: {
          '200': {
            description: HOSTILE,
            content: {
              'application/json': {
                schema: {
                  type: 'array',
                  items: { type: 'object', required: [HOSTILE], properties: { id: { type: 'integer' } } },
                },
              },
            },
          },
        },
      },
      post: {
        operationId: `make${HOSTILE}`,
        description: HOSTILE,
        requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { [HOSTILE]: {} } } } } },
        responses: { '201': { description: HOSTILE, content: { [HOSTILE]: {} } } },
      },
    },
    [`/${UNSEEN}`]: { get: { summary: HOSTILE, responses: { '200': { description: HOSTILE } } } },
    '/books/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        operationId: 'getBook',
        responses: { '200': { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } },
      },
    },
  },
});
const CONTRACT = JSON.stringify({
  standin: 'contract/1',
  name: HOSTILE,
  steps: [
    { name: HOSTILE, operation: 'listBooks', expect: { status: 200, body: [{ name: HOSTILE }] } },
    {
      name: `${HOSTILE} pending`,
      operation: 'getBook',
      parameters: { id: 1 },
      pending: HOSTILE,
      expect: { status: 200 },
    },
    {
      operation: 'getBook',
      parameters: { id: 2 },
      headers: { 'X-Note': 'note' },
      expect: { status: 404, code: HOSTILE },
    },
  ],
});

let folder: TemporaryFolder;
let service: OtherService;
let spec: string;
beforeAll(async () => {
  folder = temporaryFolder();
  spec = folder.write('openapi.json', DESCRIPTION);
  folder.write('contracts/hostile.json', CONTRACT);
  service = await openOther(() => ({
    status: 418,
    body: { code: HOSTILE, message: HOSTILE, [HOSTILE]: HOSTILE },
    headers: { 'x-request-id': 'a\u009b31mb', 'x-other': 'c\u0085d' },
  }));
});
afterAll(async () => {
  killAll();
  await service.close();
});

/** What the runner of a CI job takes for a command to itself; the annotations are meant for it. */
const COMMAND = /^\s*::(?!(?:error|warning|notice) (?:file=|title=))|##(?:\[|vso\[|teamcity\[)/m;

function expectHarmless(what: string, text: string): void {
  const at = [text.search(ACTIVE), text.search(COMMAND)].find((found) => found !== -1) ?? -1;
  expect({ what, around: at === -1 ? '' : JSON.stringify(text.slice(Math.max(0, at - 80), at + 20)) }).toEqual({
    what,
    around: '',
  });
}

test.each([
  ['check'],
  ['check', '--json'],
  ['explain'],
  ['explain', '--all'],
  ['explain', '--json'],
  ['explain', 'GET', '/books'],
  ['explain', 'POST', '/books'],
  ['explain', 'GET', '/books', '--json'],
])('a description cannot reach the terminal: %s %s %s', async (...args: readonly string[]) => {
  const [command = '', ...more] = args;
  const { stdout, stderr } = await endedHere([command, spec, ...more]);
  expect(stdout.length + stderr.length).toBeGreaterThan(50);
  expectHarmless('stdout', stdout);
  expectHarmless('stderr', stderr);
  // A line of its own would be a command of the build server.
  expect(stdout + stderr).not.toMatch(/^::error::x/m);
});

test('the values of a JSON output stay what they are', async () => {
  const { stdout } = await endedHere(['explain', spec, '--json']);
  expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(HOSTILE).slice(1, -1));
});

test.each([['pretty'], ['json']])('nor through a mock and its log: %s', async (log) => {
  const mock = await serve([spec, '--log', log, '--lenient']);
  await fetch(`${mock.url}/books?${encodeURIComponent(HOSTILE)}=${encodeURIComponent(HOSTILE)}`);
  await fetch(`${mock.url}/books`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ [HOSTILE]: HOSTILE, '\u202e': 1 }).replace('a', HOSTILE),
  });
  const { stdout, stderr } = await mock.stop();
  expect(stdout.length).toBeGreaterThan(100);
  expectHarmless('stdout', stdout);
  expectHarmless('stderr', stderr);
});

test('nor a server or a contract: in what a run says, and in every report, on stdout and in files', async () => {
  const target = ['verify', folder.file('contracts'), '--spec', spec, '--base-url', service.url, '--lenient'];
  const files = REPORT_KINDS.flatMap((kind) => ['--report', `${kind}=${folder.file(`reports/${kind}`)}`]);
  const run = await endedHere([...target, '--verbose', ...files]);
  expect(run).toMatchObject({ exitCode: 1 });
  expectHarmless('stdout', run.stdout);
  expectHarmless('stderr', run.stderr);
  for (const name of readdirSync(folder.file('reports'))) {
    expectHarmless(name, readFileSync(join(folder.file('reports'), name), 'utf8'));
  }
  for (const kind of REPORT_KINDS) {
    const { stdout, stderr } = await endedHere([...target, '--report', `${kind}=-`]);
    expectHarmless(`${kind} on stdout`, stdout);
    expectHarmless(`${kind}, stderr`, stderr);
  }
});

test('nor a ledger, nor the messages about files that cannot be used', async () => {
  const start = { kind: 'run', format: 'ledger/1', runId: '1a2b3c4d', baseUrl: `http://127.0.0.1:1/${HOSTILE}` };
  const lines = [
    { ...start, description: HOSTILE, startedAt: HOSTILE },
    { kind: 'pending', entry: 1, operation: HOSTILE, path: `/${HOSTILE}` },
  ];
  const ledger = folder.write('run.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const wrong = folder.write(
    'wrong.json',
    JSON.stringify({ [HOSTILE]: HOSTILE, name: HOSTILE, steps: [{ [HOSTILE]: 1 }] }),
  );
  for (const args of [
    ['cleanup', ledger],
    ['cleanup', ledger, '--foreign-ledger', '--base-url', 'http://127.0.0.1:1', '--spec', spec, '--yes'],
    ['verify', wrong, '--spec', spec, '--base-url', service.url],
    ['mock', spec, '--fixtures', wrong],
    ['merge-reports', wrong],
    ['check', wrong],
  ]) {
    const { exitCode, stdout, stderr } = await endedHere(args);
    expect(exitCode).toBe(2);
    expectHarmless(`${args[0] ?? ''} stdout`, stdout);
    expectHarmless(`${args[0] ?? ''} stderr`, stderr);
  }
});
