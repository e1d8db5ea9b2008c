import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import { KEY, startServer, type TestServer } from '../support/server';
import { inBrowser } from './chromium';
import { launchWindow, whenLive, type WindowBrowser } from './window';

/** A way to a mock on which everything can get lost, without a word to either side. */
class LossyWay {
  isOpen = true;
  private readonly port: number;
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((near) => {
    const far = connect(this.port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(one);
      one.on('data', (chunk) => this.isOpen && other.write(chunk));
      one.on('error', () => undefined);
      one.on('close', () => {
        this.sockets.delete(one);
        if (this.isOpen) other.destroy();
      });
    }
  });

  constructor(port: number) {
    this.port = port;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

inBrowser('the connection of the window', () => {
  let server: TestServer;
  let window: WindowBrowser;
  let page: Page;
  beforeAll(async () => {
    [server, window] = await Promise.all([startServer(), launchWindow()]);
  });
  afterAll(async () => {
    await window.close();
    await server.close();
  });
  afterEach(() => page.close());

  const get = (): Promise<Response> => fetch(`${server.url}/pets/1`, { headers: { Authorization: KEY } });

  test('is lost when nothing is heard any more, although nobody closed it, and found again', async () => {
    const way = new LossyWay(server.port);
    const url = await way.listen();
    try {
      page = await window.browser.newPage();
      await page.clock.install();
      await page.goto(`${url}/__standin/`);
      await whenLive(page);
      way.isOpen = false;
      await get();
      await page.clock.runFor(30_000);
      await whenLive(page);
      await page.clock.runFor(15_000);
      await page.getByText('Connection lost.').waitFor();
      way.isOpen = true;
      // What was asked on the connections that are gone is never answered; it is asked anew.
      await page.clock.runFor(50_000);
      await whenLive(page);
      await page.getByText(/^1 request\b/).waitFor();
    } finally {
      way.close();
    }
  });

  test('with a clock that was set is told with the times of the mock', async () => {
    server.app.setClock(new Date('2031-05-06T07:08:09Z'), { fixed: true });
    await get();
    page = await window.open(server.url);
    await page.getByRole('row').filter({ hasText: '/pets/1' }).last().waitFor();
    const banner = page.getByRole('region', { name: 'Not natural right now' });
    await banner.getByText(/the clock stands at 2031-05-0\d/).waitFor();
    await banner.getByText('requests are dated by it').waitFor();
    await page.locator('.grid-body').getByRole('row').first().click();
    await page.getByText(/^2031-05-0\d .* by the clock of the mock$/).waitFor();
    await banner.getByRole('button', { name: 'Remove the time that was set' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.getByText(/by the clock of the mock/).waitFor({ state: 'detached' });
    expect(window.watch.complaints).toStrictEqual([]);
  });
});

inBrowser('a mock that is started anew while the window shows something', () => {
  let server: TestServer;
  let window: WindowBrowser;
  beforeAll(async () => {
    [server, window] = await Promise.all([startServer(), launchWindow()]);
  });
  afterAll(async () => {
    await window.close();
    await server.close();
  });

  test('is shown as it is now in every view, and no dialog loses what was typed', async () => {
    const views = ['requests', 'state/pets', 'responses', 'sandboxes', 'coverage'];
    const headers = { Authorization: KEY, 'Content-Type': 'application/json', 'X-Standin-Sandbox': 'gone' };
    await fetch(`${server.url}/pets`, { method: 'POST', headers, body: '{"name":"Gone","categoryId":1}' });
    server.app.respond('getPet', { status: 404 });
    const pages = await Promise.all(views.map((view) => window.open(server.url, view)));
    for (const page of pages) await whenLive(page);
    const [requests, state, responses, sandboxes, coverage] = pages as [Page, Page, Page, Page, Page];
    await state.getByRole('button', { name: 'Add a row…' }).click();
    await state.getByRole('dialog').getByLabel('name', { exact: true }).fill('Half typed');
    await server.close();
    for (const page of pages) await page.getByText('Connection lost.').waitFor();
    await state.getByRole('button', { name: 'Add', exact: true }).click();
    await state.getByRole('dialog').getByText('The mock does not answer').waitFor();
    server = await startServer({}, server.port);
    for (const page of pages) await page.getByText('The mock was restarted').waitFor();
    await requests.getByText('No request yet').waitFor();
    await sandboxes.getByText('There is no other sandbox yet').waitFor();
    await responses.getByText('404').waitFor({ state: 'detached' });
    await coverage.getByText(/^0\s*of \d+ operations called/).waitFor();
    expect(await state.getByRole('dialog').getByLabel('name', { exact: true }).inputValue()).toBe('Half typed');
    expect(window.watch.complaints).toStrictEqual([]);
  });
});
