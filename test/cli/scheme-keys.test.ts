import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAppServer } from '../support/app-server';
import { temporaryFolder } from '../support/temporary-folder';
import { type Ended, endedHere } from './standin-process';

const folder = temporaryFolder();
const KEYS = { APP_KEY: 'app-secret-1', USER_KEY: 'user-secret-2', EMPTY_KEY: '' };

const read = (path: string, security: string): string => `
  /${path}:
    get:
      operationId: ${path}
      security: ${security}
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { type: object } } } } }
        '401': { description: no }`;
const described = (security: readonly string[], schemes: string): string =>
  folder.write(
    `api-${security.join('').length}-${schemes.length}.yaml`,
    `openapi: 3.0.3
info: { title: Keys, version: 1.0.0 }
paths:${security.map((each, index) => read(`list${index}`, each)).join('')}
components:
  securitySchemes: ${schemes}
`,
  );
const SCHEMES = `
    app: { type: apiKey, in: header, name: X-App }
    user: { type: apiKey, in: query, name: user }`;

/** What a server asks for, by path. */
type Judges = readonly ((request: IncomingMessage) => boolean)[];
const hasApp = ({ headers }: IncomingMessage): boolean => headers['x-app'] === KEYS.APP_KEY;
const hasUser = ({ url = '' }: IncomingMessage): boolean => url.endsWith(`?user=${KEYS.USER_KEY}`);

interface Service {
  readonly url: string;
  readonly seen: string[];
}

