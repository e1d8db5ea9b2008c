import request from 'supertest';
import { serveText } from '../../support/serve-text';

const DOCUMENT = `openapi: 3.1.0
info: { title: Desk, version: 1.0.0 }
paths:
  /tickets:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Ticket' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Ticket' } } } }
      responses: { '201': { description: made } }
  /tickets/{id}:
    delete:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '204': { description: gone } }
  /tickets/stats:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Stats' } } } } } }
components:
  schemas:
    Ticket:
      type: object
      required: [state]
      properties: { id: { type: integer }, state: { type: string, enum: [open, waiting, closed] } }
    Stats:
      type: object
      additionalProperties: false
      properties: { open: { type: integer }, closed: { type: integer }, total: { type: integer } }
`;

test('numbers with the names of the values of a member count the items', async () => {
  const app = await serveText(DOCUMENT);
  const stats = async (): Promise<unknown> => (await request(app).get('/tickets/stats').expect(200)).body as unknown;
  expect(await stats()).toEqual({ open: 0, closed: 0, total: 0 });
  for (const state of ['open', 'open', 'waiting']) await request(app).post('/tickets').send({ state }).expect(201);
  expect(await stats()).toEqual({ open: 2, closed: 0, total: 3 });
  await request(app).delete('/tickets/1').expect(204);
  expect(await stats()).toEqual({ open: 1, closed: 0, total: 2 });
});
