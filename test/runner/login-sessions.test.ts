import type { IncomingMessage, ServerResponse } from 'node:http';
import { runContract } from '../../src/library/run-contract';
import type { RunResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import { formatReport, REPORT_KINDS } from '../../src/report/registry';
import { temporaryFolder } from '../support/temporary-folder';
import { startPeer, type Peer } from './peer';

const operation = (id: string, security: string): string => `
  /${id}:
    get:
      operationId: ${id}
      security: ${security}
      responses: { '200': { description: OK, content: { application/json: { schema: { type: object } } } }, '401': { description: no } }`;

const DESCRIPTION = `openapi: 3.0.3
info: { title: Members, version: 1.0.0 }
paths:
  /login:
    post:
      operationId: login
      security: []
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { '200': { description: OK, content: { application/json: { schema: { type: object } } } } }
  /notes:
    post:
      operationId: addNote
      security: [{ bearer: [] }]
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: { '201': { description: Made, content: { application/json: { schema: { type: object, required: [id], properties: { id: { type: integer } } } } } }, '401': { description: no } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getNote, security: [{ bearer: [] }], responses: { '200': { description: OK, content: { application/json: { schema: { type: object } } } }, '401': { description: no }, '404': { description: None } } }
    delete: { operationId: deleteNote, security: [{ bearer: [] }], responses: { '204': { description: Gone }, '401': { description: no }, '404': { description: None } } }${[
      operation('bearer', '[{ bearer: [] }]'),
      operation('basic', '[{ basic: [] }]'),
      operation('header', '[{ header: [] }]'),
      operation('query', '[{ query: [] }]'),
      operation('cookie', '[{ cookie: [] }]'),
      operation('open', '[]'),
    ].join('')}
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    basic: { type: http, scheme: basic }
    header: { type: apiKey, in: header, name: X-Session }
    query: { type: apiKey, in: query, name: session }
    cookie: { type: apiKey, in: cookie, name: sid }
`;

type Answer = readonly [status: number, body?: object];

/** A server that lets nobody in but those who logged in with it, with a token of their own. */
class Members {
  readonly asked: string[] = [];
  readonly notes = new Set<number>();
  private tokens = 0;

  readonly listener = (request: IncomingMessage, response: ServerResponse): void => {
    request.resume();
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const [status, body] = path === '/login' ? this.login() : this.answer(request, path, query);
    response.writeHead(status, {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(status === 201 ? { Location: '/notes/7' } : {}),
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  };

  private login(): Answer {
    return [200, { token: this.token(++this.tokens), user: 'ada' }];
  }

  private answer({ method, headers }: IncomingMessage, path: string, query: string): Answer {
    const { authorization = '', cookie = '', 'x-session': session = '' } = headers;
    this.asked.push([path, authorization, String(session), query, cookie].filter((each) => each !== '').join(' '));
    const token = this.token(this.tokens);
    const good: Readonly<Record<string, boolean>> = {
      '/open': true,
      '/basic': authorization === `Basic ${Buffer.from(`ada:${token}`).toString('base64')}`,
      '/header': session === token,
      '/query': query === `session=${token}`,
      '/cookie': cookie === `sid=${token}`,
    };
    if (!(good[path] ?? authorization === `Bearer ${token}`)) return [401];
    return path.startsWith('/notes') ? this.ofNotes(method) : [200, {}];
  }

  private ofNotes(method = ''): Answer {
    if (method === 'DELETE') return [this.notes.delete(7) ? 204 : 404];
    if (method === 'GET') return this.notes.has(7) ? [200, {}] : [404];
    this.notes.add(7);
    return [201, { id: 7 }];
  }

  token(number: number): string {
    return `session-token-${number}-Qx7`;
  }
}

const folder = temporaryFolder();
let members: Members;
let peer: Peer;

beforeEach(async () => {
  members = new Members();
  peer = await startPeer(members.listener);
});
afterEach(() => peer.close());
afterAll(() => {
  folder.remove();
});

const LOGIN = `
  - operation: login
    touches: nothing
    body: { user: ada }
    expect: { status: 200 }
    capture: { token: $response.body#/token, user: $response.body#/user }`;

async function run(steps: string): Promise<RunResult> {
  const description = folder.write('members.yaml', DESCRIPTION);
  const contracts = folder.write(
    'members.contract.yaml',
    `standin: contract/1\nname: Members\nsetup:${LOGIN}\nsteps:${steps}\n`,
  );
  return runContract({ description, contracts, baseUrl: peer.url, auth: 'off', mode: 'own' });
}

test.each([
  ['bearer', "'${token}'", '/bearer Bearer session-token-1-Qx7'],
  ['basic', "'${user}:${token}'", `/basic Basic ${Buffer.from('ada:session-token-1-Qx7').toString('base64')}`],
  ['header', "'${token}'", '/header session-token-1-Qx7'],
  ['query', "'${token}'", '/query session=session-token-1-Qx7'],
  ['cookie', "'${token}'", '/cookie sid=session-token-1-Qx7'],
  ['open', "'${token}'", '/open'],
])('the token of a login is sent as the scheme %s of the operation says', async (id, key, asked) => {
  const result = await run(`\n  - { operation: ${id}, auth: { key: ${key} }, expect: { status: 200 } }`);
  expect(members.asked).toEqual([asked]);
  expect(result.outcome).toBe('conforms');
});

test('no report shows the token, and the commands of a failure take it from the login', async () => {
  const result = await run(`\n  - { operation: bearer, auth: { key: '\${token}' }, expect: { status: 404 } }`);
  expect(result.outcome).toBe('violations');
  for (const kind of REPORT_KINDS) expect(formatReport(kind, result)).not.toContain('session-token');
  const text = formatReport('text', result);
  expect(text).toMatch(/token=\$\(curl .*\/login/);
  expect(text).toContain('-H "Authorization: Bearer $token"');
});

test('what a session made is removed by it, also where the run itself has no key', async () => {
  const result = await run(`
  - operation: addNote
    auth: { key: '\${token}' }
    body: { text: '\${runId}' }
    expect: { status: 201 }`);
  expect(allSteps(result).map(({ verdict }) => verdict.kind)).not.toContain('error');
  expect(members.notes.size).toBe(0);
  expect(result.leftBehind).toEqual([]);
});

test('a step whose token is missing is skipped, with the step that should have captured it', async () => {
  const description = folder.write('members.yaml', DESCRIPTION);
  const contracts = folder.write(
    'missing.contract.yaml',
    `standin: contract/1
name: Members
steps:
  - { name: log in, operation: login, body: {}, expect: { status: 200 }, capture: { token: $response.body#/nothing } }
  - { operation: bearer, auth: { key: '\${token}' }, expect: { status: 200 } }
`,
  );
  const result = await runContract({ description, contracts, baseUrl: peer.url, auth: 'off' });
  expect(allSteps(result)[1]?.verdict).toMatchObject({ kind: 'skipped', cause: 'missing-value', because: 'log in' });
  expect(members.asked).toEqual([]);
});

/** As at another machine, and with no key given. */
async function runElsewhere(steps: string): Promise<RunResult> {
  const description = folder.write('members.yaml', DESCRIPTION);
  const contracts = folder.write(
    'elsewhere.contract.yaml',
    `standin: contract/1\nname: Members\nsetup:${LOGIN}\nsteps:${steps}\n`,
  );
  return runContract({ description, contracts, baseUrl: peer.url, remote: true });
}

test('where every step has a key of its own, or none, nobody is asked for the key of the run', async () => {
  const result = await runElsewhere(`
  - { operation: bearer, auth: { key: '\${token}' }, expect: { status: 200 } }
  - { operation: bearer, auth: none, expect: { status: 401 } }
  - { operation: open, expect: { status: 200 } }
  - { operation: addNote, auth: { key: '\${token}' }, body: { text: '\${runId}' }, expect: { status: 201 } }`);
  expect(allSteps(result).map(({ name, verdict }) => [name, verdict.kind])).not.toContainEqual([
    expect.anything(),
    'error',
  ]);
  expect(result.outcome).toBe('conforms');
  expect(result.leftBehind).toEqual([]);
  expect(members.notes.size).toBe(0);
});

test('where a Location leads is read by who made it', async () => {
  await runElsewhere(`
  - { operation: addNote, auth: { key: '\${token}' }, body: { text: '\${runId}' }, expect: { status: 201 } }`);
  expect(members.asked.slice(0, 2)).toEqual([
    '/notes Bearer session-token-1-Qx7',
    '/notes/7 Bearer session-token-1-Qx7',
  ]);
});

test('where one step is sent with the key of the run, it is asked for', async () => {
  const steps = `
  - { operation: bearer, auth: { key: '\${token}' }, expect: { status: 200 } }
  - { operation: header, expect: { status: 200 } }`;
  await expect(runElsewhere(steps)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: 'The target is not this machine, and no API key was given',
  });
  expect(members.asked).toEqual([]);
});
