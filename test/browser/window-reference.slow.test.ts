import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { startServer, type TestServer } from '../support/server';
import { temporaryFolder } from '../support/temporary-folder';
import { inBrowser } from './chromium';
import { openPage, operationOf, tryIt, unfold } from './reference-page';
import { barriersInBothSchemes, eventually, launchWindow, pageWidth, whenLive, type WindowBrowser } from './window';

const ok = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } };

/** An operation for each scheme; what it is called is the name of the scheme. */
const SCHEMES = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'Basic' },
  digest: { type: 'http', scheme: 'digest' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  oauth2: {
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: 'https://elsewhere.example/authorize',
        tokenUrl: 'https://elsewhere.example/token',
        scopes: { read: 'Read things' },
      },
    },
  },
  openId: { type: 'openIdConnect', openIdConnectUrl: 'https://elsewhere.example/.well-known' },
} as const;

const SECURED = Object.fromEntries(
  Object.keys(SCHEMES).map((name) => [
    `/${name}`,
    { get: { operationId: name, security: [{ [name]: [] }], responses: ok } },
  ]),
);

const THING = { $ref: '#/components/schemas/Thing' };

const DESCRIPTION = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '2.1', description: 'All about **things**.\n\n# First\n\ntext\n\n### Third' },
  servers: [{ url: 'https://api.example.com/{version}', variables: { version: { default: 'v2' } } }],
  tags: [{ name: 'things', description: 'Of the *house*.' }],
  paths: {
    '/things': {
      get: {
        operationId: 'listThings',
        summary: 'All things',
        tags: ['things'],
        responses: {
          200: { description: 'ok', content: { 'application/json': { schema: { type: 'array', items: THING } } } },
        },
      },
      post: {
        operationId: 'addThing',
        tags: ['things'],
        requestBody: {
          content: {
            'application/json': { schema: THING, example: { name: 'lamp', weight: 12345678901234567890n, price: 2 } },
          },
        },
        responses: { 201: { description: 'made', content: { 'application/json': { schema: THING } } } },
      },
    },
    '/things/{id}': {
      get: {
        operationId: 'getThing',
        tags: ['things'],
        deprecated: true,
        'x-sunset': '2100-01-01',
        'x-fern-availability': 'beta',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' }, example: 9007199254740993n },
        ],
        responses: {
          200: { description: 'ok', content: { 'application/json': { schema: THING } } },
          404: { description: 'no' },
        },
      },
      delete: {
        operationId: 'dropThing',
        tags: ['things'],
        'x-explorer-enabled': false,
        'x-stability': 'experimental',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: { 204: { description: 'gone' } },
      },
    },
    ...SECURED,
  },
  components: {
    securitySchemes: SCHEMES,
    schemas: {
      Thing: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'integer', readOnly: true },
          name: { type: ['string', 'null'] },
          weight: { type: 'integer' },
          price: { type: 'number' },
        },
      },
    },
  },
};

