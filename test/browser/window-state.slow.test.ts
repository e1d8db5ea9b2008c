import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import type { JsonObject } from '../../src/core/json/json-value';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { serverOfTests } from '../support/server';
import { temporaryFolder } from '../support/temporary-folder';
import { inBrowser } from './chromium';
import { barriersInBothSchemes, eventually, pageWidth, windowOfTests } from './window';

const json = (schema: JsonObject): JsonObject => ({
  responses: { '200': { description: 'ok', content: { 'application/json': { schema } } } },
});
const collection = (path: string, name: string): JsonObject => {
  const schema = { $ref: `#/components/schemas/${name}` };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  return {
    [path]: { get: json({ type: 'array', items: schema }) },
    [`${path}/{id}`]: { parameters: [id], get: json(schema) },
  };
};
const SHOP: JsonObject = {
  openapi: '3.0.3',
  info: { title: 'Shop', version: '1.0.0' },
  paths: { ...collection('/makers', 'Maker'), ...collection('/things', 'Thing') },
  components: {
    schemas: {
      Maker: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer' }, name: { type: 'string' } },
      },
      Thing: {
        type: 'object',
        required: ['id', 'name'],
        properties: {
          id: { type: 'integer', format: 'int64' },
          name: { type: 'string', maxLength: 60, description: 'What it is called' },
          price: { type: 'number' },
          makerId: { type: 'integer' },
          state: { type: 'string', enum: ['new', 'used'] },
          isLarge: { type: 'boolean' },
          parts: { type: 'array', items: { type: 'object', properties: { label: { type: 'string' } } } },
          pin: { type: 'string', writeOnly: true },
        },
      },
    },
  },
};
const HOSTILE = '<img src=x onerror="document.title=1">';
const FIXTURES = {
  standin: 'fixture/1',
  collections: {
    '/makers': [
      { id: 1, name: 'Acme' },
      { id: 11, name: 'Other of 1' },
    ],
    '/things': [
      { id: 1, name: 'Lamp', makerId: 1, state: 'new', price: 2.5, pin: '1234' },
      { id: 2, name: 'Chair', state: 'used', parts: [{ label: 'leg' }] },
      { id: 3, name: 'Desk' },
    ],
  },
};

const RULES = {
  standin: 'rules/1',
  references: [{ collection: '/things', member: 'makerId', to: '/makers' }],
} as const;

