import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import request from 'supertest';
import { once } from '../../src/core/text/memoize';
import { createMockServer } from '../../src/library/create-mock-server';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import { connections, startAppServer } from '../support/app-server';
import { temporaryFolder } from '../support/temporary-folder';
import { claimsOf, SHOP, SHOP_DATA } from './shop';

/** The first server generates the key; to generate one takes longer than most of these tests. */
const sharedKey = temporaryFolder().file('issuer.pem');
const start = (options: CreateMockServerOptions = {}): ReturnType<typeof createMockServer> =>
  createMockServer({ description: SHOP, fixtures: SHOP_DATA, issuer: true, issuerKey: sharedKey, ...options });

type Method = 'get' | 'post';

let app: Awaited<ReturnType<typeof createMockServer>>;
let server: Server;
beforeAll(async () => {
  app = await start();
  server = await startAppServer(app);
});
beforeEach(() => {
  app.reset();
  app.setClock(undefined);
});

const send = (method: Method, path: string): request.Test => request(server)[method](path).agent(connections);

/** The same with a key that nobody else has: it is started once, because to generate a key takes long. */
const startStranger = once(() => start({ issuerKey: undefined }));

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a token for a test', () => {
  const orders = (token: string): request.Test => send('get', '/orders').set('Authorization', `Bearer ${token}`);
  const why = async (token: string): Promise<unknown> => {
    const { status, body, headers } = await orders(token);
    expect(headers['www-authenticate']).toContain('error="invalid_token"');
    return [status, (body as { detail?: unknown }).detail];
  };

  test('opens what its scopes open, and is refused elsewhere by the name of the scope', async () => {
    const token = app.tokenFor({ user: 'ann@shop.example', scopes: ['orders:read'] });
    await orders(token).expect(200, [{ id: 1, total: 5 }]);
    const refused = await send('post', '/orders').set('Authorization', `Bearer ${token}`).send({ total: 3 });
    expect(refused.status).toBe(403);
    expect(refused.headers['www-authenticate']).toContain('error="insufficient_scope", scope="orders:write"');
    await send('post', '/orders').set('Authorization', `Bearer ${app.tokenFor()}`).send({ total: 3 }).expect(201);
  });

  test('says whose it is, what for, and until when', () => {
    const claims = claimsOf(app.tokenFor({ user: 'ann@shop.example', expiresIn: 60 }));
    expect(claims).toMatchObject({
      sub: '1',
      roles: ['admin'],
      scope: 'orders:read orders:write',
      client_id: 'standin',
    });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(60);
    expect(claimsOf(app.tokenFor({ user: '2' }))).toMatchObject({ sub: '2' });
    expect(claimsOf(app.tokenFor())).toMatchObject({ sub: '1' });
  });

  test('ends on the clock of the mock', async () => {
    const token = app.tokenFor({ expiresIn: 60 });
    await orders(token).expect(200);
    app.setClock(new Date(Date.now() + 61_000));
    expect(await why(token)).toEqual([401, 'The API key has expired']);
    await orders(app.tokenFor({ expiresIn: 60 })).expect(200);
    expect(await why(app.tokenFor({ expiresIn: -1 }))).toEqual([401, 'The API key has expired']);
  });

  test('for nobody who is stored is refused, with who was meant', () => {
    expect(() => app.tokenFor({ user: 'anne@shop.example' })).toThrow('No user is called "anne@shop.example"');
    expect(() => app.tokenFor({ user: 'anne@shop.example' })).toThrow(/ann@shop\.example/);
  });

  test('that somebody forged opens nothing, and is told why', async () => {
    const good = app.tokenFor();
    const [, claims = '', signature = ''] = good.split('.');
    expect(await why(`${encode({ alg: 'none', typ: 'at+jwt' })}.${claims}.`)).toEqual([
      401,
      'The token is not signed: its header says "alg": "none"',
    ]);
    expect(await why(`${encode({ alg: 'NONE', typ: 'at+jwt' })}.${claims}.`)).toEqual([
      401,
      'The token is signed by NONE; this issuer signs by RS256',
    ]);
    const { body } = await send('get', '/__standin/issuer/jwks');
    const byPublicKey = createHmac('sha256', JSON.stringify((body as { keys: object[] }).keys[0]));
    const header = encode({ alg: 'HS256', typ: 'at+jwt' });
    const confused = `${header}.${claims}.${byPublicKey.update(`${header}.${claims}`).digest('base64url')}`;
    expect(await why(confused)).toEqual([401, 'The token is signed by HS256; this issuer signs by RS256']);
    expect(await why((await startStranger()).tokenFor())).toEqual([401, 'The token was not signed by this issuer']);
    const more = encode({ ...claimsOf(good), scope: 'orders:read orders:write admin' });
    expect(await why(`${good.split('.')[0] ?? ''}.${more}.${signature}`)).toEqual([
      401,
      'The token was not signed by this issuer',
    ]);
    expect(await why('not.a.token')).toEqual([401, 'The API key is not known']);
  });

  test('is good in every sandbox, and ends by the clock of each', async () => {
    const token = app.tokenFor({ expiresIn: 60 });
    app.sandbox('later').setClock(new Date(Date.now() + 61_000));
    await orders(token).set('X-Standin-Sandbox', 'other').expect(200);
    await orders(token).set('X-Standin-Sandbox', 'later').expect(401);
  });

  test('says whose record it is where the API has one for the caller', async () => {
    const me = async (user: string): Promise<unknown> =>
      (await send('get', '/users/me').set('Authorization', `Bearer ${app.tokenFor({ user })}`)).body;
    expect(await me('1')).toMatchObject({ id: 1, name: 'Ann' });
    expect(await me('bob@shop.example')).toMatchObject({ id: 2 });
    // A key says nothing of a user: the first one, as before.
    expect((await send('get', '/users/me').set('Authorization', 'Bearer test-key')).body).toMatchObject({ id: 1 });
  });

  test('is given by an admin route as well', async () => {
    const { body } = await send('post', '/__standin/token')
      .send({ user: '2', scopes: ['orders:read'] })
      .expect(200);
    const { token } = body as { token: string };
    expect(claimsOf(token)).toMatchObject({ sub: '2', scope: 'orders:read' });
    await orders(token).expect(200);
    const wrong = await send('post', '/__standin/token').send({ user: 'eve' });
    expect([wrong.status, JSON.stringify(wrong.body).includes('No user is called')]).toEqual([400, true]);
  });

  test('does without an issuer what no option says: nothing', async () => {
    const without = await start({ issuer: false, auth: 'keys' });
    expect(() => without.tokenFor()).toThrow('There is no issuer that could sign a token');
    await request(without).get('/__standin/issuer/jwks').expect(404);
    await request(without).get('/orders').set('Authorization', `Bearer ${app.tokenFor()}`).expect(401);
  });
});

