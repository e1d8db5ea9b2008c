import { expectNoFindings, itemsOf, type Part, PROBLEM } from '../support/own-mock';
import { list, object, ref, type SmallOperation, text } from '../support/small-api';

const id = { type: 'string', readOnly: true };
const maybe = { type: 'string', nullable: true };
const acted = (name: string): Pick<SmallOperation, 'answers'> => ({
  answers: { 200: ref(name), 404: PROBLEM, 409: PROBLEM },
});

const COUNT = { type: 'integer', minimum: 0, maximum: 90 };
const BOOKED = { type: 'string', enum: ['booked', 'cancelled'], readOnly: true };

const PARTS: readonly Part[] = [
  {
    about: 'what can be done in some states alone',
    operations: {
      ...itemsOf('/visits', 'visit', object({ label: text }, ['label'])),
      'PATCH /visits/{id}': {
        description: 'A visit that is cancelled cannot be changed.',
        body: object({ label: text }),
        answers: { 200: ref('visit'), 400: PROBLEM, 404: PROBLEM, 409: PROBLEM },
      },
      'POST /visits/{id}/close': { description: '409 unless it is booked.', ...acted('visit') },
      'POST /visits/{id}/cancel': { description: 'It is cancelled once; 409 after that.', ...acted('visit') },
    },
    schemas: {
      visit: object(
        { id, label: text, state: { type: 'string', enum: ['booked', 'closed', 'cancelled'], readOnly: true } },
        ['id', 'label', 'state'],
      ),
    },
  },
  {
    about: 'what one thing takes from another',
    operations: {
      ...itemsOf('/trips', 'trip', object({ label: text, places: COUNT }, ['label', 'places'])),
      ...itemsOf('/bookings', 'booking', object({ trip_id: text, seats: COUNT }, ['trip_id', 'seats'])),
      'POST /bookings': {
        description: '`places` of the trip go down by the seats; 409 if there are fewer.',
        body: object({ trip_id: text, seats: COUNT }, ['trip_id', 'seats']),
        answers: { 201: ref('booking'), 400: PROBLEM, 409: PROBLEM },
      },
      'POST /bookings/{id}/cancel': {
        description: 'They are among the places again. 409 if it is cancelled already.',
        ...acted('booking'),
      },
    },
    schemas: {
      trip: object({ id, label: text, places: COUNT }, ['id', 'label', 'places']),
      booking: object({ id, trip_id: text, seats: COUNT, state: BOOKED }, ['id', 'trip_id', 'seats']),
    },
  },
  {
    about: 'what there is but once, and what is replaced',
    operations: {
      'GET /recipes': { answers: { 200: list(ref('recipe')) } },
      'POST /recipes': {
        description:
          'The title of a recipe is unique: another one of the same title, in whatever case, is answered with 409.',
        body: object({ title: text, story: maybe }, ['title']),
        answers: { 201: ref('recipe'), 400: PROBLEM, 409: PROBLEM },
      },
      'GET /recipes/{id}': { answers: { 200: ref('recipe'), 404: PROBLEM } },
      'PUT /recipes/{id}': {
        description: 'Overwrites the recipe as a whole; what is left out becomes null.',
        body: object({ title: text, story: maybe }, ['title']),
        answers: { 200: ref('recipe'), 400: PROBLEM, 404: PROBLEM, 409: PROBLEM },
      },
      'DELETE /recipes/{id}': { answers: { 204: null, 404: PROBLEM } },
    },
    schemas: { recipe: object({ id, title: text, story: maybe }, ['id', 'title', 'story']) },
  },
];

test('the mock obeys the words about states, amounts and unique values that generated contracts read', async () => {
  const passed = await expectNoFindings(PARTS, ['lifecycle']);
  const asked = [
    'cancel of the visit, once more',
    'add a booking of the trip',
    'read the trip after cancel',
    'close of the visit that is cancelled',
    'change of the visit that is cancelled',
    'add another recipe with the same title',
    'add another recipe with the same title in capitals',
    'read the recipe without the rest',
  ];
  expect(asked.filter((name) => !passed.includes(name))).toEqual([]);
});
