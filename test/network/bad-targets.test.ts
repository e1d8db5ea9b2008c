import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { RunResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import { certificatePath, jsonAnswer, rawAnswer, startRaw, startRawTls, type RawHandler } from './raw-server';
import { createShelf, goodAnswer, LOGIN_PAGE, verdicts } from './shelf';

const shelf = createShelf();

const stray: unknown[] = [];
const keep = (reason: unknown): unknown => stray.push(reason);
beforeAll(() => {
  process.on('unhandledRejection', keep);
});
afterAll(() => {
  process.off('unhandledRejection', keep);
  expect(stray).toEqual([]);
});

async function judge(
  handler: RawHandler,
  contracts: Parameters<typeof shelf.judge>[1] = 'reading',
  options: Parameters<typeof shelf.judge>[2] = {},
): Promise<RunResult & { readonly heads: readonly string[] }> {
  const server = await startRaw(handler);
  try {
    return { ...(await shelf.judge(server.url, contracts, options)), heads: server.heads };
  } finally {
    await server.close();
  }
}

const always =
  (bytes: string | Buffer): RawHandler =>
  (socket) =>
    socket.write(bytes);
const good: RawHandler = (socket, head) => socket.write(goodAnswer(head));
const head = (...lines: string[]): string =>
  ['HTTP/1.1 200 OK', 'Content-Type: application/json', ...lines, '', ''].join('\r\n');

function again(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 5);
  socket.on('close', () => {
    clearInterval(timer);
  });
}

test('the good server passes, so that what follows is the fault of the bad ones', async () => {
  const result = await judge(good);
  expect(verdicts(result)).toEqual(['pass', 'pass', 'pass']);
  expect(result.outcome).toBe('conforms');
});

describe('a target that cannot be reached', () => {
  test.each([
    { what: 'refuses the connection', url: 'http://127.0.0.1:1' },
    { what: 'has a name that nobody knows', url: 'http://nobody.invalid', options: { apiKey: 'k' } },
    { what: 'refuses the connection of https', url: 'https://127.0.0.1:1' },
  ])('because it $what is asked once', async ({ url, options }) => {
    const result = await shelf.judge(url, 'reading', options);
    expect(verdicts(result)).toEqual(['TRANSPORT_UNREACHABLE', 'target-lost', 'target-lost']);
    expect(result.outcome).toBe('inconclusive');
  });

  test.each(['self-signed', 'other-host', 'expired'])(
    'because of its certificate (%s) gets no request',
    async (name) => {
      const server = await startRawTls(name, good);
      const result = await shelf.judge(server.url, 'reading', { ca: certificatePath('authority.pem') });
      await server.close();
      expect(verdicts(result)[0]).toBe('TRANSPORT_UNREACHABLE');
      expect(result.outcome).toBe('inconclusive');
      expect(server.heads).toEqual([]);
    },
  );

  test('until its authority is named passes then', async () => {
    const server = await startRawTls('localhost', good);
    const before = await shelf.judge(server.url);
    const after = await shelf.judge(server.url, 'reading', { ca: certificatePath('authority.pem') });
    await server.close();
    expect([before.outcome, after.outcome]).toEqual(['inconclusive', 'conforms']);
  });
});

