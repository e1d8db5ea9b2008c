import type { Locator, Page } from 'playwright-core';
import { KEY, startServer, type TestServer } from '../support/server';
import { list, object, ref, smallApi, text, whole } from '../support/small-api';
import { inBrowser } from './chromium';
import { barriersInBothSchemes, eventually, launchWindow, pageWidth, whenLive, type WindowBrowser } from './window';

const HEADERS = { Authorization: KEY, 'Content-Type': 'application/json' };
const PET = JSON.stringify({ name: 'Rex', categoryId: 1 });

/** How each dialog is opened, and what is typed into it. */
interface Opening {
  readonly view: string;
  readonly open: (page: Page) => Promise<void>;
  readonly fill?: (dialog: Locator) => Promise<void>;
}

const press =
  (name: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByRole('button', { name }).first().click();
const type =
  (label: string, text: string) =>
  (dialog: Locator): Promise<void> =>
    dialog.getByLabel(label, { exact: true }).fill(text);

const DIALOGS: Readonly<Record<string, Opening>> = {
  'send again': { view: 'requests/1', open: press('Send again'), fill: type('Path and query', '/pets/2') },
  'a new row': { view: 'state/pets', open: press('Add a row…'), fill: type('name', 'Half typed') },
  snapshots: { view: 'state/pets', open: press('Snapshots…'), fill: type('Name of a new snapshot', 'half') },
  'load fixtures': { view: 'state/pets', open: press('Load…') },
  'a response': {
    view: 'responses',
    open: (page) => page.getByRole('row').filter({ hasText: 'GET /pets' }).first().click(),
    fill: type('Status', '503'),
  },
  'a sandbox': { view: 'sandboxes', open: press('New sandbox…'), fill: type('Name', 'half') },
  'a fork': { view: 'sandboxes', open: press('Fork a'), fill: type('Name', 'half') },
};

let server: TestServer;
let window: WindowBrowser;
let page: Page;

async function start(): Promise<void> {
  [server, window] = await Promise.all([startServer(), launchWindow()]);
  const post = { method: 'POST', headers: HEADERS, body: PET };
  await fetch(`${server.url}/pets`, post);
  await fetch(`${server.url}/pets`, { ...post, headers: { ...HEADERS, 'X-Standin-Sandbox': 'a' } });
  await fetch(`${server.url}/pets/999`, { headers: HEADERS });
}

async function end(): Promise<void> {
  await window.close();
  await server.close();
}

const show = async (view: string): Promise<void> => {
  await page.goto(`${server.url}/__standin/#/${view}`);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await whenLive(page);
};
const dialog = (): Locator => page.getByRole('dialog');

inBrowser('every dialog of the window', () => {
  beforeAll(async () => {
    await start();
    page = await window.open(server.url);
  });
  afterAll(end);

  test.each(Object.entries(DIALOGS))('%s keeps nobody out and fits a small screen', async (_, { view, open, fill }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await show(view);
    await open(page);
    await dialog().waitFor();
    await fill?.(dialog());
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await pageWidth(page)).toBe(360);
    expect(await dialog().evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  test.each(Object.entries(DIALOGS))(
    '%s loses what was typed when the page is loaded anew, and did nothing',
    async (_, opening) => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await show(opening.view);
      const before = server.stateText();
      await opening.open(page);
      await opening.fill?.(dialog());
      await page.reload();
      await whenLive(page);
      if (opening.view === 'responses') expect(await dialog().getByLabel('Status').inputValue()).toBe('');
      else {
        expect(await dialog().count()).toBe(0);
        await opening.open(page);
        await dialog().waitFor();
      }
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      expect([server.stateText(), server.app.responses(), server.app.sandboxes().length]).toStrictEqual([
        before,
        [],
        1,
      ]);
    },
  );

  test('a row stands at an address, and is there again when the page is loaded anew', async () => {
    await show('state/pets?row=1');
    await dialog().getByLabel('name', { exact: true }).fill('Half typed');
    await page.reload();
    await dialog().getByLabel('name', { exact: true }).waitFor();
    expect(await dialog().getByLabel('name', { exact: true }).inputValue()).not.toBe('Half typed');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(window.watch.complaints).toStrictEqual([]);
  });
});

inBrowser('every view of the window', () => {
  beforeAll(async () => {
    await start();
    page = await window.open(server.url);
  });
  afterAll(end);

  const VIEWS = [
    'requests',
    'requests/3',
    'requests?text=nothing-like-it',
    'requests/999',
    'state',
    'state/pets',
    'state/pets?changed=true',
    'state/pets?search=nothing-like-it',
    'state/inventory',
    'state/nowhere',
    'responses',
    'responses?show=forced',
    'sandboxes',
    'sandboxes/a',
    'sandboxes/nowhere',
    'coverage',
    'coverage?show=never',
    'nowhere',
  ];

  test.each(VIEWS)('%s keeps nobody out, on a wide screen and on a small one', async (view) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await show(view);
    await page.getByText(/Looking…|connecting/).waitFor({ state: 'detached' });
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await pageWidth(page)).toBe(360);
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
  });
});

