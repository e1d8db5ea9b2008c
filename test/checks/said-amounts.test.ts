import { loadDescriptionText } from '../../src/files/load-description';
import { object, smallApi, text } from '../support/small-api';
import { runCheck, type Sent } from './exchanges';

const whole = { type: 'integer' };
const tour = object({ id: text, left: whole }, ['id']);
const booking = object({ id: text, tour_id: text, seats: whole }, ['id']);
const { api } = loadDescriptionText(
  smallApi({
    'POST /tours': { body: tour, answers: { 201: tour } },
    'GET /tours/{id}': { answers: { 200: tour, 404: null } },
    'PATCH /tours/{id}': { body: tour, answers: { 200: tour } },
    'POST /bookings': {
      description: '`left` of the tour goes down by the seats; 409 where there are fewer.',
      body: booking,
      answers: { 201: booking, 202: booking, 200: booking, 409: null },
    },
    'GET /bookings/{id}': { answers: { 200: booking, 404: null } },
    'POST /bookings/{id}/cancel': { description: '`left` goes up again.', answers: { 200: booking } },
  }),
  'tours.json',
);

const tourOf = (left: number): string => JSON.stringify({ id: 'alps', left });
const made: Sent = { to: 'POST /tours', send: tourOf(9), status: 201, body: tourOf(9) };
const left = (count: number): Sent => ({ to: 'GET /tours/alps', status: 200, body: tourOf(count) });
const seats = (count: number): string => JSON.stringify({ id: 'b', tour_id: 'alps', seats: count });
const booked = (count: number, status = 201): Sent => ({
  to: 'POST /bookings',
  send: seats(count),
  status,
  body: seats(count),
});
const cancelled: Sent = { to: 'POST /bookings/b/cancel', status: 200, body: seats(3) };

test.each([
  ['what is not taken', [made, left(9), booked(3), left(9)]],
  ['what is taken as one', [made, left(9), booked(3), left(8)]],
  ['more than there is', [made, left(2), booked(3), left(0)]],
  ['what is not given back', [made, booked(3), left(6), cancelled, left(6)]],
])('%s is a fault', (_, sent) => {
  expect(runCheck('said-rules', sent, api)).toEqual([
    expect.stringMatching(/^error .* does not change "left" of \/tours\/\{id\} as the description says$/),
  ]);
});

test.each([
  ['what is taken', [made, left(9), booked(3), left(6)]],
  ['what is given back', [made, booked(3), left(6), cancelled, left(9)]],
  ['what is refused', [made, left(2), booked(3, 409), left(2)]],
  ['what is only accepted', [made, left(9), booked(3, 202), left(9)]],
  ['what was there already', [made, left(9), booked(3, 200), left(9)]],
  ['what others may take from', [left(9), booked(3), left(1)]],
  ['what is done once more', [made, booked(3), left(6), cancelled, left(9), cancelled, left(9)]],
  ['what is changed in between', [made, left(9), booked(3), { to: 'PATCH /tours/alps', status: 200 }, left(20)]],
  ['what is booked in between', [made, left(9), booked(3), booked(2), left(4)]],
  ['what nobody read before', [made, booked(3), left(1)]],
])('%s is none', (_, sent) => {
  expect(runCheck('said-rules', sent, api)).toEqual([]);
});
