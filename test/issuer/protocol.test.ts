import { createHash, randomBytes } from 'node:crypto';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import { startServer, type TestServer } from '../support/server';
import { temporaryFolder } from '../support/temporary-folder';
import { claimsOf, SHOP, SHOP_DATA } from './shop';

/** A browser as far as OAuth needs one: it keeps cookies and does not follow. */
class Browser {
  private readonly cookies = new Map<string, string>();

  async open(address: string, form?: Record<string, string>): Promise<Response> {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '), Accept: 'text/html' },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      this.cookies.set(name, value);
    }
    return response;
  }

  /** Goes on as long as the issuer leads on. @returns where it leads away, or the last page */
  async follow(address: string, form?: Record<string, string>): Promise<{ url: URL; page: string; status: number }> {
    const { origin } = new URL(address);
    let url = new URL(address);
    let response = await this.open(address, form);
    for (;;) {
      const location = response.headers.get('location');
      if (location === null) return { url, page: await response.text(), status: response.status };
      url = new URL(location, url);
      if (url.origin !== origin) return { url, page: '', status: response.status };
      response = await this.open(url.href);
    }
  }
}

const CALLBACK = 'http://localhost:3999/callback';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly scope: string;
  readonly expires_in: number;
  readonly error?: string;
  readonly error_description?: string;
}

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

/** The first server generates the key; to generate one takes longer than most of these tests. */
const issuerKey = temporaryFolder().file('issuer.pem');
let server: TestServer;
const start = async (options: CreateMockServerOptions = {}): Promise<void> => {
  server = await startServer({ description: SHOP, fixtures: SHOP_DATA, issuer: 'auto', issuerKey, ...options });
};
afterEach(async () => {
  expect(server.defects).toEqual([]);
  await server.close();
});

const at = (path: string): string => `${server.url}${path}`;
const authorize = (more: Record<string, string> = {}, path = '/__standin/issuer/authorize'): string =>
  at(
    `${path}?${new URLSearchParams({
      client_id: 'app',
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid profile email',
      state: 's',
      nonce: 'n',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...more,
    }).toString()}`,
  );

async function post(
  path: string,
  form: Record<string, string>,
  headers = {},
): Promise<{ status: number; body: Tokens }> {
  const response = await fetch(at(path), { method: 'POST', body: new URLSearchParams(form), headers });
  const text = await response.text();
  return { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Tokens };
}

const redeem = (code: string, more: Record<string, string> = {}): Promise<{ status: number; body: Tokens }> =>
  post('/__standin/issuer/token', {
    grant_type: 'authorization_code',
    client_id: 'app',
    redirect_uri: CALLBACK,
    code,
    code_verifier: verifier,
    ...more,
  });

const codeOf = async (more: Record<string, string> = {}, browser = new Browser()): Promise<string> => {
  const { url } = await browser.follow(authorize(more));
  return url.searchParams.get('code') ?? `none: ${url.href}`;
};

const orders = async (token: string): Promise<number> =>
  (await fetch(at('/orders'), { headers: { Authorization: `Bearer ${token}` } })).status;

