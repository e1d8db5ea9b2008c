import type { Page } from 'playwright-core';
import { killAll, serve } from '../cli/standin-process';
import { startServer, type TestServer } from '../support/server';
import { temporaryFolder } from '../support/temporary-folder';
import { inBrowser } from './chromium';
import { openPage, operationOf, tryIt, unfold } from './reference-page';
import { barriersInBothSchemes, launchWindow, whenLive, type WindowBrowser } from './window';

const ok = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } };

const SCRIPT = '"><img src=x onerror="document.title=\'broken\'"><script>document.title="broken"</script>';
const MARKDOWN = [
  SCRIPT,
  '![a picture](https://evil.example/p.png) ![own](/__standin/state)',
  '[click](javascript:document.title="broken") [data](data:text/html,x) [here](#/state) [there](https://fine.example/)',
  '<iframe src="https://evil.example/"></iframe><svg onload="document.title=\'broken\'"></svg>',
  '<div style="position:fixed;inset:0" id="window" class="notice">styled</div>',
  '<form action="https://evil.example/"><input name="password"><button>Send</button></form>',
  '<style>body{display:none}</style><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">',
].join('\n\n');

const HOSTILE = {
  openapi: '3.1.0',
  info: {
    title: SCRIPT,
    version: SCRIPT,
    description: MARKDOWN,
    termsOfService: 'javascript:document.title="broken"',
    contact: { name: SCRIPT, url: 'javascript:document.title="broken"', email: 'a@b.example' },
    license: { name: SCRIPT, url: 'javascript:document.title="broken"' },
  },
  servers: [{ url: 'https://evil.example/base', description: SCRIPT }],
  externalDocs: { url: 'javascript:document.title="broken"', description: MARKDOWN },
  tags: [{ name: SCRIPT, description: MARKDOWN, externalDocs: { url: 'javascript:document.title="broken"' } }],
  paths: {
    '/things': {
      servers: [{ url: 'https://evil.example/of-path' }],
      get: {
        operationId: 'hostile',
        summary: SCRIPT,
        description: MARKDOWN,
        tags: [SCRIPT],
        servers: [{ url: '//evil.example/of-operation' }],
        security: [{ openId: [] }],
        parameters: [{ name: SCRIPT, in: 'query', description: MARKDOWN, schema: { type: 'string', default: SCRIPT } }],
        responses: {
          200: {
            description: MARKDOWN,
            content: {
              'application/json': {
                schema: { type: 'object', description: MARKDOWN, properties: { [SCRIPT]: { type: 'string' } } },
                example: { $ref: 'https://evil.example/example.json', [SCRIPT]: SCRIPT },
              },
            },
          },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      openId: { type: 'openIdConnect', openIdConnectUrl: 'https://evil.example/openid', description: MARKDOWN },
      oauth: {
        type: 'oauth2',
        flows: { implicit: { authorizationUrl: 'javascript:document.title="broken"', scopes: { [SCRIPT]: SCRIPT } } },
      },
    },
    examples: { far: { $ref: 'https://evil.example/far.json' } },
  },
};

inBrowser('the reference of other descriptions', () => {
  let window: WindowBrowser;
  const servers: TestServer[] = [];
  let server: TestServer;
  let page: Page;
  beforeAll(async () => {
    window = await launchWindow();
  });
  afterAll(async () => {
    await window.close();
    for (const each of servers) await each.close();
  });
  afterEach(async () => {
    await page.close();
    expect(window.watch.complaints).toStrictEqual([]);
    expect([...window.watch.origins]).toStrictEqual(servers.map(({ url }) => url));
  });
  const open = async (options: object, view = 'api'): Promise<Page> => {
    server = await startServer(options);
    servers.push(server);
    page = await openPage(window, server.url, view);
    return page;
  };

  test('a hostile one runs nothing, and leads and sends nowhere else', async () => {
    await open({ description: HOSTILE, lenient: true });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    expect((await tryIt(page, 'hostile')).status).toBe('200');
    expect(server.app.journal().at(-1)).toMatchObject({ operation: 'hostile', status: 200 });
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await page.locator('.modal-ux').getByText('OpenID Connect.').waitFor();
    expect(await page.title()).toContain(SCRIPT);
    expect(asked.filter((url) => /evil|state/.test(url))).toStrictEqual([]);
    expect(await page.locator('.reference').locator('img, script, iframe, form[action], style, .notice').count()).toBe(
      0,
    );
    const hrefs = await page
      .locator('.reference a[href]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(
      hrefs.filter((href) => !/^(?:https:\/\/fine\.example\/|mailto:|about:blank$)/.test(href ?? '')),
    ).toStrictEqual([]);
  });

  test('one of Swagger 2.0 is shown as it is read', async () => {
    await open({
      description: {
        swagger: '2.0',
        info: { title: 'Old', version: '1' },
        host: 'old.example.com',
        basePath: '/old',
        securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
        security: [{ key: [] }],
        paths: {
          '/names': {
            get: {
              operationId: 'listNames',
              produces: ['application/json'],
              responses: { 200: { description: 'ok', schema: { type: 'array', items: { type: 'string' } } } },
            },
          },
        },
      },
    });
    expect((await tryIt(page, 'listNames')).status).toBe('200');
    expect(server.app.journal().at(-1)?.target).toBe('/old/names');
  });

  test('one of OpenAPI 3.2 has its new methods, which can be tried', async () => {
    await open({
      description: {
        openapi: '3.2.0',
        info: { title: 'New', version: '1' },
        paths: { '/names': { query: { operationId: 'queryNames', responses: { 204: { description: 'none' } } } } },
      },
    });
    expect((await tryIt(page, 'queryNames')).status).toBe('204');
  });

  test('one without operations says so', async () => {
    await open({ description: { openapi: '3.0.3', info: { title: 'Empty', version: '1' }, paths: {} } });
    await page.getByText('No operations defined in spec!').waitFor();
    expect(await barriersInBothSchemes(page)).toStrictEqual([]);
  });

  test('one of many operations begins with its tags closed', async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `/things/${index}`,
        { get: { operationId: `get${index}`, tags: [`tag ${index % 10}`], responses: ok } },
      ]),
    );
    await open({ description: { openapi: '3.0.3', info: { title: 'Many', version: '1' }, paths } });
    await page.locator('.opblock-tag').first().waitFor();
    expect(await page.locator('.opblock').count()).toBe(0);
    await page.goto(`${server.url}/__standin/#/api/get277`);
    await operationOf(page, 'get277').locator('.opblock-body .responses-inner').waitFor();
    await page.getByLabel('Text in the operation').fill('/things/12');
    await operationOf(page, 'get12').waitFor();
  });

  test('the token that the mock asks for is asked for once, and not sent to the API', async () => {
    await open({ adminToken: 'the-secret' });
    await page.getByRole('textbox', { name: 'Admin token' }).fill('the-secret');
    await page.keyboard.press('Enter');
    expect((await tryIt(page, 'listPets')).status).toBe('200');
    expect(server.app.journal().at(-1)).toMatchObject({ operation: 'listPets', status: 200 });
  });

  test('without a header for sandboxes, the address chooses the one of the page', async () => {
    await open({ sandboxHeader: 'off' }, 'api?sandbox=ann');
    await whenLive(page);
    await page.getByLabel('Server').locator('option', { hasText: '/_s/ann' }).waitFor({ state: 'attached' });
    expect((await tryIt(page, 'listPets')).status).toBe('200');
    expect(server.app.sandbox('ann').journal().at(-1)).toMatchObject({ operation: 'listPets' });
  });
});

