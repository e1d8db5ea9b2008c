import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { BUILT_COMMAND } from '../support/built-command';
import { AUTHORIZATION, head, HOST, JSON_TYPE, request } from './exchange';
import { RawConnection } from './raw-connection';

const PET = '{"name":"Nova","categoryId":1}';
const POST_HEAD = head('POST /pets HTTP/1.1', HOST, AUTHORIZATION, JSON_TYPE, `Content-Length: ${PET.length}`);

interface Standin {
  readonly port: number;
  readonly child: ChildProcess;
  /** Exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
  readonly output: () => string;
}

const running = new Set<ChildProcess>();

/** Starts the built command line as a process of its own. */
function run(...args: readonly string[]): Omit<Standin, 'port'> {
  const child = spawn(process.execPath, [BUILT_COMMAND, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      child.emit('output');
    });
  }
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => {
    running.delete(child);
    return code ?? signal ?? '';
  });
  return { child, ended, output: () => output };
}

async function start(...args: readonly string[]): Promise<Standin> {
  const standin = run('mock', '--port', '0', ...args);
  for (;;) {
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(standin.output())?.[1];
    if (port !== undefined) return { ...standin, port: Number(port) };
    const isOver = await Promise.race([
      standin.ended.then(() => true),
      once(standin.child, 'output').then(() => false),
    ]);
    if (isOver) throw new Error(`standin ended at once: ${standin.output()}`);
  }
}

async function statusOf(port: number, line = 'GET /pets'): Promise<number> {
  const connection = await RawConnection.open(port);
  try {
    connection.send(request(line));
    return (await connection.next()).status;
  } finally {
    connection.close();
  }
}

beforeAll(() => {
  if (!existsSync(BUILT_COMMAND)) throw new Error('Build first: npm run build');
});
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  test('a request in flight is answered before the end', async () => {
    const { port, child, ended } = await start();
    const connection = await RawConnection.open(port);
    connection.send(POST_HEAD + PET.slice(0, 10));
    // The head has arrived when a later request on another connection was answered.
    await statusOf(port);
    child.kill(signal);
    await expect(refusesConnections(port)).resolves.toBe(true);
    connection.send(PET.slice(10));
    expect((await connection.next()).status).toBe(201);
    connection.close();
    expect(await ended).toBe(0);
  });

  test('without any request the end comes at once', async () => {
    const { child, ended } = await start();
    child.kill(signal);
    expect(await ended).toBe(0);
  });

  test('a second one does not wait', async () => {
    const { port, child, ended } = await start();
    const connection = await RawConnection.open(port);
    connection.send(POST_HEAD);
    await statusOf(port);
    child.kill(signal);
    await expect(refusesConnections(port)).resolves.toBe(true);
    child.kill(signal);
    expect(await ended).toBe(0);
    connection.close();
  });
});

/** Resolves when nobody listens on the port any more. */
async function refusesConnections(port: number): Promise<boolean> {
  for (;;) {
    try {
      (await RawConnection.open(port)).close();
    } catch {
      return true;
    }
  }
}

/** What clients leave open, by what they sent. None of them closes. */
const LINGERING: Readonly<Record<string, readonly string[]>> = {
  'nothing sent': [],
  'an idle connection': [request('GET /pets').toString()],
  'half a head': ['GET /pets HTTP/1.1\r\nHost: a'],
  'half a body': [POST_HEAD + '{'],
  'a refused body': [head('POST /pets HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 100')],
  'no HTTP': ['garbage\r\n\r\n'],
  'a header section that is too large': [`GET / HTTP/1.1\r\nA: ${'a'.repeat(20_000)}`],
  'a CONNECT': [head('CONNECT a:1 HTTP/1.1', 'Host: a:1')],
  'an answer that nobody reads': [request('GET /pets').toString().repeat(2000)],
};

