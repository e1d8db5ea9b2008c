import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { fetchRemote } from '../../src/files/description-source';

const MOST_BYTES = 16 * 1024 * 1024;
const paths: Record<string, { status: number; location?: string; body?: Uint8Array | string }> = {
  '/': { status: 200, body: 'openapi: 3.1.0' },
  '/full': { status: 200, body: Buffer.alloc(MOST_BYTES, ' ') },
  '/larger': { status: 200, body: Buffer.alloc(MOST_BYTES + 1, ' ') },
  '/latin1': { status: 200, body: Buffer.from('title: Bücher', 'latin1') },
  '/gone': { status: 410 },
  '/away': { status: 302, location: 'http://other.example/' },
  '/file': { status: 302, location: 'file:///etc/passwd' },
  '/hop/0': { status: 301, location: '/' },
};
for (let hop = 1; hop <= 5; hop++) paths[`/hop/${hop}`] = { status: 301, location: `/hop/${hop - 1}` };

let server: Server;
let host: string;
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const { status, location, body } = paths[url]!;
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const fetched = (path: string): ReturnType<typeof fetchRemote> => fetchRemote(`http://${host}${path}`, [host]);

test('a document of another machine is read where it is in the end', async () => {
  const whole = { text: 'openapi: 3.1.0', uri: `http://${host}/` };
  expect(await fetched('/')).toEqual(whole);
  expect(await fetched('/hop/4')).toEqual(whole);
  expect(await fetched('/hop/5')).toEqual({ failure: 'it is redirected more than 5 times' });
});

test('it has 16 MiB at most', async () => {
  const full = await fetched('/full');
  expect('text' in full && full.text.length).toBe(MOST_BYTES);
  expect(await fetched('/larger')).toEqual({ failure: `it is larger than ${MOST_BYTES} bytes` });
});

test.each([
  ['/latin1', 'it is not UTF-8 text'],
  ['/gone', 'it returned 410'],
  ['/away', 'it is redirected to other.example, which was not allowed'],
  ['/file', 'it is redirected to file:///etc/passwd'],
])('%s: %s', async (path, failure) => {
  expect(await fetched(path)).toEqual({ failure });
});
