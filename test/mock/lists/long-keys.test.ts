import supertest from 'supertest';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text } from '../../support/small-api';

const Point = object({ pointId: text, name: text }, ['pointId']);
const token = { type: 'string', maxLength: 128 };

function described(shown: object): string {
  const page = object({ points: list(ref('Point')), nextToken: shown });
  const calls = {
    'GET /points': { query: { nextToken: token, maxResults: { type: 'integer' } }, answers: { 200: page } },
    'POST /points': { body: ref('Point'), answers: { 201: ref('Point') } },
    'GET /points/{pointId}': { answers: { 200: ref('Point'), 404: null } },
  };
  return smallApi(calls, { Point });
}

// A cursor is made of the key of an item: that of a long key is longer than the token may be.
test.each([
  [8, token],
  [40, token],
  [90, token],
  [90, text],
  [300, token],
])('a walk through pages meets each item once, also with keys of %i characters', async (length, shown) => {
  const server = supertest(await serveText(described(shown), { state: 'empty' }));
  const keys = [1, 2, 3, 4, 5].map((number) => `arn:${String(number).repeat(length)}`);
  for (const pointId of keys) await server.post('/points').send({ pointId, name: 'n' }).expect(201);
  const met: string[] = [];
  let next: string | undefined = '';
  while (next !== undefined) {
    const query: Record<string, string> = next === '' ? { maxResults: '2' } : { maxResults: '2', nextToken: next };
    const { body } = await server.get('/points').query(query).expect(200);
    const page = body as { points: { pointId: string }[]; nextToken?: string };
    met.push(...page.points.map(({ pointId }) => pointId));
    expect(page.nextToken).not.toBe(next);
    next = page.nextToken;
  }
  expect(met).toEqual(keys);
});
