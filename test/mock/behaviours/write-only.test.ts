import { exportState, StateRedactor } from '../../../src/mock/sandbox/state-export';
import { diffStates } from '../../../src/mock/state/state';
import { smallMock } from './small-mock';

const USERS = `
paths:
  /teams/{teamId}/users:
    parameters: [{ name: teamId, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/User' } } } } } } }
    post:
      operationId: createUser
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } }
  /teams/{teamId}/users/{id}:
    parameters:
      - { name: teamId, in: path, required: true, schema: { type: string } }
      - { name: id, in: path, required: true, schema: { type: integer } }
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } } }
    patch:
      operationId: changeUser
      requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { email: { type: string } } } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/User' } } } } }
components:
  schemas:
    User:
      type: object
      required: [id, email, password]
      properties: { id: { type: integer, readOnly: true }, email: { type: string }, password: { type: string, writeOnly: true } }
`;

test('a write-only member is kept, and rules can read it', async () => {
  const seen: unknown[] = [];
  const { send } = smallMock(USERS, {
    rules: { standin: 'rules/1', operations: { changeUser: ({ before }) => void seen.push(before?.['password']) } },
  });
  await send('POST', '/teams/a/users', { email: 'a@b.de', password: 'secret' });
  await send('PATCH', '/teams/a/users/1', { email: 'c@d.de' });
  await send('PATCH', '/teams/a/users/1', { email: 'e@f.de' });
  expect(seen).toEqual(['secret', 'secret']);
});

test('it is in no response, no exported state, no difference and no recorded change', async () => {
  const { send, mock } = smallMock(USERS);
  const before = mock.engine.sandboxes.main.snapshot();
  const made = await send('POST', '/teams/a/users', { email: 'a@b.de', password: 'secret' });
  expect(made).toMatchObject({ status: 201, body: { id: 1, email: 'a@b.de' } });
  const concealer = new StateRedactor(mock.resources);
  const state = mock.engine.sandboxes.main.snapshot();
  const shown = [
    made.body,
    (await send('GET', '/teams/a/users')).body,
    exportState(state, concealer),
    concealer.diff(diffStates(before, state)),
    mock.engine.sandboxes.main.journal.entries().map((entry) => concealer.entry(entry).changes),
  ];
  for (const each of shown) expect(JSON.stringify(each)).not.toContain('secret');
  expect(JSON.stringify(exportState(state))).toContain('secret');
});

const PLANETS = `
paths:
  /planets:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Planet' } } } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } } } }
  /planets/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Planet' } } } } }
components:
  schemas:
    Planet:
      type: object
      properties:
        id: { type: integer, readOnly: true }
        creator: { $ref: '#/components/schemas/User' }
        guards: { type: array, items: { $ref: '#/components/schemas/User' } }
        moons: { type: array, items: { $ref: '#/components/schemas/Planet' } }
    User: { allOf: [{ type: object, properties: { name: { type: string } } }, { type: object, properties: { password: { type: string, writeOnly: true } } }] }
`;

test('so it is with one that lies deeper', async () => {
  const { send, mock } = smallMock(PLANETS);
  const before = mock.engine.sandboxes.main.snapshot();
  const user = { name: 'Ada', password: 'secret' };
  const made = await send('POST', '/planets', { creator: user, guards: [user], moons: [{ creator: user }] });
  const { name } = user;
  expect(made.body).toEqual({ id: 1, creator: { name }, guards: [{ name }], moons: [{ creator: { name } }] });
  const concealer = new StateRedactor(mock.resources);
  const state = mock.engine.sandboxes.main.snapshot();
  const shown = [
    (await send('GET', '/planets')).body,
    exportState(state, concealer),
    concealer.diff(diffStates(before, state)),
    mock.engine.sandboxes.main.journal.entries().map((entry) => concealer.entry(entry).changes),
  ];
  for (const each of shown) expect(JSON.stringify(each)).not.toContain('secret');
  expect(JSON.stringify(exportState(state))).toContain('secret');
});

const SHIPS = `
paths:
  /ships:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Ship' } } } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Ship' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Ship' } } } } }
  /ships/{id}:
    get:
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Ship' } } } } }
components:
  schemas:
    Ship:
      type: object
      properties:
        id: { type: integer, readOnly: true }
        crew: { type: object, additionalProperties: { $ref: '#/components/schemas/User' } }
        lock: { $ref: '#/components/schemas/Lock' }
        locks: { anyOf: [{ type: array, items: { $ref: '#/components/schemas/Lock' } }, { type: boolean }] }
    User: { type: object, properties: { name: { type: string }, password: { type: string, writeOnly: true } } }
    Lock: { oneOf: [{ $ref: '#/components/schemas/Pin' }, { $ref: '#/components/schemas/Plate' }] }
    Pin: { type: object, required: [kind], properties: { kind: { enum: [pin] }, text: { type: string, writeOnly: true } } }
    Plate: { type: object, required: [kind], properties: { kind: { enum: [plate] }, text: { type: string } } }
`;

test('so it is with one in a map, and in the one of several kinds that has it', async () => {
  const { send } = smallMock(SHIPS);
  const pin = { kind: 'pin', text: 'secret' };
  const plate = { kind: 'plate', text: 'AB 1' };
  const crew = { ada: { name: 'Ada', password: 'secret' } };
  const shown = { id: 1, crew: { ada: { name: 'Ada' } }, lock: { kind: 'pin' }, locks: [plate, { kind: 'pin' }] };
  expect((await send('POST', '/ships', { crew, lock: pin, locks: [plate, pin] })).body).toEqual(shown);
  expect((await send('GET', '/ships/1')).body).toEqual(shown);
});
