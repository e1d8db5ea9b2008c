import { gzipSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { serverOfTests } from '../support/server';
import { list, object, ref, smallApi, text, whole } from '../support/small-api';
import { inBrowser } from './chromium';
import { clipboard, whenLive, windowOfTests } from './window';

const THING = object({ id: whole, name: text, parts: list(object({ label: text, price: { type: 'number' } })) });
const SHOP = JSON.parse(
  smallApi(
    {
      'GET /things': { answers: { 200: list(ref('Thing')) } },
      'POST /things': { body: ref('Thing'), answers: { 201: ref('Thing') } },
      'GET /things/{id}': { answers: { 200: ref('Thing') } },
    },
    { Thing: THING },
    { id: whole },
  ),
) as { paths: Record<string, object> };
const binary = { type: 'string', format: 'binary' };
const DESCRIPTION = {
  ...SHOP,
  paths: {
    ...SHOP.paths,
    '/pictures': {
      post: {
        requestBody: { content: { 'image/png': { schema: binary }, 'text/plain': { schema: text } } },
        responses: { 200: { description: 'ok', content: { 'image/png': { schema: binary } } } },
      },
    },
  },
};
const PIXEL = Buffer.from('89504e470d0a1a0a0000000d4948445200000001', 'hex');
const FIVE_MEGABYTES = 5 * 1024 * 1024;

inBrowser('bodies in the window', () => {
  const server = serverOfTests({ description: DESCRIPTION, state: 'empty', maxBody: 16 * 1024 * 1024 });
  const window = windowOfTests();
  let page: Page;
  beforeAll(async () => {
    page = await window.open(server.url);
    await whenLive(page);
  });

  const send = (
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string>,
  ): Promise<Response> => fetch(`${server.url}${path}`, { method: 'POST', headers, body });
  const section = (name: 'Request' | 'Response'): Locator =>
    page.locator('.section').filter({ has: page.getByRole('heading', { name, exact: true }) });
  const openLatest = async (): Promise<void> => {
    const { last } = (await (await fetch(`${server.url}/__standin/requests?limit=1000`)).json()) as { last: number };
    await page.goto(`${server.url}/__standin/#/requests/${last}`);
    await page.getByRole('region', { name: `Request ${last}` }).waitFor();
    await section('Request').waitFor();
  };
  /** Elements and characters that the page has built. */
  const built = (): Promise<[number, number]> =>
    page.evaluate('[document.querySelectorAll("*").length, document.body.innerText.length]');

  test('of five megabytes are shown at their beginning, indented, with every digit and what is not shown', async () => {
    const parts = Array.from({ length: 90_000 }, (_, index) => `{"label":"part ${index}","price":1.50}`);
    const body = `{"name":"large","parts":[${parts.join()},{"label":"${'x'.repeat(2_100_000)}"}]}`;
    expect(body.length).toBeGreaterThan(FIVE_MEGABYTES);
    const created = await send('/things', body, { 'Content-Type': 'application/json' });
    expect([created.status, (await created.text()).length]).toStrictEqual([201, expect.any(Number)]);
    await openLatest();
    for (const name of ['Request', 'Response'] as const) {
      await section(name)
        .getByText(/^the beginning of \d\.\d MB; the mock does not remember the rest$/)
        .waitFor();
      const shown = await section(name).locator('pre').innerText();
      expect(shown).toMatch(/\n {4}\{\n {6}"label": "part 0",\n {6}"price": 1.50\n {4}\},\n/);
      expect(shown.length).toBeLessThan(60_000);
    }
    const [elements, characters] = await built();
    expect(elements).toBeLessThan(1500);
    expect(characters).toBeLessThan(150_000);
  });

  test('of five megabytes leave the page what it is for', async () => {
    await page.locator('.changed-row').getByText('added').waitFor();
    await section('Request').getByRole('button', { name: 'show more of' }).click();
    await page.getByRole('link', { name: 'Close the request' }).click();
    await page.getByRole('link', { name: 'State', exact: true }).click();
    await page.getByRole('link', { name: 'Edit 1' }).waitFor();
    expect((await built())[1]).toBeLessThan(20_000);
    await page.getByRole('link', { name: 'Requests', exact: true }).click();
  });

  test('of JSON that fit are trees, which open by and by', async () => {
    const parts = Array.from({ length: 400 }, (_, index) => ({ label: `${index}`, price: 1 }));
    await send('/things', JSON.stringify({ name: 'fits', parts }), { 'Content-Type': 'application/json' });
    await openLatest();
    const tree = page.getByRole('group', { name: 'body of the request' });
    await tree.getByRole('button', { name: 'show 100 more of 300 others' }).click();
    await tree.getByRole('button', { name: 'show 100 more of 200 others' }).waitFor();
    await section('Request').getByRole('button', { name: 'Copy body of the request' }).click();
    expect(JSON.parse(await clipboard(page))).toMatchObject({ parts });
  });

  test.each([
    ['an image', '/pictures', PIXEL, { 'Content-Type': 'image/png' }, '20 bytes of image/png, no text.'],
    [
      'invalid UTF-8',
      '/things',
      Buffer.from('7b226e616d65223a22ff22', 'hex'),
      { 'Content-Type': 'application/json' },
      '11 bytes of application/json, no text.',
    ],
    [
      'gzip',
      '/things',
      gzipSync('{"name":"zipped"}'),
      { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      /^\d+ bytes of application\/json in gzip, no text\.$/,
    ],
  ])('that are %s are said to be no text', async (_, path, body, headers, said) => {
    await send(path, new Uint8Array(body), headers);
    await openLatest();
    await section('Request').getByText(said).waitFor();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('this is not what was sent').waitFor();
    await page.keyboard.press('Escape');
  });

  test('that are plain text are shown as they are', async () => {
    await send('/pictures', 'a\n<b>b</b>\tc', { 'Content-Type': 'text/plain' });
    await openLatest();
    expect(await section('Request').locator('pre').innerText()).toBe('a\n<b>b</b>\tc');
    expect(window.watch.complaints).toStrictEqual([]);
  });
});
