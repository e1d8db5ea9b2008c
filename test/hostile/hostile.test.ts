import { PLAIN, type Shape } from './shape';
import { tryServer } from './trial';

const OWN = 2;
const FULL = 3;

test.each<{ what: string; seed: number; shape: Partial<Shape> }>([
  { what: 'changes all rows by a PATCH with the key in its body', seed: FULL, shape: { bulk: 'patch-with-key' } },
  { what: 'replaces all rows by a PUT', seed: FULL, shape: { bulk: 'put-with-key' } },
  { what: 'takes the key of a row of others for a change of it', seed: FULL, shape: { key: 'client', merges: true } },
  { what: 'coerces what it should reject, and answers 200', seed: OWN, shape: { coerces: true, answer: '200' } },
  { what: 'stores and then fails, and has pages', seed: OWN, shape: { answer: '500', list: 'pages' } },
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
