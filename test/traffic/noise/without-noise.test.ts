import { type CleanExchange, secretMark } from '../../../src/traffic/exchange/recorded-exchange';
import { nothingLeft, withoutNoise } from '../../../src/traffic/noise/without-noise';
import { exchange, type Said } from '../recorded';

const JSON_CALL = exchange('GET /pets', { answered: [] });
const html = { 'Content-Type': 'text/html; charset=utf-8' };

/** Why an exchange is dropped beside a call of the API; `kept` where it is not. */
function reasonFor(one: CleanExchange): string {
  const { kept, dropped } = withoutNoise([JSON_CALL, one], { origin: 'https://api.example' });
  return kept.includes(one) ? 'kept' : (dropped.find(({ exchanges }) => exchanges.includes(one))?.id ?? 'lost');
}

type Line = readonly [string, string, string, Said];

describe('what of traffic is noise', () => {
  it.each<Line>([
    [
      'asset',
      'a script by its type',
      'GET /app',
      { responseHeaders: { 'Content-Type': 'text/javascript' }, answered: 'x' },
    ],
    ['asset', 'a style sheet by its ending', 'GET /main.css', {}],
    ['asset', 'a source map', 'GET /app.js.map', { answered: {} }],
    [
      'asset',
      'an image of a page',
      'GET /logo',
      { resourceType: 'image', responseHeaders: { 'Content-Type': 'image/png' } },
    ],
    [
      'asset',
      'a picture by its name',
      'GET /logo.png',
      { responseHeaders: { 'Content-Type': 'image/png' }, answered: 'x' },
    ],
    ['browser', 'the icon of a site', 'GET /favicon.ico', { status: 404, answered: {} }],
    [
      'preflight',
      'a preflight',
      'OPTIONS /pets',
      { status: 204, headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'PUT' } },
    ],
    ['report', 'a beacon', 'POST /pets', { resourceType: 'beacon', sent: { a: 1 } }],
    [
      'report',
      'a beacon that a proxy saw, and that was refused',
      'POST /analytics/collect',
      { status: 404, headers: { 'Sec-Fetch-Mode': 'no-cors' }, sent: '{}', answered: { code: 'not_found' } },
    ],
    [
      'report',
      'a plain text to another origin',
      'POST /x',
      { origin: 'https://t.example', headers: { 'Content-Type': 'text/plain;charset=UTF-8' }, sent: '{}' },
    ],
    ['report', 'a count of visitors elsewhere', 'GET /g/collect?v=1', { origin: 'https://t.example', answered: {} }],
    ['report', 'a count of visitors that nobody reads', 'POST /api/telemetry', { status: 204, sent: { a: 1 } }],
    ['other-origin', 'another host', 'GET /pets', { origin: 'https://other.example', answered: [] }],
    ['other-origin', 'another port', 'GET /pets', { origin: 'https://api.example:8443', answered: [] }],
    ['page', 'a page', 'GET /login', { responseHeaders: html, answered: '<html>' }],
    [
      'page',
      'a page in the place of the API',
      'GET /pets/1',
      { resourceType: 'fetch', responseHeaders: html, answered: '<html>' },
    ],
    ['upgrade', 'a websocket', 'GET /live', { status: 101, headers: { Upgrade: 'websocket' } }],
    ['no-response', 'a request without a response', 'GET /pets/1', { isLost: true }],
    ['stream', 'a stream of events', 'GET /events', { responseHeaders: { 'Content-Type': 'text/event-stream' } }],
    ['prefetch', 'a prefetch', 'GET /pets/1', { headers: { 'Sec-Purpose': 'prefetch;prerender' }, answered: {} }],
    [
      'forced',
      'a fault of the mock',
      'GET /pets/1',
      { status: 503, responseHeaders: { 'X-Standin-Fault': 'status:503;times=2' } },
    ],
    [
      'forced',
      'a status that was asked for',
      'GET /pets/1',
      { status: 404, responseHeaders: { 'Preference-Applied': 'code=404' } },
    ],
    [
      'cache',
      'a 304 of a browser',
      'GET /pets/1',
      { status: 304, resourceType: 'fetch', headers: { 'If-None-Match': '"1"' } },
    ],
    [
      'cache',
      'a 304 of a browser, seen by a proxy',
      'GET /pets/1',
      {
        status: 304,
        headers: { 'If-None-Match': '"1"', 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'same-site' },
      },
    ],
    [
      'cache',
      'a 304 by date',
      'GET /pets/1',
      { status: 304, headers: { 'If-Modified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' } },
    ],
  ])('%s: %s', (reason, _, line, said) => {
    expect(reasonFor(exchange(line, said))).toBe(reason);
  });

  it.each<Line>([
    ['', 'JSON', 'POST /pets', { sent: { a: 1 }, status: 201, answered: {} }],
    [
      '',
      'a picture that the API shows',
      'GET /pets/1/photo',
      { responseHeaders: { 'Content-Type': 'image/png' }, answered: 'x' },
    ],
    [
      '',
      'a picture that a script asked for',
      'GET /a.png',
      { resourceType: 'fetch', responseHeaders: { 'Content-Type': 'image/png' }, answered: 'x' },
    ],
    [
      '',
      'a file behind a login',
      'GET /files/a.png',
      {
        headers: { Authorization: 'Bearer ~secret.a~' },
        responseHeaders: { 'Content-Type': 'image/png' },
        answered: 'x',
      },
    ],
    ['', 'a list that is called as reports are', 'GET /analytics', { answered: [1] }],
    ['', 'the origin with its usual port', 'GET /pets/2', { origin: 'HTTPS://API.example:443', answered: {} }],
    [
      '',
      'an error that is HTML, to a program',
      'GET /pets/1',
      { status: 502, headers: { Accept: 'application/json' }, responseHeaders: html, answered: '<html>' },
    ],
    ['', 'a 304 that a program asked for', 'GET /pets/1', { status: 304, headers: { 'If-None-Match': '"1"' } }],
    [
      '',
      'a 304 that a program asked for by fetch',
      'GET /pets/1',
      { status: 304, headers: { 'If-None-Match': '"1"', 'Sec-Fetch-Mode': 'cors', 'User-Agent': 'node' } },
    ],
    [
      '',
      'a response of the mock that is late',
      'GET /pets/1',
      { answered: {}, responseHeaders: { 'X-Standin-Fault': 'latency:20ms, dribble:10/1ms' } },
    ],
    [
      '',
      'a short response that was asked for',
      'PUT /pets/1',
      { status: 204, responseHeaders: { 'Preference-Applied': 'return=minimal' } },
    ],
    ['', 'a redirect of the API', 'POST /pets', { status: 303, responseHeaders: { Location: '/pets/1' } }],
    ['', 'a removal without a body', 'DELETE /pets/1', { status: 204 }],
    ['', 'a removal whose empty response has the type of pages', 'DELETE /pets/1', { responseHeaders: html }],
  ])('%skeeps %s', (_, __, line, said) => {
    expect(reasonFor(exchange(line, said))).toBe('kept');
  });

  it('drops redirects that end at a page, and keeps others', () => {
    const [first, second, page] = [
      exchange('GET /old', { status: 301, responseHeaders: { Location: '/older' } }),
      exchange('GET /older', { status: 302, responseHeaders: { Location: 'https://api.example/home#top' } }),
      exchange('GET /home', { responseHeaders: html, answered: '<html>' }),
    ];
    const { dropped } = withoutNoise([JSON_CALL, first, second, page]);
    expect(dropped.map(({ id, exchanges }) => [id, exchanges])).toEqual([
      ['page', [page]],
      ['redirect', [first, second]],
    ]);
  });

  it('finds the origin with most JSON, of several the first, and takes the one that it is told', () => {
    const at = (origin: string, count: number): CleanExchange[] =>
      Array.from({ length: count }, (_, index) => exchange(`GET /${index}`, { origin, answered: {} }));
    const page = exchange('GET /', { origin: 'https://www.example', responseHeaders: html, answered: '<html>' });
    const all = [page, ...at('https://a.example', 2), ...at('https://b.example', 3)];
    expect(withoutNoise(all)).toMatchObject({ origin: 'https://b.example', kept: { length: 3 } });
    expect(withoutNoise(all, { origin: 'https://a.example/' })).toMatchObject({
      origin: 'https://a.example',
      kept: { length: 2 },
    });
    expect(withoutNoise([...at('https://a.example', 1), ...at('https://b.example', 1)]).origin).toBe(
      'https://a.example',
    );
    expect(withoutNoise([page]).origin).toBeUndefined();
  });

  it('loses nothing, keeps the order, and gives examples with their places', () => {
    const all = [
      exchange('GET /a.js', {}),
      exchange('GET /pets', { answered: [] }),
      exchange('GET /a.js', {}),
      exchange('GET /b.css', {}),
      exchange('POST /pets', { sent: {}, answered: {} }),
    ];
    const { kept, dropped } = withoutNoise(all);
    expect(kept).toEqual([all[1], all[4]]);
    expect(dropped).toEqual([
      {
        id: 'asset',
        reason: 'assets of pages',
        count: 3,
        examples: [
          `GET https://api.example/a.js (${all[0]?.source})`,
          `GET https://api.example/b.css (${all[3]?.source})`,
        ],
        exchanges: [all[0], all[2], all[3]],
      },
    ]);
  });
});

