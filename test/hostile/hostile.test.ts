import type { Shape } from './shape';
import { tryServer } from './trial';

/** A service that does what one expects. */
const PLAIN: Shape = {
  ...{ list: 'array', answer: '201', key: 'counter', keyName: 'id', slash: false, removal: '204', update: 'both' },
  ...{ bulk: 'none', unknown: '404', others: 'still', coerces: false, upsert: false, merges: false, stamp: false },
  joins: false,
};
const OWN = 2;
const FULL = 3;

test.each<{ what: string; seed: number; shape: Partial<Shape> }>([
  { what: 'changes all rows by a PATCH with the key in its body', seed: FULL, shape: { bulk: 'patch-with-key' } },
  { what: 'replaces all rows by a PUT', seed: FULL, shape: { bulk: 'put-with-key' } },
  { what: 'removes rows by a property in the path', seed: FULL, shape: { bulk: 'by-property', stamp: true } },
  { what: 'takes the key of a row of others for a change of it', seed: FULL, shape: { key: 'client', merges: true } },
  { what: 'has paths that end in a slash', seed: OWN, shape: { slash: true } },
  { what: 'coerces what it should reject, and answers 200', seed: OWN, shape: { coerces: true, answer: '200' } },
  { what: 'stores and then fails, and has pages', seed: OWN, shape: { answer: '500', list: 'pages' } },
  { what: 'answers without a body, and has a map by key', seed: OWN, shape: { answer: '200-empty', list: 'map' } },
  { what: 'sends its clients on to what they made', seed: OWN, shape: { answer: '303', list: 'none' } },
  { what: 'answers 200 to everything', seed: OWN, shape: { unknown: '200', list: 'envelope' } },
  { what: 'only marks what is removed', seed: OWN, shape: { removal: 'archived' } },
  { what: 'merges what is changed into a row of others', seed: OWN, shape: { joins: true, list: 'hides-rows' } },
])('at a service that $what, rows of others stay as they are and nothing is left', async ({ seed, shape }) => {
  const generate = shape.coerces === true ? (['negative'] as const) : (['lifecycle'] as const);
  const { harms, left, leftBehind, created } = await tryServer(
    seed,
    { ...PLAIN, ...shape },
    { ending: 'whole', generate },
  );
  expect(harms).toEqual([]);
  expect(left).toEqual([]);
  expect(leftBehind).toEqual([]);
  expect(created).toBeGreaterThan(0);
});

test('a creation that was taken for a change of a row of others is the last one there', async () => {
  const shape = { ...PLAIN, natural: true } as const;
  const { harms } = await tryServer(OWN, shape, { ending: 'whole', generate: ['lifecycle'] });
  expect(harms.filter(({ request }) => request.startsWith('DELETE'))).toEqual([]);
  expect(harms.length).toBeLessThanOrEqual(1);
});
