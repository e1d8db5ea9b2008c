import { runContract } from '../../src/library/run-contract';
import { TransportError } from '../../src/core/errors/standin-error';
import { buildModel } from '../../src/openapi/model/api-model';
import { readSource } from '../../src/openapi/read/read-source';
import { allSteps } from '../../src/runner/result/outcome';
import { cannedTransport, oneStep, replayText, stepNamed } from './peer';

const CATEGORY = '{"id":9007199254740993,"name":"Dog"}';
const head = (transport: { sent: readonly { method: string; target: string }[] }): string[] =>
  transport.sent.map(({ method, target }) => `${method} ${target}`);
const text = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

/** Without the probes, which come after the steps. */
const ofSteps = (lines: readonly string[], count: number): readonly string[] => lines.slice(0, count);

test('a captured link that is followed is judged as an answer of its operation', async () => {
  const transport = cannedTransport({ status: 200, body: '{"id":1,"name":"?limit=1"}' });
  const result = await replayText(
    `standin: contract/1
name: test
steps:
  - name: first
    operation: getCategory
    parameters: { categoryId: 1 }
    expect: { status: 200 }
    capture: { rest: $response.body#/name }
  - name: follow
    method: GET
    path: /categories\${rest}
    expect: { status: 200 }
`,
    transport,
  );
  const follow = stepNamed(result, 'follow');
  expect(follow.operation).toBe('listCategories');
  // One category is no list.
  expect(follow.verdict).toMatchObject({ kind: 'fail', findings: [{ check: 'body-schema', at: '/response/body' }] });
});

test('a captured id that is written as 1.0 names the same item', async () => {
  const transport = cannedTransport({ status: 200, body: '{"id":1.0,"name":"Dog"}' });
  await replayText(
    `standin: contract/1
name: test
steps:
  - operation: getCategory
    parameters: { categoryId: 1 }
    expect: { status: 200 }
    capture: { id: $response.body#/id }
  - operation: getCategory
    parameters: { categoryId: '\${id}' }
    expect: { status: 200 }
`,
    transport,
  );
  expect(head(transport)[1]).toBe('GET /categories/1');
});

test('a header that comes in several lines is captured as one', async () => {
  const links = ['Link', '</pets?limit=2>; rel="first"', 'Link', '</pets?limit=2&cursor=c>; rel="next"'];
  const transport = cannedTransport({ status: 200, body: '[]', headers: links });
  await replayText(
    `standin: contract/1
name: test
steps:
  - operation: listPets
    expect: { status: 200 }
    capture: { next: { from: $response.header.Link, pattern: '</pets([^>]*)>; rel="next"' } }
  - method: GET
    path: /pets\${next}
    expect: { status: 200 }
`,
    transport,
  );
  expect(head(transport)[1]).toBe('GET /pets?limit=2&cursor=c');
});

