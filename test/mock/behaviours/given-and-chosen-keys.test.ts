import supertest from 'supertest';
import { type JsonObject, ownProperty } from '../../../src/core/json/json-value';
import { serveText } from '../../support/serve-text';
import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf } from './small-mock';

const said = (description: string): object => ({ ...(text as object), description });

const firms = (variable: string, id: string, own: string): string =>
  smallApi(
    {
      'GET /firms': { answers: { 200: list(ref('Firm')) } },
      'POST /firms': {
        summary: 'Create or update a firm',
        description: 'Makes one. Firms are looked up via `firm_id`; if one is found, it is updated.',
        body: object({ firm_id: text, name: text, note: text }),
        answers: { 200: ref('Firm') },
      },
      'GET /firms/{firm_id}': { answers: { 200: ref('Firm'), 404: null } },
    },
    { Firm: object({ id: said(id), firm_id: said(own), name: text, note: text }) },
    { firm_id: said(variable) },
  );

test.each([
  ['in the very words', 'The key of the firm. Not its number.', 'The key of the firm.', 'A number.'],
  ['as given by the service', 'The key, which is given by us', 'Our own id', 'The id that you have thought of'],
  ['by its name', 'The internal `id`', 'A key.', 'A number.'],
])('a variable with the name of another member that is said to be the id is the id: %s', async (_about, ...words) => {
  const { send } = mockOfDocument(firms(...words));
  const made = objectOf(await send('POST', '/firms', { firm_id: 'acme', name: 'Acme' }));
  expect((await send('GET', `/firms/${made['id'] as string}`)).body).toEqual(made);
  expect((await send('GET', '/firms/acme')).status).toBe(404);
});

test('where nothing says so, the property of its name is the key', async () => {
  const { send } = mockOfDocument(firms('The firm', 'A', 'B'));
  const made = objectOf(await send('POST', '/firms', { firm_id: 'acme', name: 'Acme' }));
  expect((await send('GET', '/firms/acme')).body).toEqual(made);
});

test.each([
  ['which is not the key', firms('The internal `id`', 'A key.', 'A number.')],
  ['which is the key', firms('The firm', 'A', 'B')],
])(
  'a creation that is said to update finds what is there by the member that it names: %s',
  async (_about, document) => {
    const { send } = mockOfDocument(document);
    const made = objectOf(await send('POST', '/firms', { firm_id: 'acme', name: 'Acme', note: 'n' }));
    expect((await send('POST', '/firms', { firm_id: 'acme', name: 'Acme Ltd' })).body).toEqual({
      ...made,
      name: 'Acme Ltd',
    });
    expect((await send('POST', '/firms', { firm_id: 'other', name: 'Acme' })).status).toBe(200);
    expect((await send('POST', '/firms', { name: 'No number' })).status).toBe(200);
    expect((await send('GET', '/firms')).body).toHaveLength(3);
  },
);

test.each([
  ['show no key', object({ active: { type: 'boolean' } })],
  ['show a name that might be one', object({ name: text })],
])('a client chooses the key under the name of the path variable where items %s', async (_, Licensee) => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'POST /licensee': { body: object({ number: text, name: text }), answers: { 200: ref('Licensee') } },
        'GET /licensee/{licenseeNumber}': { answers: { 200: ref('Licensee'), 404: null } },
        'DELETE /licensee/{licenseeNumber}': { answers: { 204: null } },
      },
      { Licensee },
    ),
  );
  const { body } = await send('POST', '/licensee', { number: 'abc', name: 'n' });
  await send('POST', '/licensee', { number: 'def', name: 'n' });
  expect(await send('GET', '/licensee/abc')).toMatchObject({ status: 200, body });
  await send('DELETE', '/licensee/abc');
  expect((await send('GET', '/licensee/abc')).status).toBe(404);
  expect((await send('GET', '/licensee/def')).status).toBe(200);
});

