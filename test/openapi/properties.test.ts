import request from 'supertest';
import type { Property } from '../../src/openapi/model/operation';
import { serveText } from '../support/serve-text';
import { loadText } from './load-text';

const SCHEMAS = `
  Name: { type: string, minLength: 1, maxLength: 9 }
  Base: { type: object, required: [made], properties: { made: { type: string } } }
  Owner: { type: object, properties: { name: { type: string } } }
  ReadName: { $ref: '#/components/schemas/Name', readOnly: true, pattern: '^a' }
  Stamp: { type: object, readOnly: true, properties: { at: { type: string } } }
  Thing:
    $ref: '#/components/schemas/Base'
    required: [id]
    properties:
      id: { $ref: '#/components/schemas/Name', readOnly: true, maxLength: 3 }
      wrapped: { allOf: [{ $ref: '#/components/schemas/Name' }, { description: A name, readOnly: true }] }
      owner: { allOf: [{ $ref: '#/components/schemas/Owner' }, { writeOnly: true }] }
      alias: { $ref: '#/components/schemas/ReadName' }
      stamp: { allOf: [{ allOf: [{ $ref: '#/components/schemas/Stamp' }] }] }
      buyer: { $ref: '#/components/schemas/Owner', readOnly: true, required: [name], properties: { name: { minLength: 2 } } }
`;

function descriptionOf(openapi: string): string {
  return `openapi: ${openapi}
info: { title: Things, version: '1' }
paths: {}
components:
  schemas:${SCHEMAS.replaceAll('\n', '\n  ')}
`;
}

function propertiesOf(openapi: string): ReadonlyMap<string, Property> {
  const { api } = loadText(descriptionOf(openapi));
  return api.propertiesOf(api.schemaAt('/components/schemas/Thing')!);
}

test('from OpenAPI 3.1 on, what stands beside a reference counts', () => {
  const properties = propertiesOf('3.1.0');
  expect([...properties.keys()]).toStrictEqual(['made', 'id', 'wrapped', 'owner', 'alias', 'stamp', 'buyer']);
  expect(properties.get('made')).toMatchObject({ required: true });
  expect(properties.get('id')).toMatchObject({
    required: true,
    readOnly: true,
    schema: { type: 'string', maxLength: 3 },
  });
  // The place of the schema itself, below which its parts are.
  expect(properties.get('id')!.pointer).toBe('/components/schemas/Name');
});

test('what stands beside a reference on the way to another one counts', () => {
  const alias = propertiesOf('3.1.0').get('alias');
  expect(alias).toMatchObject({ readOnly: true, schema: { type: 'string', minLength: 1, pattern: '^a' } });
});

test('what is said of the parts of a value beside a reference counts together with the target', () => {
  const { api } = loadText(descriptionOf('3.1.0'));
  const buyer = api.propertiesOf(api.schemaAt('/components/schemas/Thing')!).get('buyer')!;
  expect(buyer).toMatchObject({ readOnly: true, schema: { type: 'object' } });
  expect(api.schemaAt(buyer.pointer)?.value).toMatchObject({ type: 'object', required: ['name'] });
  const [name, ...others] = api.propertiesOf(api.schemaAt(buyer.pointer)!).values();
  expect([name, others]).toMatchObject([{ name: 'name', required: true, schema: { minLength: 2 } }, []]);
});

test.each(['3.0.3', '3.1.0'])(
  'in OpenAPI %s a property is marked as any schema of its allOf is, objects too',
  (version) => {
    const { api } = loadText(descriptionOf(version).replace("$ref: '#/components/schemas/Base'", 'type: object'));
    const properties = api.propertiesOf(api.schemaAt('/components/schemas/Thing')!);
    expect(properties.get('stamp')).toMatchObject({ readOnly: true, writeOnly: false });
  },
);

test('in OpenAPI 3.0 it does not', () => {
  expect([...propertiesOf('3.0.3').keys()]).toStrictEqual(['made']);
});

test('what an allOf adds to a reference counts in every version', () => {
  const properties = propertiesOf('3.1.0');
  expect(properties.get('wrapped')).toMatchObject({ readOnly: true, schema: { type: 'string', minLength: 1 } });
  expect(properties.get('owner')).toMatchObject({ readOnly: false, writeOnly: true });
});

test('the key of an item is a text where only an allOf says so', async () => {
  const app = await serveText(`openapi: 3.0.3
info: { title: Deployments, version: '1' }
paths:
  /deployments:
    get: { responses: { '200': { description: all, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Deployment' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Made' } } } } }
  /deployments/{deploymentId}:
    parameters: [{ name: deploymentId, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: one, content: { application/json: { schema: { $ref: '#/components/schemas/Deployment' } } } } } }
components:
  schemas:
    Text: { type: string, minLength: 1 }
    Made: { type: object, properties: { deploymentId: { allOf: [{ $ref: '#/components/schemas/Text' }, { description: Its id }] } } }
    Deployment:
      type: object
      properties:
        deploymentId: { allOf: [{ $ref: '#/components/schemas/Text' }, { description: Its id }] }
        name: { type: string }
`);
  const { body } = await request(app).post('/deployments').send({ name: 'a' }).expect(201);
  expect(body).toStrictEqual({ deploymentId: expect.any(String) as string });
  const { deploymentId } = body as { deploymentId: string };
  await request(app).get(`/deployments/${deploymentId}`).expect(200, { deploymentId, name: 'a' });
});
