import request from 'supertest';
import { explanationOf } from '../../../src/explain/explain-api';
import { partsOfText, serveText } from '../../support/serve-text';

const BOUNDS =
  'type: object, properties: { gt: { type: integer }, gte: { type: integer }, lt: { type: integer }, lte: { type: integer } }';

const documentOf = (schema: string, member = '{ type: integer }'): string => `openapi: 3.0.3
info: { title: Bills, version: 1.0.0 }
paths:
  /bills:
    get:
      parameters: [{ name: created, in: query, style: deepObject, explode: true, schema: ${schema} }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Bill' } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Bill' } } } }
      responses: { '201': { description: made } }
  /bills/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Bill' } } } } }
components:
  schemas:
    Bill: { type: object, required: [id], properties: { id: { type: string }, created: ${member} } }
`;

const CHOICE = `{ anyOf: [{ ${BOUNDS} }, { type: integer }] }`;
const OBJECT = `{ ${BOUNDS} }`;

async function chosen(document: string, times: readonly unknown[], query: string): Promise<unknown[]> {
  const app = await serveText(document);
  for (const [index, created] of times.entries())
    await request(app)
      .post('/bills')
      .send({ id: `bill_${index}`, created })
      .expect(201);
  const { body } = (await request(app).get(`/bills?${query}`).expect(200)) as { body: { created: unknown }[] };
  return body.map(({ created }) => created);
}

test.each([
  [CHOICE, 'created[gte]=52', [52, 53, 54]],
  [CHOICE, 'created[gt]=52', [53, 54]],
  [CHOICE, 'created[lt]=52', [51]],
  [CHOICE, 'created[lte]=52', [51, 52]],
  [CHOICE, 'created[gt]=51&created[lt]=54', [52, 53]],
  [CHOICE, 'created=54', [54]],
  [`{ oneOf: [{ type: integer }, { ${BOUNDS} }] }`, 'created[gte]=53', [53, 54]],
  [OBJECT, 'created[gte]=52&created[lte]=53', [52, 53]],
])('with %s, %s chooses by range', async (schema, query, want) => {
  expect(await chosen(documentOf(schema), [51, 52, 53, 54], query)).toStrictEqual(want);
});

test('times are compared as instants', async () => {
  const time = '{ type: string, format: date-time }';
  const document = documentOf(`{ type: object, properties: { from: ${time}, to: ${time} } }`, time);
  const times = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00+05:00', '2026-01-02T00:00:00Z'];
  expect(
    await chosen(document, times, 'created[from]=2026-01-01T01:00:00Z&created[to]=2026-01-01T23:00:00Z'),
  ).toStrictEqual(['2026-01-02T00:00:00+05:00']);
});

test.each([
  [CHOICE, 'filter', 'only items whose created is the value, or is within the bounds gt, gte, lt, lte of the object'],
  [OBJECT, 'filter', 'only items whose created is within the bounds gt, gte, lt, lte of the object'],
  [
    '{ type: object, properties: { colour: { type: string } } }',
    'none',
    'its value is an object, which is compared with nothing',
  ],
])('of %s an explanation says: %s', async (schema, role, effect) => {
  const explained = await explanationOf(await partsOfText(documentOf(schema)));
  const [parameter] = explained.operations[0]!.parameters;
  expect(parameter).toMatchObject({ name: 'created', role, effect });
});

test('bounds of another type than the member have no effect, for a reason', async () => {
  const document = documentOf(OBJECT, '{ type: string, format: date-time }');
  const [parameter] = (await explanationOf(await partsOfText(document))).operations[0]!.parameters;
  expect(parameter).toMatchObject({ role: 'none', effect: 'it has another type than the property "created"' });
});
