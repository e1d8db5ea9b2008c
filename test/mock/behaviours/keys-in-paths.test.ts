import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf, smallMock } from './small-mock';
import { answers } from '../../support/flow';

/** @param id - schema of the member, @param parameter - schema of the variable */
const things = (id: string, parameter: string): string => `paths:
  /things:
    get: { ${answers("{ type: array, items: { $ref: '#/components/schemas/Thing' } }")} }
    post:
      requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
      ${answers("{ $ref: '#/components/schemas/Thing' }", 201)}
  /things/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: ${parameter} }]
      ${answers("{ $ref: '#/components/schemas/Thing' }")}
components:
  schemas:
    Thing: { type: object, required: [name], properties: { id: ${id}, name: { type: string } } }
`;

test.each([
  { id: '{ type: string }', parameter: '{ type: string, format: uuid }' },
  { id: '{ type: string }', parameter: '{ type: integer }' },
  { id: '{ type: string }', parameter: "{ type: string, pattern: '^[a-f0-9]{24}$' }" },
  { id: '{ type: string, minLength: 3 }', parameter: "{ type: string, pattern: '^[a-z0-9]{4,7}$' }" },
])('a key of $id can be asked for in a path with $parameter', async ({ id, parameter }) => {
  const { send } = smallMock(things(id, parameter));
  for (const name of ['a', 'b']) {
    const made = objectOf(await send('POST', '/things', { name }));
    expect(await send('GET', `/things/${made['id'] as string}`)).toMatchObject({ status: 200, body: made });
  }
});

test('where no key can be both, it is what the item says', async () => {
  const { send } = smallMock(things("{ type: string, pattern: '^a' }", '{ type: integer }'));
  expect(objectOf(await send('POST', '/things', { name: 'a' }))['id']).toMatch(/^a/);
});

test('what is said to be the name of a thing is its name, whatever number it has beside it', async () => {
  const named = (what: string): string =>
    `parameters: [{ name: ${what}, in: path, required: true, description: name of the ${what} to get, schema: { type: string } }]`;
  const taken = (schema: string): string =>
    `requestBody: { content: { application/json: { schema: ${schema} } } }, ${answers(schema, 201)}`;
  const box = "{ $ref: '#/components/schemas/Box' }";
  const team = "{ $ref: '#/components/schemas/Team' }";
  const { send } = smallMock(`paths:
  /boxes:
    post: { ${taken(box)} }
  /boxes/{box}:
    ${named('box')}
    get: { ${answers(box)} }
  /teams:
    post: { ${taken(team)} }
  /teams/{team}:
    ${named('team')}
    get: { ${answers(team)} }
components:
  schemas:
    Box: { type: object, properties: { id: { type: integer }, name: { type: string } } }
    Team: { type: object, properties: { id: { type: integer }, name: { type: string }, username: { type: string } } }
`);
  const made = await send('POST', '/boxes', { name: 'blue' });
  expect(await send('GET', '/boxes/blue')).toMatchObject({ status: 200, body: made.body });
  await send('POST', '/teams', { username: 'reds', name: 'The Reds' });
  expect((await send('GET', '/teams/reds')).body).toMatchObject({ username: 'reds', name: 'The Reds' });
});

test('an item that is found by its name has an id as well, and shows the one below whom it lies', async () => {
  const box = "{ $ref: '#/components/schemas/Box' }";
  const variable = (name: string): string => `{ name: ${name}, in: path, required: true, schema: { type: string } }`;
  const { send } = smallMock(`paths:
  /boxes/{owner}:
    parameters: [${variable('owner')}]
    get: { ${answers(`{ type: array, items: ${box} }`)} }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
      ${answers(box, 201)}
  /boxes/{owner}/{name}:
    parameters: [${variable('owner')}, ${variable('name')}]
    get: { ${answers(box)} }
components:
  schemas:
    Box: { type: object, properties: { id: { type: integer }, name: { type: string }, owner: { type: object, properties: { login: { type: string }, age: { type: integer } } } } }
`);
  const { body } = await send('POST', '/boxes/ada', { name: 'blue' });
  expect(body).toEqual({ id: expect.any(Number) as number, name: 'blue', owner: { login: 'ada' } });
  expect((await send('GET', '/boxes/ada/blue')).body).toEqual(body);
});

