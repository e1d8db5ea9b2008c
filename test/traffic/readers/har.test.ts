import { har } from '../../../src/traffic/readers/har';
import { lines, readWith, type Reading, told } from './read';

interface Entry {
  readonly [name: string]: unknown;
}

const START = Date.parse('2026-03-01T10:00:00.000Z');

/** An entry that began so many milliseconds after the first one, as browsers write it; `changes` replace properties. */
function entry(path: string, afterMs = 0, changes: Entry = {}): Entry {
  return {
    startedDateTime: new Date(START + afterMs).toISOString(),
    time: 10,
    request: { method: 'GET', url: `https://api.example${path}`, headers: [], cookies: [], bodySize: 0 },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      cookies: [],
      content: { size: 2, mimeType: 'application/json', text: '{}' },
    },
    ...changes,
  };
}

const harText = (entries: readonly unknown[]): string =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, pages: [], entries } });

const read = (entries: readonly unknown[], given = {}): Promise<Reading> => readWith(har, harText(entries), given);

/** The response of one entry. */
const responding = (content: unknown, changes: Entry = {}): Entry =>
  entry('/things', 0, {
    response: { status: 200, headers: [{ name: 'content-type', value: 'application/json' }], content, ...changes },
  });

const sending = (postData: unknown, headers: unknown = [], more: Entry = {}): Entry =>
  entry('/things', 0, {
    request: { method: 'POST', url: 'https://api.example/things', headers, postData, bodySize: 7, ...more },
  });

describe('a HAR is recognised', () => {
  test.each([
    ['by its name', 'shop.har', '{"creator": "x"}'],
    ['by its beginning', 'shop.json', ' {\n "log": {'],
  ])('%s', (_, file, head) => {
    expect(har.recognises(file, head)).toBe(true);
  });
  test('and another JSON file is not', () => {
    expect(har.recognises('shop.json', '{"info": {}}')).toBe(false);
  });
});

test('an entry is one exchange, with its times and its place', async () => {
  const { exchanges, problems } = await read([
    entry('/things?a=1&b=%20#part', 0, { _resourceType: 'fetch', _securityDetails: {}, serverIPAddress: '192.0.2.1' }),
  ]);
  expect(problems).toStrictEqual([]);
  expect(exchanges).toStrictEqual([
    {
      source: 'given#/log/entries/0',
      startedAt: START,
      endedAt: START + 10,
      origin: 'https://api.example',
      request: { method: 'GET', target: '/things?a=1&b=%20', headers: [], body: undefined },
      response: { status: 200, headers: ['Content-Type', 'application/json'], body: { kind: 'text', text: '{}' } },
      isRequestAlone: undefined,
      notes: [],
      resourceType: 'fetch',
    },
  ]);
});

test('a byte order mark is passed over, however the bytes come', async () => {
  const text = `\ufeff${harText([responding({ size: 4, text: '"é🐟"' })])}`;
  for (const chunkBytes of [1, 7, 100_000]) {
    const { exchanges, problems } = await readWith(har, text, { chunkBytes });
    expect(problems).toStrictEqual([]);
    expect(exchanges[0]?.response?.body).toStrictEqual({ kind: 'text', text: '"é🐟"' });
  }
});

const NO_ENTRIES = 'The HAR has no entries: expected a list log.entries, as browsers save it: not read';

describe('a file that is not whole gives what was before', () => {
  const whole = harText([entry('/a'), entry('/b', 1), entry('/c', 2)]);

  test('when it is cut in the middle of an entry, which is told with the line', async () => {
    const cut = whole.slice(0, whole.indexOf('/c') + 1);
    const reading = await readWith(har, cut);
    expect(lines(reading)).toStrictEqual(['GET https://api.example/a -> 200', 'GET https://api.example/b -> 200']);
    expect(told(reading)).toStrictEqual([
      `line 1:${cut.length + 1} The file ends here, in the middle of its JSON: expected the closing quote of the string opened at line 1, column ${cut.lastIndexOf('"') + 1}. Is it whole? Export or save it again: 2 entries before that were read`,
    ]);
  });

  test('when it is cut at each other place, nothing is thrown', async () => {
    for (let end = 0; end < whole.length; end += 13) {
      const reading = await readWith(har, whole.slice(0, end));
      expect(told(reading)).toHaveLength(1);
      expect(reading.exchanges.length).toBeLessThan(4);
    }
  });

  test('when it is no JSON from somewhere on', async () => {
    const at = whole.indexOf('/b');
    const reading = await readWith(har, `${whole.slice(0, at)}"!${whole.slice(at)}`);
    expect(lines(reading)).toStrictEqual(['GET https://api.example/a -> 200']);
    expect(told(reading)[0]).toMatch(
      /^line 1:\d+ It is no JSON from here on: expected .*: 1 entry before that was read$/,
    );
  });

  test.each([
    ['JSON without entries', '{"log": {}}', NO_ENTRIES],
    ['a HAR of nothing', harText([]), NO_ENTRIES],
    ['an object in the place of the list', '{"log": {"entries": {"0": {}}}}', NO_ENTRIES],
  ])('%s is told', async (_, text, message) => {
    expect(told(await readWith(har, text))).toStrictEqual([message]);
  });
});

