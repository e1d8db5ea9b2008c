import { aliveServer, AUTHORIZATION, errorOf, exchange, head, HOST, JSON_TYPE, refusal, request } from './exchange';
import { RawConnection } from './raw-connection';

const server = aliveServer();

const PET = '{"name":"Nova","categoryId":1}';

describe('the field Host (RFC 9112 §3.2)', () => {
  test.each([
    ['none', []],
    ['two lines', ['Host: 127.0.0.1', 'Host: 127.0.0.1']],
    ['two lines with different values', ['Host: 127.0.0.1', 'Host: example.org']],
    ['two lines with other names in between', ['Host: 127.0.0.1', 'Accept: */*', 'hOST: 127.0.0.1']],
    ['an empty value', ['Host:']],
    ['a path', ['Host: example.org/pets']],
    ['user information', ['Host: user@example.org']],
    ['two hosts in one line', ['Host: a.example, b.example']],
    ['a space', ['Host: a b']],
    ['an open bracket', ['Host: [::1']],
    ['a port beyond 65535', ['Host: example.org:65536']],
    ['a port that is no number', ['Host: example.org:http']],
    ['a byte beyond ASCII', ['Host: ex\xe4mple.org']],
  ])('%s is refused', async (_, lines) => {
    expect(await refusal(server, head('GET /pets HTTP/1.1', ...lines, AUTHORIZATION))).toBe('bad_request 400');
  });

  test('two lines are seen behind a thousand others', async () => {
    const others = Array.from({ length: 1100 }, () => 'a: b');
    const bytes = head('GET /pets HTTP/1.1', HOST, ...others, 'Host: example.org', AUTHORIZATION);
    expect(await refusal(server, bytes)).toBe('bad_request 400');
  });

  test('HTTP/1.0 need not have one, and its links lead to where it came in', async () => {
    const response = await exchange(server, head('GET /pets?limit=1 HTTP/1.0', AUTHORIZATION));
    expect(response.status).toBe(200);
    expect(response.header('Link')).toContain(`<http://127.0.0.1:${server.port}/pets?limit=1`);
  });

  test.each([
    ['two', ['Host: 127.0.0.1', 'Host: 127.0.0.1']],
    ['an invalid one', ['Host: a b']],
  ])('%s of HTTP/1.0 is refused as well', async (_, lines) => {
    expect(await refusal(server, head('GET /pets HTTP/1.0', ...lines, AUTHORIZATION))).toBe('bad_request 400');
  });

  test('the admin routes ask for one of this machine all the same', async () => {
    expect((await exchange(server, head('GET /__standin/state HTTP/1.0'))).status).toBe(403);
  });

  test.each(['127.0.0.1', 'localhost:4010', '[::1]:4010', 'example.org:', 'a_b.example'])(
    '%s is a host',
    async (host) => {
      const response = await exchange(server, head('GET /pets HTTP/1.1', `Host: ${host}`, AUTHORIZATION));
      expect(response.status).toBe(200);
    },
  );

  test.each([
    ['a preflight', ['OPTIONS /pets HTTP/1.1', 'Origin: http://a.example', 'Access-Control-Request-Method: POST']],
    ['an admin route', ['GET /__standin/health HTTP/1.1']],
  ])('%s with two lines is refused as well', async (_, [line = '', ...lines]) => {
    expect(await refusal(server, head(line, HOST, 'Host: example.org', ...lines))).toBe('bad_request 400');
  });
});

