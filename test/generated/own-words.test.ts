import { expectNoFindings, itemsOf, type Part, PROBLEM } from '../support/own-mock';
import { list, object, ref, type SmallOperation, text } from '../support/small-api';

const id = { type: 'string', readOnly: true };
const maybe = { type: 'string', nullable: true };

/** Things of two kinds, of which the second refers to the first; the words are those of single operations. */
function pair(
  [one, ones]: readonly [string, string],
  [other, others]: readonly [string, string],
  more: object,
  words: Readonly<Record<string, Partial<SmallOperation>>>,
): Part {
  const refers = { [`${one}_id`]: text, label: text };
  const operations = {
    ...itemsOf(`/${ones}`, one, object({ label: text }, ['label'])),
    ...itemsOf(`/${others}`, other, object(refers, Object.keys(refers))),
  };
  for (const [name, said] of Object.entries(words)) operations[name] = { ...operations[name], ...said };
  const schemas = {
    [one]: object({ id, label: text }, ['id', 'label']),
    [other]: object({ id, ...refers, ...more }, ['id', ...Object.keys(refers)]),
  };
  return { about: ones, operations, schemas };
}

const created = (name: string): Pick<SmallOperation, 'answers'> => ({
  answers: { 201: ref(name), 400: PROBLEM, 404: PROBLEM, 422: PROBLEM },
});
const acted = (name: string): Pick<SmallOperation, 'answers'> => ({
  answers: { 200: ref(name), 404: PROBLEM, 409: PROBLEM },
});
const removed: Pick<SmallOperation, 'answers'> = { answers: { 204: null, 404: PROBLEM, 409: PROBLEM } };

const COUNT = { type: 'integer', minimum: 0, maximum: 90 };
const BOOKED = { type: 'string', enum: ['booked', 'cancelled'], readOnly: true };
const STAGE = { type: 'string', enum: ['rising', 'baking', 'spoiled'], readOnly: true };

const PARTS: readonly Part[] = [
  pair(
    ['theatre', 'theatres'],
    ['performance', 'performances'],
    {},
    {
      'POST /performances': {
        description: '404 is answered where there is no such theatre.',
        ...created('performance'),
      },
      'DELETE /theatres/{id}': { description: 'Closes it for good. Its performances are removed as well.' },
    },
  ),
  pair(
    ['tree', 'trees'],
    ['inspection', 'inspections'],
    {},
    {
      'POST /inspections': { means: { 422: 'The tree is not known.' }, ...created('inspection') },
      'PATCH /inspections/{id}': { description: "A tree that doesn't exist is answered with 422." },
      'DELETE /trees/{id}': { ...removed, means: { 409: 'Inspections still refer to this tree.' } },
    },
  ),
  pair(
    ['oven', 'ovens'],
    ['batch', 'batches'],
    { stage: STAGE },
    {
      'POST /batches': {
        description: 'Puts dough into it.',
        means: { 422: 'A reference leads nowhere: it is unknown' },
        ...created('batch'),
      },
      'DELETE /ovens/{id}': { summary: 'Remove an oven', description: 'Its rising or baking batches become spoiled.' },
    },
  ),
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
    about: 'what lies below what is removed',
    operations: {
      ...itemsOf('/boats', 'boat', object({ label: text }, ['label'])),
      'DELETE /boats/{id}': {
        description: 'Removes the boat with all its logs.',
        answers: { 204: null, 404: PROBLEM },
      },
      ...itemsOf('/boats/{boat}/logs', 'log', object({ entry: text }, ['entry'])),
    },
    schemas: { boat: object({ id, label: text }, ['id', 'label']), log: object({ id, entry: text }, ['id', 'entry']) },
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

test('the mock obeys the words that generated contracts read', async () => {
  const passed = await expectNoFindings(PARTS, ['lifecycle']);
  const asked = [
    'add a performance whose theatre_id nobody has',
    'add a performance of the theatre that was removed',
    'the performance is gone with the theatre',
    'add an inspection whose tree_id nobody has',
    'change the inspection to a tree_id that nobody has',
    'add a batch whose oven_id nobody has',
    'the batch after that',
    'cancel of the visit, once more',
    'add a booking of the trip',
    'read the trip after cancel',
    'close of the visit that is cancelled',
    'change of the visit that is cancelled',
    'the log is gone with the boat',
    'add another recipe with the same title',
    'add another recipe with the same title in capitals',
    'read the recipe without the rest',
  ];
  expect(asked.filter((name) => !passed.includes(name))).toEqual([]);
});
