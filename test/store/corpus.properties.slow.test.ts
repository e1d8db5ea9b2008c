import fc from 'fast-check';
import { cpSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stringifyJson } from '../../src/core/json/stringify-json';
import type { ServerParts } from '../../src/library/create-mock-server';
import { findDocuments } from '../corpus/find-documents';
import { aMove, type Move, open, play } from '../corpus/play-moves';
import { temporaryFolder } from '../support/temporary-folder';

const FOLDER = 'test/corpus/documents';
const DOCUMENTS = findDocuments(FOLDER);

/** What others than requests do to a state between two series of them. */
type Hand = 'nothing' | 'reset' | 'undo' | 'restore' | 'load' | 'fork' | 'remove';

interface Scene {
  readonly moves: readonly Move[];
  readonly sandbox: string | undefined;
  readonly hand: Hand;
}

const aScene: fc.Arbitrary<Scene> = fc.record({
  moves: fc.array(aMove, { maxLength: 8 }),
  sandbox: fc.constantFrom(undefined, undefined, 'A', 'b.json'),
  hand: fc.constantFrom<Hand>('nothing', 'nothing', 'reset', 'undo', 'restore', 'load', 'fork', 'remove'),
});

const whole = ({ app }: ServerParts, sandbox: string | undefined): string =>
  stringifyJson((sandbox === undefined ? app : app.sandbox(sandbox)).state({ secrets: true }));

function change({ app }: ServerParts, { sandbox, hand }: Scene, beginning: ReturnType<typeof app.snapshot>): void {
  const controls = sandbox === undefined ? app : app.sandbox(sandbox);
  if (hand === 'reset') controls.reset();
  if (hand === 'undo') controls.undo();
  if (hand === 'restore') controls.restore(beginning);
  if (hand === 'load') controls.load({ standin: 'fixture/1', collections: {} });
  if (hand === 'fork' && sandbox !== undefined) app.sandbox(sandbox).fork('A');
  if (hand === 'remove' && sandbox !== undefined) app.sandbox(sandbox).remove();
}

const NAMES = [undefined, 'A', 'b.json'];

test.each(DOCUMENTS.map((file) => [relative(FOLDER, file), file]))(
  'a mock of %s that goes on with a folder goes on as one that was never stopped',
  async (_, file) => {
    const folder = temporaryFolder();
    await fc.assert(
      fc.asyncProperty(
        fc.array(aScene, { minLength: 1, maxLength: 4 }),
        fc.nat(3),
        fc.constantFrom('seeded' as const, 'empty' as const),
        fc.boolean(),
        async (scenes, seed, state, isClosed) => {
          const [first, second] = [join(folder.path, 'first'), join(folder.path, 'second')];
          for (const each of [first, second]) rmSync(each, { recursive: true, force: true });
          const options = { seed, state, clock: new Date('2031-01-01T00:00:00Z') };
          const going = await open(file, { ...options, store: `file:${first}` });
          const beginning = going.app.snapshot();
          for (const scene of scenes) {
            await play(going, scene.moves, scene.sandbox);
            change(going, scene, beginning);
          }
          if (isClosed) await going.app.closeStore();
          cpSync(first, second, { recursive: true });
          rmSync(join(second, 'lock'), { force: true });
          const stopped = await open(file, { ...options, store: `file:${second}` });
          for (const name of NAMES) expect(whole(stopped, name)).toBe(whole(going, name));
          if (!isClosed) await going.app.closeStore();
          await stopped.app.closeStore();
        },
      ),
      { numRuns: 10 },
    );
  },
  120_000,
);
