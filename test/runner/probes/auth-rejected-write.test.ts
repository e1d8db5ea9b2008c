import type { HttpRequest, HttpResponse } from '../../../src/core/http/message';
import { probeUnauthenticatedWrite } from '../../../src/runner/probes/unauthenticated-write';
import { credentials } from '../../../src/runner/exchange/credentials';
import { exchange } from '../../../src/runner/exchange/exchange';
import { makeRequest } from '../../../src/runner/exchange/request';
import { type Interaction } from '../../../src/runner/exchange/interaction';
import type { Run } from '../../../src/runner/exchange/run-state';
import type { StepResult } from '../../../src/runner/result/run-result';
import { createSecondPetstore } from '../../second-petstore/index';
import { holedPetstore, KEY, letIn, open, type Hole } from './auth-peer';
import { changeBody, withHeader } from '../peer';

/** Answers with a 401, and does what was asked for all the same. */
const performs: Hole = async (request, good) => {
  const response = await good(request);
  if (response.status === 401 && request.method !== 'GET') await good(letIn(request));
  return response;
};
const isSound: Hole = (request, good) => good(request);

interface Write {
  readonly operation: string;
  readonly path: string;
  readonly body?: string;
  readonly statuses?: readonly number[];
  readonly headers?: readonly string[];
}

function interactionFor(run: Run, { operation: id, path, body, statuses, headers = [] }: Write): Interaction {
  const operation = run.api.operationById(id)!;
  const type = body === undefined ? [] : ['Content-Type', 'application/json'];
  const all = ['Accept', 'application/json', ...type, ...headers, ...credentials(run, operation, 'valid').headers];
  return {
    name: id,
    phase: 'steps',
    place: undefined,
    operation,
    request: makeRequest(run, operation.method, path, all, body),
    auth: 'valid',
    recipe: undefined,
    expected: { statuses: statuses ?? [200, 201, 204], codes: [], body: undefined, headers: [] },
    captures: [],
  };
}

/** Makes a category, a pet in it and an order for that; gives their ids. */
async function makeOwn(run: Run): Promise<{ category: number; pet: number; order: number }> {
  const make = async (operation: string, path: string, body: object): Promise<number> => {
    const made = await exchange(run, interactionFor(run, { operation, path, body: JSON.stringify(body) }));
    return (JSON.parse(made.response!.body!.toString()) as { id: number }).id;
  };
  const category = await make('createCategory', '/categories', { name: 'Own run1' });
  const pet = await make('createPet', '/pets', { name: 'Rex run1', categoryId: category });
  await exchange(
    run,
    interactionFor(run, { operation: 'updateInventory', path: `/inventory/${pet}`, body: '{"quantity":5}' }),
  );
  const order = await make('placeOrder', '/store/orders', { petId: pet });
  return { category, pet, order };
}

const WRITES: readonly {
  operation: string;
  write: (own: Awaited<ReturnType<typeof makeOwn>>) => Omit<Write, 'operation'>;
}[] = [
  { operation: 'createCategory', write: () => ({ path: '/categories', body: '{"name":"Dog run1"}' }) },
  {
    operation: 'createPet',
    write: ({ category }) => ({ path: '/pets', body: `{"name":"Tom run1","categoryId":${category}}` }),
  },
  { operation: 'placeOrder', write: ({ pet }) => ({ path: '/store/orders', body: `{"petId":${pet},"quantity":2}` }) },
  {
    operation: 'replacePet',
    write: ({ category, pet }) => ({ path: `/pets/${pet}`, body: `{"name":"Max run1","categoryId":${category}}` }),
  },
  {
    operation: 'replaceCategory',
    write: ({ category }) => ({ path: `/categories/${category}`, body: '{"name":"Cat run1"}' }),
  },
  { operation: 'updateInventory', write: ({ pet }) => ({ path: `/inventory/${pet}`, body: '{"quantity":9}' }) },
  {
    operation: 'updateOrder',
    write: ({ order }) => ({ path: `/store/orders/${order}`, body: '{"shipDate":"2030-01-01T00:00:00Z"}' }),
  },
  { operation: 'cancelOrder', write: ({ order }) => ({ path: `/store/orders/${order}` }) },
];

const checks = ([result]: readonly StepResult[]): string[] =>
  result?.verdict.kind === 'fail' ? result.verdict.findings.map(({ check }) => check) : [];

