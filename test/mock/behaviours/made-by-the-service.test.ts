import { NOW, smallMock } from './small-mock';

const takes = (schema: string): string =>
  `requestBody: { required: true, content: { application/json: { schema: ${schema} } } }`;
const answers = (schema: string, status = 200): string =>
  `responses: { '${status}': { description: ok, content: { application/json: { schema: ${schema} } } } }`;
const POST = "{ $ref: '#/components/schemas/Post' }";
const NEW = '{ type: object, properties: { title: { type: string }, machine: { type: string } } }';
const PATHS = `paths:
  /posts:
    get: { ${answers(`{ type: array, items: ${POST} }`)} }
    post: { ${takes(NEW)}, ${answers(POST, 201)} }
  /posts/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers(POST)} }
    put: { ${takes(NEW)}, ${answers(POST)} }
    patch: { ${takes(NEW)}, ${answers(POST)} }
  /posts/{id}/publish:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    post: { ${answers(POST)} }
components:
  schemas:
    Post:
      type: object
      required: [id]
      properties:
        id: { type: integer, readOnly: true }
        title: { type: string }
        machine: { type: object, nullable: true, properties: { name: { type: string } } }
        status: { type: string, enum: [draft, published] }
        createdAt: { type: string, format: date-time }
        publishedAt: { type: string, format: date-time, nullable: true }
        publish_at: { type: string, format: date-time }
`;

test('the time at which an item is made is set, whether it is required or not', async () => {
  const { send } = smallMock(PATHS);
  expect((await send('POST', '/posts', { title: 'A' })).body).toStrictEqual({ id: 1, title: 'A', createdAt: NOW });
});

test('an action sets the time that its verb names, and none that is still to come', async () => {
  const { send } = smallMock(PATHS);
  await send('POST', '/posts', { title: 'A' });
  expect((await send('POST', '/posts/1/publish')).body).toStrictEqual({
    id: 1,
    title: 'A',
    status: 'published',
    createdAt: NOW,
    publishedAt: NOW,
  });
});