describe('entries without a response are kept as requests', () => {
  test.each([
    ['status 0', { status: 0, headers: [], content: {} }, {}, 'no response was recorded'],
    ['status -1', { status: -1, headers: [], content: { size: -1 } }, {}, 'no response was recorded'],
    ['an error of Chrome', { status: 0, _error: 'net::ERR_ABORTED' }, {}, 'no response came: net::ERR_ABORTED'],
    [
      'an error of Playwright',
      { status: -1, _failureText: 'net::ERR_FAILED' },
      {},
      'no response came: net::ERR_FAILED',
    ],
    ['no response at all', undefined, {}, 'no response was recorded'],
  ])('%s', async (_, response, more, note) => {
    const reading = await read([entry('/things', 0, { response, ...more })]);
    expect(reading.exchanges).toMatchObject([{ response: undefined, endedAt: undefined, notes: [note] }]);
    expect(told(reading)).toStrictEqual(['#/log/entries/0 The entry has no response: kept as a request alone']);
  });
});

test('what is no exchange of HTTP is left out, and told', async () => {
  const of = (url: unknown, method = 'GET'): Entry => entry('', 0, { request: { method, url } });
  const reading = await read([
    of('data:image/png;base64,AA=='),
    of('chrome-extension://abc/page.js'),
    of('not an address'),
    of('proxy.example:443', 'CONNECT'),
    of('https://api.example:443', 'CONNECT'),
    of(17),
    'nothing',
    { request: {} },
    entry('/things'),
  ]);
  expect(lines(reading)).toStrictEqual(['GET https://api.example/things -> 200']);
  expect(told(reading)).toStrictEqual([
    '#/log/entries/0 The URL is not one of HTTP: data:: left out',
    '#/log/entries/1 The URL is not one of HTTP: chrome-extension:: left out',
    '#/log/entries/2 The URL is not one of HTTP: it has no scheme: left out',
    '#/log/entries/3 The URL is not one of HTTP: proxy.example:: left out',
    '#/log/entries/4 The entry opens a tunnel through a proxy, and holds no request: left out',
    '#/log/entries/5 The entry has no request with a method and a URL: left out',
    '#/log/entries/6 The entry is not an object: left out',
    '#/log/entries/7 The entry has no request with a method and a URL: left out',
  ]);
});

describe('headers', () => {
  test('pseudo headers of HTTP/2 are no headers, and lines that a browser joined are lines again', async () => {
    const headers = [
      { name: ':method', value: 'GET' },
      { name: ':authority', value: 'api.example' },
      { name: 'accept', value: '*/*' },
    ];
    const { exchanges } = await read([
      entry('/things', 0, {
        request: { method: 'get', url: 'https://api.example/things', headers },
        response: {
          status: 200,
          headers: [
            { name: ':status', value: '200' },
            { name: 'set-cookie', value: 'a=1\nb=2; Path=/' },
            { name: 'content-encoding', value: 'br' },
          ],
          content: { size: 2, mimeType: 'application/json', text: '{}' },
        },
      }),
    ]);
    expect(exchanges).toMatchObject([
      {
        request: { method: 'GET', headers: ['accept', '*/*'] },
        response: {
          headers: [
            'set-cookie',
            'a=1',
            'set-cookie',
            'b=2; Path=/',
            'content-encoding',
            'br',
            'Content-Type',
            'application/json',
          ],
          body: { kind: 'text', text: '{}' },
        },
      },
    ]);
  });

  test('cookies become a header where that is lacking, and only there', async () => {
    const cookies = [
      { name: 'a', value: '1', path: '/', httpOnly: true },
      { name: 'b', value: '2' },
    ];
    const of = (headers: unknown, answered: unknown): Entry =>
      entry('/things', 0, {
        request: { method: 'GET', url: 'https://api.example/things', headers, cookies },
        response: { status: 204, headers: answered, cookies },
      });
    const { exchanges } = await read([
      of([], []),
      of([{ name: 'cookie', value: 'a=0' }], [{ name: 'Set-Cookie', value: 'a=0' }]),
    ]);
    expect(exchanges.map(({ request, response }) => [request.headers, response?.headers])).toStrictEqual([
      [
        ['Cookie', 'a=1; b=2'],
        ['Set-Cookie', 'a=1; Path=/; HttpOnly', 'Set-Cookie', 'b=2'],
      ],
      [
        ['cookie', 'a=0'],
        ['Set-Cookie', 'a=0'],
      ],
    ]);
  });
});