describe('a request', () => {
  test('has the parameters where the description wants them, in their style', async () => {
    const transport = cannedTransport({ body: '[]' });
    await replayText(
      oneStep(
        'operation: listPets',
        'parameters: { id: [3, 9007199254740993], status: [sold, pending], name: "a&b ë/?", Prefer: x }',
        'expect: { status: 200 }',
      ),
      transport,
    );
    const [request] = transport.sent;
    expect(request?.target).toBe('/pets?id=3,9007199254740993&status=sold&status=pending&name=a%26b%20%C3%AB%2F%3F');
    expect(request?.headers).toEqual({
      accept: 'application/json',
      prefer: 'x',
      authorization: 'Bearer test-key',
      'user-agent': 'standin/0.0.0 (run run1)',
    });
  });

  test('has a body with every digit, and a captured number where a placeholder stood for it', async () => {
    const transport = cannedTransport({ status: 201, body: CATEGORY });
    await replayText(
      `standin: contract/1
name: test
steps:
  - operation: createCategory
    body: { name: 'Dog \${runId}' }
    expect: { status: 201 }
    capture: { id: $response.body#/id }
  - operation: createPet
    body: { categoryId: '\${id}', name: 'Of \${id}' }
    expect: { status: 201 }
  - operation: getCategory
    parameters: { categoryId: '\${id}' }
    expect: { status: 200 }
`,
      transport,
    );
    const written = transport.sent.filter(({ method }) => method === 'POST');
    expect(written.map(({ body }) => text(body))).toEqual([
      '{"name":"Dog run1"}',
      '{"categoryId":9007199254740993,"name":"Of 9007199254740993"}',
    ]);
    expect(head(transport)[4]).toBe('GET /categories/9007199254740993');
  });

  test('is changed by the headers of the step: replaced, taken away, sent twice', async () => {
    const transport = cannedTransport({ status: 400 });
    await replayText(
      oneStep(
        'operation: createCategory',
        'auth: none',
        'headers: { Accept: text/html, Content-Type: null, Authorization: [Bearer a, Bearer b] }',
        'text: "{"',
        'expect: { status: 400 }',
      ),
      transport,
    );
    const request = transport.sent.find(({ method }) => method === 'POST');
    expect(request?.rawHeaders).toEqual([
      ...['Accept', 'text/html'],
      ...['Authorization', 'Bearer a', 'Authorization', 'Bearer b'],
      ...['User-Agent', 'standin/0.0.0 (run run1)'],
    ]);
    expect(text(request?.body)).toBe('{');
  });

  test.each([
    { auth: 'valid', want: 'Bearer test-key' },
    { auth: 'none', want: undefined },
    { auth: 'invalid', want: 'Bearer standin-unknown-key-run1' },
    { auth: 'malformed', want: 'Basic c3RhbmRpbjpzdGFuZGlu' },
  ])('with auth: $auth carries $want', async ({ auth, want }) => {
    const transport = cannedTransport({ status: 401 });
    await replayText(oneStep('operation: listPets', `auth: ${auth}`, 'expect: { status: 401 }'), transport);
    expect(transport.sent[0]?.headers['authorization']).toBe(want);
  });

  test('of a path as written is judged by the operation that it meets', async () => {
    const transport = cannedTransport({ body: '[{"id":1}]' });
    const result = await replayText(
      oneStep('method: GET', 'path: /pets?limit=1', 'expect: { status: 200 }'),
      transport,
      { baseUrl: 'http://localhost/v1' },
    );
    expect(head(transport)[0]).toBe('GET /v1/pets?limit=1');
    const [step] = allSteps(result);
    expect(step).toMatchObject({ operation: 'listPets', verdict: { kind: 'fail' } });
    expect(step?.request?.url).toBe('http://localhost/v1/pets?limit=1');
  });
});

const CLEANED = `standin: contract/1
name: test
setup:
  - name: make
    operation: createCategory
    body: { name: Dog }
    expect: { status: 201 }
    capture: { id: $response.body#/id }
steps:
  - name: read
    operation: getCategory
    parameters: { categoryId: '\${id}' }
    expect: { status: 200 }
    capture: { tag: $response.header.ETag }
  - name: read again
    operation: getCategory
    parameters: { categoryId: 1, If-None-Match: '\${tag}' }
    expect: { status: 304 }
cleanup:
  - name: last
    operation: deleteCategory
    parameters: { categoryId: '\${id}' }
    expect: { status: [204, 404] }
  - name: first
    operation: deletePet
    parameters: { petId: '\${id}' }
    expect: { status: [204, 404] }
`;