const userinfo = async (token: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(at('/__standin/issuer/userinfo'), { headers: { Authorization: `Bearer ${token}` } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('who signs in with a code', () => {
  test('gets tokens that open the API and the userinfo endpoint, in the scopes of the description', async () => {
    await start();
    const browser = new Browser();
    const { url } = await browser.follow(authorize());
    expect([url.origin + url.pathname, url.searchParams.get('state'), url.searchParams.get('iss')]).toEqual([
      CALLBACK,
      's',
      server.url,
    ]);
    const { status, body } = await redeem(url.searchParams.get('code') ?? '');
    expect(status).toBe(200);
    expect(body.scope).toBe('openid profile email orders:read orders:write');
    expect(claimsOf(body.access_token)).toMatchObject({ iss: server.url, sub: '1', client_id: 'app', aud: server.url });
    expect(claimsOf(body.id_token)).toMatchObject({ iss: server.url, sub: '1', aud: 'app', nonce: 'n', name: 'Ann' });
    expect(await orders(body.access_token)).toBe(200);
    expect((await userinfo(body.access_token)).body).toMatchObject({
      sub: '1',
      email: 'ann@shop.example',
      roles: ['admin'],
    });
  });

  test('is asked who he is on a page, of which each user and each name of one will do', async () => {
    await start({ issuer: 'page' });
    const browser = new Browser();
    const { url, page } = await browser.follow(authorize({ client_id: 'my <app>' }));
    expect(page).toContain('Sign in at Shop');
    expect(page).toContain('my &lt;app&gt;');
    expect(page).toContain('Bob &lt;b&gt; (bob@shop.example)');
    expect(page).not.toMatch(/<script|type="password"/);
    const wrong = await browser.follow(url.href, { user: 'eve"' });
    expect([wrong.status, wrong.page.includes('Nobody here is called “eve&quot;”')]).toEqual([400, true]);
    const done = await browser.follow(url.href, { user: 'bob@shop.example' });
    const { body } = await redeem(done.url.searchParams.get('code') ?? '', { client_id: 'my <app>' });
    expect(claimsOf(body.access_token)).toMatchObject({ sub: '2', client_id: 'my <app>' });
    // The sign-in goes on: nobody is asked again, until a client wants that.
    expect(await codeOf({ prompt: 'none' }, browser)).not.toContain('none:');
    expect((await browser.follow(authorize({ prompt: 'login' }))).page).toContain('Sign in at Shop');
    expect((await new Browser().follow(authorize({ prompt: 'none' }))).url.searchParams.get('error')).toBe(
      'login_required',
    );
  });

  test('may be named by the client, and is whoever was made by a request', async () => {
    await start();
    await fetch(at('/users'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'new@shop.example' }),
    });
    const { body } = await redeem(await codeOf({ login_hint: 'new@shop.example' }));
    expect(claimsOf(body.id_token)).toMatchObject({ sub: '3', email: 'new@shop.example' });
  });

  test('gets what he asks for, and no more', async () => {
    await start();
    const { body } = await redeem(await codeOf({ scope: 'openid orders:read nonsense' }));
    expect(body.scope).toBe('openid orders:read');
    const refused = await fetch(at('/orders'), {
      method: 'POST',
      headers: { Authorization: `Bearer ${body.access_token}`, 'Content-Type': 'application/json' },
      body: '{"total":1}',
    });
    expect(refused.status).toBe(403);
  });

  test('redeems a code once, with the right proof, within its time', async () => {
    await start();
    const code = await codeOf();
    expect((await redeem(code, { code_verifier: 'x'.repeat(43) })).body.error).toBe('invalid_grant');
    const other = await codeOf();
    const { body } = await redeem(other);
    expect(await orders(body.access_token)).toBe(200);
    expect((await redeem(other)).body.error).toBe('invalid_grant');
    // Whoever stole the code has tokens, too: none of it is good any more (RFC 6749 §4.1.2).
    expect(await orders(body.access_token)).toBe(401);
    const late = await codeOf();
    server.app.setClock(new Date(Date.now() + 700_000));
    expect((await redeem(late)).body.error).toBe('invalid_grant');
  });

  test('needs a proof where the client has no secret, and none where it has one', async () => {
    await start();
    const plain = authorize().replace(/&code_challenge[^&]*/g, '');
    const { url } = await new Browser().follow(plain);
    const code = url.searchParams.get('code') ?? '';
    const without = await redeem(code, { code_verifier: '' });
    expect([without.status, without.body.error, without.body.error_description]).toEqual([
      400,
      'invalid_request',
      expect.stringContaining('must use PKCE') as string,
    ]);
    const form = { grant_type: 'authorization_code', redirect_uri: CALLBACK, code };
    const basic = { Authorization: `Basic ${Buffer.from('app:any%20secret').toString('base64')}` };
    expect((await post('/__standin/issuer/token', form, basic)).status).toBe(200);
  });

  test.each([
    ['https://evil.example/callback'],
    ['http://localhost.evil.example/callback'],
    ['http://user@localhost:3999/callback'],
    ['http://localhost:3999/callback#x'],
    ['javascript:alert(1)'],
    ['data:text/html,x'],
  ])('is not led to %s', async (address) => {
    await start();
    const { status, page, url } = await new Browser().follow(authorize({ redirect_uri: address }));
    expect([status, url.origin]).toEqual([400, server.url]);
    expect(page).toContain('redirect_uri did not match');
    expect(page).toContain('hosts that --issuer-allow names');
  });

  test.each([['myapp.example:/callback'], ['com.shop.app://callback'], ['https://staging.shop.example/callback']])(
    'is led to %s, an app or a host that was named',
    async (address) => {
      await start({ issuerHosts: ['staging.shop.example'] });
      const response = await new Browser()
        .follow(authorize({ redirect_uri: address }))
        .catch((error: unknown) => error);
      expect(response).toMatchObject({ url: { href: expect.stringContaining('code=') as string } });
    },
  );
});

describe('a token', () => {
  test('is refreshed on the clock of the mock, and is over when the sign-in is', async () => {
    await start();
    const { body: first } = await redeem(await codeOf());
    server.app.setClock(new Date(Date.now() + 3_700_000));
    expect(await orders(first.access_token)).toBe(401);
    const refresh = { grant_type: 'refresh_token', client_id: 'app' };
    const { body: second } = await post('/__standin/issuer/token', { ...refresh, refresh_token: first.refresh_token });
    expect(await orders(second.access_token)).toBe(200);
    expect(second.scope).toBe(first.scope);
    // Of a client without a secret, each is good once (RFC 9700 §4.14.2).
    const again = await post('/__standin/issuer/token', { ...refresh, refresh_token: first.refresh_token });
    expect(again.body.error).toBe('invalid_grant');
    const { body: third } = await redeem(await codeOf());
    server.app.setClock(new Date(Date.now() + 20 * 24 * 3_600_000));
    const late = await post('/__standin/issuer/token', { ...refresh, refresh_token: third.refresh_token });
    expect(late.body.error).toBe('invalid_grant');
  });

  test('is introspected and revoked', async () => {
    await start();
    const { body } = await redeem(await codeOf());
    const token = { client_id: 'app', token: body.access_token };
    expect((await post('/__standin/issuer/introspect', token)).body).toMatchObject({ active: true, sub: '1' });
    expect((await post('/__standin/issuer/revoke', token)).status).toBe(200);
    expect((await post('/__standin/issuer/introspect', token)).body).toEqual({ active: false });
    expect(await orders(body.access_token)).toBe(401);
    expect((await userinfo(body.access_token)).status).toBe(401);
    expect((await post('/__standin/issuer/revoke', { client_id: 'app', token: 'unknown' })).status).toBe(200);
  });

  test('for another API is not good here; one for a server of the description is', async () => {
    await start();
    const ask = async (resource: string): Promise<string> => {
      const form = { grant_type: 'client_credentials', client_id: 'app', client_secret: 'x', resource };
      return (await post('/__standin/issuer/token', form)).body.access_token;
    };
    const own = await ask('https://api.shop.example');
    expect([claimsOf(own)['aud'], await orders(own)]).toEqual(['https://api.shop.example', 200]);
    expect(await orders(await ask('https://api.shop.example/'))).toBe(200);
    const response = await fetch(at('/orders'), {
      headers: { Authorization: `Bearer ${await ask('https://other.example')}` },
    });
    expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
      401,
      `The token is for https://other.example; this API is ${server.url} or https://api.shop.example`,
    ]);
  });

  test('that tells a client who signed in opens nothing', async () => {
    await start();
    const { body } = await redeem(await codeOf());
    const response = await fetch(at('/orders'), { headers: { Authorization: `Bearer ${body.id_token}` } });
    expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
      401,
      'This is an ID token, which tells a client who signed in; send the access token',
    ]);
  });

  test('is given to a client itself, and for a name and a password', async () => {
    await start();
    const machine = { grant_type: 'client_credentials', client_id: 'job', client_secret: 'x', scope: 'orders:read' };
    const { body } = await post('/__standin/issuer/token', machine);
    expect(claimsOf(body.access_token)).toMatchObject({ sub: 'job', scope: 'orders:read' });
    expect(await orders(body.access_token)).toBe(200);
    const password = { grant_type: 'password', client_id: 'app', username: 'bob@shop.example', password: 'any' };
    const { body: given } = await post('/__standin/issuer/token', password);
    expect(claimsOf(given.access_token)).toMatchObject({ sub: '2', scope: 'orders:read orders:write' });
    const refresh = { grant_type: 'refresh_token', client_id: 'app', refresh_token: given.refresh_token };
    expect(await orders((await post('/__standin/issuer/token', refresh)).body.access_token)).toBe(200);
    const nobody = await post('/__standin/issuer/token', { ...password, username: 'eve' });
    expect([nobody.status, nobody.body.error]).toEqual([400, 'invalid_grant']);
  });

  test('is given to a device whose code somebody enters', async () => {
    await start();
    const { body } = await post('/__standin/issuer/device', { client_id: 'tv' });
    const device = body as unknown as { device_code: string; user_code: string; verification_uri: string };
    const wait = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: 'tv' };
    const poll = (): ReturnType<typeof post> =>
      post('/__standin/issuer/token', { ...wait, device_code: device.device_code });
    expect((await poll()).body.error).toBe('authorization_pending');
    const browser = new Browser();
    const xsrf = (page: string): string => /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    const { page } = await browser.follow(device.verification_uri);
    const wrong = await browser.follow(device.verification_uri, { xsrf: xsrf(page), user_code: 'BBBB-BBBB' });
    expect(wrong.page).toContain('There is no such code');
    const form = { xsrf: xsrf(wrong.page), user_code: device.user_code };
    const confirm = await browser.follow(device.verification_uri, form);
    expect(confirm.page).toContain(device.user_code);
    const done = await browser.follow(device.verification_uri, { ...form, xsrf: xsrf(confirm.page), confirm: 'yes' });
    expect(done.page).toContain('The device is connected');
    expect(await orders((await poll()).body.access_token)).toBe(200);
  });
});

