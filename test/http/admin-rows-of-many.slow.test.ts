import request from 'supertest';
import { serveText } from '../support/serve-text';

const gives = (schema: string): string =>
  `{ responses: { '200': { description: ok, content: { application/json: { schema: ${schema} } } } } }`;

test('of very many collections that nobody looked at yet some are counted later', async () => {
  const paths = Array.from(
    { length: 250 },
    (_, index) => `
  /${'abcdefghij'.repeat(2)}${index}: { get: ${gives('{ type: array, items: { $ref: "#/components/schemas/Wide" } }')} }
  /${'abcdefghij'.repeat(2)}${index}/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: ${gives('{ $ref: "#/components/schemas/Wide" }')}`,
  );
  const members = Array.from({ length: 60 }, (_, index) => `p${index}: { type: string, minLength: 900 }`);
  const text = `openapi: 3.0.3
info: { title: Many, version: 1.0.0 }
paths:${paths.join('')}
components: { schemas: { Wide: { type: object, required: [id, p1, p2, p3, p4, p5, p6, p7, p8, p9], properties: { id: { type: integer }, ${members.join(', ')} } } } }
`;
  const many = await serveText(text, { state: 'seeded' });
  const counted = async (): Promise<number> => {
    const { body } = await request(many).get('/__standin/collections').expect(200);
    const { collections } = body as { collections: { items: number | null }[] };
    expect(collections).toHaveLength(250);
    return collections.filter(({ items }) => items !== null).length;
  };
  let [before, now] = [0, await counted()];
  expect(now).toBeGreaterThan(0);
  for (; now < 250; [before, now] = [now, await counted()]) expect(now).toBeGreaterThan(before);
});

test('rows of a large collection are searched, sorted and paged', async () => {
  const app = await serveText(
    `openapi: 3.0.3
info: { title: Things, version: 1.0.0 }
paths:
  /things: { get: ${gives('{ type: array, items: { $ref: "#/components/schemas/Thing" } }')} }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: ${gives('{ $ref: "#/components/schemas/Thing" }')}
components: { schemas: { Thing: { type: object, required: [id], properties: { id: { type: integer }, name: { type: string } } } } }
`,
    { state: 'empty' },
  );
  const things = Array.from({ length: 100_000 }, (_, index) => ({ id: index + 1, name: `Thing ${99_999 - index}` }));
  app.load({ standin: 'fixture/1', collections: { '/things': things } });
  const page = async (query: string): Promise<{ total: number; rows: { key: number }[] }> => {
    const { body } = await request(app).get(`/__standin/rows?collection=/things${query}`).expect(200);
    return body as { total: number; rows: { key: number }[] };
  };
  for (const [query, expected] of [
    ['', 1],
    ['&search=thing%2099998', 2],
    ['&sort=name', 100_000],
    ['&changed=true', 1],
  ] as const) {
    expect((await page(`&limit=50${query}`)).rows[0]?.key).toBe(expected);
  }
  expect(await page('&key=99999')).toMatchObject({ total: 1, rows: [{ key: 99_999 }] });
});
