import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

const Customer = object({ external_id: text, name: text, email: text }, ['external_id']);

const document = (answer: string, summary = 'Create a customer', more: object = {}): string =>
  smallApi(
    {
      'GET /customers': { answers: { 200: list(ref('Customer')) } },
      'POST /customers': { summary, body: ref('Customer'), answers: { 200: ref('Customer'), ...more } },
      'GET /customers/{external_id}': { answers: { 200: ref('Customer') } },
    },
    { Customer },
  ).replaceAll('Answer 200', answer);

test.each(['Customer created or updated', 'The customer was created/updated', 'Created or updated customer'])(
  'a creation that answers "%s" updates what has the key',
  async (answer) => {
    const { send } = mockOfDocument(document(answer));
    await send('POST', '/customers', { external_id: 'c1', name: 'G', email: 'g@x' });
    const again = await send('POST', '/customers', { external_id: 'c1', name: 'H' });
    expect(again).toMatchObject({ status: 200, body: { external_id: 'c1', name: 'H', email: 'g@x' } });
    expect((await send('GET', '/customers')).body).toEqual([again.body]);
  },
);

test('a creation that answers "created or replaced" replaces it', async () => {
  const { send } = mockOfDocument(document('Customer created or replaced'));
  await send('POST', '/customers', { external_id: 'c1', name: 'G', email: 'g@x' });
  expect((await send('POST', '/customers', { external_id: 'c1', name: 'H' })).body).toEqual({
    external_id: 'c1',
    name: 'H',
  });
});

test.each<[string, object]>([
  ['Customer created', {}],
  ['Customer created or updated', { 409: null }],
])('a key that is taken is still refused where it answers "%s" and documents %j', async (answer, more) => {
  const { send } = mockOfDocument(document(answer, 'Create a customer', more));
  await send('POST', '/customers', { external_id: 'c1', name: 'G' });
  expect((await send('POST', '/customers', { external_id: 'c1', name: 'H' })).status).toBe(409);
});
