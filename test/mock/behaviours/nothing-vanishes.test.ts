import { answers, POST, posts, takes } from './posts';
import { smallMock } from './small-mock';

/** Tickets with people; bodies name by keys what tickets hold whole. */
const TICKETS = `paths:
  /people:
    get: { ${answers("{ type: array, items: { $ref: '#/components/schemas/Person' } }")} }
    post: { ${takes('{ type: object, properties: { name: { type: string } } }')}, ${answers("{ $ref: '#/components/schemas/Person' }", 201)} }
  /people/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { ${answers("{ $ref: '#/components/schemas/Person' }")} }
  /tickets:
    get: { ${answers("{ type: array, items: { $ref: '#/components/schemas/Ticket' } }")} }
    post:
      parameters: [{ name: color, in: query, schema: { type: string } }, { name: fields, in: query, schema: { type: string } }]
      ${takes("{ $ref: '#/components/schemas/NewTicket' }")}
      ${answers("{ $ref: '#/components/schemas/Ticket' }", 201)}
  /tickets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { ${answers("{ $ref: '#/components/schemas/Ticket' }")} }
    patch: { ${takes("{ $ref: '#/components/schemas/NewTicket' }")}, ${answers("{ $ref: '#/components/schemas/Ticket' }")} }
components:
  schemas:
    Person: { type: object, required: [id, name], properties: { id: { type: string }, name: { type: string } } }
    NewTicket:
      type: object
      properties:
        title: { type: string }
        assigneeId: { type: string, nullable: true }
        watcher_ids: { type: array, items: { type: string } }
        reporter: { type: string }
        password: { type: string }
        status: { type: string }
        card: { type: object, properties: { number: { type: string }, month: { type: integer } } }
    Ticket:
      type: object
      required: [id]
      properties:
        id: { type: string, readOnly: true }
        title: { type: string }
        color: { type: string }
        fields: { type: string }
        assignee: { type: object, nullable: true, allOf: [{ $ref: '#/components/schemas/Person' }] }
        watchers: { type: array, items: { $ref: '#/components/schemas/Person' } }
        reporter_id: { type: string }
        status: { type: string, enum: [open, closed], readOnly: true }
        card: { type: object, required: [brand], properties: { month: { type: integer }, brand: { type: string } } }
`;

async function withAda(): Promise<ReturnType<typeof smallMock>> {
  const mock = smallMock(TICKETS);
  await mock.send('POST', '/people', { name: 'Ada' });
  return mock;
}

test('what is named by its key is set where items hold it whole, with what is known of it, and the other way round', async () => {
  const { send } = await withAda();
  const sent = { title: 'A', assigneeId: '1', watcher_ids: ['1'], reporter: '1' };
  const made = await send('POST', '/tickets', sent);
  const ada = { id: '1', name: 'Ada' };
  expect(made.body).toMatchObject({ title: 'A', assignee: ada, watchers: [ada], reporter_id: '1' });
  expect(made.headers).not.toHaveProperty('x-standin-problem');
  await send('PATCH', '/tickets/1', { assigneeId: null });
  expect((await send('GET', '/tickets/1')).body).not.toHaveProperty('assignee');
  await send('PATCH', '/tickets/1', { assigneeId: '1' });
  expect((await send('GET', '/tickets/1')).body).toMatchObject({ assignee: ada });
});

test('an object that lacks what items require is completed', async () => {
  const { send } = await withAda();
  const { body } = await send('POST', '/tickets', { card: { month: 3 } });
  expect(body).toMatchObject({ card: { month: 3, brand: expect.any(String) as string } });
});

test('what only requests have, also deep in an item, is in no response, and that is told', async () => {
  const { send, stateText, mock } = await withAda();
  const { body, headers } = await send('POST', '/tickets', { password: 'p', card: { number: '4242', month: 3 } });
  expect(body).not.toHaveProperty('password');
  expect(body).not.toHaveProperty('card.number');
  expect(stateText()).not.toContain('4242');
  expect(headers['x-standin-problem']).toBe('not_kept: Items of /tickets do not keep /password, /card/number');
  expect(mock.engine.sandboxes.main.journal.entries().at(-1)?.warnings).toEqual([
    { code: 'not_kept', message: 'Items of /tickets do not keep /password, /card/number' },
  ]);
});

test('what the body declares may be sent, although it is read-only where items are read', async () => {
  const { send } = await withAda();
  await send('POST', '/tickets', { title: 'A' });
  expect(await send('PATCH', '/tickets/1', { status: 'closed' })).toMatchObject({
    status: 200,
    body: { status: 'closed' },
  });
});

test('what is read-only by the one schema of bodies and items stays the own of the service', async () => {
  const { send } = smallMock(
    posts({
      sent: POST,
      schemas: `    Post: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, title: { type: string }, status: { type: string, enum: [open, closed], readOnly: true } } }\n`,
    }),
  );
  await send('POST', '/posts', { title: 'A' });
  expect((await send('PATCH', '/posts/1', { status: 'closed' })).status).toBe(422);
});

test('query parameters of a creation that items have as members are kept, those that shape the answer are not', async () => {
  const { send } = await withAda();
  const { body } = await send('POST', '/tickets?color=red&fields=id', { title: 'A' });
  expect(body).toMatchObject({ title: 'A', color: 'red' });
  expect(body).not.toHaveProperty('fields');
});

test('a value that the service decides itself is told', async () => {
  const { send } = smallMock(
    posts({
      sent: '{ type: object, properties: { id: { type: integer }, title: { type: string }, more: { type: object } } }',
      schemas: `    Post: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, title: { type: string } } }\n`,
    }),
  );
  const { headers } = await send('POST', '/posts', { title: 'A', more: { a: 1 }, other: null });
  expect(headers['x-standin-problem']).toBe('not_kept: Items of /posts do not keep /more');
  await send('POST', '/posts', { title: 'B' });
  expect((await send('PUT', '/posts/2', { title: 'C', more: { a: 1 } })).headers['x-standin-problem']).toContain(
    '/more',
  );
});