describe('the body of a response', () => {
  const bodyOf = async (content: unknown, changes: Entry = {}): Promise<unknown> => {
    const { exchanges } = await read([responding(content, changes)]);
    return exchanges[0]?.response?.body;
  };

  test('in base64 is text where it is one', async () => {
    const text = Buffer.from('{"é":1}').toString('base64');
    expect(await bodyOf({ size: 8, mimeType: 'application/json', text, encoding: 'base64' })).toStrictEqual({
      kind: 'text',
      text: '{"é":1}',
    });
  });

  test('that is no text stays in base64', async () => {
    const content = { size: 3, mimeType: 'application/pdf', text: 'AP/+', encoding: 'base64' };
    expect(await bodyOf(content)).toStrictEqual({ kind: 'bytes', base64: 'AP/+' });
  });

  test('that is text is one, whatever its type says', async () => {
    const text = Buffer.from('a,b').toString('base64');
    const content = { size: 3, mimeType: 'application/octet-stream', text, encoding: 'base64' };
    expect(await bodyOf(content)).toStrictEqual({ kind: 'text', text: 'a,b' });
  });

  test('of another charset is read in that', async () => {
    const text = Buffer.from('é', 'latin1').toString('base64');
    const content = { size: 1, mimeType: 'text/plain; charset=iso-8859-1', text, encoding: 'base64' };
    expect(await bodyOf(content)).toStrictEqual({ kind: 'text', text: 'é' });
  });

  test.each([
    ['a size of 0', { size: 0, mimeType: 'application/json' }, {}],
    ['an empty text, as Firefox writes it', { size: 0, mimeType: 'application/json', text: '' }, {}],
    ['a status without a body', { size: -1, mimeType: 'x-unknown' }, { status: 204 }],
    ['a redirect', { size: -1, mimeType: 'x-unknown' }, { status: 302 }],
  ])('is none by %s', async (_, content, changes) => {
    const reading = await read([responding(content, changes)]);
    expect(reading.exchanges[0]?.response?.body).toBeUndefined();
    expect(reading.problems).toStrictEqual([]);
  });

  test.each([
    ['of a known size', { size: 120, mimeType: 'application/json' }, 120],
    ['of an unknown one', { size: -1, mimeType: 'application/json' }, undefined],
    ['with a remark alone', { mimeType: 'application/json', comment: 'Response bodies are not included.' }, undefined],
    ['that a browser forgot', { size: 0, mimeType: 'application/json' }, 12],
    ['that Firefox forgot', { size: 0, mimeType: 'application/json', text: '' }, 12],
  ])('that the file lacks is told, %s', async (_, content, bytes) => {
    const headers = bytes === 12 ? [{ name: 'Content-Length', value: '12' }] : [];
    const reading = await read([responding(content, { headers })]);
    expect(reading.exchanges[0]?.response?.body).toStrictEqual({
      kind: 'omitted',
      reason: 'the file has no content for it',
      bytes,
    });
    expect(told(reading)).toStrictEqual([
      '#/log/entries/0 The file has no content for the body of a response: kept without that body',
    ]);
  });

  test.each([
    ['image/png', undefined, 'an image of a page'],
    ['font/woff2', undefined, 'a font of a page'],
    ['text/css; charset=utf-8', undefined, 'a style sheet of a page'],
    ['application/javascript', undefined, 'a script of a page'],
    ['', 'Script', 'a script of a page'],
  ])('of %s is not kept', async (mimeType, type, reason) => {
    const content = { size: 9, mimeType, text: 'something' };
    const { exchanges } = await read([
      entry('/x', 0, { _resourceType: type, response: { status: 200, headers: [], content } }),
    ]);
    expect(exchanges[0]?.response?.body).toStrictEqual({ kind: 'omitted', reason, bytes: 9 });
  });

  test('that is a page of HTML is kept: an API that gives one is to be told', async () => {
    const content = { size: 13, mimeType: 'text/html', text: '<h1>Login</h1>' };
    expect(await bodyOf(content, { headers: [] })).toStrictEqual({ kind: 'text', text: '<h1>Login</h1>' });
  });

  test('that a script asked for and that is a page of HTML is told', async () => {
    const content = { size: 13, mimeType: 'text/html', text: '<h1>Login</h1>' };
    const reading = await read([{ ...responding(content, { headers: [] }), _resourceType: 'xhr' }]);
    expect(reading.exchanges).toMatchObject([{ notes: ['a script asked for it, and the response is a page of HTML'] }]);
    expect(told(reading)).toStrictEqual([
      '#/log/entries/0 The response to a call of a script is a page of HTML: kept: see whether that is what the API gives',
    ]);
  });

  test('that is very large is not kept', async () => {
    const text = 'x'.repeat(8 * 1024 * 1024 + 1);
    expect(await bodyOf({ size: text.length, mimeType: 'application/json', text })).toStrictEqual({
      kind: 'omitted',
      reason: 'it has more than 8388608 bytes',
      bytes: text.length,
    });
  });

  test('is read from a file beside the HAR, as Playwright attaches it, and from nowhere else', async () => {
    const attached = (name: string): Entry => responding({ size: 8, mimeType: 'application/json', _file: name });
    const reading = await read([attached('abc.json'), attached('../abc.json'), attached('lost.json')], {
      beside: { 'abc.json': '{"a":1}', '../abc.json': 'never' },
    });
    expect(reading.exchanges.map(({ response }) => response?.body)).toStrictEqual([
      { kind: 'text', text: '{"a":1}' },
      { kind: 'text', text: '{"a":1}' },
      { kind: 'omitted', reason: 'its content was in the file lost.json, which is not there', bytes: undefined },
    ]);
    expect(told(reading)).toStrictEqual([
      '#/log/entries/2 A file with the content of a body is not beside the HAR: kept without that body',
    ]);
  });
});

