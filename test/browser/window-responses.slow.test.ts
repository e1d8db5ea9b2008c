import type { Locator, Page } from 'playwright-core';
import type { OperationList } from '../../src/server/actions/shapes';
import { KEY, serverOfTests } from '../support/server';
import { inBrowser } from './chromium';
import { barriersInBothSchemes, pageWidth, whenLive, windowOfTests } from './window';

inBrowser('the responses in the window', () => {
  const server = serverOfTests();
  const window = windowOfTests();
  let page: Page;
  beforeAll(async () => {
    page = await window.open(server.url, 'responses');
    await whenLive(page);
  });

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, { headers: { Authorization: KEY, ...headers } });
  const operations = async (): Promise<OperationList['operations']> =>
    ((await (await fetch(`${server.url}/__standin/operations`)).json()) as OperationList).operations;
  const row = (name: string): Locator =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
  const dialog = (): Locator => page.getByRole('dialog');
  const save = (): Promise<void> => dialog().getByRole('button', { name: 'Save' }).click();
  const closed = (): Promise<void> => dialog().waitFor({ state: 'detached' });

  test('say that each operation answers naturally', async () => {
    await row('GET /pets').getByText('natural', { exact: true }).waitFor();
    expect(await page.getByRole('rowheader').count()).toBe(server.api.operations.length);
  });

  test('are chosen for the next requests, and told in the banner until they are over', async () => {
    await row('GET /pets').click();
    await dialog().getByLabel('Status').fill('401');
    await dialog().getByLabel('Times').fill('2');
    await save();
    await closed();
    await row('GET /pets').getByText('401, 2 more times').waitFor();
    await page.getByRole('region', { name: 'Not natural right now' }).getByText('listPets').waitFor();
    expect([(await get('/pets')).status, (await get('/pets')).status, (await get('/pets')).status]).toStrictEqual([
      401, 401, 200,
    ]);
    await row('GET /pets').getByText('natural', { exact: true }).waitFor();
  });

  test('begin with the documented body, and are sent as they were edited, with the digits of each number', async () => {
    await row('GET /pets/{petId}').click();
    await dialog().getByLabel('Status').fill('200');
    await dialog().getByRole('button', { name: 'Begin with the documented body' }).click();
    const body = dialog().getByLabel('Body');
    await page.waitForFunction('document.querySelector("dialog textarea").value.includes("name")');
    const sample = JSON.parse(await body.inputValue()) as object;
    await body.fill(JSON.stringify({ ...sample, id: 0 }).replace('"id":0', '"id":9007199254740991'));
    await dialog().getByLabel('Headers').fill('X-Seen: yes');
    await save();
    await closed();
    const response = await get('/pets/1');
    expect(await response.text()).toContain('"id":9007199254740991');
    expect(response.headers.get('x-seen')).toBe('yes');
  });

  test('are taken back in the dialog', async () => {
    await row('GET /pets/{petId}').click();
    await dialog().getByRole('button', { name: 'Answer naturally again' }).click();
    await closed();
    await row('GET /pets/{petId}').getByText('natural', { exact: true }).waitFor();
    expect((await get('/pets/1')).headers.get('x-seen')).toBeNull();
  });

  test('that break the description are said to, at their field, unless that is meant', async () => {
    await row('GET /pets/{petId}').click();
    await dialog().getByLabel('Status').fill('200');
    await dialog().getByLabel('Body').fill('{"id":"seven"}');
    await save();
    await dialog().getByRole('alert').first().waitFor();
    await dialog().getByLabel('it may break the description, on purpose').check();
    await save();
    await closed();
    await row('GET /pets/{petId}').getByText('breaks the description').waitFor();
    expect(await (await get('/pets/1')).json()).toStrictEqual({ id: 'seven' });
    await page.getByRole('button', { name: /^Remove the response of getPet/ }).click();
    await row('GET /pets/{petId}').getByText('natural', { exact: true }).waitFor();
  });

  test.each([
    ['Body', '{', 'The body is no JSON'],
    ['Headers', 'no colon', 'A header is written'],
    ['Delay', '-1', /delayMs/],
    ['Times', '0', /times/],
    ['Fault', 'nothing-like-it', /fault/],
  ])('say what is wrong with %s', async (field, text, message) => {
    await row('GET /pets').click();
    await dialog().getByLabel(field).fill(text);
    await save();
    await dialog().getByText(message).first().waitFor();
    await page.keyboard.press('Escape');
    await closed();
  });

  test('are a documented example, of the status that has some', async () => {
    const { id, statuses } = (await operations()).find(
      (each) =>
        each.method === 'GET' &&
        each.statuses.some(({ status, examples }) => /^\d+$/.test(status) && examples.length > 0),
    ) ?? { id: '', statuses: [] };
    const { status, examples } = statuses.find((each) => /^\d+$/.test(each.status) && each.examples.length > 0) ?? {
      status: '',
      examples: [],
    };
    await page.locator(`[title^="${id}:"]`).click();
    expect(await dialog().getByLabel('Example').count()).toBe(0);
    await dialog().getByLabel('Status').fill(status);
    await dialog()
      .getByLabel('Example')
      .selectOption(examples[0] ?? '');
    await save();
    await closed();
    expect(server.app.responses()).toMatchObject([{ operation: id, status: Number(status), example: examples[0] }]);
    server.app.clearResponses();
  });

  test('take each fault that is suggested', async () => {
    await row('GET /pets').click();
    const faults = await dialog()
      .locator('#faults option')
      .evaluateAll((options) => options.map((option) => (option as unknown as { value: string }).value));
    expect(faults.length).toBeGreaterThan(3);
    await page.keyboard.press('Escape');
    for (const fault of faults) server.app.respond('listPets', { fault });
    server.app.clearResponses();
  });

  test('of all sandboxes are answered in each', async () => {
    await row('GET /categories').click();
    await dialog().getByLabel('Status').fill('401');
    await dialog().getByLabel('In all sandboxes that have none of their own').check();
    await save();
    await closed();
    await row('GET /categories').getByText('in all sandboxes').waitFor();
    expect((await get('/categories', { 'X-Standin-Sandbox': 'a' })).status).toBe(401);
    await page.getByRole('button', { name: 'Chosen only' }).click();
    await row('GET /pets').waitFor({ state: 'detached' });
    expect(page.url()).toContain('show=forced');
    await page.getByRole('button', { name: 'Chosen only' }).click();
  });

  test('are reached by keyboard alone', async () => {
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog().getByLabel('Status').waitFor();
    await page.keyboard.press('Escape');
    await closed();
    // The browser gives the focus back after the dialog is gone.
    await page.waitForFunction('document.activeElement.getAttribute("role") === "grid"');
  });

  test('have no barrier, and fit a small screen', async () => {
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await row('GET /pets').click();
    await dialog().waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await pageWidth(page)).toBeLessThanOrEqual(360);
    await page.keyboard.press('Escape');
    expect(await pageWidth(page)).toBeLessThanOrEqual(360);
    expect(window.watch.complaints).toStrictEqual([]);
  });
});
