import type { Locator, Page } from 'playwright-core';
import { startServer, type TestServer } from '../support/server';
import { list, object, ref, smallApi, type SmallOperation, text, whole } from '../support/small-api';
import { inBrowser } from './chromium';
import { barriersInBothSchemes, eventually, launchWindow, pageWidth, whenLive, type WindowBrowser } from './window';

const THING = object({ id: whole, name: text, at: { type: 'string', format: 'date-time' } }, ['id', 'name']);
const SHOP = JSON.parse(
  smallApi(
    {
      'GET /things': { answers: { 200: list(ref('Thing')) } },
      'GET /things/{id}': { answers: { 200: ref('Thing'), 404: null } },
    },
    { Thing: THING },
    { id: whole },
  ),
) as object;

let window: WindowBrowser;
let page: Page;
const rows = (): Locator => page.locator('.grid-body').getByRole('row');

/** Asks the engine of a mock, as its sockets do. */
async function ask({ mock, host }: TestServer, targets: readonly string[]): Promise<void> {
  for (const target of targets) {
    const headers = { host };
    await mock.engine.handle({ method: 'GET', target, headers, rawHeaders: ['Host', host], body: new Uint8Array() });
  }
}

inBrowser('ten thousand requests in the window', () => {
  const COUNT = 10_000;
  let server: TestServer;
  beforeAll(async () => {
    [server, window] = await Promise.all([startServer({ description: SHOP }), launchWindow()]);
    server.app.load({ standin: 'fixture/1', collections: { '/things': [{ id: 1, name: 'One' }] } });
    page = await window.open(server.url);
    await whenLive(page);
    // As a client does: a mock remembers the latest thousand, the page all that it heard of.
    for (let sent = 0; sent < COUNT; sent += 400) {
      await ask(
        server,
        Array.from({ length: 400 }, (_, index) => `/things/${(sent + index) % 4 === 0 ? 9 : 1}?n=${sent + index}`),
      );
      await foot(`${(sent + 400).toLocaleString('en')} requests`);
    }
  });
  afterAll(async () => {
    await window.close();
    await server.close();
  });

  const foot = (said: string): Promise<void> => page.locator('.foot').filter({ hasText: said }).waitFor();
  const row = (n: number): Locator => rows().filter({ hasText: RegExp(`n=${n}(?!\\d)`) });

  test('are a list of which only what is in sight is built', async () => {
    await row(COUNT - 1).waitFor();
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(COUNT + 1));
    expect(await rows().count()).toBeLessThan(80);
  });

  test('are scrolled to any place, and stay there while others come', async () => {
    await page.getByRole('grid').evaluate((grid) => {
      grid.scrollTop = grid.scrollHeight / 2;
    });
    await row(COUNT / 2).waitFor();
    const before = await row(COUNT / 2).boundingBox();
    await ask(
      server,
      Array.from({ length: 300 }, (_, index) => `/things/1?later=${index}`),
    );
    await foot('10,300 requests');
    expect((await row(COUNT / 2).boundingBox())?.y).toBe(before?.y);
    expect(await rows().count()).toBeLessThan(80);
  });

  test('are selected by a click and by keys, wherever they stand', async () => {
    await row(COUNT / 2).click();
    await page.locator('.split-details').getByText('is not remembered').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await row(0).waitFor();
    await page.keyboard.press('Home');
    await rows().filter({ hasText: 'later=299' }).waitFor();
    await page.locator('.split-details').getByText('later=299').first().waitFor();
    await page.getByRole('link', { name: 'Close the request' }).click();
  });

  test('are filtered', async () => {
    await page.getByLabel('Status', { exact: true }).selectOption('4xx');
    await foot('2,500 of 10,300 requests');
    await page.getByLabel('Text in the request line').fill('n=9996');
    await foot('1 of 10,300 requests');
    await page.getByLabel('Text in the request line').fill('');
    await page.getByLabel('Status', { exact: true }).selectOption('');
    await page.getByLabel('Operation').selectOption({ index: 1 });
    await foot('10,300 of 10,300 requests');
    await page.getByLabel('Operation').selectOption('');
  });

  test('are ten thousand at the most, and the page says how many others there were', async () => {
    await ask(
      server,
      Array.from({ length: 400 }, () => '/things/1?more'),
    );
    await foot('10,700 requests');
    await ask(
      server,
      Array.from({ length: 400 }, () => '/things/1?more'),
    );
    await foot('10,000 requests; 1,100 others are not remembered any more');
  });

  test('are what the mock remembers when the page is loaded anew, with the number of the others', async () => {
    await page.reload();
    await foot('1,000 requests; 10,100 others are not remembered any more');
    // More at once than is told live.
    await ask(
      server,
      Array.from({ length: 900 }, () => '/things/1?burst'),
    );
    await foot('1,900 requests; 10,100 others');
    await ask(
      server,
      Array.from({ length: 1200 }, () => '/things/1?flood'),
    );
    await foot('2,900 requests; 10,300 others');
    expect(window.watch.complaints).toStrictEqual([]);
  });
});