inBrowser('the reference of a description that is watched', () => {
  let window: WindowBrowser;
  beforeAll(async () => {
    window = await launchWindow();
  });
  afterAll(async () => {
    await window.close();
    killAll();
  });

  test('follows its changes, those of a second file too', async () => {
    const folder = temporaryFolder();
    const write = (summary: string, more: string): void => {
      folder.write('parts.yaml', `Names: { type: array, items: { type: string, enum: [${more}] } }\n`);
      folder.write(
        'api.yaml',
        `openapi: 3.1.0
info: { title: Names, version: '1' }
paths:
  /names:
    get:
      operationId: listNames
      summary: ${summary}
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: 'parts.yaml#/Names' } } } } }
`,
      );
    };
    write('All names', 'ann');
    const { url } = await serve(['api.yaml', '--watch', '--log', 'silent'], { cwd: folder.path });
    const page = await openPage(window, url, 'api');
    await whenLive(page);
    await page.getByText('All names').waitFor();
    const operation = await unfold(page, 'listNames');
    await operation.getByText('"ann"').first().waitFor();
    write('Some names', 'bob');
    await page.getByText('Some names').waitFor();
    await operation.getByText('"bob"').first().waitFor();
    expect(window.watch.complaints).toStrictEqual([]);
  });
});
