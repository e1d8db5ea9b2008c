import { curl } from '../../../src/traffic/readers/curl';
import { lines, readWith, type Reading, told } from './read';

const NONE =
  'It has no command line of curl that can be read: expected lines such as curl https://api.example/things: not read';

const read = (text: string, given = {}): Promise<Reading> => readWith(curl, text, given);

/** The one request of a command line. */
async function requestOf(text: string, given = {}): Promise<Reading['exchanges'][number]['request']> {
  const { exchanges } = await read(text, given);
  expect(exchanges).toHaveLength(1);
  return exchanges[0]!.request;
}

describe('command lines of curl are recognised', () => {
  test.each([
    ['a file of them', 'calls.curl', ''],
    ['a script', 'smoke.sh', '#!/bin/sh\nset -e\nif true; then\n  curl -s http://a.example\nfi\n'],
    ['one that was copied with its prompt', 'standard input', '$ curl http://a.example'],
    ['one with variables before it', 'calls.txt', 'TOKEN=1 curl http://a.example'],
    ['one within a substitution', 'smoke.sh', 'ID=$(curl http://a.example)'],
    ['one that Chrome copied for Windows', 'standard input', 'curl ^"http://a.example^" ^\r\n  -H ^"a: b^"'],
  ])('%s', (_, file, head) => {
    expect(curl.recognises(file, head)).toBe(true);
  });
  test.each([
    ['a description that shows some', 'openapi.yaml', 'x-code: |\n  curl http://a.example'],
    ['JSON', 'standard input', '{"a": "\ncurl http://a.example"}'],
    ['a script without one', 'build.sh', 'npm run build\n# curl http://a.example\n'],
  ])('%s is none', (_, file, head) => {
    expect(curl.recognises(file, head)).toBe(false);
  });
});

