import { answers, POST, posts, takes } from './posts';
import { NOW, smallMock } from './small-mock';

const PATHS = posts({
  sent: '{ type: object, properties: { title: { type: string }, machine: { type: string } } }',
  more: `  /posts/{id}/publish:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    post: { ${answers(POST)} }
`,
  schemas: `    Post:
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
`,
});

test('the time at which an item is made and its first state are set, whether they are required or not', async () => {
  const { send } = smallMock(PATHS);
  expect((await send('POST', '/posts', { title: 'A' })).body).toStrictEqual({
    id: 1,
    title: 'A',
    status: 'draft',
    createdAt: NOW,
  });
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

const SEATS = posts({
  sent: "{ $ref: '#/components/schemas/New' }",
  schemas: `    New:
      type: object
      properties:
        seats: { type: integer, default: 1 }
        Class: { type: string, default: second }
        rows: { type: string, default: many }
        id: { type: integer, default: 9 }
        note: { type: string, default: none }
    Post:
      type: object
      required: [id, seats]
      properties:
        id: { type: integer, readOnly: true }
        seats: { type: integer, minimum: 1, maximum: 8 }
        class: { type: string }
        rows: { type: integer, default: 3 }
`,
});

test('a default of the body is what was sent where nothing was, as far as items can hold it', async () => {
  const { send } = smallMock(SEATS);
  const made = { id: 1, seats: 1, class: 'second', rows: 3 };
  expect((await send('POST', '/posts', {})).body).toStrictEqual(made);
  expect((await send('POST', '/posts', { seats: 2 })).body).toStrictEqual({ ...made, id: 2, seats: 2 });
  expect((await send('PATCH', '/posts/2', { Class: 'first' })).body).toMatchObject({ seats: 2, class: 'first' });
  expect((await send('PUT', '/posts/2', {})).body).toMatchObject({ seats: 1, class: 'second' });
});

test('an item that is read as itself or as what was removed is made whole, as the answer to its making says', async () => {
  const gone =
    '{ type: object, required: [id, removed], properties: { id: { type: integer }, removed: { type: boolean } } }';
  const { send } = smallMock(`paths:
  /guests:
    get: { ${answers("{ type: array, items: { $ref: '#/components/schemas/Guest' } }")} }
    post: { ${takes('{ type: object, properties: { name: { type: string } } }')}, ${answers("{ $ref: '#/components/schemas/Guest' }", 201)} }
  /guests/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers(`{ anyOf: [${gone}, { $ref: '#/components/schemas/Guest' }] }`)} }
components:
  schemas:
    Guest:
      type: object
      required: [id, created, live]
      properties:
        id: { type: integer }
        name: { type: string }
        live: { type: boolean }
        created: { type: string, format: date-time }
`);
  const made = { id: 1, name: 'A', live: false, created: NOW };
  expect((await send('POST', '/guests', { name: 'A' })).body).toStrictEqual(made);
  expect((await send('GET', '/guests/1')).body).toStrictEqual(made);
});

test('a default that items cannot hold is not in them, and one that spells what they hold is', async () => {
  const { send } = smallMock(`paths:
  /notes:
    get: { ${answers("{ type: array, items: { $ref: '#/components/schemas/Note' } }")} }
    post: { ${takes('{ type: object, properties: { text: { type: string } } }')}, ${answers("{ $ref: '#/components/schemas/Note' }", 201)} }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers("{ $ref: '#/components/schemas/Note' }")} }
components:
  schemas:
    Note:
      type: object
      required: [id, size]
      properties:
        id: { type: integer, readOnly: true }
        text: { type: string }
        hasFiles: { type: boolean, readOnly: true, default: 'false' }
        place: { type: object, default: none }
        size: { type: integer, default: small }
`);
  const { body } = await send('POST', '/notes', { text: 'A' });
  expect(body).toEqual({ id: 1, text: 'A', hasFiles: false, size: expect.any(Number) as number });
});
