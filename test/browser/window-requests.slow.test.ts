import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { KEY, serverOfTests } from '../support/server';
import { inBrowser } from './chromium';
import { barriersInBothSchemes, clipboard, pageWidth, whenLive, windowOfTests } from './window';

const HEADERS = { Authorization: KEY, 'Content-Type': 'application/json' };
/** With it comes a row of the inventory. */
const PET = { name: 'Rex', categoryId: 1 };

inBrowser('the requests in the window', () => {
  const server = serverOfTests();
  const window = windowOfTests();
  let page: Page;
  beforeEach(async () => {
    server.app.reset();
    page = await window.open(server.url);
    await whenLive(page);
  });
  afterEach(() => page.close());

  const send = (method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}${path}`, {
      method,
      headers: { ...HEADERS, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const rows = (): Locator => page.locator('.grid-body').getByRole('row');
  const row = (text: string): Locator => rows().filter({ hasText: text });
  const details = (): Locator => page.locator('.split-details');

  test('say what to do while there are none', async () => {
    await page.getByText('No request yet').waitFor();
    await page.getByRole('button', { name: 'Copy the command' }).click();
    expect(await clipboard(page)).toMatch(RegExp(`^curl -i '${server.url}/`));
  });

  test('come live, newest first, and stand in the other order when asked', async () => {
    await send('GET', '/pets/1');
    await row('/pets/1').waitFor();
    await send('GET', '/pets/2');
    await row('/pets/2').waitFor();
    expect(await rows().first().innerText()).toContain('/pets/2');
    await page.getByLabel('Order').selectOption('old');
    await rows().first().filter({ hasText: '/pets/1' }).waitFor();
    expect(page.url()).toContain('order=old');
  });

  test('show what was sent, what came back and what it changed', async () => {
    const created = (await (await send('POST', '/pets', PET)).json()) as { readonly id: number };
    await row('POST').click();
    await details().getByText('Changed 2 rows').waitFor();
    expect(await details().locator('.diff-added').filter({ hasText: 'name: "Rex"' }).count()).toBe(1);
    expect(await details().getByRole('group', { name: 'body of the response' }).innerText()).toContain(
      `id: ${created.id}`,
    );
    expect(await details().getByRole('table', { name: 'Header fields of the request' }).innerText()).not.toContain(
      'test-key',
    );
    await details().getByText('Why this response?').click();
    await details().locator('.why h4').first().waitFor();
  });

  test('say why one was refused', async () => {
    await send('POST', '/pets', { categoryId: 1 });
    await row('POST').click();
    await details().locator('.problems').filter({ hasText: 'name' }).waitFor();
  });

  test('are filtered by what the address says, and the address by the filter', async () => {
    await send('GET', '/pets/1');
    await send('GET', '/pets/999999');
    await row('999999').waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('4xx');
    await page.getByText('1 of 2 requests').waitFor();
    expect(await rows().innerText()).toContain('999999');
    await page.reload();
    await page.getByText('1 of 2 requests').waitFor();
    await page.getByLabel('Text in the request line').fill('nothing is like this');
    await page.getByText('No request is like that').waitFor();
    await page.getByRole('link', { name: 'Show all requests' }).click();
    await page.getByText(/^2 requests/).waitFor();
    await page.getByLabel('Operation').selectOption('getPet');
    await page.getByText('2 of 2 requests').waitFor();
  });

  test('are those of one sandbox when it is chosen', async () => {
    await send('GET', '/pets/1');
    await send('POST', '/pets', PET, { 'X-Standin-Sandbox': 'a' });
    await row('POST').waitFor();
    await page.getByLabel('Sandbox').selectOption('a');
    await page.getByText('1 of 2 requests').waitFor();
    expect(page.url()).toContain('sandbox=a');
    await page.getByLabel('Sandbox').selectOption('default');
    await row('GET').waitFor();
    server.app.sandbox('a').remove();
  });

  test('are opened by the keyboard alone', async () => {
    await send('GET', '/pets/1');
    await send('GET', '/pets/2');
    await row('/pets/2').waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    const isInGrid = 'document.activeElement.getAttribute("role") === "grid"';
    for (let tabs = 0; tabs < 12 && !(await page.evaluate(isInGrid)); tabs++) await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await details().getByText('/pets/2').waitFor();
    await page.keyboard.press('ArrowDown');
    await details().getByText('/pets/1').waitFor();
    await page.keyboard.press('Home');
    await details().getByText('/pets/2').waitFor();
    await page.keyboard.press('End');
    await details().getByText('/pets/1').waitFor();
  });

  test('are copied as a command, as a script and as a step', async () => {
    await send('GET', '/pets/1');
    await row('/pets/1').click();
    await details().getByRole('button', { name: 'curl' }).click();
    expect(await clipboard(page)).toMatch(/^curl .*\/pets\/1/s);
    await details().getByRole('button', { name: 'fetch' }).click();
    expect(await clipboard(page)).toMatch(/fetch\(.*\/pets\/1/s);
    await details().getByRole('button', { name: 'contract step' }).click();
    expect(await clipboard(page)).toContain('/pets/1');
    await details().getByRole('button', { name: 'Copy body of the response' }).click();
    expect(await clipboard(page)).toMatch(/^\{\n {2}"/);
  });

  test('say which key a copied command takes, and lead to what their operation takes and answers', async () => {
    await send('GET', '/pets/1');
    await row('/pets/1').click();
    await details().getByText('export STANDIN_API_KEY=test-key').waitFor();
    expect(await details().getByRole('link', { name: 'What getPet takes' }).getAttribute('href')).toBe('#/api/getPet');
    await details().getByRole('link', { name: 'Choose its next response' }).click();
    const dialog = page.getByRole('dialog', { name: 'GET /pets/{petId} answers' });
    await dialog.getByText('In the sandbox main').waitFor();
    await page.reload();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`${server.url}/__standin/#/requests`);
  });

  test('are sent again, edited, and what came of it is opened', async () => {
    await send('GET', '/pets/1');
    await row('/pets/1').click();
    await details().getByRole('button', { name: 'Send again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Method').selectOption('POST');
    await dialog.getByLabel('Path and query').fill('/pets');
    const fields = dialog.getByLabel('Header fields');
    const before = await fields.inputValue();
    expect(before).not.toContain('test-key');
    await fields.fill(`no field\n${before}`);
    await dialog.getByLabel('Body').fill(JSON.stringify({ ...PET, name: 'Edited' }));
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('“no field” is no header field').waitFor();
    await fields.fill(before);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await details().getByText('Changed 2 rows').waitFor();
    expect(await details().getByRole('heading', { level: 2 }).innerText()).toContain('POST /pets');
    expect(JSON.stringify(server.app.state())).toContain('Edited');
    await details().getByRole('link', { name: 'Close the request' }).click();
    await details().waitFor({ state: 'detached' });
  });

  test('say how a client gets a response that is late or lost on purpose, also when they are sent again', async () => {
    server.app.respond('createPet', { status: 400, delayMs: 60_000, fault: 'reset', times: 1 });
    await send('POST', '/pets', PET, { 'X-Standin-Fault': 'status:418' });
    await row('POST').click();
    await details().getByRole('group', { name: 'body of the request' }).getByText('"Rex"').waitFor();
    await details().getByRole('button', { name: 'Send again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Header fields').fill(`Authorization: ${KEY}\nContent-Type: application/json`);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await details().getByText('It is sent 60.0 s late.').waitFor();
    await details().getByText('The connection is reset before the first byte').waitFor();
    await details().getByRole('group', { name: 'body of the request' }).getByText('"Rex"').waitFor();
    await rows().first().getByText('reset', { exact: true }).waitFor();
  });

  test('say that a body was not read', async () => {
    await send('POST', '/pets', PET, { Authorization: 'Bearer another' });
    await row('401').click();
    await details().getByText('The mock did not read the body').waitFor();
  });

  /** Makes the contract in the open dialog, and gives what is downloaded. */
  const savedContract = async (dialog: Locator): Promise<{ readonly name: string; readonly yaml: string }> => {
    await dialog.getByRole('button', { name: 'Make the contract' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    return { name: download.suggestedFilename(), yaml: readFileSync(await download.path(), 'utf8') };
  };

  test('are saved as a contract: those that are chosen, which a click and the space bar do', async () => {
    for (const path of ['/pets/1', '/pets/9999', '/categories']) await send('GET', path);
    await row('/categories').waitFor();
    await row('/pets/9999').getByRole('checkbox').check();
    expect(await details().count()).toBe(0);
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Space');
    await page.getByText('2 chosen').waitFor();
    await page.getByLabel('Text in the request line').fill('categories');
    await page.getByText(/^1 of 3 requests.*; 2 chosen/).waitFor();
    await page.getByRole('button', { name: 'Save as contract' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as contract' });
    await dialog.getByText('Of the chosen requests: 2 requests.').waitFor();
    await dialog.getByLabel('File').fill('shop.txt');
    await dialog.getByRole('button', { name: 'Make the contract' }).click();
    await dialog.getByText('It ends in .yaml').waitFor();
    await dialog.getByLabel('File').fill('contracts/shop.yaml');
    await dialog.getByText('Nothing is written there: you download shop.yaml, and save it there.').waitFor();
    const { name, yaml } = await savedContract(dialog);
    expect(name).toBe('shop.yaml');
    await dialog.getByText('Save it as contracts/shop.yaml, and replay it at this mock:').waitFor();
    expect(yaml).toMatch(/name: .*shop\n[^]*operation: getPet[^]*status: 404/);
    expect(yaml).not.toContain('test-key');
    await dialog.getByRole('button', { name: 'Copy the contract' }).click();
    expect(await clipboard(page)).toBe(yaml);
    await dialog.getByRole('button', { name: 'Copy the command' }).click();
    expect(await clipboard(page)).toBe(`npx standin verify contracts/shop.yaml --base-url ${server.url}`);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Choose none' }).click();
    await page.getByRole('button', { name: 'Choose none' }).waitFor({ state: 'detached' });
    expect(await row('/categories').getByRole('checkbox').isChecked()).toBe(false);
  });

  test('are saved as a contract: those that are shown, of one sandbox, with what was left out', async () => {
    await send('POST', '/pets', PET, { 'X-Standin-Sandbox': 'ann' });
    await send('POST', '/pets', PET);
    await send('GET', '/pets/1', undefined, { Prefer: 'code=404' });
    await send('POST', '/pets', PET, { Authorization: 'Bearer another' });
    await row('401').waitFor();
    await page.getByRole('button', { name: 'Save as contract' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save as contract' });
    await dialog.getByText('Of the requests that are shown: 3 requests.').waitFor();
    const { yaml } = await savedContract(dialog);
    expect(yaml).toContain('operation: createPet');
    await dialog.getByRole('listitem').filter({ hasText: '1 response that the mock was told to give' }).waitFor();
    await dialog.getByRole('listitem').filter({ hasText: 'the mock did not read it' }).waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await pageWidth(page)).toBe(360);
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await dialog.getByLabel('Sandbox').selectOption('ann');
    await dialog.getByText('Of the requests that are shown: 1 request.').waitFor();
    expect((await savedContract(dialog)).yaml).not.toContain('ann');
    server.app.sandbox('ann').remove();
  });

  test('are forgotten when they are cleared', async () => {
    await send('GET', '/pets/1');
    await row('/pets/1').waitFor();
    await page.getByRole('button', { name: 'Clear the list of requests' }).click();
    await page.getByText('No request yet').waitFor();
    expect(server.app.journal()).toStrictEqual([]);
  });

  test('stay where they are read while others come, and follow again when asked', async () => {
    for (let count = 0; count < 60; count++) await send('GET', `/pets/1?n=${count}`);
    await row('n=59').waitFor();
    const follow = page.getByRole('button', { name: 'Follow' });
    expect(await follow.getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('grid').hover();
    await page.mouse.wheel(0, 600);
    await page.locator('[aria-pressed=false]').waitFor();
    const before = await row('n=30').boundingBox();
    await send('GET', '/pets/1?n=later');
    await page.getByText(/^61 requests/).waitFor();
    expect((await row('n=30').boundingBox())?.y).toBe(before?.y);
    await follow.click();
    await row('n=later').waitFor();
  });

  test('are thousands without more rows than can be seen', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => index);
    for (let at = 0; at < many.length; at += 100)
      await Promise.all(many.slice(at, at + 100).map(async (n) => (await send('GET', `/pets/1?n=${n}`)).arrayBuffer()));
    await page.locator('.foot').filter({ hasText: '2,000 requests' }).waitFor();
    expect(await rows().count()).toBeLessThan(80);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe('2001');
  });

  test('keep nobody out, and fit into a small screen', async () => {
    await send('POST', '/pets', PET);
    await send('POST', '/pets', { categoryId: 1 });
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await row('400').or(row('422')).first().click();
    await details().getByRole('table').first().waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await details().getByRole('button', { name: 'Send again' }).click();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await pageWidth(page)).toBe(360);
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await details().getByRole('link', { name: 'Close the request' }).click();
    await row('POST').first().waitFor();
    expect(await pageWidth(page)).toBe(360);
  });

  test('nothing complains, and nothing is loaded from elsewhere', () => {
    expect(window.watch.complaints).toStrictEqual([]);
    expect([...window.watch.origins]).toStrictEqual([server.url]);
  });
});
