import type { Entry } from '../../src/mock/state/entry';
import { NOT_STORED, type Position, type StateLog, type StoredSnapshot } from '../../src/mock/state/state-log';
import { openFileLog } from '../../src/store/file-log';
import { openRedisLog } from '../../src/store/redis-log';
import { MemoryLog } from '../support/memory-log';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server';
import { temporaryFolder } from '../support/temporary-folder';

interface Kind {
  readonly name: string;
  readonly isThere: boolean;
  /** A log with nothing in it. */
  readonly open: () => Promise<StateLog>;
  /** The same one, as another process or the next start sees it. */
  readonly again: (log: StateLog) => Promise<StateLog>;
}

let redis: RedisServer | undefined;
let count = 0;
let place: string;
const opened = new Set<StateLog>();
beforeAll(async () => {
  if (hasRedis) redis = await startRedis();
});
afterEach(async () => {
  for (const log of opened) await log.close();
  opened.clear();
});
afterAll(async () => {
  await redis?.stop();
});

const openRedis = (): Promise<StateLog> =>
  openRedisLog({ address: redis?.address(`log-${count}`) ?? '', idleMs: 60_000, mainId: 'default' });
const openFile = (): StateLog => openFileLog(place, { sync: 'always', onNotice: () => undefined });

const KINDS: readonly Kind[] = [
  { name: 'memory', isThere: true, open: () => Promise.resolve(new MemoryLog()), again: (log) => Promise.resolve(log) },
  {
    name: 'a folder',
    isThere: true,
    open() {
      place = temporaryFolder().file('store');
      return Promise.resolve(openFile());
    },
    async again(log) {
      await log.close();
      return openFile();
    },
  },
  {
    name: 'a Redis',
    isThere: hasRedis,
    open() {
      count += 1;
      return openRedis();
    },
    again: openRedis,
  },
];

const rows = (name: string): StoredSnapshot => ({
  rows: { standin: 'fixture/1', collections: { '/things': [{ id: 1, name }] }, nextKeys: {} },
  rest: { nextKeys: [['/things', 2]], gone: null },
});
const put = (id: number, name: string): Entry => ({ rows: [['/things', id, { id, name }]] });
const BIG: Entry = {
  rows: [['/things', 9007199254740993n, { id: 9007199254740993n, text: 'ü\u2028"\\\n', price: 1.5 }]],
  nextKeys: [['/things', 9007199254740994n]],
  dropped: ['/things/1/note'],
  begun: ['/others'],
  nonconforming: ['/things'],
  gone: ['/things/7'],
  issued: [['token', null]],
  replays: [
    [
      'key',
      { payload: 'p', storedAt: 5, response: { status: 200, headers: ['ETag', '"a"', 'ETag', '"b"'], body: '{}' } },
    ],
    ['bytes', { payload: 'p', storedAt: 6, response: { status: 200, headers: [], body: Buffer.from([0, 255, 10]) } }],
    ['none', { payload: 'p', storedAt: 7, response: { status: 204, headers: [], body: undefined } }],
  ],
};