describe('the cleanup', () => {
  test('runs last step first, after failures too, with what they captured', async () => {
    const transport = cannedTransport({ status: 500, body: CATEGORY });
    const result = await replayText(CLEANED, transport);
    expect(ofSteps(head(transport), 4)).toEqual([
      'GET /categories',
      'POST /categories',
      'DELETE /pets/9007199254740993',
      'DELETE /categories/9007199254740993',
    ]);
    expect(stepNamed(result, 'read').verdict).toEqual({
      kind: 'skipped',
      reason: 'the setup step "make" did not do what it is for',
      cause: 'setup-failed',
      because: 'make',
    });
  });

  test('leaves out what was never made, and says so', async () => {
    const result = await replayText(CLEANED, cannedTransport({ status: 400 }));
    expect(stepNamed(result, 'last').verdict).toEqual({
      kind: 'skipped',
      reason: 'it needs ${id}, which "make" did not capture',
      cause: 'missing-value',
      because: 'make',
    });
    expect(result.outcome).toBe('violations');
  });

  test('is tried when the target is gone, and nothing else is', async () => {
    let count = 0;
    const transport = {
      send() {
        if (++count > 2) return Promise.reject(new TransportError('TRANSPORT_UNREACHABLE', 'gone'));
        return Promise.resolve({ status: 201, headers: ['Content-Type', 'application/json'], body: CATEGORY });
      },
    };
    const result = await replayText(CLEANED, transport);
    expect(allSteps(result).map(({ name, verdict }) => `${name} ${verdict.kind}`)).toEqual([
      'make pass',
      'read error',
      'read again skipped',
      'first error',
      'last error',
    ]);
    expect(result.outcome).toBe('inconclusive');
    // The look before, the two that made and looked, the two of the cleanup, and one more for what is left.
    expect(count).toBe(6);
  });
});

test('a step whose value was not captured fails, and those that need it are skipped', async () => {
  const result = await replayText(
    CLEANED,
    cannedTransport({ body: '[]' }, { status: 201, body: CATEGORY }, { body: CATEGORY }),
  );
  const read = stepNamed(result, 'read').verdict;
  expect(read).toMatchObject({ kind: 'fail', findings: [{ check: 'capture', expected: '$response.header.ETag' }] });
  expect(stepNamed(result, 'read again').verdict).toEqual({
    kind: 'skipped',
    reason: 'it needs ${tag}, which "read" did not capture',
    cause: 'missing-value',
    because: 'read',
  });
});

test('a run in which nothing was executed is not green', async () => {
  const contract = oneStep('operation: createCategory', 'body: { name: a }', 'expect: { status: 201 }');
  const transport = cannedTransport({ status: 201, body: CATEGORY });
  const result = await replayText(contract, transport, { mode: 'observe' });
  expect(transport.sent).toEqual([]);
  expect(allSteps(result).map(({ verdict }) => verdict)).toEqual(
    Array.from({ length: 1 }, () => ({
      kind: 'skipped',
      reason: expect.stringContaining('mode observe') as string,
      cause: 'mode',
    })),
  );
  expect(result.outcome).toBe('inconclusive');
});

test('a first request that waits in vain is the last one', async () => {
  let count = 0;
  const send = (): Promise<never> => {
    count += 1;
    return Promise.reject(new TransportError('TRANSPORT_TIMEOUT', 'no whole answer within 1 s'));
  };
  const result = await replayText(oneStep('operation: listPets', 'expect: { status: 200 }'), { send });
  expect(count).toBe(1);
  expect(result.outcome).toBe('inconclusive');
});

const ODD = `openapi: 3.0.3
info: { title: Odd, version: '1' }
paths:
  /broken:
    get:
      operationId: broken
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: string, pattern: '[' } } } }
  /silent:
    get:
      operationId: silent
      responses: { '200': { description: no content } }
  /keyed/{id}:
    delete:
      operationId: removeKeyed
      security: [{ key: [] }]
      parameters: [{ name: id, in: path, required: true, schema: { type: string, enum: [a, b] } }]
      responses: { '204': { description: gone } }
  /ring:
    post:
      operationId: ring
      security: [{ key: [] }]
      responses: { '204': { description: rung } }
  /notes:
    post:
      operationId: note
      security: [{ key: [] }]
      requestBody: { content: { text/plain: { schema: { type: string } } } }
      responses: { '204': { description: noted } }
  /signed:
    get:
      operationId: signed
      security: [{ signature: [] }]
      responses: { '200': { description: ok } }
components:
  securitySchemes:
    key: { type: http, scheme: bearer }
    signature: { type: http, scheme: hoba }
`;
const odd = buildModel(readSource(ODD, 'odd.yaml'));