describe('the length of a body (RFC 9112 §6)', () => {
  const POST = ['POST /pets HTTP/1.1', HOST, AUTHORIZATION, JSON_TYPE];

  test.each([
    ['Content-Length and Transfer-Encoding', ['Content-Length: 30', 'Transfer-Encoding: chunked'], `0\r\n\r\n`],
    ['two lengths that differ', ['Content-Length: 30', 'Content-Length: 31'], PET],
    ['two equal lengths in one line', ['Content-Length: 30, 30'], PET],
    ['two equal lengths', ['Content-Length: 30', 'Content-Length: 30'], PET],
    ['a sign', ['Content-Length: +30'], PET],
    ['a negative length', ['Content-Length: -1'], PET],
    ['hexadecimal', ['Content-Length: 0x1e'], PET],
    ['an empty length', ['Content-Length:'], PET],
    ['a length beyond 64 bits', ['Content-Length: 99999999999999999999999'], PET],
    ['a last coding other than chunked', ['Transfer-Encoding: gzip'], PET],
    ['an unknown coding', ['Transfer-Encoding: xchunked'], PET],
    ['chunked twice', ['Transfer-Encoding: chunked, chunked'], `1e\r\n${PET}\r\n0\r\n\r\n`],
    ['chunked before another coding', ['Transfer-Encoding: chunked, identity'], `1e\r\n${PET}\r\n0\r\n\r\n`],
    ['a chunk size that is no number', ['Transfer-Encoding: chunked'], `xyz\r\n${PET}\r\n0\r\n\r\n`],
    ['a chunk longer than its size', ['Transfer-Encoding: chunked'], `2\r\n${PET}\r\n0\r\n\r\n`],
    ['a chunk size beyond 64 bits', ['Transfer-Encoding: chunked'], `ffffffffffffffffff\r\n${PET}\r\n0\r\n\r\n`],
  ])('%s is refused', async (_, lines, body) => {
    expect(await refusal(server, head(...POST, ...lines) + body)).toBe('bad_request 400');
  });

  test.each(['identity, chunked', 'gzip, chunked', 'x-other, chunked', 'Chunked,'])(
    'the coding %s is not known: 501, and nothing behind it is read',
    async (coding) => {
      const connection = await RawConnection.open(server.port);
      const hidden = request('GET /categories').toString();
      connection.send(`${head(...POST, `Transfer-Encoding: ${coding}`)}1e\r\n${PET}\r\n0\r\n\r\n${hidden}`);
      const response = await connection.next();
      expect(errorOf(response)).toMatch(/^(?:unsupported_transfer_coding 501|bad_request 400)$/);
      expect(response.header('Connection')).toBe('close');
      expect(await connection.ended()).toBe('');
      connection.close();
    },
  );

  test('codings in several lines are one list', async () => {
    const lines = ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked'];
    expect(await refusal(server, `${head(...POST, ...lines)}1e\r\n${PET}\r\n0\r\n\r\n`)).toBe(
      'unsupported_transfer_coding 501',
    );
  });

  test('HTTP/1.0 has no chunks', async () => {
    const [, ...lines] = POST;
    const sent = head('POST /pets HTTP/1.0', ...lines, 'Transfer-Encoding: chunked');
    expect(await refusal(server, `${sent}1e\r\n${PET}\r\n0\r\n\r\n`)).toBe('bad_request 400');
  });

  test('a request hidden in a body of two lengths is never answered', async () => {
    const connection = await RawConnection.open(server.port);
    const hidden = request('GET /categories').toString();
    connection.send(head(...POST, 'Content-Length: 4', 'Transfer-Encoding: chunked') + `0\r\n\r\n${hidden}`);
    expect(errorOf(await connection.next())).toBe('bad_request 400');
    expect(await connection.ended()).toBe('');
    connection.close();
  });

  test('a chunked body with extensions and a trailer is read', async () => {
    const chunks = `a;x=y\r\n${PET.slice(0, 10)}\r\n14\r\n${PET.slice(10)}\r\n0\r\nX-Sum: 1\r\n\r\n`;
    const response = await exchange(server, head(...POST, 'Transfer-Encoding: chunked') + chunks);
    expect([response.status, JSON.parse(response.body)]).toEqual([201, expect.objectContaining({ name: 'Nova' })]);
  });

  test('a body without a length is none', async () => {
    expect(await refusal(server, head(...POST))).toBe('missing_body 400');
  });

  test('a chunked body of no bytes is none', async () => {
    expect(await refusal(server, head(...POST, 'Transfer-Encoding: chunked') + '0\r\n\r\n')).toBe('missing_body 400');
  });
});