test('a script gives its requests in their order, each with its line, and is not run', async () => {
  const reading = await read(
    [
      '#!/bin/bash',
      '# creates something: curl http://not.example',
      'export BASE=http://127.0.0.1:4010/v1',
      'curl -s "$BASE/pets?limit=2" -H "Accept: application/json" | jq .',
      'PET=$(curl -sX POST $BASE/pets \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d '{"name": "it'"'"'s"}' | jq -r .id)`,
      'if [ -n "$PET" ]; then curl "${BASE}/pets/$PET" -XDELETE; fi; echo done > log',
    ].join('\r\n'),
    { file: 'smoke.sh' },
  );
  expect(lines(reading)).toStrictEqual([
    'GET http://127.0.0.1:4010/v1/pets?limit=2 -> none',
    'POST http://127.0.0.1:4010/v1/pets -> none',
    'DELETE http://127.0.0.1:4010/v1/pets/~secret.PET~ -> none',
  ]);
  expect(reading.exchanges.map(({ source }) => source)).toStrictEqual(['smoke.sh:4', 'smoke.sh:5', 'smoke.sh:8']);
  expect(reading.exchanges[1]?.request).toMatchObject({
    headers: ['Content-Type', 'application/json'],
    body: { kind: 'text', text: `{"name": "it's"}` },
  });
  expect(told(reading)).toStrictEqual([
    'The value of 1 variable is not in the file: PET: kept as secrets without a value',
    '5 commands of other programs: left out',
  ]);
});

describe('words of the shell', () => {
  test.each([
    ['in single quotes', `-d 'a "b" $C \\'`, 'a "b" $C \\'],
    ['in double quotes', `-d "a \\"b\\" \\$C 'd' \\x"`, `a "b" $C 'd' \\x`],
    ['in quotes of bash', `-d $'a\\'b\\u0021\\x41\\101\\n\\t\\\\'`, `a'b!AA\n\t\\`],
    ['put together', `-d a'b c'"d"\\ e`, 'ab cd e'],
    ['continued on the next line', `\\\n  -d \\\n  a`, 'a'],
    ['with a sign that begins no comment', `-d a#b # c`, 'a#b'],
    ['behind a flag without a space', `-da=1`, 'a=1'],
    ['of a variable with a default', '-d ${A:-b}', 'b'],
  ])('%s', async (_, words, text) => {
    const { body } = await requestOf(`curl http://a.example ${words}`);
    expect(body).toStrictEqual({ kind: 'text', text });
  });

  test('a here document is standard input, with the variables of the script', async () => {
    const script =
      'N=1\ncurl http://a.example --json @- <<EOF\n{"a": $N}\nEOF\ncurl -d @- http://b.example <<\'E\' | cat\n$N\nE\n';
    const { exchanges } = await read(script);
    expect(exchanges.map(({ request }) => request.body)).toStrictEqual([
      { kind: 'text', text: '{"a": 1}\n' },
      { kind: 'text', text: '$N' },
    ]);
  });

  test('a quote without an end is told, and what was before is read', async () => {
    const reading = await read(`curl http://a.example\ncurl http://b.example -d 'open\ncurl http://c.example\n`);
    expect(lines(reading)).toStrictEqual(['GET http://a.example/ -> none', 'POST http://b.example/ -> none']);
    expect(told(reading)).toStrictEqual([
      "line 2 The quote ' that begins here has no end: the text up to the end of the file was taken",
    ]);
  });
});

describe('flags', () => {
  test.each([
    ['-I http://a.example', 'HEAD', []],
    ['-X put http://a.example', 'PUT', []],
    ['-T x.json http://a.example', 'PUT', []],
    ['-d a=1 -d b=2 http://a.example', 'POST', ['Content-Type', 'application/x-www-form-urlencoded']],
    ['--json {} http://a.example', 'POST', ['Accept', 'application/json', 'Content-Type', 'application/json']],
    ['-sSLku me:secret http://a.example', 'GET', ['Authorization', 'Basic bWU6c2VjcmV0']],
    ['http://me:secret@a.example', 'GET', ['Authorization', 'Basic bWU6c2VjcmV0']],
    ['--oauth2-bearer abc http://a.example', 'GET', ['Authorization', 'Bearer abc']],
    [
      '-b a=1 -A me -e http://b.example http://a.example',
      'GET',
      ['User-Agent', 'me', 'Referer', 'http://b.example', 'Cookie', 'a=1'],
    ],
    ["-H 'X-A: 1' -H 'X-B;' -H 'Content-Type:' -d a http://a.example", 'POST', ['X-A', '1', 'X-B', '']],
    ['--compressed --retry 3 -o /dev/null --max-time 5 -w %{http_code} http://a.example', 'GET', []],
    ['--url http://a.example', 'GET', []],
    ['a.example', 'GET', []],
  ])('%s', async (words, method, headers) => {
    const request = await requestOf(`curl ${words}`, { beside: { 'x.json': '{}' } });
    expect([request.method, request.headers]).toStrictEqual([method, headers]);
  });

  test('-G sends data as a query, encoded where it is to be', async () => {
    const request = await requestOf(
      `curl -G 'http://a.example/x?a=1' -d b=2 --data-urlencode 'c=d e&f' --data-urlencode =g/h`,
    );
    expect(request).toStrictEqual({
      method: 'GET',
      target: '/x?a=1&b=2&c=d%20e%26f&g%2Fh',
      headers: [],
      body: undefined,
    });
  });

  test('-F sends parts, files among them', async () => {
    const reading = await read(
      `curl http://a.example -F 'title="one"' -F 'meta={"a":1};type=application/json' -F 'file=@a.txt;filename=b.txt' -F lost=@c.txt`,
      { beside: { 'a.txt': 'text' } },
    );
    const { headers, body } = reading.exchanges[0]!.request;
    expect(headers).toStrictEqual(['Content-Type', 'multipart/form-data; boundary=----standin-form-boundary']);
    expect(body).toMatchObject({ kind: 'text' });
    expect(body?.kind === 'text' ? body.text.split('\r\n').filter((line) => !line.startsWith('--')) : []).toStrictEqual(
      [
        'Content-Disposition: form-data; name="title"',
        '',
        'one',
        'Content-Disposition: form-data; name="meta"',
        'Content-Type: application/json',
        '',
        '{"a":1}',
        'Content-Disposition: form-data; name="file"; filename="b.txt"',
        'Content-Type: application/octet-stream',
        '',
        'text',
        'Content-Disposition: form-data; name="lost"; filename="c.txt"',
        'Content-Type: application/octet-stream',
        '',
        '',
        '',
      ],
    );
    expect(told(reading)).toStrictEqual([
      'line 1 A file that the command sends is not beside the file: kept without it',
    ]);
  });

  test('data of a file is without its line ends by -d, and as it is by --data-binary', async () => {
    const beside = { 'a.json': '{\n"a": 1\n}' };
    const { exchanges } = await read(
      'curl http://a.example -d @a.json\ncurl http://a.example --data-binary @a.json\ncurl http://a.example --data-raw @a.json\ncurl http://a.example -d @b.json',
      { beside },
    );
    expect(exchanges.map(({ request }) => request.body)).toStrictEqual([
      { kind: 'text', text: '{"a": 1}' },
      { kind: 'text', text: '{\n"a": 1\n}' },
      { kind: 'text', text: '@a.json' },
      { kind: 'omitted', reason: 'a file that it is sent from is not there', bytes: undefined },
    ]);
  });

  test('--next begins another transfer, and several addresses are several requests', async () => {
    const reading = await read('curl -d a http://a.example/1 http://a.example/2 --next http://a.example/3');
    expect(lines(reading)).toStrictEqual([
      'POST http://a.example/1 -> none',
      'POST http://a.example/2 -> none',
      'GET http://a.example/3 -> none',
    ]);
  });
});

test('variables without a value are secrets from the beginning; one in the host makes it unknown', async () => {
  const reading = await read('curl "$API_URL/things/${ID}?key=$1" -H "Authorization: Bearer $TOKEN" -d "$TOKEN"');
  expect(lines(reading)).toStrictEqual(['POST http://api-url.invalid/things/~secret.ID~?key=~secret.value_1~ -> none']);
  expect(reading.exchanges[0]?.request).toMatchObject({
    headers: ['Authorization', 'Bearer ~secret.TOKEN~', 'Content-Type', 'application/x-www-form-urlencoded'],
    body: { text: '~secret.TOKEN~' },
  });
  expect(told(reading)).toStrictEqual([
    'The value of 4 variables is not in the file: API_URL, ID, 1, TOKEN: kept as secrets without a value',
  ]);
});

describe('what browsers copy', () => {
  test('Chrome and Firefox for bash', async () => {
    const reading = await read(
      [
        "curl 'https://api.example/things?a=1' \\",
        "  -H 'accept: */*' \\",
        "  -b 'sid=1; theme=dark' \\",
        `  --data-raw $'{"text":"it\\'s \\u0021"}' ;`,
        "curl 'https://api.example/things' --compressed -X POST -H 'Cookie: sid=1' --data-raw '{}'",
      ].join('\n'),
    );
    expect(reading.exchanges.map(({ request }) => request)).toMatchObject([
      {
        method: 'POST',
        target: '/things?a=1',
        headers: ['accept', '*/*', 'Cookie', 'sid=1; theme=dark', 'Content-Type', 'application/x-www-form-urlencoded'],
        body: { text: `{"text":"it's !"}` },
      },
      { method: 'POST', headers: ['Cookie', 'sid=1', 'Content-Type', 'application/x-www-form-urlencoded'] },
    ]);
    expect(reading.problems).toStrictEqual([]);
  });

  test.each([
    ['percent signs on one line', 'curl "https://api.example/a%^20b?q=50^%^25"', '/a%20b?q=50%25', undefined],
    [
      'doubled quotes',
      'curl "https://api.example/a" -d "{""a"":""b c"",""d"":""""}" ^\r\n -s',
      '/a',
      '{"a":"b c","d":""}',
    ],
    ['an empty value', 'curl ^"https://api.example/a^" -H "" -d ^"x=1^"', '/a', 'x=1'],
    ['an ampersand', 'curl ^"https://api.example/a?b=1^&curl=2^" -d ^"x=\\^"^&curl y^"', '/a?b=1&curl=2', 'x="&curl y'],
  ])('cmd: %s', async (_, text, target, body) => {
    const request = await requestOf(text);
    expect([request.target, request.body?.kind === 'text' ? request.body.text : undefined]).toEqual([target, body]);
  });

  test('cmd: several commands on one line', async () => {
    const [one, two, three] = [1, 2, 3].map((number) => `curl ^"https://a.example/${number}^"`);
    expect(lines(await read(`${one} & ${two}&\r\n${three}`))).toEqual(
      [1, 2, 3].map((number) => `GET https://a.example/${number} -> none`),
    );
  });

  test('Chrome for cmd', async () => {
    const reading = await read(
      [
        'curl ^"https://api.example/things?a=1^&b=^%^7B^%^7D^" ^',
        '  -H ^"content-type: application/json^" ^',
        '  --data-raw ^"^{^\\^"text^\\^": ^\\^"a\\\\b^\\^"^}^" &',
        'curl ^"https://api.example/others^"',
      ].join('\r\n'),
    );
    expect(lines(reading)).toStrictEqual([
      'POST https://api.example/things?a=1&b=%7B%7D -> none',
      'GET https://api.example/others -> none',
    ]);
    expect(reading.exchanges[0]?.request.body).toStrictEqual({ kind: 'text', text: '{"text": "a\\b"}' });
    expect(reading.exchanges.map(({ source }) => source)).toStrictEqual(['given:1', 'given:4']);
  });
});

describe('what cannot be read is told', () => {
  test.each([
    ['no command', 'ls -l\n', ['1 command of other programs: left out', NONE]],
    ['no address', 'curl -s', ['line 1 The command has no URL: left out', NONE]],
    ['another scheme', 'curl ftp://a.example', ['line 1 The URL of the command is not one of HTTP: left out', NONE]],
    [
      'a file of options',
      'curl -K my.conf http://a.example',
      ['line 1 A file with options is named with --config: its options were not read'],
    ],
  ])('%s', async (_, text, messages) => {
    expect(told(await read(text))).toStrictEqual(messages);
  });

  test('a file that is no text', async () => {
    expect(told(await readWith(curl, Uint8Array.of(0xff, 0xfe, 0x00)))).toStrictEqual([
      'It is not UTF-8 text: save it as UTF-8: not read',
    ]);
  });
});