describe('the body of a request', () => {
  const bodyOf = async (of: Entry): Promise<unknown> => (await read([of])).exchanges[0]?.request.body;

  test('is its text', async () => {
    const of = sending({ mimeType: 'application/json', text: '{"a":1}', params: [{ name: 'b', value: '2' }] });
    expect(await bodyOf(of)).toStrictEqual({ kind: 'text', text: '{"a":1}' });
  });

  test('is a form of its fields where there is no text', async () => {
    const params = [
      { name: 'a b', value: '1&2' },
      { name: 'c', value: 'é' },
    ];
    const of = sending({ mimeType: 'application/x-www-form-urlencoded', params, text: '' });
    expect(await bodyOf(of)).toStrictEqual({ kind: 'text', text: 'a+b=1%262&c=%C3%A9' });
  });

  test('is a form of parts with the boundary of the header', async () => {
    const params = [
      { name: 'title', value: 'one' },
      { name: 'file', value: 'text', fileName: 'a.txt', contentType: 'text/plain' },
    ];
    const headers = [{ name: 'Content-Type', value: 'multipart/form-data; boundary=abc' }];
    expect(await bodyOf(sending({ mimeType: 'multipart/form-data', params }, headers))).toStrictEqual({
      kind: 'text',
      text: [
        '--abc',
        'Content-Disposition: form-data; name="title"',
        '',
        'one',
        '--abc',
        'Content-Disposition: form-data; name="file"; filename="a.txt"',
        'Content-Type: text/plain',
        '',
        'text',
        '--abc--',
        '',
      ].join('\r\n'),
    });
  });

  test.each([
    ['by its size', sending({ mimeType: 'application/json' })],
    ['by its length', sending(undefined, [{ name: 'content-length', value: '7' }], { bodySize: 0 })],
  ])('that the file lacks is told, %s', async (_, of) => {
    const reading = await read([of]);
    expect(reading.exchanges[0]?.request.body).toStrictEqual({
      kind: 'omitted',
      reason: 'the file has no content for it',
      bytes: 7,
    });
    expect(told(reading)).toHaveLength(1);
  });
});

