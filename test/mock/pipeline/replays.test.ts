import { storeReplay, type Replay } from '../../../src/mock/state/state';

const replay = (length: number, storedAt = 0): Replay => ({
  payload: '',
  response: { status: 201, headers: [], body: 'x'.repeat(length) },
  storedAt,
});

test('what is kept for repeated requests is bounded by the length of its bodies, oldest first out', () => {
  const replays = new Map<string, Replay>();
  for (let index = 0; index < 100; index += 1) storeReplay(replays, `key ${index}`, replay(1024 * 1024));
  expect([...replays.keys()]).toStrictEqual(Array.from({ length: 32 }, (_, index) => `key ${68 + index}`));
  // A copy, as a snapshot makes one, knows what it has.
  const copy = new Map(replays);
  storeReplay(copy, 'more', replay(1024 * 1024));
  expect(copy.size).toBe(32);
  storeReplay(copy, 'more', replay(10));
  storeReplay(copy, 'small', replay(10));
  expect(copy.size).toBe(33);
});

test('one answer that is longer than all may be is kept all the same', () => {
  const replays = new Map([['old', replay(1)]]);
  storeReplay(replays, 'large', replay(64 * 1024 * 1024));
  expect([...replays.keys()]).toStrictEqual(['large']);
});
