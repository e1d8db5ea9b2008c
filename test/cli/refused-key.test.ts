import type { AddressInfo } from 'node:net';
import { startAppServer } from '../support/app-server';
import { temporaryFolder } from '../support/temporary-folder';
import { type Ended, endedHere } from './standin-process';

const folder = temporaryFolder();
const NUMBERS = Array.from({ length: 12 }, (_, index) => index);
/** A description of so many lists. */
const firstLists = (count: number): string => `openapi: 3.0.3
info: { title: Lists, version: 1.0.0 }
security: [{ key: [] }]
paths:
${NUMBERS.slice(0, count)
  .map(
    (number) =>
      `  /list${number}: { get: { operationId: list${number}, responses: { '200': { description: ok }, '401': { description: no }, '403': { description: no } } } }`,
  )
  .join('\n')}
components:
  securitySchemes: { key: { type: http, scheme: bearer } }
`;
const spec = folder.write('lists.yaml', firstLists(12));

/** A server that answers request after request with these statuses, then with the last one; to nobody without a key. */
async function verifyAt(statuses: readonly number[], env: Readonly<Record<string, string>>, ...args: string[]) {
  let count = 0;
  const server = await startAppServer((request, response) => {
    const status = request.headers.authorization === undefined ? 401 : (statuses[count++] ?? statuses.at(-1) ?? 0);
    response.writeHead(status, { 'WWW-Authenticate': 'Bearer' }).end();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const all = ['verify', '--base-url', url, '--spec', spec, '--generate=off', '--concurrency', '1', ...args];
  const ended: Ended = await endedHere(all, { env, cwd: folder.path });
  return { ...ended, count };
}

test('a wrong key ends the run after three operations, with exit code 3 and the name of its variable', async () => {
  const { exitCode, stdout, stderr, count } = await verifyAt(
    [401],
    { MY_KEY: 'wrong-key-1' },
    '--api-key-env',
    'MY_KEY',
  );
  expect({ exitCode, count }).toEqual({ exitCode: 3, count: 3 });
  expect(stderr).toContain('The key was refused. It is that of the variable MY_KEY.\n');
  expect(stdout + stderr).not.toContain('wrong-key-1');
});

test('where no variable was named, the message says which key was sent and why', async () => {
  const { stderr, exitCode } = await verifyAt([401], { STANDIN_API_KEY: '' });
  expect(exitCode).toBe(3);
  expect(stderr).toContain('It is test-key, because the variable STANDIN_API_KEY is empty.\n');
});

test('a key that one operation took is a right one, whatever the others answer', async () => {
  const { exitCode, count } = await verifyAt(
    [200, 401],
    { MY_KEY: 'right' },
    '--api-key-env',
    'MY_KEY',
    '--no-auth-probes',
  );
  expect({ exitCode, count }).toEqual({ exitCode: 1, count: 12 });
});

test('a right key may lack rights for some operations: a run goes on after nine 403', async () => {
  const statuses = [...Array.from({ length: 9 }, () => 403), 200];
  const { exitCode, count } = await verifyAt(
    statuses,
    { MY_KEY: 'few' },
    '--api-key-env',
    'MY_KEY',
    '--no-auth-probes',
  );
  expect({ exitCode, count }).toEqual({ exitCode: 1, count: 12 });
});

/** A server whose lists below `open` answer everybody, and all others this status to everybody, but for `taken`. */
async function verifyOpen(
  status: number,
  { open, taken = [], count: size }: { open: readonly number[]; taken?: readonly number[]; count: number },
): Promise<Ended & { readonly keyless: number }> {
  let keyless = 0;
  const server = await startAppServer((request, response) => {
    const { authorization } = request.headers;
    const number = Number(/\d+$/.exec(request.url ?? '')?.[0]);
    const isLetIn = open.includes(number) || (authorization !== undefined && taken.includes(number));
    if (authorization === undefined) keyless += 1;
    response.writeHead(isLetIn ? 200 : status, { 'WWW-Authenticate': 'Bearer' }).end();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = folder.write(`first${size}.yaml`, firstLists(size));
  const args = ['verify', '--base-url', url, '--spec', file, '--generate=positive', '--concurrency', '1'];
  const ended = await endedHere([...args, '--api-key-env', 'MY_KEY'], { env: { MY_KEY: 'key-1' }, cwd: folder.path });
  return { ...ended, keyless };
}

test('an operation that is open to everybody says nothing of the key: three others that refuse it end the run', async () => {
  const { exitCode, stderr, keyless } = await verifyOpen(401, { open: [0, 1], count: 12 });
  expect({ exitCode, keyless }).toEqual({ exitCode: 3, keyless: 2 });
  expect(stderr).toContain('The key was refused.');
});

test('a small API that answers 403 to everything refused the key', async () => {
  const { exitCode, stderr } = await verifyOpen(403, { open: [0], count: 4 });
  expect(exitCode).toBe(3);
  expect(stderr).toContain('The key was refused.');
});

test.each([
  ['three operations', 0, 3],
  ['nine operations before the one that takes it', 9, 10],
])('a key that one operation took is a right one, although 403 is the answer of %s', async (_, taken, count) => {
  const { stderr } = await verifyOpen(403, { open: [], taken: [taken], count: count + 1 });
  expect(stderr).not.toContain('The key was refused.');
});

test('two operations that answer 403 say nothing of the key', async () => {
  const { stderr } = await verifyOpen(403, { open: [], count: 2 });
  expect(stderr).not.toContain('The key was refused.');
});
