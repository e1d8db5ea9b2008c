import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runContract } from '../../../src/library/run-contract';
import { draftDescriptionText } from '../../../src/traffic/inferred/draft-text';
import { inferDescription } from '../../../src/traffic/inferred/infer-description';
import { secretMark } from '../../../src/traffic/exchange/recorded-exchange';
import { temporaryFolder } from '../../support/temporary-folder';
import { contractOf } from '../contract/derived';
import { exchange } from '../recorded';
import { failureLines } from '../../support/failure-lines';

const folder = temporaryFolder();
const KEY = 'a-key-of-these-tests';

/** It tells errors in the type that the client asks for, and does not search without a word. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://local');
  const wantsJson = (request.headers.accept ?? '').includes('json');
  const fail = (status: number, text: string): void => {
    const type = { 'Content-Type': wantsJson ? 'application/json' : 'text/plain' };
    response.writeHead(status, status === 401 ? { ...type, 'WWW-Authenticate': 'ApiKey' } : type);
    response.end(wantsJson ? JSON.stringify({ error: text }) : text);
  };
  if (request.headers['x-api-key'] !== KEY) fail(401, 'Unauthorized');
  else if (pathname !== '/search') fail(404, 'Not Found');
  else if (searchParams.get('q') === null) fail(422, 'q is missing');
  else response.writeHead(200, { 'Content-Type': 'application/json' }).end('[{"id":1}]');
}

let server: Server;
beforeAll(async () => {
  server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

test('by a description that was inferred nothing is wrong that the recording did not have', async () => {
  const headers = { 'X-API-Key': secretMark('api_key') };
  const plain = { 'Content-Type': 'text/plain' };
  const exchanges = [
    exchange('GET /search?q=www', { headers, answered: [{ id: 1 }] }),
    exchange('GET /things/none-1', { headers, status: 404, responseHeaders: plain, answered: 'Not Found' }),
    exchange('GET /search?q=www', { status: 401, responseHeaders: plain, answered: 'Unauthorized' }),
  ];
  const description = folder.write(
    'inferred.yaml',
    draftDescriptionText(inferDescription(exchanges, { title: 'Recorded' })),
  );
  const contracts = folder.write('recorded.yaml', contractOf(exchanges));
  const { port } = server.address() as AddressInfo;
  const result = await runContract({
    ...{ contracts, description, baseUrl: `http://127.0.0.1:${port}`, apiKey: KEY, mode: 'own' },
  });
  expect(failureLines(result, ({ name }, { message }) => `${name}: ${message}`)).toEqual([]);
  expect(result.outcome).toBe('conforms');
});