test('a schema that does not compile is an error, never a pass', async () => {
  const contract = oneStep('operation: broken', 'expect: { status: 200 }');
  const result = await replayText(contract, cannedTransport({ body: '"a"' }), { api: odd });
  expect(allSteps(result)[0]?.verdict).toMatchObject({
    kind: 'error',
    error: { code: 'SPEC_SCHEMA_DOES_NOT_COMPILE' },
  });
  expect(result.outcome).toBe('cannot-judge');
});

test('a body where none is documented is a warning, and passes', async () => {
  const contract = oneStep('operation: silent', 'expect: { status: 200 }');
  const result = await replayText(contract, cannedTransport({ body: '"a"' }), { api: odd });
  expect(allSteps(result)[0]).toMatchObject({ verdict: { kind: 'pass' }, warnings: [{ check: 'no-body' }] });
});

test('a step that cannot authenticate is an error, and is not sent', async () => {
  const transport = cannedTransport({ status: 401, headers: ['WWW-Authenticate', 'Signature'] });
  const result = await replayText(oneStep('operation: signed', 'expect: { status: 200 }'), transport, { api: odd });
  expect(allSteps(result)[0]?.verdict).toMatchObject({ kind: 'error', error: { code: 'CONFIG_INVALID' } });
  expect(transport.sent).toHaveLength(result.probes.length);
});

const ONE_FILE = 'contracts/core/categories.yaml';

describe('another machine', () => {
  const baseUrl = 'https://api.example.com/v1';
  const contracts = ['contracts/core', 'contracts/full/pets-delete.yaml', 'contracts/full/protocol.yaml'];

  test('is asked for nothing that could change what the run did not make', async () => {
    const transport = cannedTransport({ status: 404 });
    await runContract({ baseUrl, transport, apiKey: 'abc', contracts });
    const unsafe = transport.sent.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
    const targets = unsafe.map(({ method, target }) => `${method} ${target.replace(/\?.*/, '')}`);
    expect([...new Set(targets)].filter((line) => !/^POST |\/9223372036854775807$/.test(line))).toEqual([]);
  });

  test('is asked for safe methods alone in mode observe', async () => {
    const transport = cannedTransport({ status: 404 });
    const result = await runContract({ baseUrl, transport, apiKey: 'abc', contracts, mode: 'observe' });
    expect([...new Set(transport.sent.map(({ method }) => method))].sort()).toEqual(['GET', 'HEAD', 'OPTIONS']);
    const reasons = allSteps(result).flatMap(({ verdict }) => (verdict.kind === 'skipped' ? [verdict.reason] : []));
    expect(reasons).toContain('it could change api.example.com, and mode observe sends safe methods only');
  });

  test('gets no key that nobody chose for it', async () => {
    const refusal = runContract({ baseUrl, transport: cannedTransport({}), contracts: ONE_FILE });
    await expect(refusal).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });
});

test.each(['localhost:4010', 'ftp://localhost', '/pets', 'http://user:secret@localhost', 'http://localhost?a=1', ''])(
  'the base URL "%s" is refused',
  async (baseUrl) => {
    const refusal = runContract({ baseUrl, transport: cannedTransport({}) });
    await expect(refusal).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(refusal).rejects.not.toMatchObject({ message: expect.stringContaining('secret') as string });
  },
);

test.each(['', 'three words here', 'naïve', 'a\r\nX-Evil: b'])(
  'the key "%s" is refused and not repeated',
  async (apiKey) => {
    const refusal = runContract({
      baseUrl: 'http://localhost',
      transport: cannedTransport({}),
      apiKey,
      contracts: ONE_FILE,
    });
    await expect(refusal).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(refusal).rejects.toMatchObject({ message: expect.not.stringContaining('Evil') as string });
  },
);

test.each([
  { contracts: 'no-such-file.yaml', code: 'CONTRACT_UNREADABLE' },
  { contracts: 'src/cli', code: 'CONTRACT_UNREADABLE' },
  { contracts: 'fixtures/petstore.json', code: 'CONTRACT_INVALID' },
])('$contracts is no contract', async ({ contracts, code }) => {
  const refusal = runContract({ baseUrl: 'http://localhost', transport: cannedTransport({}), contracts });
  await expect(refusal).rejects.toMatchObject({ code });
});
