import fc from 'fast-check';
import { createBench, textOf, type Bench, type FreshMock, type PlainRequest } from './fresh-mock';
import { times } from './seed';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});

/** `undefined` is the main state. */
type Sandbox = 'a' | 'b' | 'c' | undefined;

interface Step {
  readonly sandbox: Sandbox;
  readonly request: PlainRequest;
}

const id = fc.integer({ min: 1, max: 6 });
const pet = fc.record({ name: fc.constantFrom('Nova', 'Rex', ''), categoryId: fc.integer({ min: 1, max: 4 }) });
const order = fc.record({ petId: id, quantity: fc.integer({ min: 0, max: 2 }) });

const call: fc.Arbitrary<readonly [method: string, target: string, body?: object]> = fc.oneof(
  fc.constantFrom(['GET', '/pets'], ['GET', '/inventory'], ['GET', '/store/orders?limit=2'], ['GET', '/nowhere']),
  id.map((key) => ['GET', `/pets/${key}`] as const),
  id.map((key) => ['DELETE', `/pets/${key}`] as const),
  id.map((key) => ['DELETE', `/store/orders/${key}`] as const),
  pet.map((body) => ['POST', '/pets', body] as const),
  order.map((body) => ['POST', '/store/orders', body] as const),
  fc.tuple(id, pet).map(([key, body]) => ['PUT', `/pets/${key}`, body] as const),
);

const step: fc.Arbitrary<Step> = fc
  .tuple(fc.constantFrom<Sandbox[]>('a', 'b', 'c', undefined), call, fc.constantFrom(undefined, '"k1"', '"k2"'))
  .map(([sandbox, [method, target, body], key]) => ({
    sandbox,
    request: {
      method,
      target,
      headers: [
        ['Host', 'mock.example'],
        ['Authorization', 'Bearer test-key'],
        ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
        ...(body === undefined || key === undefined ? [] : [['Idempotency-Key', key] as const]),
        ...(sandbox === undefined ? [] : [['X-Standin-Sandbox', sandbox] as const]),
      ],
      body: body === undefined ? '' : JSON.stringify(body),
    },
  }));

/** Everything of the answers of one sandbox that a client could see. */
function answers(mock: FreshMock, steps: readonly Step[], of: Sandbox): string[] {
  return steps.flatMap(({ sandbox, request }) => {
    const response = mock.send(request);
    return sandbox === of ? [`${response.status} ${response.headers.join('\n')} ${textOf(response)}`] : [];
  });
}

test('requests in several sandboxes get, in each, the bytes that they would get there alone', () => {
  const options = { rateLimit: { requests: 12, seconds: 60 } };
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      for (const sandbox of ['a', 'b', 'c', undefined] as const) {
        const among = answers(bench.create(options), steps, sandbox);
        const alone = answers(
          bench.create(options),
          steps.filter((each) => each.sandbox === sandbox),
          sandbox,
        );
        expect(among).toEqual(alone);
      }
    }),
    times(40),
  );
});