it('says of one exchange what it is in the singular', () => {
  const all = [
    exchange('GET /a.js', {}),
    exchange('GET /pets', { answered: [] }),
    exchange('GET /pets', { answered: [] }),
  ];
  expect(withoutNoise(all).dropped.map(({ count, reason }) => `${count} ${reason}`)).toEqual([
    '1 asset of a page',
    '1 request made again, with the same response and nothing changed between',
  ]);
});

describe('repetitions in traffic', () => {
  const read = (answered: unknown, status = 200): CleanExchange => exchange('GET /jobs/1', { status, answered });
  const ids = (exchanges: readonly CleanExchange[]): Record<string, number> =>
    Object.fromEntries(withoutNoise(exchanges).dropped.map(({ id, count }) => [id, count]));

  it('are dropped where the response is the same and nothing was written between', () => {
    const all = [read({ a: 1 }), exchange('GET /other', { answered: [] }), read({ a: 1 }), read({ a: 1 })];
    expect(withoutNoise(all).kept).toEqual([all[0], all[1]]);
    expect(ids(all)).toEqual({ duplicate: 2 });
  });

  it('are kept behind a write', () => {
    const all = [read({ a: 1 }), exchange('PUT /jobs/1', { sent: {}, answered: {} }), read({ a: 1 })];
    expect(withoutNoise(all).kept).toEqual(all);
  });

  it('are kept where another asks, or for something else', () => {
    const as = (name: string, value: string): CleanExchange =>
      exchange('GET /jobs/1', { headers: { [name]: value }, answered: { a: 1 } });
    const all = [read({ a: 1 }), as('Authorization', 'Bearer ~secret.a~'), as('Accept', 'text/csv')];
    expect(withoutNoise(all).kept).toEqual(all);
  });

  it.each([
    ['a state', [read({ status: 'pending' }), read({ status: 'pending' }), read({ status: 'done' })]],
    ['a status', [read({}, 404), read({}, 404), read({})]],
    ['whatever it is, in three responses', [read({ n: 1 }), read({ n: 2 }), read({ n: 3 })]],
  ])('that wait for %s leave the last, which says how often it was asked for', (_, all) => {
    const { kept, waited } = withoutNoise(all);
    const last = all.at(-1)!;
    expect(kept).toEqual([last]);
    expect([...waited]).toEqual([[last, all]]);
    expect(ids(all)).toEqual({ poll: 2 });
  });

  describe('at the beat of a clock', () => {
    const SECONDS = [0, 1, 2.1, 3, 4, 5.05];
    /** Asked for each second, answered so, and something written before each. */
    function asked(seconds: readonly number[], answers: readonly unknown[]): CleanExchange[] {
      const others = exchange('GET /jobs', { answered: [] });
      const all = seconds.flatMap((second, index) => [
        exchange('PUT /news/1', { sent: { index }, answered: {}, at: second * 1000 - 10 }),
        exchange('GET /news', { answered: { n: answers[index] }, at: second * 1000 }),
      ]);
      return [{ ...others, startedAt: 0 }, ...all];
    }
    const newsIn = (exchanges: readonly CleanExchange[]): number[] =>
      withoutNoise(exchanges).kept.flatMap((each) =>
        each.request.target === '/news' ? [exchanges.indexOf(each)] : [],
      );

    it('are dropped behind writes as well, where the response is that of the one before', () => {
      const all = asked(SECONDS, [1, 1, 1, 2, 2, 2]);
      expect(newsIn(all)).toEqual([2, 8]);
      expect(ids(all)).toEqual({ timer: 4 });
    });

    it('are kept where there is no beat', () => {
      expect(newsIn(asked([0, 1, 5, 5.2, 9, 9.5], [1, 1, 1, 1, 1, 1]))).toHaveLength(6);
    });

    it('are duplicates where nothing was written between, whoever asked', () => {
      const all = SECONDS.map((second) => exchange('GET /news', { answered: { n: 1 }, at: second * 1000 }));
      expect(ids(all)).toEqual({ duplicate: 5 });
    });

    it('are no matter of a clock where a list is read again behind each write, and once before the first', () => {
      const listed = (second: number, n: number): CleanExchange =>
        exchange('GET /news', { answered: { n }, at: second * 1000 });
      const write = (second: number): CleanExchange =>
        exchange('POST /news', { sent: { second }, status: 201, answered: {}, at: second * 1000 });
      const filtered = exchange('GET /news?read=true', { answered: { n: 0 }, at: 250 });
      const all = [
        ...[listed(0, 1), filtered, listed(0.5, 1)],
        ...[write(1.4), listed(1.5, 2), write(2.1), listed(2.2, 3), write(3.2), listed(3.3, 4)],
      ];
      expect(ids(all)).toEqual({ duplicate: 1 });
      expect(withoutNoise(all).kept).toHaveLength(8);
    });

    it('are kept where it is as quick as no page asks again', () => {
      expect(newsIn(asked([0, 0.02, 0.04, 0.06, 0.08, 0.1], [1, 1, 1, 1, 1, 1]))).toHaveLength(6);
    });
  });

  it('are kept where two responses differ in something else', () => {
    const all = [read({ n: 1 }), read({ n: 2 })];
    expect(withoutNoise(all).kept).toEqual(all);
  });

  it('of what a client asks before whatever it does are duplicates, over writes as well', () => {
    const status = (): CleanExchange => exchange('GET /v2/status', { answered: { version: '1' } });
    const write = (): CleanExchange => exchange('POST /v2/pets', { sent: {}, status: 201, answered: {} });
    const all = [status(), write(), status(), write(), status(), exchange('GET /v2/pets', { answered: [] })];
    expect(withoutNoise(all).kept).toEqual([all[0], all[1], all[3], all[5]]);
    const other = exchange('GET /v2/status', { answered: { version: '2' } });
    expect(withoutNoise([...all, write(), other]).kept).toHaveLength(8);
  });

  it('of what is written to are kept', () => {
    const pet = (): CleanExchange => exchange('GET /v2/pets/1', { answered: { id: 1 } });
    const write = (): CleanExchange => exchange('PATCH /v2/pets/1', { sent: {}, status: 422, answered: {} });
    const all = [pet(), write(), pet(), write(), pet(), exchange('GET /v2/status', { answered: {} })];
    expect(withoutNoise(all).kept).toHaveLength(6);
  });

  it('of what has come to its end are duplicates', () => {
    const all = [read({ status: 'pending' }), read({ status: 'done' }), read({ status: 'done' })];
    const { kept, waited } = withoutNoise(all);
    expect(kept).toEqual([all[1]]);
    expect([...waited.values()]).toEqual([all.slice(0, 2)]);
    expect(ids(all)).toEqual({ duplicate: 1, poll: 1 });
  });
});

