import { PLAIN, type Shape } from './shape';
import { tryServer } from './trial';

const OWN = 2;
const FULL = 3;

test.each<{ what: string; seed: number; shape: Partial<Shape> }>([
  { what: 'has paths that end in a slash', seed: OWN, shape: { slash: true } },
  { what: 'answers 200 to everything', seed: OWN, shape: { unknown: '200', list: 'envelope' } },
  { what: 'answers 200 to every key that a client chose', seed: OWN, shape: { unknown: '200', key: 'client' } },
  { what: 'sends its clients on to what they made', seed: OWN, shape: { answer: '303', list: 'none' } },
  { what: 'answers without a body, and has a map by key', seed: OWN, shape: { answer: '200-empty', list: 'map' } },
  { what: 'takes writes without the key that it documents', seed: OWN, shape: { auth: 'reads-alone' } },
  { what: 'has its rows in boxes that can be made', seed: FULL, shape: { layout: 'nested', auth: 'checked' } },
  { what: 'has rows that name a box', seed: OWN, shape: { layout: 'references', update: 'put' } },
  { what: 'has rows below tenants, one of which was named', seed: OWN, shape: { layout: 'tenants' } },
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