test('no client that stays keeps the mock from ending', async () => {
  const ends = await Promise.all(
    Object.entries(LINGERING).map(async ([name, sent]) => {
      const { port, child, ended } = await start('--log', 'silent');
      const connection = await RawConnection.open(port);
      if (name.includes('reads')) connection.socket.pause();
      for (const text of sent) connection.send(text);
      await statusOf(port);
      child.kill('SIGTERM');
      const end = await ended;
      connection.close();
      return [name, end] as const;
    }),
  );
  expect(Object.fromEntries(ends)).toEqual(Object.fromEntries(Object.keys(LINGERING).map((name) => [name, 0])));
});

describe('clients that are killed', () => {
  const CLIENT = `
    const { connect } = require('node:net');
    const [port, bytes] = process.argv.slice(1);
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(bytes, () => console.log('sent')));
    socket.on('error', (error) => console.log(error.code));
  `;

  test.each([
    ['in a head', 'POST /pets HTTP/1.1\r\nHost: a\r\n'],
    ['in a body', POST_HEAD + PET.slice(0, -1)],
    ['after many requests', request('GET /pets').toString().repeat(500)],
    ['after a CONNECT', head('CONNECT a:1 HTTP/1.1', 'Host: a:1')],
    ['after something else', 'garbage\r\n\r\n'],
  ])('%s do not take the mock with them', async (_, bytes) => {
    const { port, child, ended, output } = await start('--log', 'silent');
    for (let turn = 0; turn < 3; turn++) {
      const client = spawn(process.execPath, ['-e', CLIENT, String(port), bytes], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(client.stdout, 'data');
      client.kill('SIGKILL');
      await once(client, 'close');
    }
    expect(await statusOf(port).catch(output)).toBe(200);
    expect(await statusOf(port, 'GET /pets/4')).toBe(404);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  test.each([
    ['a CONNECT', head('CONNECT a:1 HTTP/1.1', 'Host: a:1')],
    ['no HTTP', 'garbage\r\n\r\n'],
    ['an upgrade', request('GET /pets', ['Connection: Upgrade', 'Upgrade: websocket']).toString()],
    ['a good request', request('GET /pets').toString()],
    ['a body that is too large', POST_HEAD.replace(/\d+\r\n\r\n$/, '9999999\r\n\r\n') + 'a'.repeat(100_000)],
    ['a wait for leave', POST_HEAD.replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n')],
  ])('a reset right behind %s does not end the mock', async (_, bytes) => {
    const { port, child, ended, output } = await start('--log', 'silent');
    for (let turn = 0; turn < 20; turn++) {
      const connection = await RawConnection.open(port);
      connection.send(bytes);
      // Now and then the bytes are read before the reset is seen.
      if (turn % 2 === 0) await new Promise(setImmediate);
      connection.reset();
    }
    expect(await statusOf(port).catch(output)).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});

test('thousands of requests behind a write do not exhaust the stack', async () => {
  const { port, child, ended, output } = await start('--log', 'silent');
  const connection = await RawConnection.open(port);
  connection.send(`${POST_HEAD}${PET}${'GET /x HTTP/1.1\r\nHost:a\r\n\r\n'.repeat(20_000)}`);
  const counts: Record<number, number> = {};
  for (let index = 0; index <= 20_000; index++) {
    const { status } = await connection.next().catch(() => ({ status: 0 }));
    counts[status] = (counts[status] ?? 0) + 1;
    if (status === 0) break;
  }
  connection.close();
  expect([counts, output().match(/\w*Error\b.*/)?.[0]]).toEqual([{ 201: 1, 404: 20_000 }, undefined]);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
});

describe('starting', () => {
  test('a taken port ends with 2 and a hint', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { ended, output } = run('mock', '--port', String(port));
    expect(await ended).toBe(2);
    expect(output()).toContain('CONFIG_PORT_IN_USE');
    expect(output()).toMatch(/--port 0/);
    expect(output()).not.toMatch(/^\s+at /m);
    other.close();
  });

  test('an address that this machine does not have ends with 2 and a hint', async () => {
    const { ended, output } = run('mock', '--port', '0', '--host', '192.0.2.1');
    expect(await ended).toBe(2);
    expect(output()).toContain('--host');
    expect(output()).not.toMatch(/^\s+at /m);
  });
});
