import { smallMock } from './small-mock';
import { answers } from '../../support/flow';

const page = (name: string): string =>
  `{ type: object, required: [total, page, type, data], properties: { total: { type: integer }, page: { type: integer }, type: { type: string, enum: [${name}] }, data: { type: array, items: { $ref: '#/components/schemas/${name}' } } } }`;
const one = (name: string): string =>
  `{ type: object, required: [version, data], properties: { version: { type: string, enum: [${name}] }, data: { $ref: '#/components/schemas/${name}' } } }`;

const PATHS = `paths:
  /branches:
    get:
      parameters: [{ name: page, in: query, schema: { type: integer, minimum: 1 } }, { name: per_page, in: query, schema: { type: integer, default: 1 } }]
      ${answers(`{ anyOf: [${page('Branch')}, ${page('Review')}] }`)}
    post:
      requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
      ${answers(`{ oneOf: [${one('Branch')}, ${one('Review')}] }`, 201)}
  /branches/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      ${answers(`{ anyOf: [${one('Branch')}, ${one('Review')}] }`)}
components:
  schemas:
    Branch: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
    Review: { type: object, required: [id, name, state], properties: { id: { type: integer }, name: { type: string }, state: { type: string } } }
`;

test('where an envelope is one of several, items stand in the first, with all that it must have', async () => {
  const { send } = smallMock(PATHS);
  const first = { version: 'Branch', data: { id: 1, name: 'a' } };
  expect(await send('POST', '/branches', { name: 'a' })).toMatchObject({ status: 201, body: first });
  await send('POST', '/branches', { name: 'b' });
  expect((await send('GET', '/branches/1')).body).toEqual(first);
  expect((await send('GET', '/branches?page=2')).body).toEqual({
    total: 2,
    page: 2,
    type: 'Branch',
    data: [{ id: 2, name: 'b' }],
  });
});
