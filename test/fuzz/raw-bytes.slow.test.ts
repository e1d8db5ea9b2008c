import fc from 'fast-check';

import { aliveServer, errorOf } from '../wire/exchange';
import { RawConnection } from '../wire/raw-connection';
import { anyValidRequest } from './arbitrary-request';
import { createBench, textOf, type PlainRequest } from './fresh-mock';
import { brokenByState, faultsOf } from './judge';
import { mutated } from './mutation';
import { times } from './seed';

const server = aliveServer();

/** What a client would write, whatever is wrong with the request: a character for each byte. */
function toBytes({ method, target, headers, body }: PlainRequest): string {
  const hasLength = headers.some(([name]) => name.toLowerCase() === 'content-length');
  const length = hasLength || body.length === 0 ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map((pair) => pair.join(': ')), ...length, '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n')), Buffer.from(body)]).toString('latin1');
}

/** Sends bytes and ends: every answer until the server ends too, each checked. */
async function statusesFor(bytes: string, method = 'GET'): Promise<number[]> {
  server.app.reset();
  const before = server.stateText();
  const connection = await RawConnection.open(server.port);
  connection.send(bytes);
  connection.finish();
  const statuses: number[] = [];
  for (;;) {
    // The end of the connection is where the answers end: `next` has nothing to read then.
    const response = await connection.next({ method }).catch(() => undefined);
    if (response === undefined) break;
    statuses.push(response.status);
    expect(response.status).toBeLessThan(500);
    if (response.status >= 400 && method !== 'HEAD') errorOf(response);
  }
  expect(await connection.ended()).toBe('');
  connection.close();
  if (statuses.every((status) => status >= 400)) expect(server.stateText()).toBe(before);
  expect(brokenByState(server.stateText())).toEqual([]);
  return statuses;
}

test('bytes of any kind get an answer in the shape of the API, or an end', async () => {
  const token = fc.constantFrom('GET ', '/pets', ' HTTP/1.1', '\r\n', '\n', 'Host: a', ':', '\0', 'POST');
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 200 }).map((some) => Buffer.from(some).toString('latin1')),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 200 }),
    fc.array(token, { minLength: 1, maxLength: 20 }).map((tokens) => tokens.join('')),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (some) => {
      await statusesFor(some);
    }),
    times(150),
  );
});

test('a request with some bytes changed is answered, refused or dropped whole', async () => {
  const text = fc.oneof(fc.string({ unit: 'binary-ascii', maxLength: 4 }), fc.constantFrom('\r\n', '\n', ' ', ':'));
  const change = fc.tuple(fc.nat(400), fc.nat(4), text);
  const changed = fc.tuple(anyValidRequest(server.api).map(toBytes), fc.array(change, { minLength: 1, maxLength: 3 }));
  await fc.assert(
    fc.asyncProperty(changed, async ([bytes, changes]) => {
      let some = bytes;
      for (const [at, count, inserted] of changes) some = some.slice(0, at) + inserted + some.slice(at + count);
      await statusesFor(some);
    }),
    times(200),
  );
});

test('a request cut anywhere changes nothing', async () => {
  const cut = fc.tuple(anyValidRequest(server.api).map(toBytes), fc.nat(1000));
  await fc.assert(
    fc.asyncProperty(cut, async ([bytes, at]) => {
      const length = 1 + (at % (bytes.length - 1));
      const statuses = await statusesFor(bytes.slice(0, length));
      expect(statuses.filter((status) => status < 400)).toEqual([]);
    }),
    times(100),
  );
});

test('a request that came in pieces is the same request', async () => {
  const pieces = fc.tuple(
    mutated(anyValidRequest(server.api)),
    fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 6 }),
  );
  await fc.assert(
    fc.asyncProperty(pieces, async ([request, lengths]) => {
      const bytes = toBytes(request);
      const [whole] = await statusesFor(bytes, request.method);
      server.app.reset();
      const connection = await RawConnection.open(server.port);
      let at = 0;
      for (const length of lengths) {
        connection.send(bytes.slice(at, (at += length)));
        await new Promise(setImmediate);
      }
      connection.send(bytes.slice(at));
      connection.finish();
      const first = await connection.next({ method: request.method }).catch(() => undefined);
      expect(first?.status).toBe(whole);
      connection.close();
    }),
    times(60),
  );
});

test('pipelined requests have the effects and the answers of the same requests one by one', async () => {
  const bench = await createBench();
  // The time of an order that is complete at once is another one each time.
  const timeless = (text: string): string => text.replaceAll(/"shipDate":"2[^"]*",?/g, '');
  await fc.assert(
    fc.asyncProperty(fc.array(anyValidRequest(server.api), { minLength: 2, maxLength: 25 }), async (requests) => {
      server.app.reset();
      const fresh = bench.create();
      const connection = await RawConnection.open(server.port);
      connection.send(requests.map(toBytes).join(''));
      for (const request of requests) {
        const alone = fresh.send(request);
        const { status, body } = await connection.next({ method: request.method });
        expect([status, timeless(body)]).toEqual([alone.status, timeless(textOf(alone))]);
      }
      connection.close();
      expect(timeless(server.stateText())).toBe(timeless(fresh.stateText()));
    }),
    times(80),
  );
});

test('through a socket, mutated requests get the answers that the description allows', async () => {
  const readable = mutated(anyValidRequest(server.api)).filter(({ target }) => /^[!-~]+$/.test(target));
  await fc.assert(
    fc.asyncProperty(readable, async (request) => {
      server.app.reset();
      const connection = await RawConnection.open(server.port);
      connection.send(toBytes(request));
      connection.finish();
      const response = await connection.next({ method: request.method }).catch(() => undefined);
      connection.close();
      // What only Node's parser sees is covered above.
      if (response === undefined || response.header('Cache-Control') === undefined) return;
      if (response.status === 400 && response.body.includes('bad_request')) return;
      const hasBody = response.body !== '';
      const { status, headers, body } = response;
      const seen = { status, headers: headers.flat(), body: hasBody ? body : undefined };
      expect(faultsOf(server.api, request, seen)).toEqual([]);
    }),
    times(200),
  );
});