describe.each([
  { mode: 'full' as const, creations: 'all' },
  { mode: 'own' as const, creations: 'all' },
])('in mode $mode', ({ mode }) => {
  test.each(WRITES)('a $operation that is rejected and done all the same is found', async ({ operation, write }) => {
    let isHoled = false;
    const { run } = await holedPetstore((request, good) => (isHoled ? performs : isSound)(request, good), { mode });
    const own = await makeOwn(run);
    isHoled = true;
    const results = await probeUnauthenticatedWrite(run, interactionFor(run, { operation, ...write(own) }));
    expect(results.map(({ name }) => name)).toEqual([`${operation} rejects a missing key in a valid request`]);
    expect(results[0]).toMatchObject({ status: 401, phase: 'auth', operation });
    expect(checks(results)).toEqual(['rejected-write-changed']);
  });

  test.each(WRITES)(
    'a $operation that is rejected and not done is right, and changes nothing',
    async ({ operation, write }) => {
      const { run, stored } = await holedPetstore(isSound, { mode });
      const own = await makeOwn(run);
      const before = stored();
      const results = await probeUnauthenticatedWrite(run, interactionFor(run, { operation, ...write(own) }));
      expect(results.map(({ verdict, name }) => [verdict.kind, name])).toEqual([
        ['pass', `${operation} rejects a missing key in a valid request`],
      ]);
      expect(stored()).toBe(before);
    },
  );
});

test.each(WRITES.slice(0, 2))('what a rejected $operation made is removed again', async ({ operation, write }) => {
  let isHoled = false;
  const { run, stored } = await holedPetstore((request, good) => (isHoled ? performs : isSound)(request, good));
  const own = await makeOwn(run);
  const ids = (): unknown[] => (JSON.stringify(JSON.parse(stored())).match(/"id":\d+/g) ?? []).sort();
  const before = ids();
  isHoled = true;
  const results = await probeUnauthenticatedWrite(run, interactionFor(run, { operation, ...write(own) }));
  expect(checks(results)).toEqual(['rejected-write-changed']);
  expect(ids()).toEqual(before);
});

