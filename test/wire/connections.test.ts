import { once } from 'node:events';
import { serverOfTests } from '../support/server';
import {
  AUTHORIZATION,
  CLOSE,
  errorOf,
  exchange,
  expectAlive,
  head,
  HOST,
  JSON_TYPE,
  jsonRequest,
  request,
} from './exchange';
import { RawConnection } from './raw-connection';

const PET = '{"name":"Nova","categoryId":1}';

const server = serverOfTests();
let connection: RawConnection;
beforeEach(async () => {
  server.app.reset();
  connection = await RawConnection.open(server.port);
});
afterEach(async () => {
  connection.close();
  await expectAlive(server);
});

/** Resolves when the mock has answered or dropped whatever other connections sent before. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await exchange(server, request('GET /categories'));
}

describe('keep-alive (RFC 9112 §9.3)', () => {
  test('an idle connection is kept for longer than clients keep theirs', async () => {
    connection.send(request('GET /pets'));
    const [, seconds] = /timeout=(\d+)/.exec((await connection.next()).header('Keep-Alive') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(60);
  });

  test('a connection goes on after errors', async () => {
    const requests: [Buffer, number][] = [
      [request('GET /pets/99'), 404],
      [request('GET /nothing'), 404],
      [request('GET /pets/%zz'), 400],
      [request('TRACE /pets'), 405],
      [request('GET /pets', ['Expect: banana']), 417],
      [request(`GET /pets?name=${'a'.repeat(9000)}`), 414],
      [Buffer.from(head('GET /pets HTTP/1.1', HOST)), 401],
      [jsonRequest('POST /pets', '{'), 400],
      [jsonRequest('POST /pets', '{"name":"Nova","categoryId":99}'), 422],
      [jsonRequest('PUT /pets/3', '{"name":"Nova","categoryId":1,"status":"pending"}'), 409],
      [jsonRequest('POST /pets', PET), 201],
    ];
    for (const [bytes, status] of requests) {
      connection.send(bytes);
      const response = await connection.next();
      expect([response.status, response.header('Connection')]).not.toEqual([status, 'close']);
      expect(response.status).toBe(status);
    }
  });

  test('a refused request with a body is not taken for the next one', async () => {
    const bytes = Buffer.concat([jsonRequest('POST /nothing', request('GET /pets')), request('GET /categories')]);
    connection.send(bytes);
    expect(errorOf(await connection.next())).toBe('route_not_found 404');
    // Either the connection ends here, or what comes next is the answer to the second request.
    try {
      expect((await connection.next()).body).toContain('"name":"Dog"');
    } catch {
      expect(await connection.ended()).toBe('');
    }
  });

  test('Connection: close ends it', async () => {
    connection.send(request('GET /pets', [CLOSE]));
    const response = await connection.next();
    expect([response.status, response.header('Connection')]).toEqual([200, 'close']);
    expect(await connection.ended()).toBe('');
  });

  test('HTTP/1.0 ends it unless it asked for more', async () => {
    connection.send(head('GET /pets HTTP/1.0', HOST, AUTHORIZATION));
    const response = await connection.next();
    expect([response.status, response.version]).toEqual([200, '1.1']);
    expect(response.header('Transfer-Encoding')).toBeUndefined();
    expect(await connection.ended()).toBe('');

    const other = await RawConnection.open(server.port);
    const bytes = head('GET /pets HTTP/1.0', HOST, AUTHORIZATION, 'Connection: keep-alive');
    for (let turn = 0; turn < 2; turn++) {
      other.send(bytes);
      const next = await other.next();
      expect([next.status, next.header('Connection')]).toEqual([200, 'keep-alive']);
    }
    other.close();
  });

  test('HTTP/1.0 without Host is answered, or refused in the shape of the API', async () => {
    connection.send(head('GET /pets HTTP/1.0', AUTHORIZATION));
    const response = await connection.next();
    if (response.status !== 200) expect(errorOf(response)).toBe('bad_request 400');
  });
});

describe('pipelining (RFC 9112 §9.3.2)', () => {
  test('answers come in the order of the requests', async () => {
    const targets = ['/pets/1', '/pets/99', '/categories/2', '/inventory/3', '/nothing', '/store/orders/1', '/pets/%'];
    connection.send(Buffer.concat(targets.map((target) => request(`GET ${target}`))));
    const bodies: string[] = [];
    for (const target of targets) bodies.push(`${target} ${(await connection.next()).body}`);
    expect(bodies.map((text) => /^\S+|"(?:id|petId)":\d|"code":"[a-z_]+"/g[Symbol.match](text)?.join(' '))).toEqual([
      '/pets/1 "id":1',
      '/pets/99 "code":"resource_not_found"',
      '/categories/2 "id":2',
      '/inventory/3 "petId":3',
      '/nothing "code":"route_not_found"',
      '/store/orders/1 "id":1 "petId":2',
      '/pets/% "code":"invalid_parameter"',
    ]);
  });

  test('a hundred writes take effect in their order', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `Pet ${index}`);
    connection.send(Buffer.concat(names.map((name) => jsonRequest('POST /categories', JSON.stringify({ name })))));
    for (const [index, name] of names.entries()) {
      const response = await connection.next();
      expect(JSON.parse(response.body)).toEqual({ id: index + 3, name });
    }
  });

  test('a read sees the write before it', async () => {
    connection.send(
      Buffer.concat([
        jsonRequest('PATCH /inventory/1', '{"quantity":7}'),
        request('GET /inventory/1'),
        request('DELETE /pets/1'),
        request('GET /pets/1'),
      ]),
    );
    const statuses: number[] = [];
    for (let index = 0; index < 4; index++) statuses.push((await connection.next()).status);
    expect(statuses).toEqual([200, 200, 204, 404]);
  });

  test('that holds between the API and the admin routes too', async () => {
    const admin = head('GET /__standin/state HTTP/1.1', HOST);
    connection.send(Buffer.concat([jsonRequest('POST /pets', PET), Buffer.from(admin), request('DELETE /pets/4')]));
    expect((await connection.next()).status).toBe(201);
    expect((await connection.next()).body).toContain('"Nova"');
    expect((await connection.next()).status).toBe(204);
    const state = server.stateText();
    const load = head('PUT /__standin/state HTTP/1.1', HOST, JSON_TYPE, `Content-Length: ${Buffer.byteLength(state)}`);
    connection.send(Buffer.concat([jsonRequest('POST /pets', PET), Buffer.from(load + state), request('GET /pets')]));
    expect((await connection.next()).status).toBe(201);
    expect((await connection.next()).status).toBe(204);
    expect((await connection.next()).body).not.toContain('"Nova"');
  });

  test('answers without a body leave nothing behind', async () => {
    connection.send(request('GET /categories/1'));
    const etag = (await connection.next()).header('ETag') ?? '';
    const requests: [string, Buffer, number][] = [
      ['HEAD', request('HEAD /pets'), 200],
      ['GET', request('GET /categories/1', [`If-None-Match: ${etag}`]), 304],
      ['HEAD', request('HEAD /categories/1', [`If-None-Match: ${etag}`]), 304],
      ['HEAD', request('HEAD /pets/99'), 404],
      ['HEAD', request('HEAD /nothing'), 404],
      ['HEAD', Buffer.from(head('HEAD /pets HTTP/1.1', HOST)), 401],
      ['HEAD', Buffer.from(head('HEAD /pets HTTP/1.1', HOST, HOST)), 400],
      ['HEAD', request('HEAD /pets?limit=0'), 400],
      ['HEAD', request('HEAD /pets', ['Accept: text/html']), 406],
      ['HEAD', request(`HEAD /pets?name=${'a'.repeat(9000)}`), 414],
      ['HEAD', request('HEAD /pets', ['Expect: banana']), 417],
      ['DELETE', request('DELETE /pets/1'), 204],
      ['OPTIONS', request('OPTIONS /pets'), 204],
      ['OPTIONS', request('OPTIONS *'), 204],
      ['OPTIONS', request('OPTIONS /pets', ['Origin: http://a.example', 'Access-Control-Request-Method: POST']), 204],
      ['PUT', jsonRequest('PUT /categories/1', '{"name":"Dog"}', ['Prefer: return=minimal']), 204],
      ['POST', jsonRequest('POST /categories', '{"name":"Fox"}', ['Prefer: return=minimal']), 201],
      ['GET', request('GET /categories/3'), 200],
    ];
    connection.send(Buffer.concat(requests.map(([, bytes]) => bytes)));
    for (const [method, bytes, status] of requests) {
      const response = await connection.next({ method });
      const line = bytes.toString('latin1').slice(0, 40);
      expect([line, response.status]).toEqual([line, status]);
      // RFC 9110 §8.6: no length on a 204; on a 304 and on the answer to a HEAD only that of the body left out.
      if (status === 204) expect([line, response.header('Content-Length')]).toEqual([line, undefined]);
      if (status === 304) expect(response.header('Content-Length')).not.toBe('0');
    }
    connection.finish();
    expect(await connection.ended()).toBe('');
  });

  test('what follows a request is refused when it is none, after the answer', async () => {
    connection.send(Buffer.concat([request('GET /pets/1'), Buffer.from('trailing garbage\r\n\r\n')]));
    expect((await connection.next()).status).toBe(200);
    expect(errorOf(await connection.next())).toBe('bad_request 400');
    expect(await connection.ended()).toBe('');
  });

  test('what a body has beyond its length is the next request', async () => {
    const start = head('POST /pets HTTP/1.1', HOST, AUTHORIZATION, JSON_TYPE, `Content-Length: ${PET.length}`);
    connection.send(`${start}${PET}}}}\r\n\r\n`);
    const { status } = await connection.next();
    await settled();
    // A pet that was added under a 400 would be the worst of both.
    expect({ status, isAdded: server.stateText().includes('Nova') }).toEqual({ status: 201, isAdded: true });
    expect(errorOf(await connection.next())).toBe('bad_request 400');
  });

  test('a request behind one that was too large is answered or dropped, never read as its body', async () => {
    const large = jsonRequest('POST /pets', 'x'.repeat(1024 * 1024 + 1));
    connection.send(Buffer.concat([large, request('DELETE /pets/1')]));
    expect(errorOf(await connection.next())).toBe('body_too_large 413');
    expect(await connection.ended()).toBe('');
    expect(server.stateText()).toContain('"Biscuit"');
  });

  test('nothing is done for a request behind an answer that closes (RFC 9112 §9.6)', async () => {
    for (const closing of [
      request('GET /pets', [CLOSE]),
      Buffer.from(head('POST /pets HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 2') + '{}'),
      Buffer.from(head('POST /pets HTTP/1.1', HOST, JSON_TYPE, 'Transfer-Encoding: chunked') + '2\r\n{}\r\n0\r\n\r\n'),
      jsonRequest('POST /nothing', PET),
      jsonRequest('PUT /pets', PET),
      request('POST /pets', ['Content-Type: text/plain'], PET),
      request('GET /pets', ['Expect: banana'], PET),
      Buffer.from(head('POST /__standin/reset HTTP/1.1', HOST, 'Content-Type: text/plain', 'Content-Length: 2') + '{}'),
    ]) {
      const other = await RawConnection.open(server.port);
      other.send(Buffer.concat([closing, request('DELETE /pets/1')]));
      const { header } = await other.next();
      await settled();
      const isRemoved = !server.stateText().includes('"Biscuit"');
      // An answer that keeps the connection may be followed by the next one; one that closes it may not.
      const line = closing.toString().slice(0, 50);
      if (header('Connection') === 'close') expect([line, isRemoved]).toEqual([line, false]);
      else expect([line, (await other.next()).status, isRemoved]).toEqual([line, 204, true]);
      server.app.reset();
      other.close();
    }
  });

  test('a client that reads nothing for a while gets all answers', async () => {
    connection.socket.pause();
    for (let index = 0; index < 500; index++) connection.send(request('GET /pets'));
    await settled();
    connection.socket.resume();
    for (let index = 0; index < 500; index++) expect((await connection.next()).status).toBe(200);
  });
});

describe('clients that leave', () => {
  test.each([
    ['in the start line', 'POST /pe'],
    ['in the header section', head('POST /pets HTTP/1.1', HOST, AUTHORIZATION, JSON_TYPE).slice(0, -2)],
    ['before the body', head('POST /pets HTTP/1.1', HOST, AUTHORIZATION, JSON_TYPE, 'Content-Length: 30')],
    ['in the body', head('POST /pets HTTP/1.1', HOST, AUTHORIZATION, JSON_TYPE, 'Content-Length: 31') + PET],
    [
      'between two chunks',
      `${head('POST /pets HTTP/1.1', HOST, AUTHORIZATION, JSON_TYPE, 'Transfer-Encoding: chunked')}1e\r\n${PET}\r\n`,
    ],
    [
      'before the end of the last chunk',
      `${head('POST /pets HTTP/1.1', HOST, AUTHORIZATION, JSON_TYPE, 'Transfer-Encoding: chunked')}1e\r\n${PET}\r\n0\r\n`,
    ],
    ['in a body that was refused', head('POST /pets HTTP/1.1', HOST, JSON_TYPE, 'Content-Length: 30') + '{"na'],
    [
      'in the second of two requests',
      Buffer.concat([request('GET /pets'), jsonRequest('POST /pets', PET).subarray(0, -1)]),
    ],
  ])('%s change nothing, by a reset or by an end', async (_, bytes) => {
    const before = server.stateText();
    const other = await RawConnection.open(server.port);
    connection.send(bytes);
    other.send(bytes);
    await settled();
    connection.reset();
    other.finish();
    await other.ended();
    other.close();
    await settled();
    expect(server.stateText()).toBe(before);
  });

  test('one that ends its side after a whole request still gets the answer', async () => {
    connection.send(jsonRequest('POST /pets', PET));
    connection.finish();
    expect((await connection.next()).status).toBe(201);
    expect(await connection.ended()).toBe('');
  });

  test('one that ends its side in half a request is told so', async () => {
    connection.send('GET /pets HTTP/1.1\r\nHost: 127.0.0.1\r\n');
    connection.finish();
    expect(errorOf(await connection.next())).toBe('bad_request 400');
  });

  test('two hundred that come and go at once do no harm', async () => {
    const connections = await Promise.all(Array.from({ length: 200 }, () => RawConnection.open(server.port)));
    for (const [index, each] of connections.entries()) {
      each.send(jsonRequest('POST /pets', PET).subarray(0, 40 + index));
      if (index % 2 === 0) each.reset();
    }
    await settled();
    for (const each of connections) each.close();
    for (const { socket } of connections) if (!socket.closed) await once(socket, 'close');
  });
});

describe('bodies that lie about their size (petstore.md §7)', () => {
  const POST = ['POST /pets HTTP/1.1', HOST, AUTHORIZATION, JSON_TYPE];
  const MIB = 1024 * 1024;

  test('a body of exactly 1 MiB is read', async () => {
    const start = '{"name":"Nova","categoryId":1,"note":"';
    connection.send(jsonRequest('POST /pets', `${start.padEnd(MIB - 2, 'a')}"}`));
    expect((await connection.next()).status).toBe(201);
  });

  test('a longer one is refused from its head', async () => {
    const before = server.stateText();
    connection.send(head(...POST, `Content-Length: ${MIB + 1}`));
    const response = await connection.next();
    expect([errorOf(response), response.header('Connection')]).toEqual(['body_too_large 413', 'close']);
    expect(server.stateText()).toBe(before);
  });

  test('a client that sends all of it before it reads gets the answer', async () => {
    connection.send(jsonRequest('POST /pets', 'a'.repeat(16 * MIB)));
    expect(errorOf(await connection.next())).toBe('body_too_large 413');
    expect(await connection.ended()).toBe('');
  });

  test('chunks that add up to more are refused', async () => {
    const before = server.stateText();
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    connection.send(head(...POST, 'Transfer-Encoding: chunked') + chunk.repeat(17));
    const response = await connection.next();
    expect([errorOf(response), response.header('Connection')]).toEqual(['body_too_large 413', 'close']);
    expect(server.stateText()).toBe(before);
  });

  test('chunks of one byte are read', async () => {
    const chunks = Array.from(PET, (character) => `1\r\n${character}\r\n`).join('');
    connection.send(`${head(...POST, 'Transfer-Encoding: chunked')}${chunks}0\r\n\r\n`);
    expect((await connection.next()).status).toBe(201);
  });

  test('chunk extensions without end are refused', async () => {
    connection.send(`${head(...POST, 'Transfer-Encoding: chunked')}1;${'x=y;'.repeat(10_000)}\r\n{`);
    expect(errorOf(await connection.next())).toBe('body_too_large 413');
  });

  test('a trailer without end is refused', async () => {
    connection.send(
      `${head(...POST, 'Transfer-Encoding: chunked')}0\r\n${`X-A: ${'a'.repeat(1000)}\r\n`.repeat(40)}\r\n`,
    );
    expect([400, 413, 431]).toContain((await connection.next()).status);
  });

  test('a body for an operation that takes none is read and dropped', async () => {
    connection.send(Buffer.concat([request('GET /pets/1', [], 'not JSON'), request('DELETE /pets/1', [], '{')]));
    expect((await connection.next()).status).toBe(200);
    expect((await connection.next()).status).toBe(204);
    connection.send(request('GET /pets', [], 'a'.repeat(MIB + 1)));
    expect([200, 413]).toContain((await connection.next()).status);
  });
});
