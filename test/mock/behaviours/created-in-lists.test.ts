import { list, object, ref, smallApi, text, whole } from '../../support/small-api';
import { mockOfDocument } from './small-mock';

test('a creation that answers the item beside others in data shows what was created', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /my/ships': { answers: { 200: object({ data: list(ref('Ship')) }) } },
        'POST /my/ships': {
          body: object({ model: text }, ['model']),
          answers: {
            201: object({ data: object({ agent: ref('Agent'), ship: ref('Ship'), receipt: ref('Receipt') }) }),
          },
        },
        'GET /my/ships/{symbol}': { answers: { 200: object({ data: ref('Ship') }) } },
      },
      {
        Ship: object({ symbol: text, model: text }, ['symbol']),
        Agent: object({ symbol: text, credits: whole }),
        Receipt: object({ shipSymbol: text, price: whole }),
      },
    ),
  );
  const { body } = await send('POST', '/my/ships', { model: 'probe' });
  const { ship } = (body as { data: { ship: object } }).data;
  expect(ship).toMatchObject({ model: 'probe' });
  expect((await send('GET', '/my/ships')).body).toEqual({ data: [ship] });
});

const contacts = (creation: Parameters<typeof smallApi>[0]): ReturnType<typeof mockOfDocument> => {
  const rows = object({ contacts: list(ref('Contact')) });
  return mockOfDocument(
    smallApi(
      {
        'GET /contacts': { answers: { 200: rows } },
        'GET /contacts/{id}': { answers: { 200: rows, 404: null } },
        ...creation,
      },
      { Contact: object({ contactId: text, name: text }) },
    ),
  );
};

test.each([
  ['POST', { body: object({ contacts: list(object({ name: text })) }) }],
  ['PUT', { summary: 'Creates one or more contacts', body: object({ contacts: list(ref('Contact')) }) }],
])('a list that is created by %s is answered, listed and read one by one', async (method, operation) => {
  const answers = { 200: object({ contacts: list(ref('Contact')) }) };
  const { send } = contacts({ [`${method} /contacts`]: { ...operation, answers } });
  const { body } = await send(method, '/contacts', { contacts: [{ name: 'Ada' }] });
  expect(body).toEqual({ contacts: [{ contactId: '1', name: 'Ada' }] });
  expect((await send('GET', '/contacts')).body).toEqual(body);
  expect((await send('GET', '/contacts/1')).body).toEqual(body);
});

test('one item that is created may be answered in a list', async () => {
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /notes': { answers: { 200: list(ref('Note')) } },
        'POST /notes': { body: object({ words: text }, ['words']), answers: { 201: list(ref('Note')) } },
        'GET /notes/{id}': { answers: { 200: ref('Note') } },
      },
      { Note: object({ id: text, words: text }) },
    ),
  );
  const { body } = await send('POST', '/notes', { words: 'w' });
  expect(body).toEqual([{ id: '1', words: 'w' }]);
  expect((await send('GET', '/notes')).body).toEqual(body);
});

const COUPON = object({ code: text, amount: whole }, ['code']);
const onCoupon = { 'GET /coupon/{code}': { answers: { 200: ref('Coupon'), 404: null } } };
const listed = { 'GET /coupons': { answers: { 200: list(ref('Coupon')) } } };
const created = { 'POST /coupon': { body: ref('Coupon'), answers: { 201: null } } };

test.each([
  ['first', { ...listed, ...created, ...onCoupon }],
  ['last', { ...created, ...onCoupon, ...listed }],
  [
    'with a creation of its own',
    {
      ...listed,
      ...created,
      ...onCoupon,
      'POST /coupons': { body: list(ref('Coupon')), answers: { 201: list(ref('Coupon')) } },
    },
  ],
])('a singular path and a plural one are one collection, with the list %s', async (_, operations) => {
  const { send } = mockOfDocument(smallApi(operations, { Coupon: COUPON }));
  const sent = { code: 'summer', amount: 3 };
  expect((await send('POST', '/coupon', sent)).status).toBe(201);
  expect((await send('GET', '/coupon/summer')).body).toEqual(sent);
  expect((await send('GET', '/coupons')).body).toEqual([sent]);
});

test('requests, items and rows with schemas of their own and the same properties are one collection', async () => {
  const properties = { make: text, doors: whole };
  const result = (inner: object): object => object({ result: inner, success: { type: 'boolean' } });
  const { send } = mockOfDocument(
    smallApi(
      {
        'GET /cars': { answers: { 200: result(list(ref('CarRow'))) } },
        'POST /cars': { body: ref('NewCar'), answers: { 200: result(ref('CreatedCar')) } },
        'GET /cars/{carId}': { answers: { 200: result(ref('CarDto')) } },
      },
      {
        NewCar: object(properties),
        CreatedCar: object({ id: whole, ...properties }),
        CarDto: object({ id: whole, ...properties }),
        CarRow: object({ id: whole, ...properties }),
      },
      { carId: whole },
    ),
  );
  const { body } = await send('POST', '/cars', { make: 'a', doors: 3 });
  const made = { id: 1, make: 'a', doors: 3 };
  expect(body).toEqual({ result: made, success: true });
  expect((await send('GET', '/cars/1')).body).toEqual(body);
  expect((await send('GET', '/cars')).body).toEqual({ result: [made], success: true });
});
