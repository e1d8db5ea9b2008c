import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { serverOfTests, startServer } from '../support/server';
import { AUTHORIZATION, errorOf, exchange, expectAlive, head, HOST, jsonRequest, refusal, request } from './exchange';

const server = serverOfTests();
beforeEach(() => {
  server.app.reset();
});
afterEach(async () => {
  await expectAlive(server);
});

const PET = '{"name":"Nova","categoryId":1}';

/** Text with `\xNN` for single bytes. */
function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function nested(depth: number): string {
  return `{"name":"Nova","categoryId":1,"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
}

describe('what is no JSON (RFC 8259, RFC 7493 §2)', () => {
  test.each([
    ['an unpaired brace', '{'],
    ['a second value', `${PET}{}`],
    ['text behind the value', `${PET}x`],
    ['a comma behind the last member', '{"name":"Nova","categoryId":1,}'],
    ['a comment', `/* a pet */${PET}`],
    ['single quotes', "{'name':'Nova','categoryId':1}"],
    ['a name without quotes', '{name:"Nova","categoryId":1}'],
    ['NaN', '{"name":"Nova","categoryId":NaN}'],
    ['Infinity', '{"name":"Nova","categoryId":-Infinity}'],
    ['a leading zero', '{"name":"Nova","categoryId":01}'],
    ['a leading plus', '{"name":"Nova","categoryId":+1}'],
    ['a point without digits', '{"name":"Nova","categoryId":1.}'],
    ['hexadecimal', '{"name":"Nova","categoryId":0x1}'],
    ['a raw line feed in a string', '{"name":"No\nva","categoryId":1}'],
    ['a raw NUL in a string', '{"name":"No\0va","categoryId":1}'],
    ['a bad escape', '{"name":"\\x41","categoryId":1}'],
    ['a cut escape', '{"name":"\\u12","categoryId":1}'],
    ['a duplicate member', '{"name":"Nova","categoryId":1,"name":"Nova"}'],
    ['a duplicate member, once escaped', '{"name":"Nova","categoryId":1,"\\u006eame":"Eve"}'],
    ['a duplicate member further in', '{"name":"Nova","categoryId":1,"x":[{"a":1,"a":1}]}'],
    ['a duplicate __proto__', '{"name":"Nova","categoryId":1,"__proto__":1,"__proto__":2}'],
    ['65 levels', nested(65)],
    ['100,000 levels', nested(100_000)],
    ['100,000 open objects', '{"a":'.repeat(100_000)],
    ['a number of 200,000 digits', `{"name":"Nova","categoryId":${'9'.repeat(200_000)}}`],
    ['an exponent of 200,000 digits', `{"name":"Nova","categoryId":1e${'9'.repeat(200_000)}}`],
    ['a form', 'name=Nova&categoryId=1'],
    ['white space only', '  \r\n\t'],
    ['a vertical tab', `\v${PET}`],
    ['a no-break space', `\u00a0${PET}`],
    ['a byte order mark inside', `{"name":"Nova",\ufeff"categoryId":1}`],
    ['two byte order marks', `\ufeff\ufeff${PET}`],
    ['a byte order mark alone', '\ufeff'],
  ])('%s is refused', async (_, body) => {
    const code = await refusal(server, jsonRequest('POST /pets', body));
    // A body of nothing but white space may count as none at all.
    expect(['invalid_json 400', ...(body.trim() === '' ? ['missing_body 400'] : [])]).toContain(code);
  });

  test.each([
    ['a lone continuation byte', bytes('{"name":"\x80","categoryId":1}')],
    ['a cut sequence', bytes('{"name":"\xe2\x82","categoryId":1}')],
    ['an overlong slash', bytes('{"name":"\xc0\xaf","categoryId":1}')],
    ['a surrogate in UTF-8', bytes('{"name":"\xed\xa0\x80","categoryId":1}')],
    ['a code point beyond Unicode', bytes('{"name":"\xf4\x90\x80\x80","categoryId":1}')],
    ['Latin-1', bytes('{"name":"Zo\xe9","categoryId":1}')],
    ['a bad byte in a member that is not known', bytes('{"name":"Nova","categoryId":1,"x":"\xff"}')],
    ['UTF-16', Buffer.from(`\ufeff${PET}`, 'utf16le')],
    ['UTF-32', Buffer.from(Array.from(Buffer.from(PET), (byte) => [0, 0, 0, byte]).flat())],
  ])('%s is refused', async (_, body) => {
    expect(await refusal(server, jsonRequest('POST /pets', body))).toBe('invalid_json 400');
  });

  test('a byte order mark before the value is passed over (RFC 8259 §8.1)', async () => {
    expect((await exchange(server, jsonRequest('POST /pets', `\ufeff${PET}`))).status).toBe(201);
  });

  test('64 levels are read', async () => {
    expect((await exchange(server, jsonRequest('POST /pets', nested(64)))).status).toBe(201);
  });

  test('white space around the value is read', async () => {
    expect((await exchange(server, jsonRequest('POST /pets', `\r\n\t ${PET} \n`))).status).toBe(201);
  });

  test.each(['null', 'true', '1', '"Nova"', '[]', `[${PET}]`, '9007199254740993', '1e400'])(
    'the value %s is JSON, and no pet',
    async (body) => {
      expect(await refusal(server, jsonRequest('POST /pets', body))).toBe('invalid_field 400');
    },
  );
});

describe('numbers (standards: J3 to J6)', () => {
  test.each([
    ['1e400', 'invalid_field 400'],
    ['-1e400', 'invalid_field 400'],
    ['1e-400', 'invalid_field 400'],
    ['1.5', 'invalid_field 400'],
    ['1.0000000000000000000001', 'invalid_field 400'],
    ['-0', 'invalid_field 400'],
    ['0', 'invalid_field 400'],
    ['-1', 'invalid_field 400'],
    ['9223372036854775808', 'invalid_field 400'],
    ['9223372036854775807.5', 'invalid_field 400'],
    ['1e19', 'invalid_field 400'],
    [`1${'0'.repeat(500)}`, 'invalid_field 400'],
    ['"1"', 'invalid_field 400'],
    ['null', 'invalid_field 400'],
    ['[1]', 'invalid_field 400'],
    ['9223372036854775807', 'unknown_reference 422'],
    ['9223372036854775807.0', 'unknown_reference 422'],
    ['922337203685477580.7e1', 'unknown_reference 422'],
    ['9007199254740993', 'unknown_reference 422'],
    // As doubles these two are the same number.
    ['9007199254740992', 'unknown_reference 422'],
  ])('categoryId %s is %s', async (lexeme, code) => {
    expect(await refusal(server, jsonRequest('POST /pets', `{"name":"Nova","categoryId":${lexeme}}`))).toBe(code);
  });

  test.each(['1', '1.0', '1.000', '10e-1', '1e0', '1E+0', '0.1e1'])('categoryId %s is 1', async (lexeme) => {
    const response = await exchange(server, jsonRequest('POST /pets', `{"name":"Nova","categoryId":${lexeme}}`));
    expect(response.status).toBe(201);
    expect(response.body).toContain('"categoryId":1,');
  });

  test.each([
    ['-0', '0'],
    ['0.0', '0'],
    ['-0.0e5', '0'],
    ['3.0', '3'],
    ['1e6', '1000000'],
    ['1000000.000', '1000000'],
  ])('quantity %s is %s', async (lexeme, quantity) => {
    const response = await exchange(server, jsonRequest('PATCH /inventory/1', `{"quantity":${lexeme}}`));
    expect(response.status).toBe(200);
    expect(response.body).toContain(`"quantity":${quantity},`);
    expect((await exchange(server, request('GET /inventory?petId=1'))).body).toContain(`"quantity":${quantity},`);
  });

  test.each(['1000001', '1e7', '2147483648', '-1', '-1e-400', '0.5', '1e400'])(
    'quantity %s is refused',
    async (lexeme) => {
      const code = await refusal(server, jsonRequest('PATCH /inventory/1', `{"quantity":${lexeme}}`));
      expect(code).toBe('invalid_field 400');
    },
  );

  test('ids beyond 53 bits keep every digit, in bodies, paths, queries and links', async () => {
    const large = await startServer({ idStart: 9007199254740993n });
    try {
      const category = await exchange(large, jsonRequest('POST /categories', '{"name":"Fox"}'));
      expect(category.body).toBe('{"id":9007199254740993,"name":"Fox"}');
      expect(category.header('Location')).toMatch(/\/categories\/9007199254740993$/);
      const pet = '{"name":"Nova","categoryId":9007199254740993}';
      expect((await exchange(large, jsonRequest('POST /pets', pet))).body).toContain('{"id":9007199254740993,');
      expect((await exchange(large, jsonRequest('POST /pets', pet))).body).toContain('{"id":9007199254740994,');
      for (const target of [
        '/pets/9007199254740993',
        '/pets?id=9007199254740993',
        '/inventory/9007199254740993',
        '/pets?categoryId=9007199254740993&limit=1',
      ]) {
        const { body } = await exchange(large, request(`GET ${target}`));
        expect([body.match(/\d{16}/)?.[0], body.includes('740994')]).toEqual(['9007199254740993', false]);
      }
      expect((await exchange(large, request('GET /pets/9007199254740992'))).status).toBe(404);
      expect((await exchange(large, request('DELETE /pets/9007199254740994'))).status).toBe(204);
      expect((await exchange(large, request('GET /pets/9007199254740993'))).status).toBe(200);
    } finally {
      await large.close();
    }
  });

  test('the last id of all is given out once, and the next one refused', async () => {
    const last = await startServer({ idStart: 9223372036854775807n });
    try {
      const fox = jsonRequest('POST /categories', '{"name":"Fox"}');
      expect((await exchange(last, fox)).body).toContain('"id":9223372036854775807,');
      expect(await refusal(last, fox)).toBe('id_space_exhausted 409');
    } finally {
      await last.close();
    }
  });
});

describe('strings (standards: J7)', () => {
  test.each([
    ['a lone high surrogate', '\\ud800', '\\ud800'],
    ['a lone low surrogate', '\\uDFFF', '\\udfff'],
    ['two high surrogates', '\\ud83d\\ud83d', '\\ud83d\\ud83d'],
    ['a pair', '\\ud83d\\ude00', '😀'],
    ['NUL', 'a\\u0000b', 'a\\u0000b'],
    ['a control character', 'a\\u001fb', 'a\\u001fb'],
    ['DEL and C1', 'a\x7f\x80b', 'a\x7f\x80b'],
    ['a line separator', 'a\u2028b', 'a\u2028b'],
    ['a non-character', 'a\uffffb', 'a\uffffb'],
    ['a combining accent, not composed', 'Zoe\u0301', 'Zoe\u0301'],
    ['markup', '<script>&amp;</script>', '<script>&amp;</script>'],
    ['text that ends a line of a log', 'a\\r\\nSet-Cookie: b', 'a\\r\\nSet-Cookie: b'],
    ['a quotation mark and a backslash', '\\"\\\\\\/', '\\"\\\\/'],
  ])('%s comes back as it was sent', async (_, name, written) => {
    const response = await exchange(server, jsonRequest('POST /categories', `{"name":"x${name}"}`));
    expect([response.status, response.body]).toEqual([201, `{"id":3,"name":"x${written}"}`]);
    expect((await exchange(server, request('GET /categories/3'))).body).toBe(response.body);
    for (const sort of ['name', '-name']) {
      expect((await exchange(server, request(`GET /categories?sort=${sort}&limit=100`))).body).toContain(response.body);
    }
  });

  test('pages over names of every kind neither skip nor repeat', async () => {
    const names = ['\\ud800', '\\udfff', '\\ud83d\\ude00', 'a\\u0000', '\uffff', 'é', 'e\u0301', '', '\\"', '\\\\'];
    for (const name of names) await exchange(server, jsonRequest('POST /categories', `{"name":"x${name}"}`));
    for (const sort of ['name', '-name']) {
      const ids: number[] = [];
      let next: string | undefined = `/categories?sort=${sort}&limit=1`;
      while (next !== undefined && ids.length < 20) {
        const page = await exchange(server, request(`GET ${next}`));
        ids.push(...(JSON.parse(page.body) as { id: number }[]).map(({ id }) => id));
        next = /<http:\/\/127\.0\.0\.1([^>]*)>; rel="next"/.exec(page.header('Link') ?? '')?.[1];
      }
      expect([...ids].sort((left, right) => left - right)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    }
  });

  test.each([
    ['100 emoji', '😀'.repeat(100), 201],
    ['101 emoji', '😀'.repeat(101), 400],
    ['100 lone surrogates', '\\ud800'.repeat(100), 201],
    ['white space of Unicode', '\u00a0\u2003\u3000\ufeff', 400],
    ['no character', '', 400],
  ])('a name of %s counts by code points', async (_, name, status) => {
    const response = await exchange(server, jsonRequest('POST /pets', `{"name":"${name}","categoryId":1}`));
    expect(response.status).toBe(status);
  });

  test('what an error quotes from a body stays JSON and stays short', async () => {
    for (const name of ['\\ud800', '\\u0000', '<b>', '\u2028', 'x'.repeat(500_000)]) {
      const response = await exchange(
        server,
        jsonRequest('POST /pets', `{"name":"Nova","categoryId":1,"status":"${name}"}`),
      );
      expect(errorOf(response)).toBe('invalid_field 400');
      expect(response.body.length).toBeLessThan(2000);
    }
  });
});

describe('names of members (standards: J8)', () => {
  const SPECIAL = [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
  ];

  test.each(SPECIAL)('%s is an unknown member like any other', async (name) => {
    const body = `{"name":"Nova","categoryId":1,"${name}":{"name":"Eve","status":"sold","isAdmin":true}}`;
    const response = await exchange(server, jsonRequest('POST /pets', body));
    expect([response.status, response.body]).toEqual([
      201,
      '{"id":4,"name":"Nova","categoryId":1,"status":"available"}',
    ]);
    expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined();
    expect(await refusal(server, jsonRequest('POST /pets', body, ['Prefer: handling=strict']))).toBe(
      'invalid_field 400',
    );
  });

  test('no member is found by inheritance', async () => {
    const body = '{"__proto__":{"name":"Nova","categoryId":1}}';
    expect(await refusal(server, jsonRequest('POST /pets', body))).toBe('missing_field 400');
    const order = '{"__proto__":{"petId":1,"quantity":2}}';
    expect((await exchange(server, jsonRequest('POST /store/orders', order))).body).toBe('{"id":3,"complete":false}');
  });

  test('a patch of __proto__ changes nothing', async () => {
    const before = server.stateText();
    const patch = '{"__proto__":{"complete":true},"constructor":{"prototype":{"complete":true}}}';
    expect((await exchange(server, jsonRequest('PATCH /store/orders/1', patch))).status).toBe(200);
    expect(server.stateText()).toBe(before);
  });

  test('a name is another one when a letter, its case or an accent differs', async () => {
    for (const name of ['Name', 'n\u0430me', 'name ', 'name\\u0000']) {
      const body = `{"${name}":"Nova","categoryId":1}`;
      expect(await refusal(server, jsonRequest('POST /pets', body))).toBe('missing_field 400');
    }
  });

  test('ten thousand unknown members do no harm', async () => {
    const members = Array.from({ length: 10_000 }, (_, index) => `"m${index}":${index}`).join(',');
    const body = `{"name":"Nova","categoryId":1,${members}}`;
    expect((await exchange(server, jsonRequest('POST /pets', body))).status).toBe(201);
  });
});

describe('the type of a body (petstore.md §6)', () => {
  test.each([
    'text/plain',
    'text/plain;charset=UTF-8',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json-patch+json',
    'application/vnd.api+json',
    'application',
    'json',
    '*/*',
    'application/*',
    '',
    ';',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'a'.repeat(5000),
  ])('%j is not JSON', async (type) => {
    const code = await refusal(server, request('POST /pets', [`Content-Type: ${type}`], PET));
    expect(code).toBe('missing_content_type 400');
  });

  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    'application/json ; charset=utf8',
    'application/json;x=y;z="a;b\\"c"',
  ])('%s is', async (type) => {
    const response = await exchange(server, request('POST /pets', [`Content-Type: ${type}`], PET));
    if (type.includes('utf8')) return;
    expect(response.status).toBe(201);
  });

  test('a body without a type is refused', async () => {
    expect(await refusal(server, request('POST /pets', [], PET))).toBe('missing_content_type 400');
  });

  test('no body at all is missed whether there is a type or not', async () => {
    for (const lines of [[], ['Content-Type: application/json'], ['Content-Length: 0']]) {
      const code = await refusal(server, head('POST /pets HTTP/1.1', HOST, AUTHORIZATION, ...lines));
      expect(code).toBe('missing_body 400');
    }
  });
});

describe('codings of a body (RFC 9110 §8.4)', () => {
  const coded = (coding: string, body: Uint8Array): Buffer =>
    jsonRequest('POST /pets', body, [`Content-Encoding: ${coding}`]);

  test.each([
    ['gzip', gzipSync(PET)],
    ['GZIP', gzipSync(PET)],
    ['x-gzip', gzipSync(PET)],
    ['deflate', deflateSync(PET)],
    ['br', brotliCompressSync(PET)],
    ['identity', Buffer.from(PET)],
    ['gzip, br', brotliCompressSync(gzipSync(PET))],
  ])('%s is undone', async (coding, body) => {
    expect((await exchange(server, coded(coding, body))).status).toBe(201);
  });

  test.each([
    ['that is none', 'gzip', Buffer.from(PET)],
    ['cut short', 'gzip', gzipSync(PET).subarray(0, -6)],
    ['with a wrong sum', 'gzip', Buffer.concat([gzipSync(PET).subarray(0, -8), Buffer.alloc(8)])],
    ['cut short', 'br', brotliCompressSync(PET).subarray(0, -3)],
    ['that is none', 'deflate', Buffer.from(PET)],
    ['without its frame', 'deflate', deflateRawSync(PET)],
  ])('a body %s in %s is refused', async (_, coding, body) => {
    const code = await refusal(server, coded(coding, body));
    expect(['bad_request 400', 'invalid_json 400']).toContain(code);
  });

  test('a body that grows beyond 1 MiB is refused', async () => {
    const large = Buffer.alloc(4 * 1024 * 1024, ' ');
    for (const [coding, body] of [
      ['gzip', gzipSync(large)],
      ['br', brotliCompressSync(large)],
      ['gzip, gzip', gzipSync(gzipSync(large))],
    ] as const) {
      expect(await refusal(server, coded(coding, body))).toBe('body_too_large 413');
    }
  });

  test('a body that grows to invalid JSON is refused as that', async () => {
    expect(await refusal(server, coded('gzip', gzipSync(bytes('{"name":"\xff"}'))))).toBe('invalid_json 400');
  });

  test('an empty body stays empty in any coding', async () => {
    expect(await refusal(server, coded('gzip', gzipSync('')))).toBe('missing_body 400');
  });

  test.each(['zstd', 'compress', 'gzip, zstd', 'gzip;q=1', 'banana', Array.from({ length: 50 }, () => 'gzip').join()])(
    '%s is not known',
    async (coding) => {
      const response = await exchange(server, coded(coding, gzipSync(PET)));
      expect(errorOf(response)).toBe('unsupported_content_encoding 415');
      expect(response.header('Accept-Encoding')).toMatch(/\bgzip\b/);
    },
  );

  test('two lines name the codings in their order', async () => {
    const twice = jsonRequest('POST /pets', brotliCompressSync(gzipSync(PET)), [
      'Content-Encoding: gzip',
      'Content-Encoding: br',
    ]);
    expect((await exchange(server, twice)).status).toBe(201);
  });
});
