import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import supertest from 'supertest';
import { createMockServer } from '../../src/express';

const HTML = { Accept: 'text/html,application/xhtml+xml' };
const MADE = join(__dirname, '..', '..', 'dist', 'window');

describe('the window', () => {
  let app: Awaited<ReturnType<typeof createMockServer>>;
  beforeAll(async () => {
    app = await createMockServer();
  });

  test('is what a browser gets at the address of the admin routes, and a program their list', async () => {
    const page = await supertest(app).get('/__standin/').set(HTML).expect(200);
    expect(page.text).toBe(readFileSync(join(MADE, 'index.html'), 'utf8'));
    const list = await supertest(app).get('/__standin/').expect(200);
    expect(list.body).toMatchObject({ standin: 'admin/1' });
  });

  test.each([
    ['window.js', 'text/javascript'],
    ['window.css', 'text/css'],
  ])('has %s', async (name, type) => {
    const { headers, text } = await supertest(app).get(`/__standin/window/${name}`).expect(200);
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    expect(text).toBe(readFileSync(join(MADE, name), 'utf8'));
  });

  test('runs its own script alone, is framed nowhere, and is taken for nothing else', async () => {
    const { headers } = await supertest(app).get('/__standin/').set(HTML);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['cache-control']).toBe('no-store');
  });

  test.each(['package.json', '..%2findex.html', '%2e%2e/%2e%2e/package.json', 'toString', ''])(
    'has no file "%s"',
    async (name) => {
      const { body } = await supertest(app).get(`/__standin/window/${name}`).expect(404);
      expect(body).toMatchObject({ code: 'route_not_found' });
    },
  );

  test.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://elsewhere.example' },
    { Host: 'elsewhere.example' },
  ])('is not for pages and names from elsewhere: %j', async (headers) => {
    await supertest(app)
      .get('/__standin/')
      .set({ ...HTML, ...headers })
      .expect(403);
    await supertest(app).get('/__standin/window/window.js').set(headers).expect(403);
  });
});

test('with a token the page loads without it, to ask for it; what it shows does not', async () => {
  const app = await createMockServer({ adminToken: 'a-token-of-32-characters-and-more' });
  await supertest(app).get('/__standin/').set(HTML).expect(200);
  await supertest(app).get('/__standin/window/window.js').expect(200);
  await supertest(app).get('/__standin/overview').expect(403);
  await supertest(app).get('/__standin/window/window.js').set('Sec-Fetch-Site', 'cross-site').expect(403);
});

test('a form of another page with a body of text changes nothing', async () => {
  const app = await createMockServer();
  await supertest(app)
    .post('/__standin/reset')
    .set({ 'Content-Type': 'text/plain', Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' })
    .send('{}')
    .expect(403);
});
