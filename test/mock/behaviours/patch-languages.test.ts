import type { JsonValue } from '../../../src/core/json/json-value';
import { objectOf, smallMock } from './small-mock';

const item = `{ $ref: '#/components/schemas/Thing' }`;
const operations = `{ type: array, items: { type: object, required: [op, path], properties: { op: { type: string }, path: { type: string }, value: {} } } }`;
const answers = `responses: { '200': { description: ok, content: { application/json: { schema: ${item} } } } }`;

/** A thing that can be patched in both languages. @param types - of the PATCH, in the order of the description */
const thingsPatchedBy = (types: readonly string[]): string => `
paths:
  /things:
    post:
      requestBody: { content: { application/json: { schema: ${item} } } }
      responses: { '201': { description: made, content: { application/json: { schema: ${item} } } } }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers} }
    patch: { requestBody: { content: { ${types.join(', ')} } }, ${answers} }
components:
  schemas:
    Thing: { type: object, required: [id, name], properties: { id: { type: integer, readOnly: true }, name: { type: string }, size: { type: integer } } }
`;

const JSON_PATCH = `application/json-patch+json: { schema: ${operations} }`;
const MERGE_PATCH = `application/merge-patch+json: { schema: { type: object, properties: { name: { type: string }, size: { type: integer } } } }`;

test.each([[[JSON_PATCH, MERGE_PATCH]], [[MERGE_PATCH, JSON_PATCH]]])(
  'an item is patched in either language, whichever is listed first: %j',
  async (types) => {
    const { send } = smallMock(thingsPatchedBy(types));
    const { id = null } = objectOf(await send('POST', '/things', { name: 'a', size: 1 }));
    const patch = (type: string, body: JsonValue): ReturnType<typeof send> =>
      send('PATCH', `/things/${JSON.stringify(id)}`, body, { 'content-type': type });
    expect(await patch('application/merge-patch+json', { name: 'b' })).toMatchObject({
      status: 200,
      body: { name: 'b', size: 1 },
    });
    expect(await patch('application/json-patch+json', [{ op: 'replace', path: '/size', value: 2 }])).toMatchObject({
      status: 200,
      body: { name: 'b', size: 2 },
    });
  },
);

test('a list of operations in plain JSON is the JSON Patch that it is', async () => {
  const { send } = smallMock(thingsPatchedBy([`application/json: { schema: ${operations} }`]));
  const { id = null } = objectOf(await send('POST', '/things', { name: 'a', size: 1 }));
  const path = `/things/${JSON.stringify(id)}`;
  const patched = await send('PATCH', path, [
    { op: 'replace', path: '/name', value: 'b' },
    { op: 'remove', path: '/size' },
  ]);
  expect(patched).toMatchObject({ status: 200, body: { name: 'b' } });
  expect(objectOf(await send('GET', path))).toEqual({ id, name: 'b' });
  expect((await send('PATCH', path, [{ op: 'remove', path: '/nothing' }])).status).toBeGreaterThanOrEqual(400);
  expect(objectOf(await send('GET', path))).toEqual({ id, name: 'b' });
});