inBrowser('the state in the window', () => {
  const server = serverOfTests({ description: SHOP, rules: RULES, state: 'empty' });
  const window = windowOfTests();
  let page: Page;
  beforeAll(() => {
    server.app.load(FIXTURES);
    server.app.setBaseline();
  });
  beforeEach(async () => {
    server.app.reset();
    page = await window.open(server.url, 'state/things');
    page.on('dialog', (dialog) => void dialog.accept());
    await row('1').waitFor();
  });
  afterEach(() => page.close());

  const row = (key: string): Locator =>
    page
      .getByRole('region', { name: 'Rows of /' })
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: key, exact: true }) });
  const dialog = (): Locator => page.getByRole('dialog');
  const field = (name: string, of = page): Locator => of.getByRole('dialog').getByLabel(name, { exact: true });
  const press = (name: string, of = page): Promise<void> => of.getByRole('button', { name, exact: true }).click();
  const closed = (of = page): Promise<void> => of.getByRole('dialog').waitFor({ state: 'detached' });
  const edit = async (key: string, of = page): Promise<void> => {
    await of.getByRole('link', { name: `Edit ${key}`, exact: true }).click();
    await of.getByRole('dialog').waitFor();
  };
  const pins = (): unknown[] =>
    /"pin":"(\d+)"/.exec(stringifyJson(server.app.state({ secrets: true })))?.slice(1) ?? [];
  const keys = (): Promise<string[]> => page.getByRole('rowheader').allInnerTexts();
  const keysBecome = (expected: readonly string[]): Promise<void> =>
    eventually(keys, (found) => found.join() === expected.join());

  test('is edited in fields; what is not shown stays, and numbers keep their digits', async () => {
    await edit('1');
    await field('name').fill('Light');
    await field('price').fill('2.50000000000000000001');
    await field('state').selectOption('used');
    await press('Save');
    await closed();
    await row('1').getByText('2.50000000000000000001').waitFor();
    await row('1').getByText('changed').waitFor();
    expect(server.app.row('/things', 1)).toMatchObject({ name: 'Light', state: 'used', makerId: 1 });
    expect(pins()).toStrictEqual(['1234']);
  });

  test('is edited as JSON, beside the fields', async () => {
    await edit('2');
    const text = page.getByLabel('The whole row, as JSON');
    await text.fill('{"id": 2, "name":');
    await dialog().getByText('This is no JSON').waitFor();
    expect(await field('name').isDisabled()).toBe(true);
    await text.fill('{"id": 2, "name": "Stool", "parts": [{"label": "seat"}, {"label": "leg"}]}');
    expect(await field('name').inputValue()).toBe('Stool');
    await field('isLarge').selectOption('true');
    await press('Save');
    await closed();
    expect(server.app.row('/things', 2)).toStrictEqual({
      id: 2,
      name: 'Stool',
      parts: [{ label: 'seat' }, { label: 'leg' }],
      isLarge: true,
    });
  });

  test('takes a new row, and says at its field what is wrong with a value', async () => {
    await press('Add a row…');
    await eventually(
      () => field('id').inputValue(),
      (value) => value === '4',
    );
    await field('price').fill('a lot');
    await press('Add');
    const about = (name: string): Locator =>
      dialog()
        .locator('.field')
        .filter({ has: page.getByLabel(name, { exact: true }) });
    await about('price').getByRole('alert').waitFor();
    await about('name').getByRole('alert').waitFor();
    expect(await field('name').getAttribute('aria-invalid')).toBe('true');
    await field('price').fill('3');
    await field('name').fill('Sofa');
    await press('Add');
    await closed();
    await row('4').getByText('added').waitFor();
    expect(server.app.row('/things', 4)).toStrictEqual({ id: 4, name: 'Sofa', price: 3 });
  });

  test('loses a row, and gets it back by undo', async () => {
    await edit('3');
    await press('Remove this row');
    await closed();
    await keysBecome(['1', '2']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Taken back: ').waitFor();
    await keysBecome(['1', '2', '3']);
  });

  test('loses a row that others refer to when it is said again, and no other without a word', async () => {
    await page.goto(`${server.url}/__standin/#/state/makers?row=1`);
    await press('Remove this row');
    await dialog().getByText('1 item of /things still refers to 1 through makerId').waitFor();
    expect(server.app.row('/makers', 1)).toBeDefined();
    await press('Remove it all the same');
    await closed();
    expect(server.app.row('/makers', 1)).toBeUndefined();
    await page.getByRole('link', { name: 'Edit 11', exact: true }).click();
    await press('Remove this row');
    await closed();
  });

  test('is not overwritten by the second of two tabs: both versions are shown, and one of them is chosen', async () => {
    const other = await window.open(server.url, 'state/things?row=1');
    await field('name', other).fill('Theirs');
    await edit('1');
    await field('name').fill('Mine');
    await press('Save', other);
    await closed(other);
    expect(await field('name').inputValue()).toBe('Mine');
    await press('Save');
    await dialog().getByText('changed by somebody else').waitFor();
    for (const text of ['"Mine"', '"Theirs"']) await dialog().locator('.versions').getByText(text).waitFor();
    await press('Take theirs');
    expect(await field('name').inputValue()).toBe('Theirs');
    server.app.patchRow('/things', 1, { name: 'Third' });
    await field('name').fill('Mine again');
    await press('Save');
    await press('Keep mine');
    await closed();
    expect(server.app.row('/things', 1)).toMatchObject({ name: 'Mine again' });
    expect(pins()).toStrictEqual(['1234']);
    await edit('1');
    server.app.removeRow('/things', 1);
    await press('Save');
    await dialog().getByText('removed by somebody else').waitFor();
    await press('Take theirs');
    await closed();
    await other.close();
  });

  test('shows what changed since the start, with what it was before', async () => {
    server.app.patchRow('/things', 1, { name: 'Light' });
    server.app.removeRow('/things', 2);
    server.app.putRow('/things', { id: 9, name: 'Sofa' });
    await page.getByRole('button', { name: 'Changed only' }).click();
    await keysBecome(['1', '2', '9']);
    for (const [key, word] of [
      ['1', 'changed'],
      ['2', 'removed'],
      ['9', 'added'],
    ] as const)
      await row(key).getByText(word, { exact: true }).waitFor();
    await page.locator('.diff-removed').getByText('"Lamp"').waitFor();
    await page.getByRole('link', { name: 'Look at 2' }).click();
    await press('Put it back');
    await closed();
    await keysBecome(['1', '9']);
    await page.getByRole('navigation', { name: 'Collections' }).getByText('2 changed since the start').waitFor();
    await press('Reset');
    await page.getByText('Nothing in /things changed since the start').waitFor();
  });

  test('is searched, and ordered by a header; the address keeps it', async () => {
    await page.getByLabel('Search the rows').fill('LA');
    await keysBecome(['1']);
    await page.getByLabel('Search the rows').fill('nothing like it');
    await page.getByText('No row has “nothing like it” in it.').waitFor();
    await page.getByRole('link', { name: 'Show all rows' }).click();
    await keysBecome(['1', '2', '3']);
    const header = page.getByRole('columnheader', { name: 'name' });
    await press('name');
    await keysBecome(['2', '3', '1']);
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    await press('name');
    await keysBecome(['1', '3', '2']);
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    await page.reload();
    await row('1').waitFor();
    expect(await header.getAttribute('aria-sort')).toBe('descending');
  });

  test('is shown in pages', async () => {
    for (let id = 10; id < 70; id++) server.app.putRow('/things', { id, name: `Thing ${id}` });
    await page.getByText('1–50 of 63').waitFor();
    await press('Next');
    await page.getByText('51–63 of 63').waitFor();
    expect(await keys()).toHaveLength(13);
    await press('Previous');
    await page.getByText('1–50 of 63').waitFor();
  });

  test('leads from a reference to its row', async () => {
    await row('1').getByRole('link', { name: '1', exact: true }).last().click();
    await page.getByRole('heading', { name: '/makers: 1', exact: true }).waitFor();
    expect(await field('name').inputValue()).toBe('Acme');
    await press('Cancel');
    await closed();
    await page.getByRole('heading', { name: /^\/makers/ }).waitFor();
  });

  test('is kept under a name, and restored', async () => {
    await press('Snapshots…');
    await page.getByLabel('Name of a new snapshot').fill('before');
    await press('Save what is stored now');
    await dialog().getByRole('button', { name: 'Restore before' }).waitFor();
    await press('Close');
    server.app.removeRow('/things', 1);
    await keysBecome(['2', '3']);
    await press('Snapshots…');
    await press('Restore before');
    await closed();
    await keysBecome(['1', '2', '3']);
  });

  test('is downloaded as fixtures, and loaded from them', async () => {
    const [download] = await Promise.all([page.waitForEvent('download'), press('Download')]);
    const text = readFileSync(await download.path(), 'utf8');
    expect(text).toContain('"pin":"1234"');
    const folder = temporaryFolder();
    try {
      await press('Load…');
      const load = async (name: string, content: string): Promise<void> => {
        await page.getByLabel('File').setInputFiles(folder.write(name, content));
        await press('Load');
      };
      await load('wrong.json', text.replace('"Lamp"', '7'));
      await dialog().locator('.error').getByText('/collections/~1things/0/name').first().waitFor();
      await load('none.json', 'no fixtures');
      await dialog().getByText('This is no JSON').waitFor();
      await load('good.json', text.replace('"Lamp"', '"Loaded"'));
      await closed();
      await row('1').getByText('Loaded').waitFor();
    } finally {
      folder.remove();
    }
  });

  test('is loaded anew when it changes, and what is edited stays', async () => {
    await edit('2');
    await field('name').fill('Half typed');
    server.app.putRow('/things', { id: 9, name: HOSTILE });
    await eventually(
      () => page.getByText(HOSTILE).count(),
      (count) => count === 1,
    );
    expect(await field('name').inputValue()).toBe('Half typed');
    expect(await page.title()).toContain('State');
  });

  test('of a sandbox is one of its own', async () => {
    server.app.sandbox('a').putRow('/things', { id: 1, name: 'Of a' });
    const other = await window.open(server.url, 'state/things?sandbox=a');
    await edit('1', other);
    await field('name', other).fill('Also of a');
    await press('Save', other);
    await closed(other);
    expect(server.app.sandbox('a').row('/things', 1)).toMatchObject({ name: 'Also of a' });
    expect(server.app.row('/things', 1)).toMatchObject({ name: 'Lamp' });
    await other.close();
  });

  test('says what to do where there is nothing', async () => {
    server.app.load({ standin: 'fixture/1', collections: { '/makers': [], '/things': [] } });
    await page.getByText('Nothing is stored').first().waitFor();
    await page.goto(`${server.url}/__standin/#/state/nowhere`);
    await page
      .getByText('There is no collection “/nowhere”')
      .or(page.getByText('Nothing is stored yet'))
      .first()
      .waitFor();
  });

  test('is worked with by keyboard alone', async () => {
    await page.getByRole('link', { name: 'Edit 1', exact: true }).focus();
    await page.keyboard.press('Enter');
    await field('name').waitFor();
    const id = await field('name').getAttribute('id');
    await eventually(
      () => page.evaluate<string>('document.activeElement.id'),
      (focused) => focused === id,
    );
    await page.keyboard.press('Control+a');
    await page.keyboard.type('Typed');
    await page.keyboard.press('Enter');
    await closed();
    await row('1').getByText('Typed').waitFor();
    await page.getByRole('button', { name: 'name', exact: true }).focus();
    await page.keyboard.press('Space');
    await keysBecome(['2', '3', '1']);
    await page.getByRole('link', { name: 'Edit 2', exact: true }).focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor();
    await page.keyboard.press('Escape');
    await closed();
  });

  test('keeps nobody out, and fits into a small screen', async () => {
    server.app.patchRow('/things', 1, { name: 'Light' });
    server.app.removeRow('/things', 2);
    await page.getByRole('button', { name: 'Changed only' }).click();
    await row('2').waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await pageWidth(page)).toBe(360);
    await page.getByRole('link', { name: 'Edit 1' }).click();
    await field('name').fill('A long name. '.repeat(6));
    await press('Save');
    await dialog().getByRole('alert').first().waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    expect(await pageWidth(page)).toBe(360);
    server.app.patchRow('/things', 1, { name: 'Theirs' });
    await field('name').fill('Mine');
    await press('Save');
    await dialog().getByText('From theirs to mine').waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    expect(await pageWidth(page)).toBe(360);
    await press('Take theirs');
    await press('Cancel');
    await page.getByRole('link', { name: 'All collections' }).click();
    await page.getByRole('navigation', { name: 'Collections' }).getByRole('link').first().waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    expect(await pageWidth(page)).toBe(360);
  });

  test('nothing complains', () => {
    expect(window.watch.complaints).toStrictEqual([]);
  });
});