describe('traffic that is no API', () => {
  const said = (...exchanges: readonly CleanExchange[]): ReturnType<typeof nothingLeft> =>
    nothingLeft(withoutNoise(exchanges, { origin: 'https://api.example' }));

  it('is told of with what it is instead, and what to do', () => {
    const page = exchange('GET /', { responseHeaders: html, answered: '<html>' });
    expect(said(page, page, exchange('GET /a.css', {}))).toEqual({
      message:
        'Nothing of 3 exchanges is traffic of an API at https://api.example: asset of a page (1), HTML pages (2)',
      hint: expect.stringContaining('What was recorded answers HTML. Expected JSON'),
    });
    expect(said(exchange('GET /a', { origin: 'https://b.example', answered: {} }))?.hint).toBe(
      'Name the origin of the API as the target; the requests went to https://b.example.',
    );
    expect(said(exchange('GET /a', { isLost: true }))?.hint).toContain('Record the responses too');
    expect(said(exchange('GET /a.css', {}))?.hint).toMatch(/^For example: GET https:\/\/api\.example\/a\.css/);
    expect(said()?.message).toBe('The recording has no exchange');
    expect(said(JSON_CALL)).toBeUndefined();
  });
});

test('the same request with another key is another request', () => {
  const asked = (key: string, said: object): CleanExchange =>
    exchange('GET /things', { headers: { 'X-Api-Key': secretMark(key) }, ...said });
  const all = [
    asked('other', { status: 403, answered: { code: 'no' } }),
    asked('key', { answered: [] }),
    asked('third', { answered: [] }),
  ];
  const { kept, waited } = withoutNoise(all);
  expect([kept, waited.size]).toStrictEqual([all, 0]);
});

describe('requests of a file that has no responses', () => {
  const alone = (line: string, said: Said = {}): CleanExchange => ({
    ...exchange(line, { ...said, isLost: true }),
    isRequestAlone: true,
  });

  test('are kept where a description says what to expect, and one that was made again counts once', () => {
    const all = [alone('GET /things'), alone('GET /things'), alone('POST /things', { sent: {} }), alone('GET /things')];
    const { kept } = withoutNoise(all, { keepsRequests: true, origin: 'https://api.example' });
    expect(kept).toStrictEqual([all[0], all[2], all[3]]);
    expect(withoutNoise(all).kept).toStrictEqual([]);
  });

  test('do not wait for a response', () => {
    const all = [alone('GET /things'), exchange('GET /things', { answered: [] }), alone('GET /things')];
    const { kept, waited } = withoutNoise(all, { keepsRequests: true });
    expect([kept, waited.size]).toStrictEqual([[all[1]], 0]);
  });

  test('are no requests whose response got lost', () => {
    const lost = exchange('GET /things/1', { isLost: true });
    expect(withoutNoise([alone('GET /things'), lost], { keepsRequests: true, origin: lost.origin }).kept).toHaveLength(
      1,
    );
  });
});
