import { connect } from 'node:net';
import { KEY, startServer, type TestServer } from '../support/server';
import { until } from '../support/until';

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

/** Sends the head of a request and a part of its body, waits for `signal` where the server says something, and goes away. */
async function breakOff(lines: readonly string[], part: string, signal?: string): Promise<void> {
  const socket = connect(server.port, '127.0.0.1');
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const heard = new Promise<void>((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (signal !== undefined && text.includes(signal)) resolve();
    });
  });
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) =>
    socket.write(`${lines.join('\r\n')}\r\n\r\n${part}`, () => {
      resolve();
    }),
  );
  if (signal !== undefined) await heard;
  // Once it answers another one, it has read the head of this one.
  await fetch(`${server.url}/pets/1`, { headers: { Authorization: KEY } });
  socket.destroy();
  await closed;
}

async function journalled(): Promise<ReturnType<TestServer['app']['journal']>> {
  const entries = (): ReturnType<TestServer['app']['journal']> =>
    server.app.journal().filter(({ method }) => method === 'POST');
  await until(() => entries().length > 0, 'the upload in the journal');
  return entries();
}

const HEAD = ['POST /pets HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'Content-Length: 100'];

test.each([
  ['', [...HEAD, `Authorization: ${KEY}`], '{"name":', undefined],
  [
    ' that waits for leave to send its body',
    [...HEAD, `Authorization: ${KEY}`, 'Expect: 100-continue'],
    '',
    '100 Continue',
  ],
  [' that would have been rejected', HEAD, '{"name":', undefined],
])(
  'an upload%s and breaks off has used a forced response up, and the journal says so',
  async (_, lines, part, signal) => {
    server.app.respond('createPet', { status: 500, times: 1 });
    const before = server.stateText();
    await breakOff(lines, part, signal);
    expect(await journalled()).toMatchObject([
      {
        status: 500,
        injected: 'respond:500',
        warnings: expect.arrayContaining([expect.objectContaining({ code: 'body_incomplete' })]) as unknown,
      },
    ]);
    expect(server.app.responses()).toEqual([]);
    expect(server.stateText()).toBe(before);
  },
);

test('an upload that breaks off and meets no fault changes nothing and is not remembered', async () => {
  const before = server.stateText();
  await breakOff([...HEAD, `Authorization: ${KEY}`], '{"name":');
  await fetch(`${server.url}/pets/1`, { headers: { Authorization: KEY } });
  expect(server.app.journal().map(({ method }) => method)).toEqual(['GET', 'GET']);
  expect(server.stateText()).toBe(before);
  expect(server.defects).toEqual([]);
});
