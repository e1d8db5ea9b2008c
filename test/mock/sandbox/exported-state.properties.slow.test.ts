import fc from 'fast-check';
import { relative } from 'node:path';
import { createServerParts, type ServerParts } from '../../../src/library/create-mock-server';
import type { JsonObject, JsonValue } from '../../../src/core/json/json-value';
import { parseJson } from '../../../src/core/json/parse-json';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import { findDocuments } from '../../corpus/find-documents';
import { valueMaker } from '../../corpus/make-value';
import { requestFor } from '../../corpus/request-for';

const FOLDER = 'test/corpus/documents';
const DOCUMENTS = findDocuments(FOLDER);

/** One request: which operation, what is sent, and which key stands in its path. */
interface Move {
  readonly operation: number;
  readonly seed: number;
  readonly key: JsonValue;
}

const aMove: fc.Arbitrary<Move> = fc.record({
  operation: fc.nat(),
  seed: fc.nat(50),
  key: fc.constantFrom<JsonValue>(1, 2, 3, 5, 'a', 'two words'),
});

async function open(description: string, seed: number, state: 'seeded' | 'empty'): Promise<ServerParts> {
  return createServerParts({ description, auth: 'off', seed, state });
}

/** Does something with the mock; whatever is refused changes nothing, which is as good. */
async function play({ api, mock }: ServerParts, moves: readonly Move[]): Promise<void> {
  const makeValue = valueMaker(api);
  for (const { operation: number, seed, key } of moves) {
    const operation = api.operations[number % api.operations.length];
    // A description may have webhooks alone.
    if (operation === undefined) return;
    const names = operation.parameters.flatMap((parameter) => (parameter.in === 'path' ? [parameter.name] : []));
    const path = Object.fromEntries(names.map((name) => [name, key]));
    const made = requestFor(api, operation, `http://localhost${mock.context.basePath}`, makeValue, {
      path,
      seed: String(seed),
    });
    if (made.kind === 'made') await mock.engine.handle(made.request);
  }
}

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
          const before = await open(file, seed, beginning);
          await play(before, moves);
          const state = before.app.state({ secrets: true });
          const after = await open(file, 99, 'empty');
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