/** A server that answers `/list0`, `/list1`, … to callers whom the judge of the path lets in. */
async function startService(judges: Judges): Promise<Service> {
  const seen: string[] = [];
  const server = await startAppServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const judge = judges[Number(/^\/list(\d)/.exec(request.url ?? '')?.[1])];
    const isLetIn = judge?.(request) === true;
    response.writeHead(isLetIn ? 200 : 401, { 'Content-Type': 'application/json', 'WWW-Authenticate': 'ApiKey' });
    response.end(isLetIn ? '[]' : '{}');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function verify(service: Service, spec: string, ...args: string[]): Promise<Ended> {
  const all = ['verify', '--base-url', service.url, '--spec', spec, '--generate=off', '--no-auth-probes', ...args];
  return endedHere(all, { env: KEYS, cwd: folder.path });
}

const BOTH_KEYS = ['--api-key', 'app=APP_KEY', '--api-key', 'user=USER_KEY'];

test('each scheme gets its own key: two together, one of two, and another one at each operation', async () => {
  const spec = described(
    ['[{ app: [], user: [] }]', '[{ user: [] }, { app: [] }]', '[{ app: [] }]', '[{ user: [] }]'],
    SCHEMES,
  );
  const service = await startService([(request) => hasApp(request) && hasUser(request), hasUser, hasApp, hasUser]);
  const { exitCode, stdout } = await verify(service, spec, ...BOTH_KEYS);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
});

test('of two schemes the one with a key is sent; what asks for another one is skipped, and the reason names it', async () => {
  const spec = described(['[{ user: [] }, { app: [] }]', '[{ app: [], user: [] }]'], SCHEMES);
  const service = await startService([hasApp, hasApp]);
  const { exitCode, stdout } = await verify(service, spec, '--api-key', 'app=APP_KEY', '--verbose');
  expect(service.seen).toEqual(['GET /list0']);
  expect(stdout).toContain('list1 asks for user, and no key was given for it (--api-key user=VARIABLE)');
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
});

test('the key of the run is for schemes without one of their own', async () => {
  const spec = described(['[{ app: [], user: [] }]'], SCHEMES);
  const service = await startService([(request) => hasApp(request) && hasUser(request)]);
  const { exitCode } = await verify(service, spec, '--api-key', 'app=APP_KEY', '--api-key-env', 'USER_KEY');
  expect(exitCode).toBe(0);
});

test('a report names the variables of the keys, and never shows a key', async () => {
  const spec = described(['[{ app: [], user: [] }]'], SCHEMES);
  const service = await startService([() => false]);
  const { exitCode, stdout } = await verify(service, spec, ...BOTH_KEYS);
  expect(exitCode).toBe(1);
  expect(stdout).toContain('export STANDIN_KEY_SCHEME_APP="$APP_KEY"');
  expect(stdout).toContain('-H "X-App: $STANDIN_KEY_SCHEME_APP"');
  expect(stdout).not.toMatch(/app-secret|user-secret/);
});

test('the configuration file names the variables of schemes, too', async () => {
  const spec = described(['[{ app: [], user: [] }]'], SCHEMES);
  const config = folder.write(
    'keys.config.yaml',
    'standin: config/1\nverify: { apiKey: { app: APP_KEY, user: USER_KEY } }\n',
  );
  const service = await startService([(request) => hasApp(request) && hasUser(request)]);
  expect(await verify(service, spec, '--config', config)).toMatchObject({ exitCode: 0 });
});

const contract = (name: string, scheme: string): string =>
  folder.write(
    `${name}.yaml`,
    `standin: contract/1
name: Own keys
env: [USER_KEY]
steps:
  - { operation: list0, auth: { keys: { ${scheme}: '\${env.USER_KEY}' } }, expect: { status: 200 } }
`,
  );

test('a step of a contract gives the key of one scheme, the run that of the other', async () => {
  const spec = described(['[{ app: [], user: [] }]'], SCHEMES);
  const service = await startService([(request) => hasApp(request) && hasUser(request)]);
  const { exitCode, stderr } = await verify(service, spec, contract('own', 'user'), '--api-key', 'app=APP_KEY');
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
});

test.each([
  [
    'a scheme that the description lacks',
    ['--api-key', 'aap=APP_KEY'],
    'no security scheme "aap"',
    'There are app, user.',
  ],
  ['a variable that is not set', ['--api-key', 'app=NO_SUCH'], 'The variable NO_SUCH that --api-key names', 'not set'],
  [
    'a key in the place of its variable',
    ['--api-key', 'app=sk-live.17'],
    'The variable that --api-key names for app is not set',
    'the name of a variable that holds the key, not the key',
  ],
  ['a variable that is empty', ['--api-key', 'app=EMPTY_KEY'], 'The variable EMPTY_KEY that', 'is empty'],
  [
    'the variable of the run not set',
    ['--api-key-env', 'NO_SUCH'],
    'The variable NO_SUCH that --api-key-env',
    'not set',
  ],
  ['a contract with an unknown scheme', [contract('odd', 'usr')], 'no security scheme "usr"', 'Did you mean "user"?'],
])('%s: exit code 2 before any request', async (_, args, says, hint) => {
  const service = await startService([]);
  const { exitCode, stdout, stderr } = await verify(service, described(['[{ app: [] }]'], SCHEMES), ...args);
  expect({ exitCode, stdout, seen: service.seen }).toEqual({ exitCode: 2, stdout: '', seen: [] });
  expect(stderr).toContain(says);
  expect(stderr).toContain(hint);
});

test('a scheme whose header no request can have is one warning with its place, and what needs it is skipped', async () => {
  const spec = described(
    ['[{ odd: [] }]', '[{ odd: [] }, { app: [] }]'],
    `
    odd: { type: apiKey, in: header, name: 'Authorization: Bearer' }
    app: { type: apiKey, in: header, name: X-App }`,
  );
  const service = await startService([() => false, hasApp]);
  const { exitCode, stdout, stderr } = await verify(service, spec, '--api-key-env', 'APP_KEY');
  expect(stderr.split('security-scheme-name')).toHaveLength(2);
  expect(stderr).toMatch(/api-\d+-\d+\.yaml:\d+:\d+ security-scheme-name: .*"Authorization: Bearer"/);
  expect(service.seen).toEqual(['GET /list1']);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
});
