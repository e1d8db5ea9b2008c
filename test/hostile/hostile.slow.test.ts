import { PLAIN, type Shape } from './shape';
import { tryServer } from './trial';

const OWN = 2;
const FULL = 3;

test.each<{ what: string; seed: number; shape: Partial<Shape> }>([
  { what: 'has paths that end in a slash', seed: OWN, shape: { slash: true } },
  { what: 'answers 200 to everything', seed: OWN, shape: { unknown: '200', list: 'envelope' } },
  { what: 'sends its clients on to what they made', seed: OWN, shape: { answer: '303', list: 'none' } },
  { what: 'answers without a body, and has a map by key', seed: OWN, shape: { answer: '200-empty', list: 'map' } },
  { what: 'removes rows by a property in the path', seed: FULL, shape: { bulk: 'by-property', stamp: true } },
])('at a service that $what, rows of others stay as they are and nothing is left', async ({ seed, shape }) => {
  const given = { ...PLAIN, ...shape };
  const { harms, left, leftBehind, created } = await tryServer(seed, given, {
    ending: 'whole',
    generate: ['lifecycle'],
  });
  expect([harms, left, leftBehind]).toEqual([[], [], []]);
  expect(created).toBeGreaterThan(0);
});

test('a contract that is sent again takes no row of the run for one of others', async () => {
  const shape = { ...PLAIN, coerces: true, answer: '200-empty', list: 'next-link', key: 'uuid', joins: true } as const;
  const trial = await tryServer(OWN, shape, { ending: 'whole', generate: ['negative', 'concurrency'] });
  expect(trial).toMatchObject({ harms: [], isSilent: false });
});
