import request from 'supertest';
import { serveText } from '../support/serve-text';

const CHUNK = '{ type: object, required: [id, text], properties: { id: { type: string }, text: { type: string } } }';
const EVENTS = `{ anyOf: [{ $ref: '#/components/schemas/Begun' }, { $ref: '#/components/schemas/Failed' }, { $ref: '#/components/schemas/Done' }] }`;
const kind = (name: string): string => `{ type: object, required: [type], properties: { type: { const: ${name} } } }`;

const DOCUMENT = `openapi: 3.1.0
info: { title: Desk, version: 1.0.0 }
paths:
  /texts:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: ${CHUNK} } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { text: { type: string }, stream: { type: boolean, description: 'Ends with data: [DONE]' } } } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: ${CHUNK} }, text/event-stream: { schema: ${CHUNK} } } } }
  /texts/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: ok, content: { application/json: { schema: ${CHUNK} } } } }
  /runs:
    post:
      responses: { '200': { description: ok, content: { application/json: { example: {} }, text/event-stream: { schema: ${EVENTS} } } } }
components: { schemas: { Begun: ${kind('begun')}, Failed: ${kind('run.failed')}, Done: ${kind('done')} } }
`;

const dataOf = (text: string): string[] =>
  text
    .split('\n\n')
    .filter((event) => event !== '')
    .map((event) => event.replace(/^data: /, ''));

test('stream: true gets the documented events, with the end that the description tells of', async () => {
  const app = await serveText(DOCUMENT);
  const { headers, text } = await request(app).post('/texts').send({ text: 'a', stream: true }).expect(200);
  expect(headers['content-type']).toBe('text/event-stream');
  const events = dataOf(text);
  expect(events.at(-1)).toBe('[DONE]');
  expect(events.length).toBeGreaterThan(2);
  for (const event of events.slice(0, -1))
    expect(JSON.parse(event)).toMatchObject({ id: expect.any(String) as string });
  await request(app).post('/texts').send({ text: 'a', stream: false }).expect('Content-Type', /json/);
});

test('so does an Accept that asks for it: an event of each kind, none of trouble, and no end that nobody told of', async () => {
  const app = await serveText(DOCUMENT);
  const { text } = await request(app).post('/runs').set('Accept', 'text/event-stream').expect(200);
  expect(dataOf(text).map((event) => (JSON.parse(event) as { type: string }).type)).toEqual(['begun', 'done']);
});
