import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedBody } from '../../../src/traffic/exchange/recorded-exchange';
import { har } from '../../../src/traffic/readers/har';
import { originsOf } from '../../../src/traffic/readers/origins';
import { readWith, type Reading } from './read';

// Each browser wrote down what one page of ours asked for: test/traffic/make-fixtures.ts.
const BROWSERS = ['chrome', 'firefox', 'playwright'];
const API = 'http://127.0.0.1:4010';

const readings = new Map<string, Reading>();
beforeAll(async () => {
  for (const name of BROWSERS) {
    const file = `${name}.har`;
    readings.set(
      name,
      await readWith(har, readFileSync(join(__dirname, '../fixtures', file)), { file, chunkBytes: 777 }),
    );
  }
});

const textOf = (body: RecordedBody | undefined): string => (body?.kind === 'text' ? body.text : (body?.kind ?? 'none'));

describe.each(BROWSERS)('a HAR of %s', (name) => {
  const exchanges = (): Reading['exchanges'] => readings.get(name)!.exchanges;

  test('has the calls of the API in their order, with their bodies', () => {
    const calls = exchanges().filter(({ origin, request }) => origin === API && request.method !== 'OPTIONS');
    expect(
      calls.map(({ request, response }) => [
        `${request.method} ${request.target} ${response?.status}`,
        textOf(request.body),
        textOf(response?.body).slice(0, 40),
      ]),
    ).toStrictEqual([
      ['POST /categories 201', '{"name":"Parrots"}', '{"id":3,"name":"Parrots"}'],
      ['GET /categories/3 200', 'none', '{"id":3,"name":"Parrots"}'],
      [
        'POST /pets 201',
        '{"name":"Käthe","categoryId":3,"status":"available"}',
        '{"id":4,"name":"Käthe","categoryId":3,"s',
      ],
      ['GET /pets?limit=2 200', 'none', '[{"id":1,"name":"Biscuit","categoryId":1'],
      ['GET /pets/4 200', 'none', '{"id":4,"name":"Käthe","categoryId":3,"s'],
      ['POST /store/orders 201', '{"petId":4,"quantity":1}', '{"id":3,"petId":4,"quantity":1,"complete'],
      ['GET /store/orders/3 200', 'none', '{"id":3,"petId":4,"quantity":1,"complete'],
      ['DELETE /store/orders/3 204', 'none', 'none'],
      ['DELETE /pets/4 204', 'none', 'none'],
      ['GET /pets/4 404', 'none', expect.stringContaining('{"code":')],
      ['DELETE /categories/3 204', 'none', 'none'],
    ]);
  });

  test('has the credentials that were sent, and times that go forward', () => {
    const calls = exchanges().filter(({ origin, request }) => origin === API && request.method !== 'OPTIONS');
    for (const { request } of calls) {
      const names = request.headers.filter((_, index) => index % 2 === 0).map((each) => each.toLowerCase());
      expect(names).toContain('authorization');
    }
    const times = exchanges().map(({ startedAt }) => startedAt!);
    expect(times).toStrictEqual([...times].sort((one, other) => one - other));
    // Chrome does not say of each preflight when it ended.
    for (const { startedAt, endedAt } of calls) expect(endedAt).toBeGreaterThanOrEqual(startedAt!);
  });

  test('keeps of the page what may be of an API: no scripts, styles and images', () => {
    const bodies = exchanges()
      .filter(({ request }) => request.target.startsWith('/shop.'))
      .map(({ response }) => response?.body);
    expect(bodies.length).toBeGreaterThanOrEqual(3);
    expect(new Set(bodies.map((body) => (body?.kind === 'omitted' ? body.reason : body?.kind)))).toStrictEqual(
      new Set(['a style sheet of a page', 'a script of a page', 'an image of a page']),
    );
  });

  test('has the forms that were sent', () => {
    const forms = exchanges().filter(({ request }) => request.target === '/form');
    expect(forms.map(({ request }) => textOf(request.body))).toStrictEqual([
      'user=ann&note=a%26b',
      // Playwright writes none that has a file in it; its Content-Length says that there was one.
      name === 'playwright' ? 'omitted' : expect.stringMatching(/name="title"\r\n\r\none\r\n.*filename="a\.txt"/s),
    ]);
  });

  test('has the request that nobody answered', () => {
    expect(exchanges().at(-1)).toMatchObject({ origin: 'http://127.0.0.1:4012', response: undefined });
    expect(readings.get(name)!.problems.map(({ problem }) => problem)).toContain('The entry has no response');
  });

  test('shows which origin is the API', () => {
    expect(originsOf(exchanges())[0]).toMatchObject({ origin: API, calls: 11 });
  });
});
