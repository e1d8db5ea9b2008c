import request from 'supertest';
import { createMockServer } from '../../src/library/create-mock-server';
import { description, loadText } from './load-text';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

const parameter = (name: string): string => `{ name: ${name}, in: path, required: true, schema: { type: string } }`;
const answer = (example: string): string =>
  `responses: { '200': { description: ok, content: { application/json: { schema: { type: string }, example: ${example} } } } }`;

async function served(text: string): ReturnType<typeof createMockServer> {
  return createMockServer({ description: folder.write('openapi.yaml', text) });
}

test('templates for the same paths are one: each method of the first that has it, its parameters by its own names', async () => {
  const app = await served(
    description({
      paths: `
  /render/{template}: { post: { parameters: [${parameter('template')}], ${answer('first')} } }
  /render/{result}:
    get: { parameters: [${parameter('result')}], ${answer('second')} }
    post: { parameters: [${parameter('result')}], ${answer('third')} }`,
    }),
  );
  await request(app).post('/render/1').expect(200, '"first"');
  await request(app).get('/render/1').expect(200, '"second"');
});

test('of two operations with one operationId the later is called by method and path', () => {
  const { api } = loadText(
    description({
      paths: `
  /a: { get: { operationId: one, ${answer('a')} } }
  /b: { get: { operationId: one, ${answer('b')} } }`,
    }),
  );
  expect(api.operations.map(({ id }) => id)).toStrictEqual(['one', 'GET /b']);
  expect(api.operationById('one')?.path).toBe('/a');
});

test('an operation whose schema does not compile answers 501 and says why; the others are served', async () => {
  const app = await served(
    description({
      paths: `
  /good: { get: { ${answer('well')} } }
  /bad:
    get:
      parameters: [{ name: q, in: query, schema: { type: string, pattern: '(' } }]
      ${answer('never')}`,
    }),
  );
  await request(app).get('/good').expect(200, '"well"');
  const refused = await request(app).get('/bad?q=1').expect(501);
  expect(refused.body).toMatchObject({ code: 'not_implemented' });
  expect(JSON.stringify(refused.body)).toContain('Invalid regular expression');
});

test('a link by operationRef leads to the operation that stands there, one that leads elsewhere to none', () => {
  const links = `{
    here: { operationRef: '#/paths/~1b~1{id}/get' },
    written: { operationRef: './openapi.yaml#/paths/~1b~1%7Bid%7D/get' },
    twin: { operationRef: '#/paths/~1c/get' },
    nowhere: { operationRef: '#/paths/~1d/get' },
    elsewhere: { operationRef: 'other.yaml#/paths/~1c/get' } }`;
  const { api } = loadText(
    description({
      paths: `
  /a: { get: { responses: { '200': { description: ok, links: ${links} } } } }
  /b/{id}: { get: { operationId: one, parameters: [${parameter('id')}], ${answer('b')} } }
  /c: { get: { operationId: one, ${answer('c')} } }`,
    }),
  );
  const found = api
    .operationById('GET /a')
    ?.responses.get('200')
    ?.links.map((link) => link.operationId);
  expect(found).toStrictEqual(['one', 'one', 'GET /c', undefined, undefined]);
});
