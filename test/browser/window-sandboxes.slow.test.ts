import type { Locator, Page } from 'playwright-core';
import { KEY, serverOfTests } from '../support/server';
import { inBrowser } from './chromium';
import { barriersInBothSchemes, clipboard, eventually, pageWidth, whenLive, windowOfTests } from './window';

inBrowser('the sandboxes in the window', () => {
  const server = serverOfTests();
  const window = windowOfTests();
  let page: Page;
  beforeEach(async () => {
    server.app.reset();
    for (const { id } of server.app.sandboxes()) server.app.sandbox(id).remove();
    page = await window.open(server.url, 'sandboxes');
    page.on('dialog', (dialog) => void dialog.accept());
    await whenLive(page);
  });
  afterEach(() => page.close());

  /** Creates a pet in a sandbox. */
  const create = async (sandbox: string, name: string): Promise<void> => {
    const headers = { Authorization: KEY, 'Content-Type': 'application/json', 'X-Standin-Sandbox': sandbox };
    await fetch(`${server.url}/pets`, { method: 'POST', headers, body: JSON.stringify({ name, categoryId: 1 }) });
  };
  const row = (name: string): Locator =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });

  test('appear when a request makes one, and say how to make the first', async () => {
    await page.getByText('There is no other sandbox yet').waitFor();
    await page.getByRole('button', { name: 'Copy the header' }).click();
    expect(await clipboard(page)).toMatch(/^X-Standin-Sandbox: my-test$/i);
    await create('a', 'Rex');
    await row('a').waitFor();
    await row('a').getByRole('button', { name: 'Copy header of a' }).click();
    expect(await clipboard(page)).toMatch(/^X-Standin-Sandbox: a$/i);
  });

  test('are made by keyboard: the name is where typing begins', async () => {
    await page.getByRole('button', { name: 'New sandbox…' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('typed');
    await page.keyboard.press('Enter');
    await row('typed').waitFor();
  });

  test('are made of the baseline, and forked with what is in them', async () => {
    await create('a', 'Rex');
    await page.getByRole('button', { name: 'New sandbox…' }).click();
    await page.getByLabel('Name').fill('fresh');
    await page.getByRole('button', { name: 'Make it' }).click();
    await row('fresh').waitFor();
    await row('a').getByRole('button', { name: 'Fork a' }).click();
    await page.getByLabel('Name').fill('a');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('dialog').getByText('There is a sandbox a already').first().waitFor();
    await page.getByLabel('Name').fill('b');
    await page.getByRole('button', { name: 'Make it' }).click();
    await row('b').waitFor();
    expect(JSON.stringify(server.app.sandbox('b').state())).toContain('Rex');
    expect(JSON.stringify(server.app.sandbox('fresh').state())).not.toContain('Rex');
  });

  test('show what they changed, live, and at an address of their own', async () => {
    await create('a', 'Rex');
    await row('a').getByRole('link', { name: 'Changes of a' }).click();
    await page.getByText('1 added, 0 changed, 0 removed').first().waitFor();
    await page.locator('.diff-added').filter({ hasText: 'name: "Rex"' }).waitFor();
    await create('a', 'Second');
    await page.locator('.diff-added').filter({ hasText: 'name: "Second"' }).waitFor();
    await page.reload();
    await page.getByText('2 added, 0 changed, 0 removed').first().waitFor();
  });

  test('are reset and dropped', async () => {
    await create('a', 'Rex');
    await row('a').getByRole('button', { name: 'Reset a' }).click();
    await eventually(
      () => JSON.stringify(server.app.sandbox('a').state()),
      (state) => !state.includes('Rex'),
    );
    await row('a').getByRole('button', { name: 'Drop a' }).click();
    await row('a').waitFor({ state: 'detached' });
    expect(server.app.sandboxes()).toStrictEqual([]);
    await create('default', 'Main');
    await row('main').getByRole('button', { name: 'Reset main' }).click();
    await page.getByRole('link', { name: 'Changes of main' }).click();
    await page.getByText('None: it is as it was at the start').waitFor();
  });

  test('are looked at side by side in two tabs', async () => {
    await create('a', 'Rex');
    await create('b', 'Tom');
    await row('a').getByRole('link', { name: 'a', exact: true }).click();
    const other = await window.open(server.url, 'requests?sandbox=b');
    for (const each of [page, other]) await each.getByText('1 of 2 requests').waitFor();
    await create('b', 'Kim');
    await other.getByText('2 of 3 requests').waitFor();
    await page.getByText('1 of 3 requests').waitFor();
    await other.close();
  });

  test('keep nobody out, and fit into a small screen', async () => {
    await create('a', 'Rex');
    await row('a').getByRole('link', { name: 'Changes of a' }).click();
    await page.locator('.diff-added').first().waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await pageWidth(page)).toBe(360);
    await page.getByRole('button', { name: 'New sandbox…' }).click();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    expect(await pageWidth(page)).toBe(360);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('nothing complains', () => {
    expect(window.watch.complaints).toStrictEqual([]);
  });
});