describe('a login of the description', () => {
  test('gives tokens of the same kind, for whom it names and as long as it says', async () => {
    const { body } = await send('post', '/login').send({ email: 'ann@shop.example', password: 'any' }).expect(200);
    const { accessToken, refreshToken } = body as { accessToken: string; refreshToken: string };
    const claims = claimsOf(accessToken);
    expect(claims).toMatchObject({ sub: '1', roles: ['admin'], scope: 'orders:read orders:write' });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(900);
    expect(refreshToken.split('.')).toHaveLength(1);
    const bearer = ['Authorization', `Bearer ${accessToken}`] as const;
    await send('get', '/orders')
      .set(...bearer)
      .expect(200);
    await send('post', '/logout')
      .set(...bearer)
      .expect(204);
    const after = await send('get', '/orders').set(...bearer);
    expect([after.status, (after.body as { detail: string }).detail]).toEqual([401, 'The token was revoked']);
  });

  test('gives somebody who is not stored a token in his own name', async () => {
    const { body } = await send('post', '/login').send({ email: 'new@shop.example' });
    expect(claimsOf((body as { accessToken: string }).accessToken)).toMatchObject({ sub: 'new@shop.example' });
  });

  test('keeps the shape that the description wants of a token', async () => {
    const description = structuredClone(SHOP) as unknown as {
      components: { schemas: { Session: { properties: object } } };
    };
    description.components.schemas.Session.properties = {
      accessToken: { type: 'string', pattern: '^sk_[0-9a-f]{8}$' },
      refreshToken: { type: 'string' },
      expiresIn: { type: 'integer' },
    };
    const other = await start({ description });
    const { body } = await request(other).post('/login').send({ email: 'ann@shop.example' }).expect(200);
    const { accessToken } = body as { accessToken: string };
    expect(accessToken).toMatch(/^sk_/);
    await request(other).get('/orders').set('Authorization', `Bearer ${accessToken}`).expect(200);
  });
});

describe('the key that signs', () => {
  test('is kept in a file, which only its owner may read', async () => {
    // The first server wrote it there.
    const token = app.tokenFor();
    expect(statSync(sharedKey).mode & 0o777).toBe(0o600);
    const second = await start({ issuerKey: sharedKey });
    await request(second).get('/orders').set('Authorization', `Bearer ${token}`).expect(200);
    await request(await startStranger())
      .get('/orders')
      .set('Authorization', `Bearer ${token}`)
      .expect(401);
  });

  test('is not taken from a file that holds another, nor written where it cannot be', async () => {
    const folder = temporaryFolder();
    const file = folder.write('issuer.pem', 'no key\n');
    await expect(start({ issuerKey: file })).rejects.toThrow('holds no RSA key to sign tokens with');
    expect(readFileSync(file, 'utf8')).toBe('no key\n');
    const nowhere = folder.file('no/issuer.pem');
    await expect(start({ issuerKey: nowhere })).rejects.toThrow('The key of the issuer cannot be written');
    expect(existsSync(nowhere)).toBe(false);
  });
});