describe.each(KINDS)('a log in $name', ({ isThere, open, again }) => {
  const trial = isThere ? test : test.skip;
  let log: StateLog;
  beforeEach(async () => {
    if (!isThere) return;
    log = await open();
    opened.add(log);
  });
  const reopened = async (): Promise<StateLog> => {
    opened.delete(log);
    const next = await again(log);
    opened.add(next).add(log);
    return next;
  };
  const append = async (after: Position, ...entries: readonly Entry[]): Promise<Position> => {
    const appended = await log.append('a', after, entries);
    if (appended.kind !== 'appended') throw new Error('behind');
    return appended.position;
  };

  trial('is empty at first, and knows what it is told of the description', async () => {
    expect([await log.about(), await log.ids(), await log.read('a', 0)]).toEqual([undefined, [], undefined]);
    await log.describe({ title: 'Things', digest: 'd' });
    expect(await (await reopened()).about()).toEqual({ title: 'Things', digest: 'd' });
  });

  trial('gives back what was begun and appended, to the letter', async () => {
    const begun = await log.begin('a', rows('one'));
    const position = await append(await append(begun, put(2, 'two')), BIG, put(3, 'three'));
    const next = await reopened();
    expect(await next.ids()).toEqual(['a']);
    const tail = await next.read('a', 0);
    expect(tail).toMatchObject({ snapshot: rows('one'), position });
    expect(tail?.entries).toEqual([put(2, 'two'), BIG, put(3, 'three')]);
  });

  trial('gives what came after a position, and only that', async () => {
    const first = await append(await log.begin('a', rows('one')), put(2, 'two'));
    const second = await append(first, put(3, 'three'));
    expect(await log.read('a', first)).toMatchObject({
      snapshot: undefined,
      entries: [put(3, 'three')],
      position: second,
    });
  });

  trial('takes nothing from who is behind, and gives him what he lacks', async () => {
    const begun = await log.begin('a', rows('one'));
    const now = await append(begun, put(2, 'two'));
    // In a folder the first position is 0, which asks for everything.
    const behind = await log.append('a', begun, [put(2, 'TWO')]);
    expect(behind).toMatchObject({ kind: 'behind', tail: { position: now, entries: [put(2, 'two')] } });
    expect(await log.append('a', now, [])).toEqual({ kind: 'appended', position: now });
    expect((await log.read('a', 0))?.entries).toEqual([put(2, 'two')]);
  });

  trial('begins with the first entries of who knows that there is nothing, once', async () => {
    const one = await log.append('a', NOT_STORED, [put(2, 'two')], rows('one'));
    expect(one.kind).toBe('appended');
    expect((await log.append('a', NOT_STORED, [put(2, 'other')], rows('other'))).kind).toBe('behind');
    expect(await log.read('a', 0)).toMatchObject({ snapshot: rows('one'), entries: [put(2, 'two')] });
    expect(await log.append('b', NOT_STORED, [])).toEqual({ kind: 'behind', tail: undefined });
    expect(await log.ids()).toEqual(['a']);
  });

  trial('forgets what is removed, and does not take what comes after for it', async () => {
    const old = await append(await log.begin('a', rows('one')), put(2, 'two'));
    await log.remove('a');
    expect([await log.ids(), await log.read('a', 0)]).toEqual([[], undefined]);
    const fresh = await append(await log.begin('a', rows('new')), put(5, 'five'));
    expect(await log.read('a', 0)).toMatchObject({ snapshot: rows('new'), entries: [put(5, 'five')], position: fresh });
    if (!log.isShared) return;
    expect(await log.append('a', old, [])).toMatchObject({ kind: 'behind', tail: { snapshot: rows('new') } });
  });

  trial('puts a snapshot in the place of entries, and keeps those that came since', async () => {
    const begun = await log.begin('a', rows('one'));
    const middle = await append(begun, put(2, 'two'), put(3, 'three'));
    const compacted = log.compact('a', middle, rows('three of them'));
    const last = await append(middle, put(4, 'four'));
    await compacted;
    const next = await reopened();
    expect(await next.read('a', 0)).toMatchObject({
      snapshot: rows('three of them'),
      entries: [put(4, 'four')],
      position: last,
    });
  });

  trial('keeps sandboxes apart, whatever their names', async () => {
    const names = ['A', 'a', 'a.log', 'a.json', 'default', 'store.info', 'lock', 'x'.repeat(64)];
    for (const name of names) await log.begin(name, rows(name));
    const next = await reopened();
    expect(await next.ids()).toEqual([...names].sort());
    for (const name of names) expect(await next.read(name, 0)).toMatchObject({ snapshot: rows(name) });
  });

  trial('has nothing to wait for when what it took is settled', async () => {
    await append(await log.begin('a', rows('one')), put(2, 'two'));
    await log.settled('a');
    expect([log.settled('a'), log.trouble()]).toEqual([undefined, undefined]);
  });
});
