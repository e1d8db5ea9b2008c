import fc from 'fast-check';
import { createServerParts, type ServerParts } from '../../src/library/create-mock-server';
import type { CreateMockServerOptions } from '../../src/library/mock-options';
import type { JsonValue } from '../../src/core/json/json-value';
import { valueMaker } from './make-value';
import { requestFor } from './request-for';

/** One request: which operation, what is sent, and which key stands in its path. */
export interface Move {
  readonly operation: number;
  readonly seed: number;
  readonly key: JsonValue;
}

export const aMove: fc.Arbitrary<Move> = fc.record({
  operation: fc.nat(),
  seed: fc.nat(50),
  key: fc.constantFrom<JsonValue>(1, 2, 3, 5, 'a', 'two words'),
});

export async function open(description: string, options: CreateMockServerOptions): Promise<ServerParts> {
  return createServerParts({ ...options, description, auth: 'off' });
}

/** @param sandbox - `undefined` for the main one */
const inSandbox = (sandbox: string | undefined): Record<string, string> =>
  sandbox === undefined ? {} : { 'x-standin-sandbox': sandbox };

/** Does something with the mock; whatever is refused changes nothing, which is as good. */
export async function play({ api, mock }: ServerParts, moves: readonly Move[], sandbox?: string): Promise<void> {
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
    if (made.kind !== 'made') continue;
    const { request } = made;
    await mock.engine.handle({ ...request, headers: { ...request.headers, ...inSandbox(sandbox) } });
  }
}