inBrowser('the reference in the window', () => {
  let server: TestServer;
  let window: WindowBrowser;
  let page: Page;
  const loaded: string[] = [];
  beforeAll(async () => {
    [server, window] = await Promise.all([
      startServer({ description: temporaryFolder().write('api.json', stringifyJson(DESCRIPTION as never)) }),
      launchWindow(),
    ]);
    page = await openPage(window, server.url);
    page.on('request', (request) => loaded.push(new URL(request.url()).pathname));
    await whenLive(page);
  });
  afterAll(async () => {
    await window.close();
    await server.close();
  });
  const files = (): string[] => loaded.filter((path) => path.includes('/window/reference'));

  test('is loaded when it is opened, once', async () => {
    await page.getByRole('link', { name: 'State' }).click();
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    expect(loaded.filter((path) => /reference|description|credentials/.test(path))).toStrictEqual([]);
    await page.getByRole('link', { name: 'API' }).click();
    await operationOf(page, 'listThings').waitFor();
    expect(files().sort()).toStrictEqual(['/__standin/window/reference.css', '/__standin/window/reference.js']);
    expect(loaded.filter((path) => /description|credentials/.test(path)).sort()).toStrictEqual([
      '/__standin/credentials',
      '/__standin/description',
    ]);
    await page.getByText('All about things.').waitFor();
    expect(await page.getByRole('heading', { name: 'Third', level: 4 }).count()).toBe(1);
  });

  test('has the marks that the mock reads from the description', async () => {
    const marks = (id: string): Promise<string[]> => operationOf(page, id).locator('.mark').allInnerTexts();
    expect(await marks('getThing')).toStrictEqual(['deprecated', 'until 2100-01-01', 'beta']);
    expect(await marks('dropThing')).toStrictEqual(['experimental', 'no try-it']);
    expect(await marks('listThings')).toStrictEqual([]);
  });

  test('offers no try-it where the description hides it, by whichever extension', async () => {
    const hidden = await unfold(page, 'dropThing');
    expect(await hidden.getByRole('button', { name: 'Try it out' }).count()).toBe(0);
    const offered = await unfold(page, 'listThings');
    expect(await offered.getByRole('button', { name: 'Try it out' }).count()).toBe(1);
  });

  test('sends what is tried to this mock, with every digit, and shows it in Requests', async () => {
    const made = await tryIt(page, 'addThing');
    expect(made.status).toBe('201');
    expect(made.text).toContain('"weight": 12345678901234567890');
    expect(server.stateText()).toContain('"weight":12345678901234567890');
    const read = await tryIt(page, 'getThing');
    expect(read.status).toBe('404');
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('row').filter({ hasText: '/v2/things/9007199254740993' }).waitFor();
    await page.getByRole('row').filter({ hasText: 'POST' }).filter({ hasText: '/v2/things' }).waitFor();
    await page.getByRole('link', { name: 'API' }).click();
    // What was tried is still there.
    await operationOf(page, 'addThing').getByText('12345678901234567890').first().waitFor();
    expect(files()).toHaveLength(2);
  });

  test.each(Object.keys(SCHEMES))('has the key filled in: %s', async (name) => {
    const { status } = await tryIt(page, name);
    expect(status).toBe('200');
    const sent = server.app.journal().at(-1)!;
    expect(sent).toMatchObject({ operation: name, status: 200 });
  });

  test('keeps no key, and asked nobody else', async () => {
    const kept = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])',
    );
    expect(kept).not.toContain('test-key');
    expect([...window.watch.origins]).toStrictEqual([server.url]);
    expect(window.watch.complaints).toStrictEqual([]);
  });

  test('shows the keys in a dialog, where another one can be given', async () => {
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    const dialog = page.locator('.modal-ux');
    await dialog.getByText('OAuth 2.0. The mock takes its API key as the access token.').waitFor();
    expect(await dialog.getByRole('textbox').count()).toBe(0);
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    const bearer = dialog.locator('.auth-container').filter({ hasText: 'bearer (http, bearer)' });
    await bearer.getByRole('button', { name: /^Logout/ }).click();
    await bearer.getByRole('textbox').fill('invalid-key');
    await bearer.getByRole('button', { name: /^Apply/ }).click();
    await dialog.getByRole('button', { name: 'Close the dialog' }).click();
    const operation = operationOf(page, 'bearer');
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table').getByText('401').first().waitFor();
  });

  test('tries in the sandbox of the page', async () => {
    await page.getByLabel('Sandbox').selectOption('main');
    await page.goto(`${server.url}/__standin/#/api/listThings?sandbox=ann`);
    expect((await tryIt(page, 'listThings')).status).toBe('200');
    expect(server.app.sandbox('ann').journal().at(-1)).toMatchObject({ operation: 'listThings' });
    await page.goto(`${server.url}/__standin/#/api/listThings`);
    const count = server.app.sandbox('ann').journal().length;
    await operationOf(page, 'listThings').getByRole('button', { name: 'Execute' }).click();
    await eventually(
      () => server.app.journal().at(-1)?.operation,
      (operation) => operation === 'listThings',
    );
    expect(server.app.sandbox('ann').journal()).toHaveLength(count);
  });

  test('has an address for each operation, and a filter', async () => {
    const other = await openPage(window, server.url, 'api/getThing');
    await operationOf(other, 'getThing').waitFor();
    await operationOf(other, 'getThing').locator('.opblock-body .responses-inner').waitFor();
    await operationOf(other, 'dropThing').locator('.opblock-summary-control').click();
    await eventually(
      () => other.url(),
      (url) => url.endsWith('#/api/dropThing'),
    );
    await other.getByLabel('Text in the operation').fill('all THINGS');
    await operationOf(other, 'getThing').waitFor({ state: 'detached' });
    expect(await other.locator('.opblock').count()).toBe(1);
    expect(other.url()).toContain('text=all+THINGS');
    await other.reload();
    await operationOf(other, 'listThings').waitFor();
    expect(await other.locator('.opblock').count()).toBe(1);
    await other.close();
  });

  test('is used by the keyboard alone', async () => {
    const control = operationOf(page, 'addThing').locator('.opblock-summary-control');
    const before = await control.getAttribute('aria-expanded');
    await control.focus();
    await page.keyboard.press('Enter');
    await eventually(
      () => control.getAttribute('aria-expanded'),
      (now) => now !== before,
    );
    await page.keyboard.press('Enter');
    await eventually(
      () => control.getAttribute('aria-expanded'),
      (now) => now === before,
    );
  });

  test('keeps nobody out, and fits into a small screen', async () => {
    expect(await page.locator('#servers').getAttribute('aria-label')).toBe('Server');
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await pageWidth(page)).toBe(360);
    expect(await page.evaluate('document.querySelector(".reference").scrollWidth')).toBe(360);
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
    expect(window.watch.complaints).toStrictEqual([]);
  });
});

test('the licences of what is bundled are beside it', () => {
  const text = readFileSync(join(__dirname, '..', '..', 'dist', 'window', 'licenses.txt'), 'utf8');
  for (const part of ['swagger-ui-dist 5', 'Apache License', 'SmartBear', 'preact 1', 'DOMPurify'])
    expect(text).toContain(part);
});
