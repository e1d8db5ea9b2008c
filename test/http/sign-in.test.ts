import request from 'supertest';
import { serveText } from '../support/serve-text';

const DOCUMENT = `openapi: 3.1.0
info: { title: Desk, version: 1.0.0 }
components:
  securitySchemes: { bearer: { type: http, scheme: bearer }, cookie: { type: apiKey, in: cookie, name: sid } }
security: [{ bearer: [] }, { cookie: [] }]
paths:
  /auth/login:
    post:
      security: []
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object, required: [access_token, jwt, expires_in], properties: { access_token: { type: string }, jwt: { type: string }, expires_in: { type: integer } } } } } } }
  /auth/logout: { post: { responses: { '204': { description: ok } } } }
  /session:
    post:
      security: []
      responses: { '204': { description: ok, headers: { Set-Cookie: { schema: { type: string } } } } }
  /me: { get: { responses: { '200': { description: ok, content: { application/json: { example: { name: Ann } } } } } } }
`;

interface Tokens {
  readonly access_token: string;
  readonly jwt: string;
  readonly expires_in: number;
}

test('a token that the mock gave out is good until its end, or until it is signed out', async () => {
  const app = await serveText(DOCUMENT);
  await request(app).get('/me').set('Authorization', 'Bearer invalid').expect(401);
  const login = async (): Promise<Tokens> =>
    (await request(app).post('/auth/login').send({}).expect(200)).body as Tokens;
  const { access_token: token, jwt, expires_in: lifetime } = await login();
  expect(lifetime).toBeGreaterThanOrEqual(3600);
  const [, claims = ''] = jwt.split('.');
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toHaveProperty('exp');
  await request(app).get('/me').set('Authorization', `Bearer ${token}`).expect(200);
  await request(app).get('/me').set('Authorization', `Bearer ${jwt}`).expect(200);
  await request(app).post('/auth/logout').set('Authorization', `Bearer ${token}`).expect(204);
  await request(app).get('/me').set('Authorization', `Bearer ${token}`).expect(401);
  await login();
  app.setClock(new Date(Date.now() + (lifetime + 60) * 1000));
  await request(app).get('/me').set('Authorization', `Bearer ${token}`).expect(401);
});

test('what one sandbox gave out is no key of another', async () => {
  const app = await serveText(DOCUMENT, { auth: 'keys' });
  const { body } = await request(app).post('/auth/login').set('X-Standin-Sandbox', 'a').send({}).expect(200);
  const bearer = `Bearer ${(body as Tokens).access_token}`;
  await request(app).get('/me').set('X-Standin-Sandbox', 'a').set('Authorization', bearer).expect(200);
  await request(app).get('/me').set('X-Standin-Sandbox', 'b').set('Authorization', bearer).expect(401);
});

test('a documented cookie is set, under the name that is asked for, and is good', async () => {
  const app = await serveText(DOCUMENT);
  const { headers } = await request(app).post('/session').expect(204);
  const [cookie = ''] = headers['set-cookie'] as unknown as string[];
  expect(cookie).toMatch(/^sid=[0-9a-f]+; Path=\/; HttpOnly$/);
  await request(app)
    .get('/me')
    .set('Cookie', cookie.split(';')[0] ?? '')
    .expect(200);
});

test('a 401 tells of --auth any, and of nothing where any key is good', async () => {
  const app = await serveText(DOCUMENT, { auth: 'keys' });
  const { headers } = await request(app).get('/me').expect(401);
  expect(headers['x-standin-problem']).toContain('--auth any');
  const open = await request(await serveText(DOCUMENT, { auth: 'any' }))
    .get('/me')
    .expect(401);
  expect(open.headers).not.toHaveProperty('x-standin-problem');
});

test('pages of named origins may send cookies, those of any may not', async () => {
  const origin = 'http://localhost:3000';
  const named = await request(await serveText(DOCUMENT, { corsOrigins: [origin] }))
    .get('/me')
    .set('Origin', origin);
  expect(named.headers).toMatchObject({ 'access-control-allow-credentials': 'true' });
  const any = await request(await serveText(DOCUMENT))
    .get('/me')
    .set('Origin', origin);
  expect(any.headers).not.toHaveProperty('access-control-allow-credentials');
});
