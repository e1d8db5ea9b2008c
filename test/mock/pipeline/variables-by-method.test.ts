import { smallMock } from '../behaviours/small-mock';

test('methods of one path may name its variable each in a way of its own', async () => {
  const parameter = (name: string): string =>
    `[{ name: ${name}, in: path, required: true, schema: { type: integer } }]`;
  const { send } = smallMock(`paths:
  /books:
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }
      responses: { '201': { description: made, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } } }
  /books/{id}:
    parameters: ${parameter('id')}
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } } }, '404': { description: none } } }
  /books/{bookId}:
    parameters: ${parameter('bookId')}
    delete: { responses: { '204': { description: gone } } }
components:
  schemas:
    Book: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, title: { type: string } } }
`);
  expect(await send('POST', '/books', { title: 'Emma' })).toMatchObject({ status: 201, body: { id: 1 } });
  expect(await send('GET', '/books/1')).toMatchObject({ status: 200, body: { title: 'Emma' } });
  expect(await send('DELETE', '/books/1')).toMatchObject({ status: 204 });
  expect(await send('GET', '/books/1')).toMatchObject({ status: 404 });
});
