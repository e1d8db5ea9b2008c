import request from 'supertest';
import { serveText } from '../../support/serve-text';

const json = (media: object): object => ({ content: { 'application/json': media } });
const shown = (examples: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

const DOCUMENT = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Rates', version: '1' },
  paths: {
    '/rates/{currency}': {
      get: {
        parameters: [
          {
            name: 'currency',
            in: 'path',
            required: true,
            schema: { type: 'string' },
            examples: shown({ krone: 'NOK', koruna: 'CZK', old: 'CZK' }),
          },
          { name: 'year', in: 'query', schema: { type: 'integer' }, examples: shown({ old: 1995, krone: 2020 }) },
          { name: 'X-Bank', in: 'header', schema: { type: 'string' }, examples: shown({ central: 'c' }) },
        ],
        responses: {
          200: {
            description: 'ok',
            ...json({
              examples: shown({ krone: { rate: 1 }, koruna: { rate: 2 }, old: { rate: 3 }, central: { rate: 4 } }),
            }),
          },
        },
      },
    },
    '/sums': {
      post: {
        requestBody: json({ examples: shown({ one: { terms: [1] }, two: { terms: [1, 2.0] } }) }),
        responses: { 200: { description: 'ok', ...json({ examples: shown({ one: { is: 1 }, two: { is: 3 } }) }) } },
      },
    },
  },
});

test.each([
  ['/rates/CZK', 2],
  ['/rates/NOK', 1],
  ['/rates/CZK?year=1995', 3],
  ['/rates/NOK?year=2021', 1],
  ['/rates/GBP', 1],
])('%s is answered with the example of that request', async (path, rate) => {
  const app = await serveText(DOCUMENT);
  await request(app).get(path).expect(200, { rate });
});

test('a header selects the example, and a part of the request that differs rules it out', async () => {
  const app = await serveText(DOCUMENT);
  await request(app).get('/rates/GBP').set('X-Bank', 'c').expect(200, { rate: 4 });
  await request(app).get('/rates/GBP?year=1995').expect(200, { rate: 1 });
});

test('a body selects the example with the name of its own example', async () => {
  const app = await serveText(DOCUMENT);
  await request(app)
    .post('/sums')
    .send({ terms: [1, 2] })
    .expect(200, { is: 3 });
  await request(app)
    .post('/sums')
    .send({ terms: [1] })
    .expect(200, { is: 1 });
  await request(app)
    .post('/sums')
    .send({ terms: [7] })
    .expect(200, { is: 1 });
  await request(app)
    .post('/sums')
    .set('Prefer', 'example=two')
    .send({ terms: [1] })
    .expect(200, { is: 3 });
});