test('a WebSocket is kept as the request that opened it', async () => {
  const socket = entry('', 0, {
    _resourceType: 'websocket',
    _webSocketMessages: [{ type: 'send', time: 1, opcode: 1, data: 'hello' }],
    request: { method: 'GET', url: 'wss://api.example/live', headers: [] },
    response: { status: 101, headers: [], content: { size: 0 } },
  });
  const reading = await read([socket]);
  expect(reading.exchanges).toMatchObject([
    {
      origin: 'https://api.example',
      resourceType: 'websocket',
      request: { target: '/live' },
      notes: ['an upgrade to websocket: what came behind it is not recorded'],
    },
  ]);
  expect(told(reading)).toStrictEqual([
    '#/log/entries/0 The entry is a WebSocket: kept as the request that opened it, without its messages',
  ]);
});

describe('times', () => {
  test.each([
    ['2026-03-01T11:00:00.000+01:00', START],
    ['2026-03-01T11:00:00.000+0100', START],
    ['2026-03-01T10:00:00.250123Z', START + 250.123],
  ])('%s is read', async (startedDateTime, expected) => {
    const { exchanges } = await read([entry('/a', 0, { startedDateTime })]);
    expect(exchanges[0]?.startedAt).toBeCloseTo(expected, 3);
  });

  test('a time that is none is told, and the entry stays where it is', async () => {
    const reading = await read([entry('/a'), entry('/b', 0, { startedDateTime: 'yesterday' }), entry('/c', 5)]);
    expect(reading.exchanges.map(({ request, startedAt }) => [request.target, startedAt])).toStrictEqual([
      ['/a', START],
      ['/b', undefined],
      ['/c', START + 5],
    ]);
    expect(told(reading)).toStrictEqual([
      '#/log/entries/1 The entry has no startedDateTime that can be read: kept where it stands in the file',
    ]);
  });
});

describe('the order is that of time', () => {
  const order = async (entries: readonly Entry[]): Promise<string> => {
    const { exchanges } = await read(entries);
    return exchanges.map(({ request }) => request.target.slice(1)).join('');
  };

  test('when the file has entries by their end', async () => {
    expect(await order([entry('/b', 5, { time: 5 }), entry('/a', 0, { time: 60 }), entry('/c', 80)])).toBe('abc');
  });

  test('when the newest entry comes first', async () => {
    expect(await order([entry('/c', 200), entry('/b', 100), entry('/a', 0)])).toBe('abc');
  });

  test('when pages stand one after the other', async () => {
    const on = (page: string, path: string, ms: number): Entry => entry(path, ms, { pageref: page });
    const entries = [on('p1', '/a', 0), on('p1', '/c', 200), on('p1', '/e', 400), on('p1', '/g', 600)];
    expect(await order([...entries, on('p2', '/b', 100), on('p2', '/d', 300), on('p2', '/f', 500)])).toBe('abcdefg');
  });

  test('and of the file where two began in one millisecond', async () => {
    expect(await order([entry('/a'), entry('/b'), entry('/c'), entry('/d')])).toBe('abcd');
  });

  test('and of the file where the clock went back, and the times behind go on', async () => {
    const entries = [entry('/a', 3_600_000), entry('/b', 3_600_100), entry('/c', 3_600_200), entry('/d', 3_600_300)];
    const reading = await read([...entries, entry('/e', 0), entry('/g', 200), entry('/f', 100, { time: 150 })]);
    expect(reading.exchanges.map(({ request }) => request.target.slice(1)).join('')).toBe('abcdefg');
    const starts = reading.exchanges.map(({ startedAt }) => (startedAt ?? 0) - START);
    expect(starts.slice(4)).toStrictEqual([3_600_310, 3_600_410, 3_600_510]);
    expect(told(reading)).toStrictEqual([
      '#/log/entries/4 The clock went back by 3600 s before this entry: the order of the file was kept, and the later times moved behind the earlier ones',
    ]);
  });
});
