import { objectOf, smallMock } from './small-mock';

const KIND = '{ type: string, description: Kind is a string that names the resource this object represents. }';
const VERSION = '{ type: string, description: The versioned schema of this representation of an object. }';
const NAME = 'parameters: [{ name: name, in: path, required: true, schema: { type: string } }]';
const body = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;
const answers = (name: string, status = '200'): string =>
  `responses: { '${status}': { description: ok, ${body(name)} } }`;

const SETS = `
paths:
  /sets:
    get: { ${answers('example.v1.SetList')} }
    post: { requestBody: { ${body('example.v1.Set')} }, ${answers('example.v1.Set', '201')} }
  /sets/{name}:
    ${NAME}
    get: { ${answers('example.v1.Set')} }
  /sets/{name}/scale:
    ${NAME}
    get: { ${answers('example.v1.Scale')} }
    put: { requestBody: { ${body('example.v1.Scale')} }, ${answers('example.v1.Scale')} }
components:
  schemas:
    example.v1.Meta: { type: object, properties: { name: { type: string }, note: { type: string } } }
    example.v1.Set:
      type: object
      properties:
        kind: ${KIND}
        apiVersion: ${VERSION}
        metadata: { $ref: '#/components/schemas/example.v1.Meta' }
        spec: { type: object, properties: { replicas: { type: integer }, image: { type: string } } }
    example.v1.Scale:
      type: object
      properties:
        kind: ${KIND}
        apiVersion: ${VERSION}
        metadata: { $ref: '#/components/schemas/example.v1.Meta' }
        spec: { type: object, additionalProperties: false, properties: { replicas: { type: integer } } }
    example.v1.SetList:
      type: object
      properties:
        kind: ${KIND}
        items: { type: array, items: { $ref: '#/components/schemas/example.v1.Set' } }
`;

const SET = {
  kind: 'Set',
  apiVersion: 'sets/1',
  metadata: { name: 'one' },
  spec: { replicas: 2, image: 'box' },
};

test('a part that is shown in a shape of its own is that of the item', async () => {
  const { send } = smallMock(SETS);
  await send('POST', '/sets', SET);
  expect(objectOf(await send('GET', '/sets/one/scale'))).toStrictEqual({
    kind: 'Scale',
    metadata: expect.objectContaining({ name: 'one' }),
    spec: { replicas: 2 },
  });
});

test('what is written of a part is written of the item, but for what the body says of itself', async () => {
  const { send } = smallMock(SETS);
  await send('POST', '/sets', SET);
  const scale = { kind: 'Scale', apiVersion: 'scales/1', metadata: { name: 'one' }, spec: { replicas: 5 } };
  expect(objectOf(await send('PUT', '/sets/one/scale', scale))).toMatchObject({ kind: 'Scale', spec: { replicas: 5 } });
  expect(objectOf(await send('GET', '/sets/one'))).toMatchObject({
    kind: 'Set',
    apiVersion: 'sets/1',
    spec: { replicas: 5, image: 'box' },
  });
  expect((await send('GET', '/sets/two/scale')).status).toBe(404);
});

test('a list says of what kind it is where its description says that it does', async () => {
  const { send } = smallMock(SETS);
  await send('POST', '/sets', SET);
  expect(objectOf(await send('GET', '/sets'))).toMatchObject({ kind: 'SetList', items: [{ kind: 'Set' }] });
});