describe('a target that gives no whole answer', () => {
  const BROKEN: readonly { what: string; handler: RawHandler; code: string }[] = [
    { what: 'resets every connection', handler: (socket) => socket.resetAndDestroy(), code: 'BROKEN_CONNECTION' },
    {
      what: 'resets in the middle of a body',
      handler: (socket) => {
        socket.write(`${head('Content-Length: 50')}[{"id":1`, () => socket.resetAndDestroy());
      },
      code: 'BROKEN_CONNECTION',
    },
    { what: 'says nothing', handler: () => undefined, code: 'TIMEOUT' },
    { what: 'sends a body that never ends', handler: always(`${head('Content-Length: 50')}[`), code: 'TIMEOUT' },
    {
      what: 'sends a body byte by byte, for ever',
      handler: (socket) => {
        socket.write(head('Transfer-Encoding: chunked'));
        again(socket, '1\r\n \r\n');
      },
      code: 'TIMEOUT',
    },
    {
      what: 'sends nothing but 100',
      handler: (socket) => {
        again(socket, 'HTTP/1.1 100 X\r\n\r\n');
      },
      code: 'TIMEOUT',
    },
    {
      what: 'sends nothing but 103',
      handler: (socket) => {
        again(socket, 'HTTP/1.1 103 X\r\n\r\n');
      },
      code: 'TIMEOUT',
    },
    {
      what: 'changes the protocol',
      handler: always('HTTP/1.1 101 X\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n'),
      code: 'BROKEN_RESPONSE',
    },
    {
      what: 'says gzip and sends none',
      handler: always(rawAnswer(200, '[]', 'Content-Type: application/json', 'Content-Encoding: gzip')),
      code: 'BROKEN_RESPONSE',
    },
    {
      what: 'sends 50 MB in a small gzip',
      handler: always(rawAnswer(200, gzipSync(Buffer.alloc(50e6)), 'Content-Encoding: gzip')),
      code: 'BROKEN_RESPONSE',
    },
    { what: 'speaks another protocol', handler: always('220 mail.example.com ESMTP\r\n'), code: 'BROKEN_RESPONSE' },
  ];

  test.each(BROKEN)('because it $what is inconclusive ($code)', async ({ handler, code }) => {
    const result = await judge(handler, 'reading', { timeoutMs: code === 'TIMEOUT' ? 200 : 50_000, retries: 1 });
    expect(verdicts(result)).toEqual([`TRANSPORT_${code}`, 'target-lost', 'target-lost']);
    expect(result.outcome).toBe('inconclusive');
  });

  test('later on is asked for the rest all the same', async () => {
    const handler: RawHandler = (socket, line) => {
      if (!line.startsWith('GET /books/1 ')) good(socket, line, 0, 0);
    };
    const result = await judge(handler, 'reading', { timeoutMs: 2000 });
    expect(verdicts(result)).toEqual(['pass', 'TRANSPORT_TIMEOUT', 'pass']);
    expect(result.outcome).toBe('inconclusive');
  });

  test('because it sends 100 MB is read to the limit and no further', async () => {
    let written = 0;
    const handler: RawHandler = (socket) => {
      const megabyte = Buffer.alloc(1e6, ' ');
      socket.write(head('Content-Length: 100000000'));
      const next = (): void => {
        while (written < 100e6 && !socket.destroyed) {
          written += megabyte.length;
          if (!socket.write(megabyte)) {
            socket.once('drain', next);
            return;
          }
        }
      };
      next();
    };
    const result = await judge(handler);
    const [first] = allSteps(result);
    expect(verdicts(result)[0]).toBe('TRANSPORT_BROKEN_RESPONSE');
    expect(first?.verdict).toMatchObject({ error: { message: expect.stringMatching(/more than 10485760 bytes/) } });
    expect(result.outcome).toBe('inconclusive');
    expect(written).toBeLessThan(50e6);
  });
});

describe('a target that answers wrong', () => {
  const WRONG: readonly { what: string; bytes: string | Buffer; check: string }[] = [
    { what: 'with a login page and 200', bytes: LOGIN_PAGE, check: 'content-type' },
    {
      what: 'with bytes that are no UTF-8',
      bytes: rawAnswer(200, Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), 'Content-Type: application/json'),
      check: 'body-json',
    },
    {
      what: 'with fewer bytes than it has',
      bytes: `${head('Content-Length: 2')}[{"id":1,"title":"One"}]`,
      check: 'body-json',
    },
    {
      what: 'with a redirect to itself',
      bytes: 'HTTP/1.1 302 X\r\nLocation: /books\r\nContent-Length: 0\r\n\r\n',
      check: 'status-expected',
    },
    {
      what: 'with a redirect to another host',
      bytes: 'HTTP/1.1 308 X\r\nLocation: http://127.0.0.1:1/books\r\nContent-Length: 0\r\n\r\n',
      check: 'status-expected',
    },
  ];

  test.each(WRONG)('$what has violations, and every step was judged', async ({ bytes, check }) => {
    const result = await judge((socket) => socket.end(bytes));
    expect(result.outcome).toBe('violations');
    for (const verdict of verdicts(result)) expect(verdict.split(' ')).toContain(check);
    expect(result.heads).toHaveLength(3);
  });

  test('with a redirect gets the hint where it leads, and nobody else gets the key', async () => {
    const elsewhere = await startRaw(good);
    const redirect = `HTTP/1.1 301 X\r\nLocation: ${elsewhere.url}/books\r\nContent-Length: 0\r\n\r\n`;
    const result = await judge(always(redirect));
    await elsewhere.close();
    const [first] = allSteps(result);
    const hints = first?.verdict.kind === 'fail' ? first.verdict.findings.map(({ hint }) => hint) : [];
    expect(hints.join('\n')).toMatch(new RegExp(`redirects to ${elsewhere.url}/books: is the base URL the right one`));
    expect(elsewhere.heads).toEqual([]);
  });

  test('with interim answers before the right one conforms', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n';
    const result = await judge((socket, line) => {
      socket.write(interim);
      socket.write(goodAnswer(line));
    });
    expect(result.outcome).toBe('conforms');
  });

  test.each([0, 4, 9])('with a 503 one time in ten (from %d on) is never green', async (from) => {
    const gateway = rawAnswer(503, '<h1>Service Unavailable</h1>', 'Content-Type: text/html');
    const result = await judge((socket, line, number) => {
      socket.write(number % 10 === from ? gateway : goodAnswer(line));
    }, 'long');
    expect(result.outcome).toBe('violations');
    expect(verdicts(result)[from]).toMatch(/status-expected/);
    expect(verdicts(result).filter((verdict) => verdict === 'pass').length).toBeGreaterThanOrEqual(10);
  });
});

