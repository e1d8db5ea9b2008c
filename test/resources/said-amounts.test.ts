import { loadDescriptionText } from '../../src/files/load-description';
import { inferResourceModel } from '../../src/resources/infer-resource-model';
import { object, smallApi, type SmallOperation, text } from '../support/small-api';

const whole = { type: 'integer' };
const tour = object({ id: text, name: text, places_left: whole, sold: { ...whole, readOnly: true } }, ['id']);
const booking = object({ id: text, tour_id: text, seats: whole, price: whole }, ['id']);

/** What is read of the words of one operation. */
function amounts(name: string, operation: Partial<SmallOperation>): object[] {
  const operations: Record<string, SmallOperation> = {
    'POST /tours': { body: tour, answers: { 201: tour } },
    'GET /tours/{id}': { answers: { 200: tour, 404: null } },
    'POST /bookings': {
      description: '`places_left` of the tour goes down by the seats',
      body: booking,
      answers: { 201: booking, 409: null, 422: null },
    },
    'GET /bookings/{id}': { answers: { 200: booking, 404: null } },
    'POST /bookings/{id}/cancel': { answers: { 200: booking } },
  };
  operations[name] = { ...operations[name], ...operation };
  const { api } = loadDescriptionText(smallApi(operations), 'tours.json');
  const found = [...inferResourceModel(api).bindings.values()].find(
    ({ operation: { method, path } }) => name === `${method} ${path}`,
  );
  return (found?.said.amounts ?? []).map(({ property, sign, by, refusal }) => ({ property, sign, by, refusal }));
}

const down = (by?: string, refusal?: number): object => ({ property: 'places_left', sign: -1, by, refusal });

test.each([
  ['The `places_left` of the tour goes down by the number of seats.', [down('seats')]],
  ['Takes one out of the places left of the tour; 409 where there is none.', [down(undefined, 409)]],
  ['The seats are deducted from the places left of the tour. 422 if fewer are left.', [down('seats', 422)]],
  ['Reduces `places_left` of the tour by `seats`, else 409: not enough.', [down('seats', 409)]],
  [
    'The places left of the tour go down by the seats and `sold` goes up.',
    [down('seats'), { property: 'sold', sign: 1, by: 'seats', refusal: undefined }],
  ],
  // By how much, of what, in which direction or when, nobody knows.
  ['Reduces the places left of the tour.', []],
  ['The places left go down by the seats.', []],
  ['The places left of the tour go down and go up by the seats.', []],
  ['The places left of the tour go down by the seats when it is confirmed.', []],
  ['Once paid, the places left of the tour may go down by one.', []],
  ['The places left of the tour go down by the seats or the price.', []],
  ['Has no effect on the places left of the tour.', []],
])('what a creation takes: %s', (description, rules) => {
  expect(amounts('POST /bookings', { description })).toEqual(rules);
});

test.each([
  ['The seats go back to the places left.', 1],
  ['`places_left` of the tour goes up again.', 1],
  ['Cancels it.', 0],
  ['The places left go up again if it was paid.', 0],
])('what an action gives back: %s', (description, count) => {
  expect(amounts('POST /bookings/{id}/cancel', { description })).toHaveLength(count);
});

test('what a body says may be a part of what was taken', () => {
  const description = 'The seats go back to the places left.';
  expect(amounts('POST /bookings/{id}/cancel', { description, body: object({ seats: whole }) })).toEqual([]);
});
