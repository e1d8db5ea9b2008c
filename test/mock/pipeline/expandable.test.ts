import request from 'supertest';
import { serveText } from '../../support/serve-text';

const DOCUMENT = `openapi: 3.0.3
info: { title: Bills, version: 1.0.0 }
paths:
  /customers:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Customer' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Customer' } } } } }
  /customers/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Customer' } } } } }
  /invoices:
    get:
      parameters: [{ name: customer, in: query, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Invoice' } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { customer: { type: string }, amount: { type: integer } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Invoice' } } } } }
  /invoices/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Invoice' } } } } }
components:
  schemas:
    Customer: { type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }
    Invoice:
      type: object
      required: [id, customer]
      properties:
        id: { type: string }
        amount: { type: integer }
        customer: { anyOf: [{ type: string }, { $ref: '#/components/schemas/Customer' }] }
`;

test('items are found by what they refer to, whether they hold its key or the whole of it', async () => {
  const app = await serveText(DOCUMENT, { state: 'seeded' });
  const { body: customer } = (await request(app).post('/customers').send({ name: 'Ann' }).expect(201)) as {
    body: { id: string };
  };
  const { body: invoice } = await request(app).post('/invoices').send({ customer: customer.id, amount: 5 }).expect(201);
  await request(app).get(`/invoices?customer=${customer.id}`).expect(200, [invoice]);

  const [first] = (await request(app).get('/invoices').expect(200)).body as { customer: string | { id: string } }[];
  const key = typeof first?.customer === 'object' ? first.customer.id : (first?.customer ?? '');
  const { body: found } = await request(app).get(`/invoices?customer=${key}`).expect(200);
  expect(found).toContainEqual(first);
});
