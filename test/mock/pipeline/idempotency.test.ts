import type { HttpResponse } from '../../../src/core/http/message';
import type { JsonValue } from '../../../src/core/json/json-value';
import { parseJson } from '../../../src/core/json/parse-json';
import type { Call } from '../../../src/mock/calls/call';
import {
  findReplay,
  type ReplayLookup,
  payloadDigest,
  readIdempotencyKey,
} from '../../../src/mock/pipeline/idempotency';
import { emptyState, LiveState, type Replay, type State } from '../../../src/mock/state/state';
import { LIBRARY, RESOURCES } from '../library';

const NOW = Date.UTC(2030, 0, 1);
const DAY_MS = 86_400_000;
const RESPONSE: HttpResponse = { status: 201, headers: [], body: '{}' };

interface Sent {
  readonly key?: string | undefined;
  readonly body?: JsonValue | undefined;
  readonly apiKey?: string;
  readonly operation?: string;
}

function call({ key, body, apiKey = 'test-key', operation = 'createBook' }: Sent): Call {
  return {
    operation: LIBRARY.operationById(operation)!,
    head: {
      method: 'POST',
      target: '/books',
      headers: key === undefined ? {} : { 'idempotency-key': key },
      rawHeaders: [],
    },
    principal: { key: apiKey },
    parameters: {},
    body,
    isStrict: false,
    isMinimal: false,
    baseUrl: '',
    query: '',
  } as unknown as Call;
}

function ask(state: State, sent: Sent, nowMs = NOW): ReplayLookup {
  const asked = call(sent);
  const key = readIdempotencyKey(asked.head) ?? '';
  return typeof key === 'object' ? { kind: 'refused', problem: key } : findReplay(asked, key, state, nowMs);
}

/** The state after this call was answered. */
function answered(sent: Sent, state = emptyState(RESOURCES), storedAt = NOW): State {
  const first = ask(state, sent, storedAt);
  if (first.kind !== 'new') throw new Error(`expected a new key, not ${first.kind}`);
  const live = new LiveState(state);
  live.remember(first.key, { payload: payloadDigest(sent.body), response: RESPONSE, storedAt });
  return live.snapshot();
}

test('a call without the header is nobody to remember', () => {
  expect(readIdempotencyKey(call({ body: { title: 'A' } }).head)).toBeUndefined();
});

describe('a key that was used', () => {
  test.each([
    ['{ "title": "A", "year": 1999 }', '{ "title": "A", "year": 1999 }'],
    ['{ "title": "A", "year": 1999 }', '{ "year": 1999.0, "title": "\\u0041" }'],
    ['{ "year": 9007199254740993 }', '{ "year": 9007199254740993.0 }'],
    ['null', 'null'],
  ])('with %s gives the first answer again for %s', (first, second) => {
    const state = answered({ key: 'k', body: parseJson(first) });
    expect(ask(state, { key: 'k', body: parseJson(second) })).toStrictEqual({ kind: 'known', response: RESPONSE });
  });

  test.each([
    ['{ "title": "A" }', '{ "title": "B" }'],
    ['{ "title": "A" }', '{ "title": "A", "year": 1999 }'],
    ['{ "year": 9007199254740993 }', '{ "year": 9007199254740992 }'],
    ['{ "tags": ["a", "b"] }', '{ "tags": ["b", "a"] }'],
    ['{}', 'null'],
  ])('with %s refuses %s', (first, second) => {
    const state = answered({ key: 'k', body: parseJson(first) });
    expect(ask(state, { key: 'k', body: parseJson(second) })).toMatchObject({
      kind: 'refused',
      problem: { status: 422, code: 'idempotency_key_reused' },
    });
  });

  test('without a body knows a call without a body, and refuses one that has a body', () => {
    const state = answered({ key: 'k' });
    expect(ask(state, { key: 'k' })).toMatchObject({ kind: 'known' });
    expect(ask(state, { key: 'k', body: null })).toMatchObject({ kind: 'refused' });
    expect(ask(answered({ key: 'k', body: {} }), { key: 'k' })).toMatchObject({ kind: 'refused' });
  });

  test('is the same with quotes and without', () => {
    const state = answered({ key: '"a b"', body: {} });
    expect(ask(state, { key: 'a b', body: {} })).toMatchObject({ kind: 'known' });
    expect(ask(state, { key: ' "a b" ', body: {} })).toMatchObject({ kind: 'known' });
  });

  test.each<[string, Sent]>([
    ['by another API key', { key: 'k', body: {}, apiKey: 'other-key' }],
    ['for another operation', { key: 'k', body: {}, operation: 'createAuthor' }],
    ['with other letters', { key: 'K', body: {} }],
  ])('%s is a new one', (_, sent) => {
    expect(ask(answered({ key: 'k', body: {} }), sent)).toMatchObject({ kind: 'new' });
  });

  test('is not mixed up with another by what stands in it', () => {
    const state = answered({ key: 'c', body: {}, apiKey: 'a","b' });
    expect(ask(state, { key: 'b","c', body: {}, apiKey: 'a' })).toMatchObject({ kind: 'new' });
  });

  test('is remembered for a day of the mock clock', () => {
    const state = answered({ key: 'k', body: {} });
    expect(ask(state, { key: 'k', body: {} }, NOW + DAY_MS - 1)).toMatchObject({ kind: 'known' });
    expect(ask(state, { key: 'k', body: {} }, NOW + DAY_MS)).toMatchObject({ kind: 'new' });
    expect(ask(state, { key: 'k', body: { a: 1 } }, NOW + DAY_MS)).toMatchObject({ kind: 'new' });
    expect(ask(state, { key: 'k', body: {} }, NOW - DAY_MS)).toMatchObject({ kind: 'known' });
  });
});

