import { expectNoFindings, itemsOf, type Part, PROBLEM } from '../support/own-mock';
import { object, ref, type SmallOperation, text } from '../support/small-api';

const id = { type: 'string', readOnly: true };

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
const removed: Pick<SmallOperation, 'answers'> = { answers: { 204: null, 404: PROBLEM, 409: PROBLEM } };

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
];

test('the mock obeys the words about what refers to what that generated contracts read', async () => {
  const passed = await expectNoFindings(PARTS, ['lifecycle']);
  const asked = [
    'add a performance whose theatre_id nobody has',
    'add a performance of the theatre that was removed',
    'the performance is gone with the theatre',
    'add an inspection whose tree_id nobody has',
    'change the inspection to a tree_id that nobody has',
    'add a batch whose oven_id nobody has',
    'the batch after that',
    'the log is gone with the boat',
  ];
  expect(asked.filter((name) => !passed.includes(name))).toEqual([]);
});
