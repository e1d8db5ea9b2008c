import request from 'supertest';
import type { MockServer } from '../../src/server/mock-server';
import { serveText } from '../support/serve-text';

const ERROR = '{ description: refused, content: { application/json: { schema: { type: object } } } }';

/** An item that is read, listed and made, with these responses for what is refused. */
const documentWith = (refusals: string): string => `openapi: 3.1.0
info: { title: Desk, version: 1.0.0 }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
  schemas:
    Note: { type: object, required: [id, text], properties: { id: { type: integer }, text: { type: string } } }
    NewNote: { type: object, required: [text], properties: { text: { type: string } } }
paths:
  /notes:
    get:
      parameters: [{ name: limit, in: query, schema: { type: integer, minimum: 1 } }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } }
        ${refusals}
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewNote' } } } }
      responses:
        '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
        ${refusals}
  /notes/{id}:
    get:
      security: [{ key: [] }]
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } }
        ${refusals}
`;

type Send = (app: MockServer) => request.Test;

const bad = {
  parameter: (app) => request(app).get('/notes?limit=none'),
  'path parameter': (app) => request(app).get('/notes/none').set('X-Key', 'test-key'),
  member: (app) => request(app).post('/notes').send({ text: 1 }),
  'body that lacks a member': (app) => request(app).post('/notes').send({}),
  'body that is not there': (app) => request(app).post('/notes'),
  'body that is no JSON': (app) => request(app).post('/notes').type('application/json').send('{"text"'),
  'credential that is missing': (app) => request(app).get('/notes/1'),
} satisfies Record<string, Send>;

async function statusOf(what: keyof typeof bad, documented: readonly string[]): Promise<number> {
  const refusals = documented.map((status) => `'${status}': ${ERROR}`).join('\n        ');
  return (await bad[what](await serveText(documentWith(refusals)))).status;
}

const NOT_VALID = {
  '400': 400,
  '422': 422,
  '400 422': 400,
  '4XX 422': 400,
  '404': 400,
  '422 default': 422,
  '403': 400,
};
const WITHOUT_CREDENTIAL = { '401 403': 401, '403': 403, '4XX 403': 401, '403 default': 401, '404': 401 };

describe.each([
  { what: 'parameter', statuses: NOT_VALID },
  { what: 'path parameter', statuses: { ...NOT_VALID, '404': 404, '404 default': 400, '404 422': 422 } },
  { what: 'member', statuses: NOT_VALID },
  { what: 'body that lacks a member', statuses: NOT_VALID },
  { what: 'body that is not there', statuses: NOT_VALID },
  { what: 'body that is no JSON', statuses: NOT_VALID },
  { what: 'credential that is missing', statuses: WITHOUT_CREDENTIAL },
] as const)('a $what', ({ what, statuses }) => {
  it.each(Object.entries(statuses))('is refused, where %s is documented, with %i', async (documented, status) => {
    expect(await statusOf(what, documented.split(' '))).toBe(status);
  });
});

it('refuses credentials with 401 where any operation documents that, and 403 is all that this one does', async () => {
  const document = documentWith(`'403': ${ERROR}`);
  const elsewhere = `  /login: { post: { responses: { '200': { description: in }, '401': ${ERROR} } } }\n`;
  await request(await serveText(document))
    .get('/notes/1')
    .expect(403);
  await request(await serveText(document + elsewhere))
    .get('/notes/1')
    .expect(401);
});
