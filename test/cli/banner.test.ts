import { formatBanner } from '../../src/cli/banner';
import { createServerParts } from '../../src/adapters/create-mock-server';

async function adminLine(url: string, hasAdminToken = false): Promise<string> {
  const { api, mock } = await createServerParts({});
  const banner = formatBanner({ api, url, basePath: '', auth: 'keys', apiKeys: ['test-key'], mock, hasAdminToken });
  return /^Admin: +(.*)$/m.exec(banner)?.[1] ?? '';
}

test.each([
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4010/__standin/health'],
  ['http://localhost:4010', 'http://localhost:4010/__standin/health'],
  ['http://0.0.0.0:4010', 'http://127.0.0.1:4010/__standin/health'],
  ['http://[::]:4010', 'http://[::1]:4010/__standin/health'],
  ['http://[0:0:0:0:0:0:0:0]:4010', 'http://[::1]:4010/__standin/health'],
  ['http://[::ffff:0.0.0.0]:4010', 'http://127.0.0.1:4010/__standin/health'],
])('a mock at %s has its admin routes at %s', async (url, health) => {
  expect(await adminLine(url)).toContain(`${health} (`);
});

test('at an address of a network the admin routes are closed without a token', async () => {
  expect(await adminLine('http://192.0.2.1:4010')).toContain('--admin-token opens it');
  expect(await adminLine('http://192.0.2.1:4010', true)).toContain('http://192.0.2.1:4010/__standin/health (');
});
