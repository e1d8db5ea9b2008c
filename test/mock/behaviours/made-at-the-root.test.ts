import { list, object, ref, smallApi, text } from '../../support/small-api';
import { mockOfDocument, objectOf, type SmallMock } from './small-mock';

const Customer = object({ external_id: text, name: text }, ['external_id']);
const uuid = { type: 'string', format: 'uuid' };
const Coupon = object({ own_id: uuid, amount: text, external_customer_id: text }, [
  'own_id',
  'amount',
  'external_customer_id',
]);
const newCoupon = object({ external_customer_id: text, amount: text }, ['external_customer_id', 'amount']);
const coupons = { answers: { 200: object({ coupons: list(ref('Coupon')) }) } };

const COUPONS = {
  'GET /customers': { answers: { 200: list(ref('Customer')) } },
  'POST /customers': { body: ref('Customer'), answers: { 200: ref('Customer') } },
  'GET /customers/{external_id}': { answers: { 200: ref('Customer'), 404: null } },
  'GET /coupons': { ...coupons, query: { external_customer_id: text } },
  'POST /coupons': { body: newCoupon, answers: { 200: ref('Coupon') } },
};

async function withCustomers({ send }: SmallMock): Promise<void> {
  for (const external_id of ['c1', 'c2']) await send('POST', '/customers', { external_id, name: 'n' });
}

test.each([
  ['a removal that answers it', {}],
  ['items read at the root as well', { 'GET /coupons/{own_id}': { answers: { 200: ref('Coupon') } } }],
])('what is made at the root is listed and removed below its parent: %s', async (_, more) => {
  const mock = mockOfDocument(
    smallApi(
      {
        ...COUPONS,
        ...more,
        'GET /customers/{external_id}/coupons': coupons,
        'DELETE /customers/{external_id}/coupons/{own_id}': { answers: { 200: ref('Coupon'), 404: null } },
      },
      { Customer, Coupon },
    ),
  );
  const { send } = mock;
  await withCustomers(mock);
  const made = objectOf(await send('POST', '/coupons', { external_customer_id: 'c1', amount: 'deal' }));
  const key = made['own_id'] as string;
  expect((await send('GET', '/customers/c1/coupons')).body).toEqual({ coupons: [made] });
  expect((await send('GET', '/customers/c2/coupons')).body).toEqual({ coupons: [] });
  expect((await send('DELETE', `/customers/c2/coupons/${key}`)).status).toBe(404);
  expect((await send('DELETE', `/customers/c1/coupons/${key}`)).body).toEqual(made);
  expect((await send('GET', '/coupons')).body).toEqual({ coupons: [] });
});

test.each([
  ['its own word', 'Create a wallet transaction', 'ok'],
  ['that of its answer', 'Top up a wallet', 'Wallet transaction created'],
])('what answers a list of what it made, by %s', async (_, summary, description) => {
  const Transaction = object({ own_id: uuid, own_wallet_id: uuid, paid_credits: text, amount: text }, [
    'own_id',
    'own_wallet_id',
  ]);
  const transactions = { answers: { 200: object({ wallet_transactions: list(ref('Transaction')) }) } };
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /wallets': { answers: { 200: list(ref('Wallet')) } },
        'POST /wallets': { body: object({ name: text }), answers: { 200: ref('Wallet') } },
        'GET /wallets/{own_id}': { answers: { 200: ref('Wallet') } },
        'GET /wallets/{own_id}/wallet_transactions': transactions,
        'POST /wallet_transactions': {
          ...transactions,
          summary,
          body: object({ wallet_id: text, paid_credits: text }, ['wallet_id']),
        },
        'GET /wallet_transactions/{own_id}': { answers: { 200: ref('Transaction') } },
      },
      { Wallet: object({ own_id: uuid, name: text }, ['own_id']), Transaction },
    ).replaceAll('Answer 200', description),
  );
  const wallet = objectOf(await send('POST', '/wallets', { name: 'w' }))['own_id'] as string;
  const other = objectOf(await send('POST', '/wallets', { name: 'o' }))['own_id'] as string;
  const made = await send('POST', '/wallet_transactions', { wallet_id: wallet, paid_credits: '10' });
  expect(made.body).toMatchObject({ wallet_transactions: [{ own_wallet_id: wallet, paid_credits: '10' }] });
  expect((await send('GET', `/wallets/${wallet}/wallet_transactions`)).body).toEqual(made.body);
  expect((await send('GET', `/wallets/${other}/wallet_transactions`)).body).toEqual({ wallet_transactions: [] });
});
