import request from 'supertest';
import { createMockServer } from '../../src/express';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();
const DESCRIPTION = `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /books:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer } }
        - { name: page, in: query, schema: { type: integer } }
        - { name: token, in: query, schema: { type: string } }
      security: [{}, { key: [] }]
      responses:
        '200':
          description: ok
          headers: { Link: { schema: { type: string } } }
          content:
            application/json:
              schema:
                type: object
                required: [data, next, self]
                properties:
                  data: { type: array, items: { $ref: '#/components/schemas/Book' } }
                  next: { type: string, format: uri, nullable: true }
                  self: { type: string, format: uri }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
components:
  securitySchemes: { key: { type: apiKey, in: query, name: appkey } }
  schemas: { Book: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, title: { type: string } } } }
`;

test.each(['access_token', 'api_key', 'client%5Fsecret', 'X-Auth-Token', 'sig'])(
  'a key that nobody declared, %s in the query, comes back in no response',
  async (name) => {
    const app = await createMockServer({ description: folder.write('openapi.yaml', DESCRIPTION), auth: 'off' });
    for (const title of ['Emma', 'Persuasion']) {
      const made = await request(app).post(`/books?${name}=hush-hush`).send({ title }).expect(201);
      expect(`${made.text}${JSON.stringify(made.headers)}`).not.toContain('hush');
    }
    const listed = await request(app).get(`/books?limit=1&${name}=hush-hush&x=1`).expect(200);
    expect(`${listed.text}${JSON.stringify(listed.headers)}`).not.toContain('hush');
    expect(listed.headers['link']).toContain('limit=1&x=1&page=2');
    expect(listed.body).toMatchObject({ next: expect.stringContaining('limit=1&x=1&page=2') as string });
  },
);

test.each(['token', 'appkey'])('what the description has in the query stays in the links: %s', async (name) => {
  const app = await createMockServer({ description: folder.write('openapi.yaml', DESCRIPTION), auth: 'off' });
  const listed = await request(app).get(`/books?limit=1&${name}=shown`).expect(200);
  expect(listed.headers['link']).toContain(`${name}=shown`);
});
