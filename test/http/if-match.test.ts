import request from 'supertest';
import { partsOfText } from '../support/serve-text';

function describing(readHeaders: string): string {
  const item = "content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }";
  return `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      responses:
        '200': { description: All, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } }
    post:
      requestBody: { ${item} }
      responses: { '201': { description: Made, ${item} } }
    delete: { responses: { '204': { description: All gone } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: One, ${readHeaders} ${item} } } }
    put: { requestBody: { ${item} }, responses: { '200': { description: Changed, ${item} } } }
    patch: { requestBody: { ${item} }, responses: { '200': { description: Changed, ${item} } } }
    delete: { responses: { '204': { description: Gone } } }
components: { schemas: { Note: { type: object, properties: { id: { type: integer, readOnly: true }, text: { type: string } } } } }
`;
}

const TAGGED = describing('headers: { ETag: { schema: { type: string } } },');
const UNTAGGED = describing('');
const BODY = { text: 'b' };

async function openNotes(text: string, requireIfMatch = false) {
  const { app, warnings } = await partsOfText(text, { requireIfMatch });
  await request(app).post('/notes').send({ text: 'a' }).expect(201);
  return { app, warnings };
}

describe.each(['put', 'patch', 'delete'] as const)('If-Match on %s, which lists no such parameter', (method) => {
  test('is 412 for another tag, and nothing changes', async () => {
    const { app } = await openNotes(TAGGED);
    await request(app)[method]('/notes/1').set('If-Match', '"x"').send(BODY).expect(412);
    const { body, headers } = await request(app).get('/notes/1').expect(200);
    expect(body).toEqual({ id: 1, text: 'a' });
    const { status } = await request(app)[method]('/notes/1').set('If-Match', headers['etag']!).send(BODY);
    expect(status).toBe(method === 'delete' ? 204 : 200);
  });

  test('is 428 where it is required and missing', async () => {
    const { app, warnings } = await openNotes(TAGGED, true);
    await request(app)[method]('/notes/1').send(BODY).expect(428);
    expect(warnings.map(({ rule }) => rule)).not.toContain('if-match-nowhere');
  });

  test('is nothing where the read sends no tag', async () => {
    const { app } = await openNotes(UNTAGGED, true);
    const { status } = await request(app)[method]('/notes/1').set('If-Match', '"x"').send(BODY);
    expect(status).toBe(method === 'delete' ? 204 : 200);
  });
});

test('If-Match is not asked for by a change of a whole collection', async () => {
  const { app } = await openNotes(TAGGED, true);
  await request(app).delete('/notes').expect(204);
});

test('a mock that requires If-Match where nothing takes it says so at the start', async () => {
  const { warnings } = await openNotes(UNTAGGED, true);
  expect(warnings.map(({ rule }) => rule)).toContain('if-match-nowhere');
});
