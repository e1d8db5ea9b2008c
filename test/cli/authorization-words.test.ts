import type { AddressInfo } from 'node:net';
import { wordInText } from '../../src/security/api-key';
import { startAppServer } from '../support/app-server';
import { temporaryFolder } from '../support/temporary-folder';
import { type Ended, endedHere } from './standin-process';

const folder = temporaryFolder();
const KEY = 'abcdef-123456';

/** Swagger 2 has no other way to describe bearer tokens. */
const described = (name: string, text: string, ...paths: readonly string[]): string =>
  folder.write(
    `${name}.json`,
    JSON.stringify({
      swagger: '2.0',
      info: { title: 'Notes', version: '1' },
      securityDefinitions: { auth: { type: 'apiKey', in: 'header', name: 'Authorization', description: text } },
      security: [{ auth: [] }],
      paths: Object.fromEntries(
        [...paths, 'notes'].map((path) => [
          `/${path}`,
          { get: { operationId: path, responses: { 200: { description: 'ok' }, 401: { description: 'no' } } } },
        ]),
      ),
    }),
  );

/** A server that takes the key in one form alone. */
async function verifyAt(form: string, text: string, key = KEY, challenge = 'ApiKey realm="a"'): Promise<Ended> {
  const server = await startAppServer((request, response) => {
    const status = request.headers.authorization === form ? 200 : 401;
    response.writeHead(status, { 'WWW-Authenticate': challenge }).end();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const spec = described(`${form}${text}`.replace(/\W+/g, '').slice(0, 40), text);
  const args = ['verify', '--base-url', url, '--spec', spec, '--generate=off', '--no-auth-probes'];
  return endedHere([...args, '--api-key-env', 'NOTES_KEY'], { env: { NOTES_KEY: key }, cwd: folder.path });
}

test.each([
  ['a bare key', KEY, '', 'Authorization: KEY"'],
  ['Bearer, as the text says', `Bearer ${KEY}`, 'Prefix with "Bearer"', 'Authorization: Bearer KEY"'],
  ['Token, as the text says', `Token ${KEY}`, 'Prefix "Token" and a space', 'Authorization: Token KEY"'],
  ['Bearer, which a 401 tells', `Bearer ${KEY}`, '', 'Authorization: Bearer KEY", after 401 to "Authorization: KEY"'],
  ['Token, which a 401 tells', `Token ${KEY}`, '', 'Authorization: Token KEY", after 401 to "Authorization: KEY"'],
  [
    'a bare key where the text says Bearer',
    KEY,
    'A bearer token',
    'Authorization: KEY", after 401 to "Authorization: Bearer KEY"',
  ],
])('%s is sent, and the report says so once', async (_, form, text, says) => {
  const { exitCode, stdout } = await verifyAt(form, text);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  expect(stdout.split('sends the key of auth as')).toHaveLength(2);
  expect(stdout).toContain(says);
  expect(stdout).not.toContain(KEY);
});

test.each([
  ['200 to everybody', 200],
  ['404 to everybody', 404],
  ['403 to everybody', 403],
  ['500 to everybody', 500],
])('a read that answers %s says nothing of the word: others are asked', async (_, status) => {
  let count = 0;
  const server = await startAppServer((request, response) => {
    count += 1;
    const isRight = request.headers.authorization === `Bearer ${KEY}`;
    const own = request.url === '/notes' ? (isRight ? 200 : 401) : request.url === '/health' ? status : 200;
    response.writeHead(own, { 'WWW-Authenticate': 'Bearer' }).end();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const spec = described(`open-${status}`, '', 'health', 'version');
  const args = ['verify', '--base-url', url, '--spec', spec, '--generate=off', '--no-auth-probes'];
  const { stdout } = await endedHere([...args, '--api-key-env', 'NOTES_KEY'], {
    env: { NOTES_KEY: KEY },
    cwd: folder.path,
  });
  expect(stdout).toContain('notes sends the key of auth as "Authorization: Bearer KEY", after 401 to');
  // Of an open read two forms, or one where it is no success, and the two of the last; then each operation once.
  expect(count).toBeLessThanOrEqual(6 + 4);
});

test('the challenge of a 401 names the word', async () => {
  expect(await verifyAt(`JWT ${KEY}`, '', KEY, 'JWT realm="a"')).toMatchObject({ exitCode: 0 });
});

test('a value that has a word is sent as it is, and no output has the key without it', async () => {
  const right = await verifyAt(`Odd ${KEY}`, 'Prefix "Token"', `Odd ${KEY}`);
  expect(right).toMatchObject({ exitCode: 0 });
  const wrong = await verifyAt('none', 'Prefix "Token"', `Odd ${KEY}`);
  expect(wrong.exitCode).not.toBe(0);
  expect(wrong.stdout + wrong.stderr).not.toContain(KEY);
});

test.each([
  ['', ''],
  ['JWT: `Authorization: Bearer {token}`', 'Bearer'],
  ['Use "Token <key>"', 'Token'],
  ['The value must be prefixed with "Bearer "', 'Bearer'],
  ['"GenieKey" prefix, then the key', 'GenieKey'],
  ['The token without the Bearer prefix', ''],
  ['The Authorization Header has the API key', ''],
])('the text %j asks for the word %j', (description, word) => {
  expect(wordInText({ description })).toBe(word);
});
