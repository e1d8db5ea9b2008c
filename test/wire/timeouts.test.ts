import { once } from 'node:events';
import { connect } from 'node:net';
import { createServerParts } from '../../src/library/create-mock-server';
import { listen, type Listening } from '../../src/server/listen';
import type { MockServer } from '../../src/server/mock-server';

let app: MockServer;
let listening: Listening;
let port: number;
beforeAll(async () => {
  const parts = await createServerParts({});
  const { mock, serverOptions } = parts;
  ({ app } = parts);
  listening = await listen(app, {
    host: '127.0.0.1',
    port: 0,
    serverOptions,
    toErrorResponse: (fault) => mock.engine.refuse(fault),
    corsOrigin: '*',
    timeouts: { headersMs: 500, requestMs: 1000, checkMs: 50 },
  });
  port = Number(new URL(listening.url).port);
});
afterAll(() => listening.close());

const HEAD = 'POST /pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer test-key\r\nContent-Type: application/json\r\n';

// RFC 9110 §15.5.9, and the shape of the API for what Node would answer without a body.
test.each([
  ['half a head', HEAD],
  ['half a request line', 'GET /pe'],
  ['half a body', `${HEAD}Content-Length: 100\r\n\r\n{"name":`],
  ['half a chunked body', `${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\n{"na\r\n`],
])('a client that sends %s and no more is answered with 408, and nothing is stored', async (_what, bytes) => {
  const before = app.state();
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 408 /);
  expect(JSON.parse(body)).toEqual({ code: 'request_timeout', message: expect.any(String), status: 408 });
  expect(app.state()).toEqual(before);
});
