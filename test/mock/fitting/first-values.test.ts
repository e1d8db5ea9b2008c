import { answers, takes } from '../behaviours/posts';
import { NOW, smallMock } from '../behaviours/small-mock';

const SECONDS = Date.parse(NOW) / 1000;

/** Things that can be made and read; @param members - of a thing beside its id, as YAML flow. */
const things = (members: string, required = 'id', post = ''): string => `paths:
  /things:
    get: { ${answers("{ type: array, items: { $ref: '#/components/schemas/Thing' } }")} }
    post: { ${post} ${takes('{ type: object, properties: { name: { type: string }, enabled: { type: boolean } } }')}, ${answers("{ $ref: '#/components/schemas/Thing' }", 201)} }
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { ${answers("{ $ref: '#/components/schemas/Thing' }")} }
components:
  schemas:
    Thing:
      type: object
      required: [${required}]
      properties: { id: { type: integer, readOnly: true }, name: { type: string }, ${members} }
`;

async function made(document: string): Promise<unknown> {
  const { send } = smallMock(document);
  const { body } = await send('POST', '/things', { name: 'a' });
  expect((await send('GET', '/things/1')).body).toEqual(body);
  return body;
}

test.each([
  ['by meaning', '{ type: string, enum: [canceled, done, waiting] }', 'waiting'],
  [
    'in the order in which the description names them',
    '{ type: string, enum: [canceled, requires_action, requires_method], description: "One of `requires_method`, `requires_action` or `canceled`" }',
    'requires_method',
  ],
  ['as the description says', '{ type: string, enum: [paused, open], description: Initially `paused`. }', 'paused'],
  ['out of prose', '{ type: string, description: "`draft`, `sent` or `failed`" }', 'draft'],
])('a state begins at the beginning: %s', async (_how, schema, want) => {
  expect(await made(things(`status: ${schema}`))).toMatchObject({ status: want });
  expect(await made(things(`status: ${schema}`, 'id, status'))).toMatchObject({ status: want });
});

test('a state that lists no words begins with one that a list can be asked for by', async () => {
  const asked = 'parameters: [{ name: state, in: query, schema: { type: string, enum: [closed, open, all] } }], ';
  const document = things('state: { type: string }').replace('    get: { ', `    get: { ${asked}`);
  expect(await made(document)).toMatchObject({ state: 'open' });
});

test('no thing begins with what an action makes of it', async () => {
  const document = things('status: { type: string, enum: [published, visible] }').replace(
    'components:',
    `  /things/{id}/publish:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    post: { ${answers("{ $ref: '#/components/schemas/Thing' }")} }
components:`,
  );
  expect(await made(document)).toMatchObject({ status: 'visible' });
});

test('the example of the response to its making shows the state that it begins with', async () => {
  const document = things('status: { type: string, enum: [canceled, pending, sending] }').replace(
    "application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }, '422': { description: no } } }\n  /things/{id}",
    "application/json: { schema: { $ref: '#/components/schemas/Thing' }, example: { id: 7, status: sending } } } }, '422': { description: no } } }\n  /things/{id}",
  );
  expect(await made(document)).toMatchObject({ id: 1, status: 'sending' });
});

test('what tells of trouble or an end is null, flags are as those of a new thing, and nothing is counted yet', async () => {
  const members = `last_error: { anyOf: [{ type: object, required: [code], properties: { code: { type: string } } }, { $ref: '#/components/schemas/Nothing' }] },
        canceled_at: { type: integer, nullable: true }, cancellation_reason: { type: string, nullable: true, enum: [duplicate, requested, abandoned, null] },
        active: { type: boolean }, enabled: { type: boolean }, archived: { type: boolean }, replies_count: { type: integer, readOnly: true }`;
  const document = `${things(members, 'id, last_error, cancellation_reason, archived')}    Nothing: { nullable: true, type: string, enum: [null] }\n`;
  expect(await made(document)).toEqual({
    id: 1,
    name: 'a',
    last_error: null,
    canceled_at: null,
    cancellation_reason: null,
    active: true,
    enabled: true,
    archived: false,
    replies_count: 0,
  });
});

test('where no member must be there, those that only the service sets say that nothing has happened', async () => {
  const members = `open_count: { type: integer }, mirrored: { type: boolean }, color: { type: string },
        end_time: { type: string, format: date-time, nullable: true }`;
  const document = things(members).replace('      required: [id]\n', '').replace(', readOnly: true }', ' }');
  expect(await made(document)).toEqual({ id: 1, name: 'a', open_count: 0, mirrored: false, end_time: null });
  expect(await made(things(members))).toEqual({ id: 1, name: 'a', end_time: null });
});

