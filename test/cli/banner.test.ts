import { formatBanner } from '../../src/cli/actions/banner';
import { logWarnings } from '../../src/cli/actions/request-log';
import type { SourceFinding } from '../../src/core/errors/standin-error';
import { temporaryFolder } from '../support/temporary-folder';
import { createServerParts } from '../../src/library/create-mock-server';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import { PAYMENTS } from '../events/payments';
import { SHOP } from '../issuer/shop';

const folder = temporaryFolder();

async function adminLine(url: string, hasAdminToken = false): Promise<string> {
  return /^Window: +(.*)$/m.exec(await bannerAt(url, hasAdminToken))?.[1] ?? '';
}

async function bannerAt(
  url: string,
  hasAdminToken = false,
  description?: CreateMockServerOptions['description'],
): Promise<string> {
  const { api, mock } = await createServerParts(description === undefined ? {} : { description });
  return formatBanner({
    api,
    url,
    basePath: '',
    auth: 'keys',
    apiKeys: ['test-key'],
    mock,
    packs: [],
    hasAdminToken,
  });
}

test('the address of the window comes first, but for one that is closed', async () => {
  const first = /https?:\S+/;
  const window = 'http://127.0.0.1:4010/__standin/';
  for (const url of ['http://127.0.0.1:4010', 'http://0.0.0.0:4010'])
    for (const hasToken of [false, true]) expect(first.exec(await bannerAt(url, hasToken))?.[0]).toBe(window);
  expect(first.exec(await bannerAt('http://192.0.2.1:4010', true))?.[0]).toBe('http://192.0.2.1:4010/__standin/');
  expect(first.exec(await bannerAt('http://192.0.2.1:4010'))?.[0]).toBe('http://192.0.2.1:4010');
});

test.each([
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4010/__standin/'],
  ['http://localhost:4010', 'http://localhost:4010/__standin/'],
  ['http://0.0.0.0:4010', 'http://127.0.0.1:4010/__standin/'],
  ['http://[::]:4010', 'http://[::1]:4010/__standin/'],
  ['http://[0:0:0:0:0:0:0:0]:4010', 'http://[::1]:4010/__standin/'],
  ['http://[::ffff:0.0.0.0]:4010', 'http://127.0.0.1:4010/__standin/'],
])('a mock at %s has its admin routes at %s', async (url, health) => {
  expect(await adminLine(url)).toContain(`${health} (`);
});

test('at an address of a network the admin routes are closed without a token', async () => {
  expect(await adminLine('http://192.0.2.1:4010')).toContain('--admin-token opens it');
  expect(await adminLine('http://192.0.2.1:4010', true)).toContain('http://192.0.2.1:4010/__standin/ (');
});

async function bannerOf(count: number): Promise<string> {
  const paths = Array.from(
    { length: count },
    (_, index) =>
      `  /about${index}: { get: { responses: { '200': { description: ok, content: { text/plain: { example: x } } } } } }`,
  );
  const description = folder.write(
    `${count}.yaml`,
    `openapi: 3.0.3\ninfo: { title: Many, version: 1.0.0 }\npaths:\n${paths.join('\n')}\n`,
  );
  const { api, mock } = await createServerParts({ description });
  const url = 'http://127.0.0.1:4010';
  return formatBanner({ api, url, basePath: '', auth: 'off', apiKeys: [], mock, packs: [], hasAdminToken: false });
}

test('a large description has the beginning of its operations in the banner, and how many there are', async () => {
  const banner = await bannerOf(1223);
  expect(banner).toContain('  and 1 183 more; standin explain lists them\n');
  expect(banner.split('\n').length).toBeLessThan(52);
  expect(await bannerOf(41)).toContain('/about40');
});

test('an operation without state says where its answer comes from', async () => {
  expect(await bannerOf(1)).toMatch(/GET +\/about0 +.*stateless, from an example/);
});

