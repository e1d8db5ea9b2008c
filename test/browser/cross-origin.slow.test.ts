import type { Browser, Page } from 'playwright-core';
import { startServer, type TestServer } from '../support/server';
import { inBrowser, launch, openSite, type Site } from './chromium';

interface Call {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What a script of the page may see of an answer; `blocked` where the browser keeps it from the script. */
interface Seen {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const KEY = { Authorization: 'Bearer test-key' };
const JSON_TYPE = { ...KEY, 'Content-Type': 'application/json' };

inBrowser('a web page of another origin', () => {
  let server: TestServer;
  let site: Site;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [server, site, browser] = await Promise.all([startServer(), openSite(), launch()]);
    page = await browser.newPage();
    await page.goto(site.url);
  });
  beforeEach(() => {
    server.app.reset();
  });
  afterAll(async () => {
    await browser.close();
    await Promise.all([site.close(), server.close()]);
  });

  async function call(
    target: TestServer,
    { method = 'GET', path, headers = KEY, body }: Call,
  ): Promise<Seen | 'blocked'> {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return page.evaluate(
      async ([url, options]) => {
        try {
          const response = await fetch(url, options);
          const text = await response.text();
          const parsed: unknown = text === '' ? undefined : JSON.parse(text);
          return { status: response.status, headers: Object.fromEntries(response.headers), body: parsed };
        } catch {
          return 'blocked';
        }
      },
      [`${target.url}${path}`, init] as const,
    );
  }

  async function seen(request: Call): Promise<Seen> {
    const answer = await call(server, request);
    if (answer === 'blocked') throw new Error('The browser kept the answer from the page');
    return answer;
  }

  test('lives with a pet: preflights, headers that are shown, conditions', async () => {
    const pet = { name: 'Nova', categoryId: 1 };
    const created = await seen({ method: 'POST', path: '/pets', headers: JSON_TYPE, body: pet });
    expect(created).toMatchObject({ status: 201, body: { id: 4, ...pet, status: 'available' } });
    const { location = '', etag = '' } = created.headers;
    expect(location).toBe(`${server.url}/pets/4`);

    const path = new URL(location).pathname;
    const read = await seen({ path });
    expect([read.status, read.headers['etag'], read.headers['deprecation']]).toEqual([200, etag, '@1767225600']);

    const headers = { ...JSON_TYPE, 'If-Match': '"another"' };
    const refused = await seen({ method: 'PUT', path, headers, body: { ...pet, status: 'sold' } });
    expect(refused).toMatchObject({ status: 412, body: { code: 'precondition_failed', status: 412 } });
    expect(await seen({ method: 'DELETE', path, headers: { ...KEY, 'If-Match': etag } })).toMatchObject({
      status: 204,
    });
  });

  test('sees how many there are, and where the list goes on', async () => {
    const { headers } = await seen({ path: '/pets?limit=1' });
    expect(headers['x-total-count']).toBe('3');
    expect(headers['link']).toContain('rel="next"');
  });

  test.each([
    { what: 'no key', call: { path: '/pets', headers: {} }, status: 401, shown: 'www-authenticate' },
    {
      what: 'a method that is not there',
      call: { method: 'PATCH', path: '/pets', headers: KEY },
      status: 405,
      shown: 'allow',
    },
    { what: 'a path that is not there', call: { path: '/nowhere' }, status: 404, shown: 'content-type' },
  ])('can read why it was refused: $what', async ({ call: request, status, shown }) => {
    const answer = await seen(request);
    expect(answer).toMatchObject({ status, body: { code: expect.any(String) as string, status } });
    expect(Object.keys(answer.headers)).toContain(shown);
  });

  test('can neither see nor steer the mock by its admin routes', async () => {
    const before = server.stateText();
    expect(await call(server, { path: '/__standin/state', headers: {} })).toBe('blocked');
    const reset = {
      method: 'POST',
      path: '/__standin/reset',
      headers: { 'Content-Type': 'application/json' },
      body: {},
    };
    await seen({ method: 'POST', path: '/categories', headers: JSON_TYPE, body: { name: 'Birds' } });
    const changed = server.stateText();
    expect(changed).not.toBe(before);
    expect(await call(server, reset)).toBe('blocked');
    expect(server.stateText()).toBe(changed);
  });

  test('is kept out where another origin alone is let in', async () => {
    const strict = await startServer({ corsOrigins: ['https://app.example'] });
    try {
      expect(await call(strict, { path: '/categories' })).toBe('blocked');
    } finally {
      await strict.close();
    }
  });
});
