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