test('the method stands apart from the path, however long it is', async () => {
  const text =
    "openapi: 3.0.3\ninfo: { title: Long, version: '1' }\npaths: { /a: { options: { responses: { '204': { description: ok } } } } }\n";
  const { api, mock } = await createServerParts({ description: folder.write('long.yaml', text) });
  const input = {
    api,
    url: 'http://h',
    basePath: '',
    auth: 'off',
    apiKeys: [],
    mock,
    packs: [],
    hasAdminToken: false,
  } as const;
  expect(formatBanner(input)).toContain('  OPTIONS /a');
});

test('many warnings are told by their kinds, except to programs', () => {
  const warnings = Array.from({ length: 20 }, (_, index) => warning(index < 19 ? 'example-valid' : 'seed-example'));
  const told: string[] = [];
  const log = (isForPrograms: boolean): Parameters<typeof logWarnings>[1] => ({
    isForPrograms,
    warn: ({ rule }) => void told.push(rule),
    alert: (text) => void told.push(text),
  });
  logWarnings(warnings, log(false));
  expect(told).toStrictEqual([
    'example-valid',
    'seed-example',
    '20 warnings of 2 kinds (19 example-valid, 1 seed-example); standin check shows them',
  ]);
  told.length = 0;
  logWarnings(warnings, log(true));
  expect(told).toHaveLength(20);
});

function warning(rule: string): SourceFinding {
  return {
    rule,
    severity: 'warning',
    message: 'x',
    file: 'x.yaml',
    pointer: '',
    line: 1,
    column: 1,
    expected: undefined,
    hint: undefined,
  };
}

test('where events go is said where the description has some', async () => {
  const url = 'http://127.0.0.1:4010';
  expect(await bannerAt(url)).not.toContain('Events:');
  expect(await bannerAt(url, false, PAYMENTS)).toContain(
    'Events:   callbacks go where a request says; webhooks to who subscribes, and to --webhook EVENT=URL (standin explain says when)',
  );
});

test('agents are told where to go, and what they may; not where the admin routes are closed', async () => {
  const { api, mock } = await createServerParts({ description: SHOP });
  const shown = { api, mock, basePath: '', auth: 'keys', apiKeys: ['test-key'], packs: [] } as const;
  const lines = (more: object, url = 'http://0.0.0.0:4010'): string[] =>
    formatBanner({ ...shown, url, hasAdminToken: false, ...more }).split('\n');
  const agents = 'Agents:   http://127.0.0.1:4010/__standin/mcp (Model Context Protocol; they may';
  expect(lines({})).toContain(`${agents} read)`);
  expect(lines({ agentsMayWrite: true })).toContain(`${agents} change it)`);
  expect(lines({}, 'http://192.0.2.1:4010').filter((line) => line.startsWith('Agents:'))).toEqual([]);
});

test('with an issuer the start says who signs in, and how', async () => {
  const { api, mock } = await createServerParts({ description: SHOP });
  const petstore = await createServerParts({});
  const line = (
    issuer: boolean | 'page' | 'auto',
    parts: { api: typeof api; mock: typeof mock } = { api, mock },
  ): string => {
    const { api: shown, mock: of } = parts;
    const input = {
      url: 'http://localhost:4010',
      basePath: '',
      apiKeys: ['k'],
      packs: [],
      hasAdminToken: false,
    } as const;
    const text = formatBanner({ ...input, api: shown, mock: of, auth: 'keys', issuer });
    return /^Sign-in: +(.*)$/m.exec(text)?.[1] ?? '';
  };
  const issuer = 'the issuer is http://localhost:4010; any client id and secret; ';
  expect(line(true)).toBe(`${issuer}the items of /users sign in`);
  expect(line('auto')).toBe(`${issuer}the first user is signed in without a page, or whom login_hint names`);
  expect(line('auto', petstore)).toContain('somebody called "user" is signed in');
  expect(line('page', petstore)).toBe(`${issuer}any name signs in`);
  expect(line(false)).toBe('');
});
