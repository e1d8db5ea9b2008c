import type { Locator, Page } from 'playwright-core';
import { KEY, serverOfTests } from '../support/server';
import { inBrowser } from './chromium';
import { barriersInBothSchemes, pageWidth, whenLive, windowOfTests } from './window';

const GET_PET = /^GET \/pets\/\{petId\} deprecated$/;

inBrowser('the coverage in the window', () => {
  const server = serverOfTests();
  const window = windowOfTests();
  let page: Page;
  beforeAll(async () => {
    page = await window.open(server.url, 'coverage');
    await whenLive(page);
  });

  const get = (path: string): Promise<Response> => fetch(`${server.url}${path}`, { headers: { Authorization: KEY } });
  const row = (text: string | RegExp): Locator =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: text }) });

  test('counts what was called, live', async () => {
    await row(/^GET \/pets\/\{petId\} never called/).waitFor();
    await get('/pets/1');
    await get('/pets/999999');
    await get('/pets/999999');
    await row(GET_PET).waitFor();
    const cells = await row(GET_PET).getByRole('gridcell').allInnerTexts();
    expect(cells.filter((text) => /^\d+$/.test(text))).toStrictEqual(['1', '2']);
    expect(
      await page.getByRole('meter', { name: `of ${server.api.operations.length} operations called` }).count(),
    ).toBe(1);
    expect(await page.locator('.sum').first().innerText()).toMatch(/^1\s/);
  });

  test('shows what was never called, and what is like a text, as the address says', async () => {
    await page.getByLabel('Operations that are shown').selectOption('never');
    await row(GET_PET).waitFor({ state: 'detached' });
    expect(page.url()).toContain('show=never');
    await page.reload();
    await row(/never called/)
      .first()
      .waitFor();
    await page.getByLabel('Text in the operation').fill('no operation is like this');
    await page.getByText('No operation is like that').waitFor();
    await page.getByRole('link', { name: 'Show all operations' }).click();
    await row(GET_PET).waitFor();
    await page.getByLabel('Operations that are shown').selectOption('gaps');
    await row(GET_PET).waitFor();
    await page.getByLabel('Operations that are shown').selectOption('');
  });

  test('leads to the requests of an operation', async () => {
    await row(GET_PET).click();
    await page.getByText(/^3 of \d+ requests/).waitFor();
    await page.goBack();
    await row(GET_PET).waitFor();
  });

  test('leads to what was never called, to try it', async () => {
    await row(/^GET \/categories never called/).click();
    await page.waitForURL(/#\/api\/listCategories$/);
    await page.goBack();
    await row(GET_PET).waitFor();
  });

  test('counts the requests of one sandbox alone', async () => {
    await fetch(`${server.url}/pets`, { headers: { Authorization: KEY, 'X-Standin-Sandbox': 'b' } });
    await page.goto(`${server.url}/__standin/#/coverage?sandbox=b`);
    await row(/^GET \/pets\/\{petId\} never called/).waitFor();
    expect(await page.locator('.sum').first().innerText()).toMatch(/^1\s/);
    await page.goto(`${server.url}/__standin/#/coverage`);
    await row(GET_PET).waitFor();
  });

  test('keeps nobody out, and fits into a small screen', async () => {
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await pageWidth(page)).toBe(360);
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    expect(window.watch.complaints).toStrictEqual([]);
  });
});