test('a running number is one, whatever paths and items call it', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /desks/{desk}/tickets': { answers: { 200: list(ref('Ticket')) } },
        'POST /desks/{desk}/tickets': { body: object({ title: text }), answers: { 201: ref('Ticket') } },
        'GET /desks/{desk}/tickets/{index}': { answers: { 200: ref('Ticket'), 404: null } },
      },
      { Ticket: object({ id: whole, number: whole, title: text }) },
      { index: whole },
    ),
  );
  for (const title of ['a', 'b']) {
    const made = objectOf(await send('POST', '/desks/1/tickets', { title }));
    expect(made).toMatchObject({ number: expect.anything() as unknown, title });
    expect(await send('GET', `/desks/1/tickets/${made['number'] as number}`)).toMatchObject({
      status: 200,
      body: made,
    });
  }
});

test.each([
  ['the name of the variable', 'guest_id', { id: text, seat: text }, 'id'],
  ['the name of the key with what it is of', 'new_guest_name', { name: text, seat: text }, 'name'],
])('the key of a new thing is sent under %s', async (_how, sent, members, key) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /halls/{hall}/guests': { answers: { 200: list(ref('Guest')) } },
        'POST /halls/{hall}/guests': {
          body: object({ [sent]: text, seat: text }, [sent]),
          answers: { 201: ref('Guest') },
        },
        'GET /halls/{hall}/guests/{guest_id}': { answers: { 200: ref('Guest'), 404: null } },
      },
      { Guest: object(members) },
    ),
  );
  const made = await send('POST', '/halls/1/guests', { [sent]: 'ada', seat: 'B4' });
  expect(made.body).toEqual({ [key]: 'ada', seat: 'B4' });
  expect(made.headers).not.toHaveProperty('x-standin-problem');
  expect((await send('GET', '/halls/1/guests/ada')).body).toEqual(made.body);
});

test('what a new thing may name beside its key is not its key', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /notes': { answers: { 200: list(ref('Note')) } },
        'POST /notes': { body: object({ note_id: text, text }), answers: { 201: ref('Note') } },
        'GET /notes/{note_id}': { answers: { 200: ref('Note'), 404: null } },
        'GET /files': { answers: { 200: list(ref('Note')) } },
        'POST /files': { body: object({ file: text }, ['file']), answers: { 201: ref('Note') } },
        'GET /files/{file}': { answers: { 200: ref('Note'), 404: null } },
      },
      { Note: object({ id: text, text }, ['id']) },
    ),
  );
  expect(objectOf(await send('POST', '/files', { file: 'a' }))['id']).not.toBe('a');
  expect(objectOf(await send('POST', '/notes', { note_id: 'a', text: 'reply' }))['id']).not.toBe('a');
});

test('the noun may stand within the name of the variable: {external_thing_id} is the external_id of a thing', async () => {
  const Thing = object(
    {
      service_id: { type: 'string', format: 'uuid', example: '1a901a90-1a90-1a90-1a90-1a901a901a90' },
      slug: text,
      external_id: text,
      name: text,
    },
    ['service_id', 'slug', 'external_id'],
  );
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /things': { answers: { 200: list(ref('Thing')) } },
        'POST /things': {
          body: object({ external_id: text, name: text }, ['external_id']),
          answers: { 200: ref('Thing') },
        },
        'GET /things/{external_thing_id}': { answers: { 200: ref('Thing'), 404: null } },
      },
      { Thing },
    ),
  );
  const made: { service_id: string }[] = [];
  for (const key of ['first', 'second']) {
    const { body } = await send('POST', '/things', { external_id: key, name: 'x' });
    expect(body).toMatchObject({ external_id: key });
    expect((await send('GET', `/things/${key}`)).body).toEqual(body);
    made.push(body as { service_id: string });
  }
  expect(made[0]!.service_id).not.toBe(made[1]!.service_id);
});