inBrowser('a description of 1,223 operations in the window', () => {
  let server: TestServer;
  beforeAll(async () => {
    const operations = Object.fromEntries(
      Array.from({ length: 1223 }, (_, index): [string, SmallOperation] => [
        `GET /area${index % 40}/thing-${index}/{id}`,
        { answers: { 200: object({ id: whole, name: text }), 404: null }, summary: `Operation ${index}` },
      ]),
    );
    const description = JSON.parse(smallApi(operations)) as object;
    [server, window] = await Promise.all([startServer({ description }), launchWindow()]);
    page = await window.open(server.url, 'coverage');
    await whenLive(page);
  });
  afterAll(async () => {
    await window.close();
    await server.close();
  });

  test('is a matrix of which only what is in sight is built', async () => {
    await page.getByText('of 1,223 operations called').waitFor();
    await rows().first().waitFor();
    expect(await rows().count()).toBeLessThan(80);
    await page.getByLabel('Text in the operation').fill('thing-1222');
    await rows().filter({ hasText: '/thing-1222/' }).waitFor();
    await ask(server, ['/area22/thing-1222/7']);
    await rows().filter({ hasText: '/thing-1222/' }).filter({ hasNotText: 'never called' }).waitFor();
    expect(await pageWidth(page)).toBeLessThanOrEqual(1280);
  });

  test('is a list of what each answers, of which one is found and chosen', async () => {
    await page.goto(`${server.url}/__standin/#/responses`);
    await eventually(
      () => page.getByRole('grid').getAttribute('aria-rowcount'),
      (count) => count === '1224',
    );
    expect(await rows().count()).toBeLessThan(80);
    await page.getByLabel('Text in the operation').fill('operation 600');
    await rows().filter({ hasText: '/thing-600/' }).click();
    await page.getByRole('dialog').getByLabel('Status').fill('404');
    await page.getByRole('button', { name: 'Save' }).click();
    await rows().getByText('404, until it is removed').or(rows().getByText(/^404/)).first().waitFor();
    await page.getByLabel('Text in the operation').fill('');
    await page.getByRole('button', { name: 'Chosen only' }).click();
    await eventually(
      () => rows().count(),
      (count) => count === 1,
    );
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
  });

  test('has its collections, and its requests by operation', async () => {
    await page.goto(`${server.url}/__standin/#/state`);
    await page.getByRole('heading', { name: 'State' }).waitFor();
    await page.goto(`${server.url}/__standin/#/requests`);
    await rows().filter({ hasText: '/thing-1222/7' }).waitFor();
    expect(window.watch.complaints).toStrictEqual([]);
  });
});

inBrowser('a collection of 100,000 rows in the window', () => {
  let server: TestServer;
  const COUNT = 100_000;
  beforeAll(async () => {
    [server, window] = await Promise.all([startServer({ description: SHOP, state: 'empty' }), launchWindow()]);
    const things = Array.from({ length: COUNT }, (_, index) => ({ id: index + 1, name: `Thing ${COUNT - index}` }));
    server.app.load({ standin: 'fixture/1', collections: { '/things': things } });
    server.app.setBaseline();
    page = await window.open(server.url, 'state/things');
    await whenLive(page);
  });
  afterAll(async () => {
    await window.close();
    await server.close();
  });

  const edit = (key: number): Locator => page.getByRole('link', { name: `Edit ${key}`, exact: true });
  const field = (name: string): Locator => page.getByRole('dialog').getByLabel(name, { exact: true });

  test('is shown a page at a time', async () => {
    await edit(1).waitFor();
    await page.getByText('1–50 of 100,000').waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(50);
    await page.getByRole('button', { name: 'Next' }).click();
    await edit(51).waitFor();
  });

  test('is searched and sorted', async () => {
    await page.getByLabel('Search the rows').fill('Thing 99999');
    await page.getByText('1–1 of 1').waitFor();
    await edit(2).waitFor();
    await page.getByLabel('Search the rows').fill('');
    await page.getByText('1–50 of 100,000').waitFor();
    await page.getByRole('button', { name: 'id', exact: true }).click();
    await edit(1).waitFor();
    await page.getByRole('button', { name: 'id', exact: true }).click();
    await edit(COUNT).waitFor();
  });

  test('has its last row edited, and what changed shown', async () => {
    await edit(COUNT).click();
    await field('name').fill('The last');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(server.app.row('/things', COUNT)).toMatchObject({ name: 'The last' });
    await page.getByRole('button', { name: 'Changed only (1)' }).click();
    await page.locator('.diff-added').getByText('"The last"').waitFor();
  });

  test('opens any row by its address, also one whose key is in a thousand values', async () => {
    server.app.removeRow('/things', 77_777);
    for (const key of [7, 1, 55_555, COUNT, 77_777]) {
      await page.goto(`${server.url}/__standin/#/state/things?row=${key}`);
      await page.getByRole('heading', { name: `/things: ${key}`, exact: true }).waitFor();
      expect(await field('id').inputValue()).toBe(String(key));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.goto(`${server.url}/__standin/#/state/things?row=${COUNT + 5}`);
    await page.getByText(`There is no row ${COUNT + 5} in /things.`).waitFor();
    expect(window.watch.complaints).toStrictEqual([]);
  });
});
