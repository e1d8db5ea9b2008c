import type { Page } from 'playwright-core';
import { KEY, startServer, type TestServer } from '../support/server';
import { inBrowser } from './chromium';
import { barriersInBothSchemes, eventually, launchWindow, whenLive, type WindowBrowser } from './window';

const SCRIPT = '"><img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>';

/** What follows it is written from right to left (U+202E). */
const TURNED = `${SCRIPT}\u202Egat`;

/** A description whose every text is a script. */
const HOSTILE = {
  openapi: '3.0.3',
  info: { title: SCRIPT, version: SCRIPT, description: SCRIPT },
  tags: [{ name: TURNED, description: SCRIPT }],
  paths: {
    '/things': {
      post: {
        operationId: SCRIPT,
        summary: SCRIPT,
        description: SCRIPT,
        tags: [TURNED],
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
        responses: {
          201: {
            description: SCRIPT,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
        },
      },
      get: {
        operationId: 'listThings',
        responses: {
          200: {
            description: SCRIPT,
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        description: SCRIPT,
        properties: { id: { type: 'integer' }, name: { type: 'string' }, [SCRIPT]: { type: 'string' } },
      },
    },
  },
};

inBrowser('a hostile description, and hostile requests', () => {
  let server: TestServer;
  let window: WindowBrowser;
  let page: Page;
  beforeAll(async () => {
    [server, window] = await Promise.all([startServer({ description: HOSTILE }), launchWindow()]);
    page = await window.open(server.url);
    await whenLive(page);
    const body = JSON.stringify({ name: SCRIPT, [SCRIPT]: SCRIPT, price: 12.5 }).replace('12.5', '12.50');
    const headers = { 'Content-Type': 'application/json', 'X-Hostile': SCRIPT };
    await fetch(`${server.url}/things?q=${encodeURIComponent(SCRIPT)}`, { method: 'POST', headers, body });
    await fetch(`${server.url}/things`, { method: 'POST', headers: { 'Content-Type': 'text/html' }, body: SCRIPT });
  });
  afterAll(async () => {
    await window.close();
    await server.close();
  });

  test.each(['requests', 'requests/1', 'requests/2', 'sandboxes', 'sandboxes/default', 'coverage'])(
    'run nothing in %s',
    async (view) => {
      await page.goto(`${server.url}/__standin/#/${view}`);
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
      await page.locator('.json, .diff, .grid, .table').first().waitFor();
      expect(await page.locator('img, script:not([src])').count()).toBe(0);
      expect(await page.title()).toContain(SCRIPT);
      expect(window.watch.complaints).toStrictEqual([]);
      expect([...window.watch.origins]).toStrictEqual([server.url]);
    },
  );

  test('turn no text that stands beside theirs', async () => {
    await page.goto(`${server.url}/__standin/#/coverage`);
    const beside = page.locator('.cell-group .quiet').first();
    await beside.waitFor();
    const places = await beside.evaluate((element) => {
      const leftOf = (at: number): number => {
        const range = element.ownerDocument.createRange();
        const text = element.firstChild;
        if (text !== null) range.setStart(text, at);
        if (text !== null) range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      };
      return [leftOf(0), element.parentElement?.firstElementChild?.getBoundingClientRect().right ?? 0];
    });
    expect(places[0]).toBeGreaterThanOrEqual(places[1] ?? 0);
  });

  test('are shown as the text that they are, numbers with every digit', async () => {
    await page.goto(`${server.url}/__standin/#/requests/1`);
    const body = page.getByRole('group', { name: 'body of the request' });
    await body.waitFor();
    expect(await body.innerText()).toContain(JSON.stringify(SCRIPT));
    expect(await body.innerText()).toContain('price: 12.50');
    expect(await page.locator('.split-details').innerText()).toContain(SCRIPT);
  });

  test('a script in the address is a view that there is not', async () => {
    await page.goto(`${server.url}/__standin/#/${encodeURIComponent(SCRIPT)}?sandbox=${encodeURIComponent(SCRIPT)}`);
    await page.getByText('There is no such view').waitFor();
    expect(window.watch.complaints).toStrictEqual([]);
  });
});

inBrowser('a mock that is steered while the window is open', () => {
  let server: TestServer;
  let window: WindowBrowser;
  let page: Page;
  const start = async (options: Parameters<typeof startServer>[0] = {}): Promise<void> => {
    [server, window] = await Promise.all([startServer(options), launchWindow()]);
    page = await window.open(server.url);
  };
  afterEach(async () => {
    await window.close();
    await server.close();
  });

  test('its token is asked for once, and kept in memory alone', async () => {
    await start({ adminToken: 'the-secret' });
    const field = page.getByRole('textbox', { name: 'Admin token' });
    await field.fill('wrong');
    await page.getByRole('button', { name: 'Use it' }).click();
    await page.getByText('That was not the token of this mock').waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await field.fill('the-secret');
    await page.getByRole('button', { name: 'Use it' }).click();
    await whenLive(page);
    await page.getByText('No request yet').waitFor();
    const kept = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])',
    );
    expect(kept).not.toContain('the-secret');
    await page.reload();
    await field.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Enter the token' }).click();
    await field.fill('the-secret');
    await page.keyboard.press('Enter');
    await whenLive(page);
  });

  test('when it stops and starts, it is missed, found again and told as another one', async () => {
    await start();
    await whenLive(page);
    const get = (): Promise<Response> => fetch(`${server.url}/pets/1`, { headers: { Authorization: KEY } });
    await get();
    await page.getByText(/^1 request\b/).waitFor();
    await server.close();
    await page.getByText('Connection lost.').waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    server = await startServer({}, server.port);
    await page.getByText('The mock was restarted').waitFor();
    await page.getByText('No request yet').waitFor();
    await page.getByRole('button', { name: 'OK' }).click();
    await whenLive(page);
    await get();
    await page.getByText(/^1 request\b/).waitFor();
    expect(window.watch.complaints).toStrictEqual([]);
  });

  test('what is not natural is told, and taken away by a button', async () => {
    await start();
    await whenLive(page);
    server.app.setFaults('latency:1ms', 'status:503;times=100');
    server.app.setClock(new Date('2031-01-01T00:00:00Z'), { fixed: true });
    server.app.respond('getPet', { status: 404 });
    const banner = page.getByRole('region', { name: 'Not natural right now' });
    await banner.getByText('latency:1ms').waitFor();
    await banner.getByText('the clock stands at 2031-01-01').waitFor();
    await banner.getByText('getPet').waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    const buttons = banner.getByRole('button');
    for (let left = await buttons.count(); left > 0; left--) {
      await buttons.first().click();
      await eventually(
        () => buttons.count(),
        (count) => count === left - 1,
      );
    }
    expect(server.app.faults()).toStrictEqual([]);
  });
});
