import fc from 'fast-check';
import { relative } from 'node:path';
import request from 'supertest';
import type { ServerParts } from '../../src/library/create-mock-server';
import { findDocuments } from '../corpus/find-documents';
import { aMove, type Move, open, play } from '../corpus/play-moves';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server';

const FOLDER = 'test/corpus/documents';
const DOCUMENTS = findDocuments(FOLDER);

interface Scene {
  readonly moves: readonly Move[];
  readonly sandbox: string | undefined;
  readonly isFirst: boolean;
  readonly admin: 'nothing' | 'reset' | 'undo' | 'snapshot' | 'restore' | 'load';
}

const aScene: fc.Arbitrary<Scene> = fc.record({
  moves: fc.array(aMove, { maxLength: 6 }),
  sandbox: fc.constantFrom(undefined, undefined, 'A'),
  isFirst: fc.boolean(),
  admin: fc.constantFrom<Scene['admin']>('nothing', 'nothing', 'reset', 'snapshot', 'restore', 'load'),
});

async function ask(
  { app }: ServerParts,
  method: 'get' | 'post' | 'put',
  path: string,
  sandbox: string | undefined,
  body?: object,
): Promise<string> {
  const query = sandbox === undefined ? '' : `${path.includes('?') ? '&' : '?'}sandbox=${sandbox}`;
  const sent = request(app)[method](`/__standin${path}${query}`).set('Content-Type', 'application/json');
  return (await sent.send(body)).text;
}

async function act(parts: ServerParts, { admin, sandbox, moves }: Scene): Promise<void> {
  await play(parts, moves, sandbox);
  if (admin === 'reset') await ask(parts, 'post', '/reset', sandbox);
  if (admin === 'snapshot') await ask(parts, 'post', '/snapshot', sandbox, { name: 'kept' });
  if (admin === 'restore') await ask(parts, 'post', '/restore', sandbox, { name: 'kept' });
  if (admin === 'load') await ask(parts, 'put', '/state', sandbox, { standin: 'fixture/1', collections: {} });
}

(hasRedis ? describe : describe.skip)('two mocks of one Redis', () => {
  let redis: RedisServer;
  let count = 0;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(async () => {
    await redis.stop();
  });

  test.each(DOCUMENTS.map((file) => [relative(FOLDER, file), file]))(
    'of %s are together what one mock is',
    async (_, file) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(aScene, { minLength: 1, maxLength: 4 }),
          fc.nat(3),
          fc.constantFrom('seeded' as const, 'empty' as const),
          async (scenes, seed, state) => {
            count += 1;
            const options = { seed, state, clock: new Date('2031-01-01T00:00:00Z') };
            const shared = { ...options, store: redis.address(`property-${count}`) };
            const alone = await open(file, options);
            const [first, second] = [await open(file, shared), await open(file, shared)];
            try {
              for (const scene of scenes) {
                await act(alone, scene);
                await act(scene.isFirst ? first : second, scene);
              }
              for (const sandbox of [undefined, 'A']) {
                const expected = await ask(alone, 'get', '/state?secrets=true', sandbox);
                for (const each of [first, second])
                  expect(await ask(each, 'get', '/state?secrets=true', sandbox)).toBe(expected);
              }
            } finally {
              for (const each of [first, second]) await each.app.closeStore();
            }
          },
        ),
        { numRuns: 8 },
      );
    },
    120_000,
  );
});
