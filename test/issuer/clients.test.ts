import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startServer } from '../support/server';
import { SHOP, SHOP_DATA } from './shop';

const run = promisify(execFile);

test('the certified client for Node signs in, refreshes, introspects, revokes and signs out', async () => {
  const server = await startServer({ description: SHOP, fixtures: SHOP_DATA, issuer: 'auto' });
  try {
    const { stdout } = await run(process.execPath, [join(__dirname, 'openid-client.mjs'), server.url]);
    expect(JSON.parse(stdout)).toEqual({
      claims: expect.objectContaining({ iss: server.url, sub: '1', aud: 'web', email: 'ann@shop.example' }) as object,
      user: expect.objectContaining({ sub: '1', name: 'Ann', email_verified: true }) as object,
      opened: 200,
      refreshed: 200,
      // The browser is signed in already: whom the second client names is asked for on a page only.
      spa: ['1', 200],
      introspected: [true, 'orders:read'],
      revoked: 401,
      device: true,
      logout: true,
    });
    expect(server.defects).toEqual([]);
  } finally {
    await server.close();
  }
});