test('where made-up items have all keys that a schema lists, one of them gives way to what is created', async () => {
  const kind = { type: 'string', enum: ['first', 'second'] };
  const Rule = object({ kind: { ...kind, readOnly: true }, note: text }, ['kind']);
  const api = smallApi(
    {
      'GET /boxes/{box}/rules': { answers: { 200: list(Rule) } },
      'POST /boxes/{box}/rules': { body: object({ note: text }, ['note']), answers: { 201: Rule } },
      'GET /boxes/{box}/rules/{kind}': { answers: { 200: Rule, 404: null } },
    },
    {},
    { kind },
  );
  const server = supertest(await serveText(api, { state: 'seeded' }));
  const rules = async () => (await server.get('/boxes/b/rules').expect(200)).body as object[];
  expect(await rules()).toHaveLength(2);
  for (const note of ['mine', 'mine too']) await server.post('/boxes/b/rules').send({ note }).expect(201);
  expect((await rules()).map((each) => ownProperty(each as JsonObject, 'note'))).toEqual(['mine', 'mine too']);
  await server.post('/boxes/b/rules').send({ note: 'one too many' }).expect(409);
});

const seats = (id: object): string =>
  smallApi(
    {
      'POST /halls/{hall}/seats': { body: object({ row: text }), answers: { 201: ref('Seat') } },
      'GET /halls/{hall}/seats/{seat_id}': { answers: { 200: ref('Seat'), 404: null } },
      'POST /halls/{hall}/guests': {
        body: object({ guest_id: text, row: text }, ['guest_id']),
        answers: { 201: ref('Guest') },
      },
      'GET /halls/{hall}/guests/{guest_id}': { answers: { 200: ref('Guest'), 404: null } },
    },
    { Seat: object({ id, row: text }), Guest: object({ id: text, row: text }) },
    { seat_id: whole, guest_id: whole },
  );

test('an id of text, which paths have as a number, is that number in digits', async () => {
  const { send } = mockOfDocument(seats(text));
  const made = objectOf(await send('POST', '/halls/1/seats', { row: 'a' }));
  expect(made).toEqual({ id: expect.stringMatching(/^\d+$/) as string, row: 'a' });
  expect((await send('GET', `/halls/1/seats/${made['id'] as string}`)).body).toEqual(made);
});

test('an id of text that no number can be stays apart from the number of the path', async () => {
  const { send } = mockOfDocument(seats({ type: 'string', format: 'uuid' }));
  const { body, headers } = await send('POST', '/halls/1/seats', { row: 'a' });
  expect((await send('GET', headers['location'] as string)).body).toEqual(body);
});

test('the id of what must be named by whom it is for is that one', async () => {
  const { send } = mockOfDocument(seats(text));
  const { body } = await send('POST', '/halls/1/guests', { guest_id: '7', row: 'a' });
  expect(body).toEqual({ id: '7', row: 'a' });
  expect((await send('GET', '/halls/1/guests/7')).body).toEqual(body);
});

test('a client chooses the key beside an envelope', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /targets': { answers: { 200: object({ targets: list(ref('Target')) }) } },
        'POST /targets': {
          body: object({ target_name: text, target: object({ kind: text }) }, ['target_name']),
          answers: { 200: object({}) },
        },
        'PUT /targets/{target_name}': {
          body: object({ target: object({ kind: text }) }),
          answers: { 200: object({}) },
        },
        'DELETE /targets/{target_name}': { answers: { 204: null } },
      },
      { Target: object({ name: text, kind: text }) },
    ),
  );
  await send('POST', '/targets', { target_name: 'a', target: { kind: 'x' } });
  expect((await send('GET', '/targets')).body).toEqual({ targets: [{ name: 'a', kind: 'x' }] });
  await send('PUT', '/targets/a', { target: { kind: 'y' } });
  expect((await send('GET', '/targets')).body).toEqual({ targets: [{ name: 'a', kind: 'y' }] });
  expect((await send('DELETE', '/targets/a')).status).toBe(204);
  expect((await send('GET', '/targets')).body).toEqual({ targets: [] });
});