test('what a rejected creation made without a mark stays, and that is told', async () => {
  let isHoled = false;
  const { run, sent } = await holedPetstore((request, good) => (isHoled ? performs : isSound)(request, good));
  const { pet } = await makeOwn(run);
  isHoled = true;
  const write = { operation: 'placeOrder', path: '/store/orders', body: `{"petId":${pet},"quantity":2}` };
  const [result] = await probeUnauthenticatedWrite(run, interactionFor(run, write));
  expect(result?.verdict).toMatchObject({
    findings: [
      { hint: expect.stringMatching(/^Judge .* What it made is still there: \/store\/orders\/\d+\.$/) as string },
    ],
  });
  expect(sent.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test('a body that others may send as well is not sent without a key: what is new need not be of it', async () => {
  const { run, sent } = await holedPetstore(isSound);
  const write = { operation: 'placeOrder', path: '/store/orders', body: '{"petId":1,"quantity":2}' };
  expect(await probeUnauthenticatedWrite(run, interactionFor(run, write))).toEqual([]);
  expect(sent).toEqual([]);
});

test('a creation that is let in is a finding, and what it made is removed', async () => {
  // What is no JSON is refused, so that the hole does not show before.
  const isWhole = ({ body }: HttpRequest): boolean => new TextDecoder().decode(body).endsWith('}');
  const { run, stored } = await holedPetstore(
    open((values, request) => values.length === 0 && request.method === 'POST' && isWhole(request)),
  );
  const before = stored();
  const write = { operation: 'createCategory', path: '/categories', body: '{"name":"Dog run1"}' };
  const results = await probeUnauthenticatedWrite(run, interactionFor(run, write));
  expect(checks(results)).toContain('status-expected');
  expect(checks(results)).not.toContain('rejected-write-changed');
  expect(results[0]?.verdict).toMatchObject({
    findings: expect.arrayContaining([
      expect.objectContaining({ hint: expect.stringMatching(/It made \/categories\/\d+, which/) as string }),
    ]) as unknown[],
  });
  expect(stored()).toBe(before);
  expect(run.creations.remaining()).toEqual([]);
});

describe('a server that asks nobody for a key', () => {
  const isOpen = open((values) => values.length === 0);

  const changes = WRITES.filter(({ operation }) => !/^(?:create|place)/.test(operation));
  test.each(changes)('$operation is not sent without one: what it would do is the contract’s', async (what) => {
    const { operation, write } = what;
    const { run, sent, stored } = await holedPetstore(isOpen);
    const own = await makeOwn(run);
    const before = stored();
    const first = sent.length;
    const results = await probeUnauthenticatedWrite(run, interactionFor(run, { operation, ...write(own) }));
    expect(results.map(({ name, verdict }) => ({ name, verdict }))).toEqual([
      {
        name: `${operation} rejects a missing key in a valid request`,
        verdict: {
          kind: 'skipped',
          cause: 'not-harmless',
          reason: expect.stringMatching(/got 4\d\d and was not rejected/) as string,
        },
      },
    ]);
    expect(stored()).toBe(before);
    const { path } = write(own);
    const written = sent.slice(first).filter(({ method }) => method !== 'GET');
    expect(written).toHaveLength(1);
    // It goes to what nobody has.
    expect(written[0]?.target).not.toBe(path);
  });
});

test('the finding shows what changed, before and after', async () => {
  let isHoled = false;
  const { run } = await holedPetstore((request, good) => (isHoled ? performs : isSound)(request, good));
  const { category } = await makeOwn(run);
  isHoled = true;
  const write = { operation: 'replaceCategory', path: `/categories/${category}`, body: '{"name":"Cat run1"}' };
  const [result] = await probeUnauthenticatedWrite(run, interactionFor(run, write));
  expect(result?.verdict).toMatchObject({
    findings: [
      {
        message: 'The PUT was rejected with 401, and done all the same',
        expected: '{"name":"Own run1"}',
        actual: '{"name":"Cat run1"}',
        place: expect.stringContaining('petstore.yaml:') as string,
      },
    ],
  });
});

describe('nothing is sent for', () => {
  const body = '{"name":"Dog run1"}';

  test.each<{ what: string; write: Write }>([
    {
      what: 'a step that expects a refusal',
      write: { operation: 'createCategory', path: '/categories', body, statuses: [409] },
    },
    {
      what: 'a step that may be refused',
      write: { operation: 'createCategory', path: '/categories', body, statuses: [201, 409] },
    },
    { what: 'a read', write: { operation: 'listCategories', path: '/categories' } },
    {
      what: 'a creation that could not be found again',
      write: { operation: 'placeOrder', path: '/store/orders', body: '{}' },
    },
    { what: 'a creation without a body', write: { operation: 'placeOrder', path: '/store/orders' } },
  ])('$what', async ({ write }) => {
    const { run, sent } = await holedPetstore(isSound);
    expect(await probeUnauthenticatedWrite(run, interactionFor(run, write))).toEqual([]);
    expect(sent).toEqual([]);
  });

  test('anything in mode observe', async () => {
    const { run, sent } = await holedPetstore(isSound, { mode: 'observe' });
    const write = { operation: 'createCategory', path: '/categories', body };
    expect(await probeUnauthenticatedWrite(run, interactionFor(run, write))).toEqual([]);
    expect(sent).toEqual([]);
  });

  test('an operation that was probed already', async () => {
    const { run } = await holedPetstore(isSound);
    const write = { operation: 'createCategory', path: '/categories', body };
    expect(await probeUnauthenticatedWrite(run, interactionFor(run, write))).toHaveLength(1);
    expect(await probeUnauthenticatedWrite(run, interactionFor(run, write))).toEqual([]);
  });

  test('a change that asks for what is there already; the next one is probed', async () => {
    const { run, sent } = await holedPetstore(isSound);
    const { category } = await makeOwn(run);
    const before = sent.length;
    const same = { operation: 'replaceCategory', path: `/categories/${category}`, body: '{"name":"Own run1"}' };
    expect(await probeUnauthenticatedWrite(run, interactionFor(run, same))).toEqual([]);
    expect(sent.slice(before).map(({ method }) => method)).toEqual(['GET']);
    expect(
      await probeUnauthenticatedWrite(run, interactionFor(run, { ...same, body: '{"name":"Cat run1"}' })),
    ).toHaveLength(1);
  });
});

test('the idempotency key is kept for the write itself', async () => {
  const { run, sent } = await holedPetstore(isSound);
  const write = { operation: 'createCategory', path: '/categories', body: '{"name":"Dog run1"}' };
  await probeUnauthenticatedWrite(run, interactionFor(run, { ...write, headers: ['Idempotency-Key', '"abc"'] }));
  const probe = sent.filter(({ method }) => method === 'POST').at(-1);
  const names = probe?.rawHeaders.filter((_, index) => index % 2 === 0);
  expect(names).toEqual(expect.arrayContaining(['Accept', 'Content-Type']));
  for (const name of ['Authorization', 'Idempotency-Key']) expect(names).not.toContain(name);
  expect(new TextDecoder().decode(probe?.body)).toBe('{"name":"Dog run1-unauthorised"}');
});

describe('no false alarm', () => {
  test('where a member is another one at each read', async () => {
    let count = 0;
    const restless: Hole = async (request, good) => {
      const response = await good(request);
      return request.method === 'GET' && response.status === 200
        ? changeBody(response, (text) => text.replace('{', `{"reads":${++count},`))
        : response;
    };
    const { run } = await holedPetstore(restless);
    const { category } = await makeOwn(run);
    const write = { operation: 'replaceCategory', path: `/categories/${category}`, body: '{"name":"Cat run1"}' };
    const results = await probeUnauthenticatedWrite(run, interactionFor(run, write));
    expect(results.map(({ verdict }) => verdict.kind)).toEqual(['pass']);
  });

  test('where somebody else creates at the same time', async () => {
    const busy: Hole = async (request, good) => {
      const response = await good(request);
      if (response.status === 401) {
        const body = new TextEncoder().encode(`{"name":"Other ${Math.random()}"}`);
        await good(letIn({ ...request, body, target: '/categories' }));
      }
      return response;
    };
    const { run } = await holedPetstore(busy);
    const write = { operation: 'createCategory', path: '/categories', body: '{"name":"Dog run1"}' };
    const results = await probeUnauthenticatedWrite(run, interactionFor(run, write));
    expect(results.map(({ verdict }) => verdict.kind)).toEqual(['pass']);
  });

  test('where the reads break down: that the effect cannot be seen is said', async () => {
    let isDown = false;
    const breaking: Hole = async (request, good) => {
      if (request.method === 'PUT') isDown = true;
      const response: HttpResponse = await good(request);
      return isDown && request.method === 'GET' ? withHeader({ ...response, status: 500 }, 'X-Down', '1') : response;
    };
    const { run } = await holedPetstore(breaking);
    const { category } = await makeOwn(run);
    const write = { operation: 'replaceCategory', path: `/categories/${category}`, body: '{"name":"Cat run1"}' };
    const [result] = await probeUnauthenticatedWrite(run, interactionFor(run, write));
    expect(result?.verdict.kind).toBe('pass');
    expect(result?.name).toMatch(/ \(effect not visible: getCategory with the key returned 500 afterwards\)$/);
  });

  test('where the list goes on over pages', async () => {
    const { run, sent } = await holedPetstore(isSound);
    const unfiltered: Run = {
      ...run,
      transport: {
        // Five more pages, none of which is the last one.
        send: async (request: HttpRequest) => {
          const response = await run.transport.send(request);
          return request.method === 'GET'
            ? withHeader(response, 'Link', '</categories?cursor=x>; rel="next"')
            : response;
        },
      },
    };
    const write = { operation: 'createCategory', path: '/categories', body: '{"name":"Dog run1"}' };
    const [result] = await probeUnauthenticatedWrite(unfiltered, interactionFor(run, write));
    expect(result?.name).toMatch(/effect not visible: listCategories cannot be read to its end\)$/);
    expect(sent.filter(({ method }) => method === 'GET').length).toBeGreaterThan(1);
  });
});

test('the second Petstore rejects without doing', async () => {
  const second = createSecondPetstore({ keys: [KEY] });
  const url = await second.listen();
  try {
    const send = async (request: HttpRequest): Promise<HttpResponse> => {
      const { method, rawHeaders, target } = request;
      const headers = rawHeaders.flatMap((name, index): [string, string][] =>
        index % 2 === 0 ? [[name, rawHeaders[index + 1]!]] : [],
      );
      const body = request.body.length === 0 ? null : Buffer.from(request.body);
      const answer = await fetch(`${url}${target}`, { method, headers, body });
      return { status: answer.status, headers: [...answer.headers].flat(), body: await answer.text() };
    };
    const { run } = await holedPetstore((request) => send(request));
    const own = await makeOwn(run);
    for (const { operation, write } of WRITES) {
      const results = await probeUnauthenticatedWrite(run, interactionFor(run, { operation, ...write(own) }));
      expect(results.map(({ verdict }) => verdict.kind)).toEqual(['pass']);
    }
  } finally {
    await second.close();
  }
});
