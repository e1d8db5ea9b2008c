import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Browser, Page } from 'playwright-core';
import { SHOP, SHOP_DATA } from '../issuer/shop';
import { startServer, type TestServer } from '../support/server';
import { inBrowser, launch } from './chromium';
import { barriersInBothSchemes } from './window';

inBrowser('an application that signs people in by passport', () => {
  let server: TestServer;
  let browser: Browser;
  let page: Page;
  let app: ChildProcess;
  let own: string;
  beforeAll(async () => {
    [server, browser] = await Promise.all([
      startServer({ description: SHOP, fixtures: SHOP_DATA, issuer: true }),
      launch(),
    ]);
    app = spawn(process.execPath, [join(__dirname, '../issuer/passport-app.mjs'), server.url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    [own] = (await once(createInterface({ input: app.stdout! }), 'line')) as [string];
    page = await (await browser.newContext()).newPage();
  });
  afterAll(async () => {
    app.kill();
    await browser.close();
    await server.close();
  });

  test('shows who it is, refreshes when the token is over, and signs out', async () => {
    await page.goto(own);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in at Shop' }).waitFor();
    expect(await page.getByText('passport-app').count()).toBe(1);
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await page.getByLabel('By id, user name or e-mail').fill('nobody');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText('Nobody here is called “nobody”.').waitFor();
    await page.getByRole('button', { name: 'Bob <b> (bob@shop.example)' }).click();
    await page.getByText('2 Bob <b>').waitFor();
    expect(await page.locator('pre').textContent()).toBe('200 [{"id":1,"total":5}]');
    server.app.setClock(new Date(Date.now() + 3_700_000));
    await page.reload();
    await page.getByText('has expired').waitFor();
    await page.getByRole('link', { name: 'Refresh' }).click();
    await page.getByText('200 [{"id":1,"total":5}]').waitFor();
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign out' }).waitFor();
    expect(await barriersInBothSchemes(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('Nobody is signed in.').waitFor();
    // Whoever signed out is asked again.
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Ann (ann@shop.example)' }).click();
    await page.getByText('1 Ann').waitFor();
    expect(server.defects).toEqual([]);
  });
});