describe('the start line and the fields', () => {
  test.each([
    ['a bare line feed at the end of the start line', `GET /pets HTTP/1.1\n${HOST}\r\n${AUTHORIZATION}\r\n\r\n`],
    ['a bare line feed at the end of a field', `GET /pets HTTP/1.1\r\n${HOST}\n${AUTHORIZATION}\r\n\r\n`],
    ['a bare carriage return in a field', head('GET /pets HTTP/1.1', HOST, 'X-A: 1\rX-B: 2', AUTHORIZATION)],
    ['NUL in the target', head('GET /pets/\0 HTTP/1.1', HOST, AUTHORIZATION)],
    ['NUL in a value', head('GET /pets HTTP/1.1', HOST, 'X-A: a\0b', AUTHORIZATION)],
    ['a space before the colon', head('GET /pets HTTP/1.1', HOST, 'X-A : b', AUTHORIZATION)],
    ['a field without a colon', head('GET /pets HTTP/1.1', HOST, 'X-A', AUTHORIZATION)],
    ['a field without a name', head('GET /pets HTTP/1.1', HOST, ': b', AUTHORIZATION)],
    ['a field name in brackets', head('GET /pets HTTP/1.1', HOST, '{X}: b', AUTHORIZATION)],
    ['a space before the first field', `GET /pets HTTP/1.1\r\n ${HOST}\r\n\r\n`],
    ['no target', head('GET HTTP/1.1', HOST, AUTHORIZATION)],
    ['a space in the target', head('GET /pets /1 HTTP/1.1', HOST, AUTHORIZATION)],
    ['HTTP/1.10', head('GET /pets HTTP/1.10', HOST, AUTHORIZATION)],
    ['another protocol', head('GET /pets ICY/1.1', HOST, AUTHORIZATION)],
    ['an unknown method', head('BREW /pets HTTP/1.1', HOST, AUTHORIZATION)],
    ['a method in lower case', head('get /pets HTTP/1.1', HOST, AUTHORIZATION)],
    ['a method of 5,000 letters', head(`${'G'.repeat(5000)} /pets HTTP/1.1`, HOST, AUTHORIZATION)],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the first bytes of TLS', Buffer.from('16030100c8010000c40303' + 'ab'.repeat(40), 'hex')],
    ['bytes that are no text', Buffer.from(Array.from({ length: 256 }, (_, index) => 255 - index))],
  ])('%s is refused', async (_, bytes) => {
    expect(await refusal(server, bytes)).toBe('bad_request 400');
  });

  test('a field on two lines is refused, or read as one (RFC 9112 §5.2)', async () => {
    const response = await exchange(server, head('GET /pets HTTP/1.1', HOST, 'X-A: b\r\n c', AUTHORIZATION));
    if (response.status === 200) return;
    expect(errorOf(response)).toBe('bad_request 400');
  });

  test.each([
    ['HTTP/2.0', head('GET /pets HTTP/2.0', HOST, AUTHORIZATION)],
    ['no version', head('GET /pets', HOST, AUTHORIZATION)],
  ])('%s is refused, or answered as HTTP/1.1', async (_, bytes) => {
    const response = await exchange(server, bytes);
    expect(response.version).toBe('1.1');
    if (response.status !== 200) errorOf(response);
  });

  test('empty lines before the start line are passed over (RFC 9112 §2.2)', async () => {
    expect((await exchange(server, `\r\n\r\n${request('GET /pets').toString()}`)).status).toBe(200);
  });

  test('names of fields may be written in any case', async () => {
    const bytes = head('GET /pets HTTP/1.1', 'hOsT: 127.0.0.1', 'AUTHORIZATION:Bearer test-key');
    expect((await exchange(server, bytes)).status).toBe(200);
  });

  test.each(['__proto__: x', 'constructor: x', 'toString: x', 'hasOwnProperty: x'])(
    'the field "%s" is like any other',
    async (line) => {
      const response = await exchange(server, request('GET /categories', [line, line]));
      expect(response.status).toBe(200);
    },
  );

  test('an offer to speak WebSocket or h2c is not taken up', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const lines = [`Connection: Upgrade`, `Upgrade: ${protocol}`, 'HTTP2-Settings: AAMAAABk'];
      expect((await exchange(server, request('GET /pets', lines))).status).toBe(200);
    }
  });
});

describe('limits (petstore.md §7)', () => {
  test('a header section of more than 16 KiB is refused', async () => {
    for (const lines of [[`X-A: ${'a'.repeat(16_500)}`], Array.from({ length: 400 }, () => `X-A: ${'a'.repeat(50)}`)]) {
      expect(await refusal(server, request('GET /pets', lines))).toBe('headers_too_large 431');
    }
  });

  test('a client that sends far more than that before it reads gets the answer', async () => {
    for (const length of [100_000, 1_000_000, 8_000_000]) {
      expect(await refusal(server, request('GET /pets', [`X-A: ${'a'.repeat(length)}`]))).toBe('headers_too_large 431');
    }
  });

  test('a header section of nearly 16 KiB is read', async () => {
    const response = await exchange(server, request('GET /pets', [`X-A: ${'a'.repeat(16_000)}`]));
    expect(response.status).toBe(200);
  });

  test('a target of more than 8 KiB is refused, one of 8 KiB is not', async () => {
    const target = (length: number): string => '/pets?name='.padEnd(length, 'a');
    expect((await exchange(server, request(`GET ${target(8192)}`))).status).toBe(200);
    expect(await refusal(server, request(`GET ${target(8193)}`))).toBe('uri_too_long 414');
    expect(await refusal(server, request(`GET ${target(9 * 1024)}`))).toBe('uri_too_long 414');
    expect(await refusal(server, request(`GET /nothing-here/${'a'.repeat(9000)}`))).toBe('uri_too_long 414');
  });

  test('a target of 20 KiB counts as a header section that is too large, or as a target that is', async () => {
    const code = await refusal(server, request(`GET /pets?name=${'a'.repeat(20 * 1024)}`));
    expect(['headers_too_large 431', 'uri_too_long 414']).toContain(code);
  });
});