test.each([
  ['that is empty', '', 'is empty'],
  ['of nothing but quotes', '""', 'is empty'],
  ['that is too long', 'a'.repeat(256), '256 characters'],
  ['whose quotes are not closed', '"open', 'quoted'],
])('a key %s is refused and the reason is one good sentence', (_, key, reason) => {
  const answer = ask(emptyState(RESOURCES), { key, body: {} });
  expect(answer).toMatchObject({ kind: 'refused', problem: { status: 400, code: 'invalid_parameter' } });
  const message = answer.kind === 'refused' ? answer.problem.message : '';
  expect(message).toContain(reason);
  expect(message.match(/Idempotency-Key/g)).toHaveLength(1);
});

const REPLAY: Replay = { payload: payloadDigest({}), response: RESPONSE, storedAt: NOW };

test('beyond ten thousand keys the oldest is forgotten', () => {
  const live = new LiveState(emptyState(RESOURCES));
  for (let index = 0; index < 10_000; index++) live.remember(`key ${index}`, REPLAY);
  live.remember('one more', REPLAY);
  expect(live.replays.size).toBe(10_000);
  expect(live.replays.has('key 0')).toBe(false);
  expect(live.replays.has('key 1')).toBe(true);
  live.remember('key 1', REPLAY);
  live.remember('yet another', REPLAY);
  expect([live.replays.has('key 1'), live.replays.has('key 2')]).toStrictEqual([true, false]);
});

test('what is over is forgotten with the next key', () => {
  const live = new LiveState(emptyState(RESOURCES));
  live.remember('old', REPLAY);
  live.remember('older than it looks', { ...REPLAY, storedAt: NOW + 1 });
  live.remember('new', { ...REPLAY, storedAt: NOW + DAY_MS });
  expect([...live.replays.keys()]).toStrictEqual(['older than it looks', 'new']);
});

test('remembering leaves earlier states as they were, the one that was restored too', () => {
  const before = answered({ key: 'k', body: {} });
  const live = new LiveState(before);
  live.remember('other', REPLAY);
  const between = live.snapshot();
  live.remember('third', REPLAY);
  expect([before.replays.size, between.replays.size, live.replays.size]).toStrictEqual([1, 2, 3]);
});

test('a key is remembered where the others are: nothing is copied while nobody holds a snapshot', () => {
  const live = new LiveState(emptyState(RESOURCES));
  live.remember('a', REPLAY);
  const { replays } = live;
  live.remember('b', REPLAY);
  expect(live.replays).toBe(replays);
  live.snapshot();
  live.remember('c', REPLAY);
  expect(live.replays).not.toBe(replays);
});