inBrowser('by keyboard alone', () => {
  beforeAll(async () => {
    await start();
    page = await window.open(server.url);
    await whenLive(page);
  });
  afterAll(end);

  const focused = (): Promise<string> =>
    page.evaluate(
      '(({ ariaLabel, labels, textContent }) => `${ariaLabel ?? labels?.[0]?.textContent ?? textContent}`.trim())(document.activeElement)',
    );
  /** Goes on with the tab key until something has the focus. */
  const tabTo = async (name: string | RegExp): Promise<void> => {
    const seen: string[] = [];
    for (let tabs = 0; tabs < 60; tabs++) {
      await page.keyboard.press('Tab');
      const now = await focused();
      seen.push(now);
      if (typeof name === 'string' ? now === name : name.test(now)) return;
    }
    throw new Error(`Nothing is called ${String(name)}: ${seen.join(' | ')}`);
  };
  const view = async (name: string): Promise<void> => {
    await tabTo(name);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name }).waitFor({ state: 'attached' });
  };

  test('a request is found, opened, sent again and closed', async () => {
    await view('Requests');
    await tabTo('Text in the request line');
    await page.keyboard.type('999');
    await page.getByText('1 of 3 requests').waitFor();
    await tabTo(/^Status/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await show('requests');
    await tabTo('Requests');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.split-details').waitFor();
    await tabTo('Send again…');
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    await tabTo('Send');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await page.getByText(/^4 requests/).waitFor();
    await tabTo('Close the request');
    await page.keyboard.press('Enter');
    await page.locator('.split-details').waitFor({ state: 'detached' });
  });

  test('a row is sorted, edited and undone', async () => {
    await view('State');
    await tabTo(/^\/pets/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2, name: /^\/pets/ }).waitFor();
    await tabTo('Edit 1');
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    await tabTo('name');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'By keyboard' }).waitFor();
    await tabTo(/^Undo/);
    await page.keyboard.press('Enter');
    await page.getByText('Taken back').waitFor();
  });

  test('a response is chosen and taken back', async () => {
    await show('responses');
    await tabTo(/^Operations and what they answer/);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    await tabTo('Status');
    await page.keyboard.type('401');
    await tabTo('Save');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(server.app.responses()).toHaveLength(1);
    await page.getByRole('region', { name: 'Not natural right now' }).waitFor();
    await tabTo(/^Remove the response/);
    await page.keyboard.press('Enter');
    await eventually(
      () => server.app.responses().length,
      (left) => left === 0,
    );
  });

  test('a sandbox is forked, compared and left', async () => {
    await show('sandboxes');
    await tabTo('Fork a');
    await page.keyboard.press('Enter');
    await tabTo('Name');
    await page.keyboard.type('copy');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('rowheader', { name: 'copy' }).waitFor();
    await tabTo('Changes of copy');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Changes of copy/ }).waitFor();
  });

  test('an operation is found in the coverage, and its requests from there', async () => {
    await fetch(`${server.url}/pets`);
    await show('coverage');
    await tabTo('Text in the operation');
    await page.keyboard.type('listpets');
    await page.getByRole('grid').getByText('never called').waitFor({ state: 'detached' });
    await tabTo('Operations and statuses');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor({ state: 'attached' });
    expect(page.url()).toContain('operation=listPets');
    expect(window.watch.complaints).toStrictEqual([]);
  });
});

