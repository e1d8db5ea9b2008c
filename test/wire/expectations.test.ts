import { serverOfTests } from '../support/server';
import { AUTHORIZATION, errorOf, expectAlive, head, HOST, JSON_TYPE, refusal, request } from './exchange';
import { RawConnection } from './raw-connection';

const PET = '{"name":"Nova","categoryId":1}';
const WAIT = 'Expect: 100-continue';

const server = serverOfTests();
let connection: RawConnection;
beforeEach(async () => {
  connection = await RawConnection.open(server.port);
});
afterEach(async () => {
  connection.close();
  await expectAlive(server);
});

/** A head that waits for leave to send its body. */
function waiting(line: string, ...lines: readonly string[]): string {
  return head(`${line} HTTP/1.1`, HOST, ...lines, WAIT);
}

const GOOD = [AUTHORIZATION, JSON_TYPE, `Content-Length: ${PET.length}`];

describe('Expect: 100-continue (RFC 9110 §10.1.1)', () => {
  test('a good head is told to go on, and then answered', async () => {
    connection.send(waiting('POST /pets', ...GOOD));
    expect((await connection.next()).status).toBe(100);
    connection.send(PET);
    expect((await connection.next()).status).toBe(201);
    connection.send(request('GET /pets'));
    expect((await connection.next()).status).toBe(200);
  });

  test.each([
    ['without a key', 'POST /pets', [JSON_TYPE, 'Content-Length: 30'], 'missing_api_key 401'],
    ['with an unknown key', 'POST /pets', ['Authorization: Bearer other', 'Content-Length: 30'], 'invalid_api_key 401'],
    [
      'that announces too much',
      'POST /pets',
      [AUTHORIZATION, JSON_TYPE, 'Content-Length: 1048577'],
      'body_too_large 413',
    ],
    [
      'of another type',
      'POST /pets',
      [AUTHORIZATION, 'Content-Type: text/plain', 'Content-Length: 9'],
      'missing_content_type 400',
    ],
    ['in an unknown coding', 'POST /pets', [...GOOD, 'Content-Encoding: zstd'], 'unsupported_content_encoding 415'],
    ['for nothing acceptable', 'POST /pets', [...GOOD, 'Accept: text/html'], 'not_acceptable 406'],
    ['of an unknown path', 'POST /toys', GOOD, 'route_not_found 404'],
    ['of another method', 'PUT /pets', GOOD, 'method_not_allowed 405'],
    ['with two hosts', 'POST /pets', [HOST, ...GOOD], 'bad_request 400'],
    ['in chunks without a key', 'POST /pets', [JSON_TYPE, 'Transfer-Encoding: chunked'], 'missing_api_key 401'],
  ])('a head %s is answered at once, without leave', async (_, line, lines, code) => {
    connection.send(waiting(line, ...lines));
    const response = await connection.next();
    expect(errorOf(response)).toBe(code);
    // The client may send the body or not: the connection cannot be used again without guessing (RFC 9112 §9.3).
    expect(response.header('Connection')).toBe('close');
  });

  test('the name is compared without case', async () => {
    connection.send(head('POST /pets HTTP/1.1', HOST, ...GOOD, 'Expect: 100-CONTINUE'));
    expect((await connection.next()).status).toBe(100);
    connection.send(PET);
    expect((await connection.next()).status).toBe(201);
  });

  test('a chunked body larger than the limit is given leave, and refused when it is', async () => {
    connection.send(waiting('POST /pets', AUTHORIZATION, JSON_TYPE, 'Transfer-Encoding: chunked'));
    expect((await connection.next()).status).toBe(100);
    connection.send(`140000\r\n${'a'.repeat(0x140000)}\r\n0\r\n\r\n`);
    expect(errorOf(await connection.next())).toBe('body_too_large 413');
  });

  test('a request without a body needs no leave', async () => {
    connection.send(waiting('GET /pets', AUTHORIZATION));
    expect((await connection.next()).status).toBe(200);
  });

  test('a body that comes unasked is read', async () => {
    connection.send(waiting('POST /pets', ...GOOD) + PET);
    const first = await connection.next();
    expect((first.status === 100 ? await connection.next() : first).status).toBe(201);
  });

  test('the body of an operation that takes none gets leave or a final answer', async () => {
    connection.send(waiting('DELETE /categories/9', AUTHORIZATION, 'Content-Length: 2'));
    const first = await connection.next();
    if (first.status === 100) connection.send('{}');
    expect(errorOf(first.status === 100 ? await connection.next() : first)).toBe('resource_not_found 404');
  });

  test('an admin route gives leave or a final answer', async () => {
    const body = '{"name":"before"}';
    connection.send(waiting('POST /__standin/snapshot', JSON_TYPE, `Content-Length: ${body.length}`));
    const first = await connection.next();
    if (first.status === 100) connection.send(body);
    expect((first.status === 100 ? await connection.next() : first).status).toBe(201);
  });

  test('HTTP/1.0 knows no interim answers', async () => {
    connection.send(head('POST /pets HTTP/1.0', HOST, ...GOOD, WAIT) + PET);
    expect((await connection.next()).status).toBe(201);
  });

  test('a client that leaves instead of sending the body changes nothing', async () => {
    const before = server.stateText();
    connection.send(waiting('POST /pets', ...GOOD));
    expect((await connection.next()).status).toBe(100);
    connection.finish();
    await connection.ended();
    expect(server.stateText()).toBe(before);
  });
});

describe('other expectations (petstore.md §13)', () => {
  test.each([
    ['GET /pets', ['Expect: banana']],
    ['GET /nothing-here', ['Expect: banana']],
    ['POST /pets', ['Expect: 100-continue=x', JSON_TYPE, 'Content-Length: 2']],
    ['POST /pets', ['Expect: 200-ok', JSON_TYPE, 'Content-Length: 2']],
    ['OPTIONS /pets', ['Expect: banana']],
  ])('%s with %j is refused before routing', async (line, lines) => {
    expect(await refusal(server, request(line, lines))).toBe('expectation_failed 417');
  });

  test('a page sees the refusal', async () => {
    connection.send(request('GET /pets', ['Expect: banana', 'Origin: http://page.example']));
    const response = await connection.next();
    expect([response.status, response.header('Access-Control-Allow-Origin')]).toEqual([417, '*']);
  });
});