describe('a target that limits how often it is asked', () => {
  const busy = jsonAnswer(429, { status: 429, code: 'rate_limited', message: 'Come back later' }, 'Retry-After: 0');

  test('conforms after one 429, with a warning that says so', async () => {
    const result = await judge((socket, line, number) => socket.write(number === 1 ? busy : goodAnswer(line)));
    const steps = allSteps(result);
    expect(result.outcome).toBe('conforms');
    expect(steps.map(({ attempts }) => attempts)).toEqual([1, 2, 1]);
    expect(steps[1]?.warnings).toMatchObject([{ message: expect.stringMatching(/sent 2 times/) }]);
    expect(steps[0]?.warnings).toEqual([]);
  });

  test('for ever is inconclusive, and asked no more often than was allowed', async () => {
    const result = await judge(always(busy), 'reading', { retries: 2 });
    expect(verdicts(result)[0]).toBe('TRANSPORT_RATE_LIMITED');
    expect(result.outcome).toBe('inconclusive');
    expect(result.heads.length).toBeLessThanOrEqual(9);
  });
});

describe('a target that loses a connection', () => {
  test('once under a read conforms, with a warning that says so', async () => {
    const result = await judge((socket, line, number) => {
      if (number === 1) socket.resetAndDestroy();
      else socket.write(goodAnswer(line));
    });
    const steps = allSteps(result);
    expect(result.outcome).toBe('conforms');
    expect(steps.map(({ attempts }) => attempts)).toEqual([1, 2, 1]);
    expect(steps[1]?.warnings).toHaveLength(1);
  });

  test('after every answer without saying so conforms', async () => {
    const result = await judge((socket, line) => {
      socket.write(goodAnswer(line));
      setImmediate(() => socket.resetAndDestroy());
    }, 'long');
    expect(result.outcome).toBe('conforms');
  });

  test('under a removal that it carries out is not blamed for the 404 after it', async () => {
    const gone = jsonAnswer(404, { status: 404, code: 'not_found', message: 'There is no such book' });
    const result = await judge((socket, _, number) => {
      if (number === 0) socket.resetAndDestroy();
      else socket.write(gone);
    }, 'removal');
    expect(verdicts(result)).toEqual(['TRANSPORT_BROKEN_CONNECTION']);
    expect(result.outcome).toBe('inconclusive');
    expect(allSteps(result)[0]?.attempts).toBe(2);
  });
});

describe('a target that mixes answers up', () => {
  test('between two requests at the same time is found', async () => {
    const held: { readonly socket: Socket; readonly line: string }[] = [];
    const result = await judge(
      (socket, line) => {
        held.push({ socket, line });
        const [first, second] = held;
        if (first === undefined || second === undefined) return;
        first.socket.write(goodAnswer(second.line));
        second.socket.write(goodAnswer(first.line));
        held.length = 0;
      },
      'together',
      { concurrency: 2 },
    );
    for (const verdict of verdicts(result)) expect(verdict).toMatch(/\bbody-expected\b/);
    expect(verdicts(result)).toHaveLength(2);
    expect(result.outcome).toBe('violations');
  });

  test('between one request and the one before is found', async () => {
    let before = '';
    const result = await judge((socket, line) => {
      socket.write(goodAnswer(before === '' ? line : before));
      before = line;
    }, 'long');
    for (const verdict of verdicts(result).slice(1)) expect(verdict).toMatch(/\bbody-expected\b/);
    expect(verdicts(result)).toHaveLength(12);
    expect(result.outcome).toBe('violations');
  });

  test('by answering before it is asked is not believed', async () => {
    // The second answer is for nobody: whoever takes it for that of the next request reads the wrong book.
    const result = await judge((socket, line) => {
      socket.write(Buffer.concat([goodAnswer(line), goodAnswer('GET /books/2 ')]));
    }, 'long');
    expect(verdicts(result)).toEqual(Array.from({ length: 12 }, () => 'pass'));
  });
});