inBrowser('a description without operations', () => {
  beforeAll(async () => {
    const description = { openapi: '3.0.3', info: { title: 'Nothing yet', version: '1' }, paths: {} };
    [server, window] = await Promise.all([startServer({ description }), launchWindow()]);
    page = await window.open(server.url);
  });
  afterAll(end);

  test.each([
    ['requests', 'No request yet'],
    ['state', 'Nothing is stored yet'],
    ['responses', 'The description has no operations'],
    ['sandboxes', 'There is no other sandbox yet'],
    ['coverage', 'The description has no operations'],
  ])('says in %s what there is not', async (view, said) => {
    await show(view);
    await page.getByText(said).waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
  });

  test('shows what is asked for all the same', async () => {
    await show('requests');
    await fetch(`${server.url}/anything`);
    await page.getByText('route_not_found').waitFor();
    await page.locator('.grid-body').getByRole('row').first().click();
    await page.getByText('Why this response?').click();
    await page.locator('.why h4, .why .error').first().waitFor();
    expect(window.watch.complaints).toStrictEqual([]);
  });
});

inBrowser('names that have no place to break', () => {
  const LONG = 'averyveryverylongnamewithoutanyplacetobreakthatgoesonandonandon';
  beforeAll(async () => {
    const thing = object({ id: whole, [LONG]: text, [`${LONG}2`]: whole }, ['id', LONG]);
    const description = JSON.parse(
      smallApi(
        {
          [`GET /${LONG}`]: { answers: { 200: list(ref('Thing')) } },
          [`POST /${LONG}`]: { body: ref('Thing'), answers: { 201: ref('Thing') } },
          [`GET /${LONG}/{id}`]: { answers: { 200: ref('Thing') } },
        },
        { Thing: thing },
        { id: whole },
      ),
    ) as { info: object };
    const info = { title: LONG.repeat(3), version: LONG };
    [server, window] = await Promise.all([startServer({ description: { ...description, info } }), launchWindow()]);
    const init = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Standin-Sandbox': 'a'.repeat(64) },
    };
    await fetch(`${server.url}/${LONG}`, { ...init, body: JSON.stringify({ id: 77, [LONG]: LONG.repeat(10) }) });
    server.app.load({ standin: 'fixture/1', collections: { [`/${LONG}`]: [{ id: 1, [LONG]: LONG.repeat(10) }] } });
    server.app.respond(`GET /${LONG}`, { headers: { [LONG]: LONG } });
    page = await window.open(server.url);
    await page.setViewportSize({ width: 360, height: 640 });
  });
  afterAll(end);

  const widths = (): Promise<[number, number]> =>
    page.evaluate(
      '[document.documentElement.scrollWidth, ...Array.from(document.querySelectorAll("dialog"), (each) => each.scrollWidth - each.clientWidth)]',
    );

  test.each([
    'requests',
    'requests/1',
    'state',
    `state/${LONG}`,
    'responses',
    'sandboxes/' + 'a'.repeat(64),
    'coverage',
  ])('leave %s as wide as a small screen', async (view) => {
    await show(view);
    await page.getByText(/Looking…|connecting/).waitFor({ state: 'detached' });
    expect(await widths()).toStrictEqual([360]);
    const tab = await page.locator('.tabs [aria-current]').boundingBox();
    expect((tab?.x ?? 0) + (tab?.width ?? 0)).toBeLessThanOrEqual(360);
  });

  test.each([
    [`state/${LONG}?row=1`, undefined],
    [`state/${LONG}`, 'Add a row…'],
    ['requests/1', 'Send again…'],
    ['sandboxes', /^Fork a/],
  ])('leave a dialog of %s as wide as it is', async (view, button) => {
    await show(view);
    if (button !== undefined) await page.getByRole('button', { name: button }).first().click();
    await dialog().waitFor();
    expect(await widths()).toStrictEqual([360, 0]);
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  test('leave the choice of a response as wide as it is', async () => {
    await show('responses');
    await page.getByRole('rowheader').first().click();
    await dialog().waitFor();
    expect(await widths()).toStrictEqual([360, 0]);
    expect(window.watch.complaints).toStrictEqual([]);
  });
});
