import fc from 'fast-check';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { parseJson } from '../../src/core/json/parse-json';
import { readFixtures } from '../../src/files/load-mock-files';
import { seedState } from '../../src/mock/seed/fixture-seed';
import { anyValidRequest, bodyProperties, invalidScalar, validBody, validRequest } from './arbitrary-request';
import { createBench, jsonOf, textOf, type Bench, type FreshMock, type PlainRequest } from './fresh-mock';
import { brokenByState, faultsOf } from './judge';
import { mutated } from './mutation';
import { times } from './seed';

let bench: Bench;
beforeAll(async () => {
  bench = await createBench();
});

test('the judge is not blind', () => {
  const request: PlainRequest = { method: 'GET', target: '/pets/1', headers: [], body: '' };
  const headers = ['Content-Type', 'application/json'];
  const pet = '{"id":1,"name":"Nova","categoryId":1,"status":"available"}';
  const error = '{"code":"x","message":"y","status":404}';
  const faults = (status: number, body: string | undefined, more: readonly string[] = []): number =>
    faultsOf(bench.api, request, { status, headers: [...headers, ...more], body }).length;
  expect([faults(200, pet), faults(404, error)]).toEqual([0, 0]);
  const bad = [
    faults(200, undefined),
    faults(200, '{}'),
    faults(200, pet.replace('"Nova"', '""')),
    faults(200, pet, ['ETag', 'W/"x"']),
    faults(200, pet, ['Link', '<a>b>; rel="next"']),
    faults(200, pet, ['X-A', 'a\nb']),
    faults(201, pet),
    faults(400, error),
    faults(404, error.replace('}', ',"more":1}')),
    faults(500, error.replace('404', '500')),
  ];
  expect(bad.filter((count) => count === 0)).toEqual([]);
});

function isSafe(method: string): boolean {
  return !['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
}

/** Sends requests one after the other and looks at everything that must hold for each. */
function expectGood(fresh: FreshMock, requests: readonly PlainRequest[]): void {
  let before = fresh.stateText();
  for (const request of requests) {
    const response = fresh.send(request);
    const after = fresh.stateText();
    expect({ faults: faultsOf(bench.api, request, response), broken: fresh.brokenInvariants() }).toEqual({
      faults: [],
      broken: [],
    });
    expect(brokenByState(after)).toEqual([]);
    if (response.status >= 400 || isSafe(request.method)) expect(after).toBe(before);
    before = after;
  }
  expectSeedable(fresh);
}

/** A state that was exported can be the seed of another mock. */
function expectSeedable({ mock, stateText }: FreshMock): void {
  const document = { file: 'the state', root: parseJson(stateText(), { maxDepth: 100 }), locationOf: () => undefined };
  seedState(mock.resources, mock.context.rules, readFixtures([document], mock.resources));
}

test('a good request is never found fault with: it is done, or refused for the state', () => {
  fc.assert(
    fc.property(fc.array(anyValidRequest(bench.api), { minLength: 1, maxLength: 12 }), (requests) => {
      const fresh = bench.create();
      for (const request of requests) {
        const { status } = fresh.send(request);
        expect([200, 201, 204, 304, 404, 409, 412, 422]).toContain(status);
      }
      fresh.mock.reset();
    }),
    times(150),
  );
});

test('requests good and bad: documented answers, no change by a refusal, no broken invariant', () => {
  fc.assert(
    fc.property(fc.array(mutated(anyValidRequest(bench.api)), { minLength: 1, maxLength: 12 }), (requests) => {
      expectGood(bench.create(), requests);
    }),
    times(400),
  );
});

test('good requests alone: the same, deeper into the state', () => {
  fc.assert(
    fc.property(fc.array(anyValidRequest(bench.api), { minLength: 5, maxLength: 40 }), (requests) => {
      expectGood(bench.create(), requests);
    }),
    times(60),
  );
});

test('with If-Match asked for and few keys left, as well', () => {
  fc.assert(
    fc.property(fc.array(mutated(anyValidRequest(bench.api)), { minLength: 1, maxLength: 12 }), (requests) => {
      expectGood(bench.create({ requireIfMatch: true, idStart: 9223372036854775806n }), requests);
    }),
    times(80),
  );
});

test('a member that breaks its schema is 400 in every state', () => {
  const operations = bench.api.operations.filter(({ requestBody }) => requestBody !== undefined);
  const broken = fc.constantFrom(...operations).chain((operation) => {
    const properties = bodyProperties(bench.api, operation);
    return fc
      .tuple(
        validRequest(bench.api, operation),
        validBody(properties),
        fc
          .constantFrom(...properties)
          .chain(({ name, schema }) => invalidScalar(schema).map((value) => [name, value] as const)),
      )
      .map(([request, body, [name, value]]) => ({ ...request, body: stringifyJson({ ...body, [name]: value }) }));
  });
  fc.assert(
    fc.property(broken, (request) => {
      const response = bench.create().send(request);
      expect([response.status, jsonOf(response)]).toEqual([400, expect.objectContaining({ code: 'invalid_field' })]);
    }),
    times(400),
  );
});

test('a required member that is absent is 400 in every state', () => {
  const broken = fc
    .constantFrom(
      ...bench.api.operations.flatMap((operation) =>
        bodyProperties(bench.api, operation)
          .filter(({ required }) => required)
          .map(({ name }) => ({ operation, name })),
      ),
    )
    .chain(({ operation, name }) =>
      fc
        .tuple(validRequest(bench.api, operation), validBody(bodyProperties(bench.api, operation)))
        .map(([request, body]) => ({
          ...request,
          body: stringifyJson(Object.fromEntries(Object.entries(body).filter(([other]) => other !== name))),
        })),
    );
  fc.assert(
    fc.property(broken, (request) => {
      const response = bench.create().send(request);
      expect([response.status, jsonOf(response)]).toEqual([400, expect.objectContaining({ code: 'missing_field' })]);
    }),
    times(100),
  );
});

test('the same requests give the same bytes', () => {
  fc.assert(
    fc.property(fc.array(mutated(anyValidRequest(bench.api)), { minLength: 1, maxLength: 20 }), (requests) => {
      const [first, second] = [bench.create(), bench.create()];
      const run = (fresh: FreshMock): unknown[] =>
        requests.map((request) => {
          const response = fresh.send(request);
          return [response.status, response.headers, textOf(response)];
        });
      expect(run(first)).toEqual(run(second));
      expect(first.stateText()).toBe(second.stateText());
      // And once more in the first, after a reset.
      const again = bench.create();
      run(again);
      again.mock.engine.sandboxes.main.restore(bench.create().mock.engine.sandboxes.main.snapshot());
      expect(run(again)).toEqual(run(bench.create()));
    }),
    times(80),
  );
});