test('times are now, in the way in which a member holds them', async () => {
  const members = `created: { type: integer, format: unix-time }, date_created: { type: string, format: date-time-rfc-2822 },
        creationDate: { type: string, format: date }, createdAtMs: { type: integer }, created_time: { type: string }, updated: { type: integer },
        lastModified: { type: string, format: date-time }, update: { type: string }, creation: { type: string }`;
  expect(await made(things(members))).toEqual({
    id: 1,
    name: 'a',
    created: SECONDS,
    date_created: 'Sun, 01 Mar 2026 12:00:00 +0000',
    creationDate: NOW.slice(0, 10),
    createdAtMs: SECONDS * 1000,
    created_time: NOW,
    updated: SECONDS,
    lastModified: NOW,
    enabled: undefined,
  });
});

test('secrets that are shown once, and addresses, are there', async () => {
  const body = await made(
    things('client_secret: { type: string, nullable: true }, token: { type: string }, url: { type: string }'),
  );
  expect(body).toMatchObject({ client_secret: expect.any(String), token: expect.any(String) });
  expect((body as { url: string }).url).toMatch(/^https?:/);
});

test('a secret that the service generates where none is sent is there', async () => {
  const described = '{ type: string, description: Leave it out to have it generated. }';
  const document = things(`secret: ${described}`).replace(
    'enabled: { type: boolean }',
    `enabled: { type: boolean }, secret: ${described}`,
  );
  expect(await made(document)).toMatchObject({ secret: expect.stringMatching(/./) as string });
  const { send } = smallMock(document);
  expect((await send('POST', '/things', { name: 'a', secret: 's' })).body).toMatchObject({ secret: 's' });
});

test('a secret that only the answer has which makes a thing is shown there, and nowhere else', async () => {
  const made = `{ type: object, properties: { id: { type: integer }, name: { type: string }, secret: { type: string, nullable: true }, hint: { type: string } } }`;
  const document = things('').replace(answers("{ $ref: '#/components/schemas/Thing' }", 201), answers(made, 201));
  const { send } = smallMock(document);
  const first = (await send('POST', '/things', { name: 'a' })).body as { secret: string };
  expect(first).toEqual({ id: 1, name: 'a', secret: expect.any(String) as string });
  expect((await send('POST', '/things', { name: 'a' })).body).not.toMatchObject({ secret: first.secret });
  expect((await send('GET', '/things/1')).body).toEqual({ id: 1, name: 'a' });
});

test('a list of what is worked out has an item; a list of what is kept is empty', async () => {
  const choices = '{ type: array, items: { type: object, required: [text], properties: { text: { type: string } } } }';
  const members = `choices: ${choices}, comments: ${choices}`;
  const required = 'id, choices, comments';
  expect(await made(things(members, required, 'summary: Generates a reply,'))).toMatchObject({
    choices: [{ text: expect.any(String) as string }],
    comments: [],
  });
  expect(await made(things(members, required, 'summary: Adds a thing,'))).toMatchObject({ choices: [], comments: [] });
});

test('a new thing says what kind of thing it is, and is neither done nor gone, although a client might say so', async () => {
  const members = `type: { type: string, example: thing }, object: { type: string, enum: [null, box], nullable: true },
        kind: { type: string, example: large }, completed: { type: boolean }, archived: { type: boolean }, created_at: { type: integer, format: date-time }`;
  const document = things(members).replace(
    'enabled: { type: boolean }',
    'completed: { type: boolean }, archived: { type: boolean }',
  );
  expect(await made(document)).toEqual({
    id: 1,
    name: 'a',
    type: 'thing',
    object: 'box',
    completed: false,
    archived: false,
    created_at: SECONDS,
  });
});

test('what must be there and nobody has said is made by its name, nested too', async () => {
  const members =
    'ipAddress: { type: string }, meta: { type: object, required: [createdOn], properties: { createdOn: { type: string } } }';
  expect(await made(things(members, 'id, ipAddress, meta'))).toMatchObject({
    ipAddress: expect.stringMatching(/^192\.0\.2\./) as string,
    meta: { createdOn: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string },
  });
});

test('a new thing says of what type of object it is as the example does', async () => {
  const object = `{ type: string, example: customer, description: "String representing the object's type. Objects of the same type share the same value." }`;
  expect(await made(things(`object: ${object}`))).toMatchObject({ object: 'customer' });
});
