import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument, objectOf, type SmallMock } from './small-mock';

/** Seats, of which a request says flat what they show in objects. */
function seats(): SmallMock {
  const Seat = object(
    {
      id: text,
      guest: object({ user_id: text, first_name: text }, ['user_id']),
      plan: ref('PlanMini'),
      discount: object({ type: text, percent: whole }),
      details: { ...object({ note: text, name: text, card_holder: text }), readOnly: true },
    },
    ['id'],
  );
  const sent = object({
    card_holder: { ...text, writeOnly: true },
    user_id: text,
    plan_code: text,
    discount_type: text,
    discount_percent: whole,
    name: text,
  });
  const answers = { 200: ref('Seat') };
  return mockOfDocument(
    smallApi(
      {
        'GET /plans': { answers: { 200: list(ref('Plan')) } },
        'POST /plans': { body: object({ code: text, title: text }, ['code']), answers: { 201: ref('Plan') } },
        'GET /plans/{plan}': {
          answers: { 200: ref('Plan') },
          parameters: [{ name: 'plan', in: 'path', required: true, schema: text, description: 'ID or code.' }],
        },
        'GET /seats': { answers: { 200: list(ref('Seat')) } },
        'POST /seats': { body: sent, answers: { 201: ref('Seat') } },
        'GET /seats/{id}': { answers },
        'PATCH /seats/{id}': { body: sent, answers },
        'PUT /seats/{id}': { body: sent, answers },
      },
      {
        Seat,
        Plan: object({ id: text, code: text, title: text, size: whole }, ['id', 'code']),
        PlanMini: object({ id: text, code: text, title: text }, ['id']),
      },
    ).replaceAll('"name":"plan","in":"path","required":true,"schema":{"type":"string"}},{', ''),
  );
}

test('what is sent flat stands in the object that shows it', async () => {
  const { send } = seats();
  const sent = { card_holder: 'Ada', user_id: 'u7', discount_type: 'fixed', discount_percent: 7 };
  const { body, headers } = await send('POST', '/seats', sent);
  expect(body).toMatchObject({
    guest: { user_id: 'u7' },
    discount: { type: 'fixed', percent: 7 },
    details: { card_holder: 'Ada' },
  });
  expect(body).not.toHaveProperty('card_holder');
  expect(headers['x-standin-problem']).toBeUndefined();
  const path = `/seats/${String((body as Record<string, unknown>)['id'])}`;
  expect(objectOf(await send('GET', path))).toMatchObject({ discount: { type: 'fixed', percent: 7 } });
  expect(objectOf(await send('PATCH', path, { discount_percent: 9 }))).toMatchObject({
    guest: { user_id: 'u7' },
    discount: { type: 'fixed', percent: 9 },
  });
});

test('a thing that is named so is shown as it is', async () => {
  const { send } = seats();
  const plan = objectOf(await send('POST', '/plans', { code: 'gold', title: 'Gold' }));
  const { body } = await send('POST', '/seats', { user_id: 'u7', plan_code: 'gold' });
  expect(body).toMatchObject({ plan: { id: plan['id'], code: 'gold', title: 'Gold' } });
});

test('a word alone, and what two objects have, stand nowhere, and that is told', async () => {
  const { send } = seats();
  const { body, headers } = await send('POST', '/seats', { user_id: 'u7', name: 'x' });
  expect(body).not.toMatchObject({ details: { name: 'x' } });
  expect(headers['x-standin-problem']).toBe('not_kept: Items of /seats do not keep /name');
});

test('a list that is sent under a name of its own is the list of the item', async () => {
  const Address = object({ id: text, email_address: text }, ['id', 'email_address']);
  const Domain = object({ id: text, domain: text, state: { ...text, enum: ['pending', 'ok'] } }, [
    'id',
    'domain',
    'state',
  ]);
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /guests': { query: { email_address: list(text) }, answers: { 200: list(ref('Guest')) } },
        'POST /guests': {
          body: object({
            email_address: list(text),
            domain_data: list(object({ domain: text, state: text, hint: text })),
            tag: text,
          }),
          answers: { 201: ref('Guest') },
        },
        'GET /guests/{id}': { answers: { 200: ref('Guest') } },
      },
      { Guest: object({ id: text, email_addresses: list(Address), domains: list(Domain), tags: list(text) }, ['id']) },
    ),
  );
  const sent = { email_address: ['a@b.c', 'd@e.f'], domain_data: [{ domain: 'b.c', state: 'pending', hint: 'x' }] };
  const { body, headers } = await send('POST', '/guests', { ...sent, tag: 'one' });
  expect(body).toMatchObject({
    email_addresses: [
      { id: expect.any(String) as string, email_address: 'a@b.c' },
      { id: expect.any(String) as string, email_address: 'd@e.f' },
    ],
    domains: [{ id: expect.any(String) as string, domain: 'b.c', state: 'pending' }],
  });
  const ids = (body as { email_addresses: { id: string }[] }).email_addresses.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  // One text is not a list.
  expect(headers['x-standin-problem']).toBe('not_kept: Items of /guests do not keep /domain_data/0/hint, /tag');
  const found = (await send('GET', '/guests?email_address=d@e.f')).body;
  expect(found).toEqual([body]);
});

test('a body that is as a whole one object of the item is that object', async () => {
  const Config = { image_name: text, user_name: text, labels: { type: 'object', additionalProperties: text } };
  const Box = object({ id: text, config: object(Config), state: object({ image_note: text }), size: whole }, ['id']);
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /boxes': { answers: { 200: list(Box) } },
        'POST /boxes': {
          body: object({ ...Config, auto_start: text }),
          answers: { 201: object({ id: text }, ['id']) },
        },
        'GET /boxes/{id}': { answers: { 200: Box } },
      },
      {},
    ),
  );
  const sent = { image_name: 'busy', user_name: 'ada', labels: { a: 'b' } };
  const { id } = objectOf(await send('POST', '/boxes', sent));
  expect(objectOf(await send('GET', `/boxes/${id as string}`))).toMatchObject({ config: sent });
});