describe('the issuer', () => {
  test('is called as the client calls it, and says so of each of its addresses', async () => {
    await start();
    const port = String(server.port);
    for (const issuer of [server.url, `http://localhost:${port}`, `http://localhost:${port}/realms/shop`]) {
      const response = await fetch(`${issuer}/.well-known/openid-configuration`);
      const found = (await response.json()) as Record<string, unknown>;
      expect(found).toMatchObject({
        issuer,
        token_endpoint: `${issuer}/__standin/issuer/token`,
        scopes_supported: ['openid', 'offline_access', 'profile', 'email', 'phone', 'orders:read', 'orders:write'],
        code_challenge_methods_supported: ['S256'],
      });
      const keys = (await (await fetch(String(found['jwks_uri']))).json()) as { keys: object[] };
      expect(keys.keys).toHaveLength(1);
      expect(keys.keys[0]).not.toHaveProperty('d');
    }
    const behind = await fetch(at('/.well-known/oauth-authorization-server/realms/shop'), {
      headers: { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'mock.example' },
    });
    expect(await behind.json()).toMatchObject({ issuer: 'https://mock.example/realms/shop' });
  });

  test('answers at the addresses that the description names', async () => {
    await start();
    const { url } = await new Browser().follow(authorize({}, '/oauth/authorize'));
    const form = {
      grant_type: 'authorization_code',
      client_id: 'app',
      redirect_uri: CALLBACK,
      code_verifier: verifier,
    };
    const { status } = await post('/oauth/token', { ...form, code: url.searchParams.get('code') ?? '' });
    expect(status).toBe(200);
  });

  test('stands in the description that the mock shows, so that its reference signs in here', async () => {
    await start();
    const shown = (await (await fetch(at('/__standin/description'))).json()) as typeof SHOP;
    const { oauth, connect } = shown.components.securitySchemes;
    expect(oauth.flows.authorizationCode).toEqual({
      ...SHOP.components.securitySchemes.oauth.flows.authorizationCode,
      authorizationUrl: at('/__standin/issuer/authorize'),
      tokenUrl: at('/__standin/issuer/token'),
    });
    expect(connect.openIdConnectUrl).toBe(at('/.well-known/openid-configuration'));
  });

  test('leaves to the description what it has an operation for', async () => {
    const description = structuredClone(SHOP) as unknown as { paths: Record<string, object> };
    description.paths['/oauth/token'] = { post: { security: [], responses: { 204: { description: 'mine' } } } };
    await start({ description });
    expect((await fetch(at('/oauth/token'), { method: 'POST' })).status).toBe(204);
    await server.close();
    await start({ description, basePath: '/v2' });
    expect((await fetch(at('/v2/oauth/token'), { method: 'POST' })).status).toBe(204);
    expect((await post('/oauth/token', { grant_type: 'x' })).body.error).toBeDefined();
  });

  test('is found at an address that is relative to the server', async () => {
    const description = structuredClone(SHOP) as unknown as {
      servers: object[];
      components: { securitySchemes: { oauth: { flows: object } } };
    };
    description.servers = [{ url: 'https://api.shop.example/v1' }];
    description.components.securitySchemes.oauth.flows = {
      password: { tokenUrl: 'token', scopes: { 'orders:read': '' } },
    };
    await start({ description });
    const form = { grant_type: 'password', client_id: 'app', username: '1', password: 'x' };
    expect(claimsOf((await post('/v1/token', form)).body.access_token)).toMatchObject({ sub: '1' });
    expect((await post('/token', form)).status).toBe(200);
  });

  test('lets pages of the same origins call that may call the API', async () => {
    await start({ corsOrigins: ['http://localhost:3999'] });
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' });
    const from = async (origin: string): Promise<(string | number | null)[]> => {
      const response = await fetch(at('/__standin/issuer/token'), {
        method: 'POST',
        body: form,
        headers: { Origin: origin },
      });
      return [response.status, response.headers.get('access-control-allow-origin')];
    };
    expect(await from('http://localhost:3999')).toEqual([200, 'http://localhost:3999']);
    expect(await from('http://evil.example')).toEqual([400, null]);
  });

  test('refuses what is too large, what is no form, and a sign-in that is over', async () => {
    await start({ issuer: 'page' });
    const large = await post('/__standin/issuer/token', { grant_type: 'x'.repeat(10 * 1024 * 1024) });
    expect([large.status, large.body.error]).toEqual([413, 'invalid_request']);
    const json = await fetch(at('/__standin/issuer/token'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"grant_type":"client_credentials"}',
    });
    expect([json.status, ((await json.json()) as Tokens).error]).toEqual([400, 'invalid_request']);
    const over = await new Browser().follow(at('/__standin/issuer/sign-in/abc'));
    expect([over.status, over.page.includes('This sign-in is over')]).toEqual([400, true]);
    expect((await new Browser().follow(at('/__standin/issuer/'))).page).toContain(`The issuer is ${server.url}`);
    expect((await fetch(at('/__standin/issuer/nothing'))).status).toBe(404);
  });

  test('ends a sign-in, with the tokens that came of it, and leads back', async () => {
    await start();
    const browser = new Browser();
    const { body } = await redeem(await codeOf({}, browser));
    const away = new URLSearchParams({
      id_token_hint: body.id_token,
      post_logout_redirect_uri: 'http://localhost:3999/bye',
    });
    const { page } = await browser.follow(at(`/__standin/issuer/logout?${away.toString()}`));
    const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    const { url } = await browser.follow(action, { xsrf, logout: 'yes' });
    expect(url.href).toBe('http://localhost:3999/bye');
    expect(await orders(body.access_token)).toBe(401);
    const refresh = { grant_type: 'refresh_token', client_id: 'app', refresh_token: body.refresh_token };
    expect((await post('/__standin/issuer/token', refresh)).body.error).toBe('invalid_grant');
    const evil = new URLSearchParams({
      id_token_hint: body.id_token,
      post_logout_redirect_uri: 'https://evil.example/',
    });
    expect((await browser.follow(at(`/__standin/issuer/logout?${evil.toString()}`))).status).toBe(400);
  });
});
