import fc from 'fast-check';
import { relative } from 'node:path';
import type { JsonObject } from '../../../src/core/json/json-value';
import { parseJson } from '../../../src/core/json/parse-json';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import { findDocuments } from '../../corpus/find-documents';
import { aMove, open, play } from '../../corpus/play-moves';

const FOLDER = 'test/corpus/documents';
const DOCUMENTS = findDocuments(FOLDER);

/** What a saved file says. */
const saved = (state: JsonObject): JsonObject => parseJson(stringifyJson(state), { maxDepth: 100 }) as JsonObject;

test.each(DOCUMENTS.map((file) => [relative(FOLDER, file), file]))(
  'the state of a mock of %s that is read again gives the same bytes',
  async (_, file) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aMove, { maxLength: 12 }),
        fc.nat(3),
        fc.constantFrom('seeded' as const, 'empty' as const),
        async (moves, seed, beginning) => {
          const before = await open(file, { seed, state: beginning });
          await play(before, moves);
          const state = before.app.state({ secrets: true });
          const after = await open(file, { seed: 99, state: 'empty' });
          after.app.load(saved(state));
          expect(stringifyJson(after.app.state({ secrets: true }))).toBe(stringifyJson(state));
          const concealed = before.app.state();
          after.app.load(saved(concealed));
          expect(stringifyJson(after.app.state())).toBe(stringifyJson(concealed));
        },
      ),
      { numRuns: 8 },
    );
  },
  60_000,
);
