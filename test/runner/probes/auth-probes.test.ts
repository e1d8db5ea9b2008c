import { buildModel } from '../../../src/openapi/model/api-model';
import { readSource } from '../../../src/openapi/read/read-source';
import type { HttpResponse } from '../../../src/core/http/message';
import { once } from '../../../src/core/text/memoize';
import { probeAuthentication } from '../../../src/runner/probes/authentication-probes';
import type { StepResult } from '../../../src/runner/result/run-result';
import { startRun } from '../../../src/runner/exchange/run-state';
import { holedPetstore, KEY, letIn, open, type Hole } from './auth-peer';
import { cannedTransport, changeBody, withHeader, withoutHeader } from '../peer';

const isSound: Hole = (request, good) => good(request);

const READ = 'listPets';
const WRITE = 'replacePet';

/** What failed of the probes of one operation, without its name. */
async function caughtBy(hole: Hole, operation: string): Promise<string[]> {
  const { run, stored } = await holedPetstore(hole);
  const before = stored();
  const caught = failed(await probeAuthentication(run, [run.api.operationById(operation)!]), operation);
  expect(stored()).toBe(before);
  return caught;
}

function failed(results: readonly StepResult[], operation: string): string[] {
  const names = results
    .filter(({ verdict, warnings }) => verdict.kind !== 'pass' || warnings.length > 0)
    .map(({ name }) => name);
  return names.map((name) => name.slice(operation.length + 1));
}

/** One hole for each kind of probe, and which probes fall into it. */
const HOLES: readonly { hole: string; server: Hole; found: readonly string[]; ofReads?: readonly string[] }[] = [
  {
    hole: 'no key is needed',
    server: open((values) => values.length === 0),
    found: [
      'rejects a missing key',
      'rejects the key in the query as access_token',
      'rejects the key in the query as api_key',
    ],
    ofReads: ['rejects a missing key beside an invalid limit', 'rejects a missing key, as HEAD'],
  },
  {
    hole: 'an empty key is let in',
    server: open(([value]) => /^Bearer ?$/.test(value ?? '')),
    found: ['rejects Bearer and nothing after it', 'rejects Bearer and a space after it'],
  },
  {
    hole: 'any other scheme is let in',
    server: open(([value]) => /^Basic /.test(value ?? '')),
    found: ['rejects the scheme Basic'],
  },
  {
    hole: 'what cannot be parsed is let in',
    server: open(([value]) => /^Bearer {2}/.test(value ?? '')),
    found: ['rejects two spaces before an unknown key'],
  },
  {
    hole: 'the key is looked for and not compared',
    server: open(([value, second]) => second === undefined && /^Bearer .*\b(?:the-right-key-1)\b./.test(value ?? '')),
    found: ['rejects characters after the key that no key has'],
  },
  {
    hole: 'the scheme is not looked at',
    server: open(([value]) => (value ?? '').endsWith(` ${KEY}`) && (value ?? '').startsWith('Token')),
    found: ['rejects the scheme Token'],
  },
  {
    hole: 'every key is let in',
    server: open(([value, second]) => second === undefined && /^Bearer standin-unknown/.test(value ?? '')),
    found: ['rejects an unknown key'],
    ofReads: ['rejects an unknown key, as HEAD'],
  },
  {
    hole: 'the beginning of a key will do',
    server: open(([value]) => value === 'Bearer the-right-key-'),
    found: ['rejects the key cut by its last character'],
  },
  {
    hole: 'the ends of a key will do',
    server: open(([value]) => /^Bearer the-rig[^h]t-key-1$/.test(value ?? '')),
    found: [],
    ofReads: ['rejects the key with another letter in it'],
  },
  {
    hole: 'a key may begin in another way',
    server: open(([value]) => /^Bearer \w+the-right-key-1$/.test(value ?? '')),
    found: [],
    ofReads: ['rejects letters before the key'],
  },
  {
    hole: 'a key may end in another way',
    server: open(([value]) => /^Bearer the-right-key-1\w+$/.test(value ?? '')),
    found: [],
    ofReads: ['rejects letters after the key'],
  },
  {
    hole: 'the case of a key does not count',
    server: open(([value]) => value === 'Bearer THE-RIGHT-KEY-1'),
    found: [],
    ofReads: ['rejects the key in another case'],
  },
  {
    hole: 'the first of two headers counts',
    server: open((values) => values.length === 2),
    found: ['rejects two Authorization headers'],
  },
  {
    hole: 'HEAD is open to everybody',
    server: open((_, { method }) => method === 'HEAD'),
    found: [],
    ofReads: ['rejects a missing key, as HEAD', 'rejects an unknown key, as HEAD'],
  },
  {
    hole: 'a token in the query is let in',
    server: open((_, { target }) => target.includes('access_token=')),
    found: ['rejects the key in the query as access_token'],
  },
  {
    hole: 'a key in the query is let in',
    server: open((_, { target }) => target.includes('api_key=')),
    found: ['rejects the key in the query as api_key'],
  },
];

test.each(HOLES)('the probes find a server where $hole, and nothing is lost in it', async (row) => {
  expect(await caughtBy(row.server, READ)).toEqual([...row.found, ...(row.ofReads ?? [])]);
});

test.each(HOLES.filter(({ found }) => found.length > 0))(
  'the probes of a write find a server where $hole, and nothing is lost in it',
  async ({ server, found }) => {
    // A write that is let in has a body that no server can use: its 400 might be for the two headers as well.
    const titles = found.filter((title) => title !== 'rejects two Authorization headers');
    expect(await caughtBy(server, WRITE)).toEqual(titles);
  },
);

test('the other holes are looked for by reads alone', async () => {
  const others = HOLES.filter(({ found }) => found.length === 0).map(({ server }) => server);
  expect(others.length).toBeGreaterThan(1);
  const all = others.reduce<Hole>(
    (next, hole) => (request, good) => hole(request, (asked) => next(asked, good)),
    isSound,
  );
  expect(await caughtBy(all, WRITE)).toEqual([]);
});

test('who takes the first of two headers, as node:http does, breaks no rule: it is a warning', async () => {
  const { run } = await holedPetstore(open((values) => values.length === 2));
  const operations = ['listPets', 'getPet'].map((id) => run.api.operationById(id)!);
  const results = await probeAuthentication(run, operations);
  expect(results.filter(({ verdict }) => verdict.kind !== 'pass')).toEqual([]);
  const warning = {
    check: 'status-expected',
    severity: 'warning',
    hint: expect.stringContaining('The service uses one of the two') as string,
  };
  expect(results.flatMap(({ warnings }) => warnings)).toMatchObject([warning, warning]);
});

/** All probes of a sound server: they are sent once for the tests that look at them. */
const probeSoundServer = once(async () => {
  const { run, sent, stored } = await holedPetstore(isSound);
  const before = stored();
  const results = await probeAuthentication(run, run.api.operations);
  return { results, sent, before, after: stored() };
});

test('the probes of a sound server all pass, and cover every kind', async () => {
  const { results, sent, before, after } = await probeSoundServer();
  expect(results.filter(({ verdict }) => verdict.kind !== 'pass')).toEqual([]);
  expect(after).toBe(before);
  const covered = new Set(results.map(({ name }) => name.replace(/^\w+ /, '')));
  for (const { found, ofReads = [] } of HOLES)
    for (const title of [...found, ...ofReads]) expect(covered).toContain(title);
  expect(results.every(({ phase, place }) => phase === 'auth' && place === undefined)).toBe(true);
  // Each list is read once before anything might be made beside it, and what nobody should have is looked for before a PUT.
  expect(sent).toHaveLength(results.length + 4 + 28);
});

test('a scheme in lower case is right, and one that is refused is found, for reads alone', async () => {
  const strict: Hole = async (request, good) =>
    good(request.headers['authorization']?.toString().startsWith('bearer') === true ? withoutKey(request) : request);
  expect(await caughtBy(strict, READ)).toEqual(['accepts bearer in lower case']);
  expect(await caughtBy(strict, WRITE)).toEqual([]);

  const { sent } = await probeSoundServer();
  const lower = sent.filter(({ headers }) => headers['authorization'] === `bearer ${KEY}`);
  expect(new Set(lower.map(({ method }) => method))).toEqual(new Set(['GET']));
});

function withoutKey<R extends { headers: object; rawHeaders: readonly string[] }>(request: R): R {
  const rawHeaders = withoutHeader(request.rawHeaders, 'authorization');
  return { ...request, headers: { ...request.headers, authorization: undefined }, rawHeaders };
}

const REFUSALS: readonly { wrong: string; change: (response: HttpResponse) => HttpResponse; check: string }[] = [
  { wrong: 'a 403', change: (response) => ({ ...response, status: 403 }), check: 'status-expected' },
  {
    wrong: 'a 401 without a challenge',
    change: (response) => ({ ...response, headers: withoutHeader(response.headers, 'www-authenticate') }),
    check: 'www-authenticate',
  },
  {
    wrong: 'a 401 that is a page',
    change: (response) => changeBody(withHeader(response, 'Content-Type', 'text/html'), () => '<h1>Login</h1>'),
    check: 'error-contract',
  },
];

test.each(REFUSALS)('a refusal that is $wrong is a finding', async ({ change, check }) => {
  const hole: Hole = async (request, good) => {
    const response = await good(request);
    return response.status === 401 ? change(response) : response;
  };
  const { run } = await holedPetstore(hole);
  const results = await probeAuthentication(run, [run.api.operationById('listPets')!]);
  // HEAD has no page.
  const refused = results.filter(({ name }) => !/lower case$|as HEAD/.test(name));
  for (const { verdict } of refused) {
    expect(verdict).toMatchObject({ kind: 'fail' });
    expect(verdict.kind === 'fail' && verdict.findings.map((finding) => finding.check)).toContain(check);
  }
});

test.each([
  { what: 'whether something exists', operation: 'getPet', status: 404 },
  { what: 'the query', operation: 'listPets', status: 400 },
])('a server that judges $what before the key is found', async ({ operation, status }) => {
  const hole: Hole = async (request, good) => {
    const response = await good(request);
    if (response.status !== 401) return response;
    const truth = await good({
      ...request,
      headers: { ...request.headers, authorization: `Bearer ${KEY}` },
      rawHeaders: [...withoutHeader(request.rawHeaders, 'authorization'), 'Authorization', `Bearer ${KEY}`],
    });
    return truth.status === status ? truth : response;
  };
  const { run } = await holedPetstore(hole);
  const results = await probeAuthentication(run, [run.api.operationById(operation)!]);
  const found = results.flatMap(({ verdict }) => (verdict.kind === 'fail' ? verdict.findings : []));
  expect(found.length).toBeGreaterThan(0);
  expect(found).toContainEqual(
    expect.objectContaining({
      check: 'status-expected',
      expected: '401',
      actual: expect.stringMatching(new RegExp(`^${status}`)) as string,
    }),
  );
});

test('a server that reads every body before the key breaks no rule: that is said once', async () => {
  const { run } = await holedPetstore((request, good) => good(request.method === 'POST' ? letIn(request) : request));
  const results = await probeAuthentication(run, [run.api.operationById('createPet')!]);
  expect(results.filter(({ name }) => !name.endsWith('in the query')).map(({ verdict }) => verdict)).toEqual([
    { kind: 'skipped', cause: 'not-harmless', reason: expect.stringContaining('reads the body before') as string },
  ]);
});

test('a 400 for two headers is right where the operation documents it, and nowhere else', async () => {
  const malformed: Hole = async (request, good) => {
    const response = await good(request);
    const isDoubled = request.rawHeaders.filter((name) => name === 'Authorization').length === 2;
    return isDoubled
      ? changeBody({ ...response, status: 400 }, (body) => body.replace('"status":401', '"status":400'))
      : response;
  };
  const { run } = await holedPetstore(malformed);
  expect(failed(await probeAuthentication(run, [run.api.operationById('listPets')!]), 'listPets')).toEqual([]);
  const open400 = openModel("'401': { description: who }");
  const canned = cannedTransport({ status: 400 });
  const results = await probeAuthentication(runOn(open400, canned), open400.operations);
  const doubled = results.find(({ name }) => name.endsWith('two Authorization headers'));
  expect(doubled?.verdict).toMatchObject({
    kind: 'fail',
    findings: [{ check: 'status-expected', expected: '401' }, {}],
  });
});

function openModel(responses: string): ReturnType<typeof buildModel> {
  return buildModel(
    readSource(
      `openapi: 3.0.3
info: { title: Odd, version: '1' }
paths:
  /open:
    get: { operationId: open, security: [{ key: [] }, {}], responses: { '200': { description: ok } } }
  /notes:
    get:
      operationId: notes
      security: [{ key: [] }]
      parameters: [{ name: api_key, in: query, schema: { type: string } }]
      responses: { ${responses} }
  /signed:
    get: { operationId: signed, security: [{ signature: [] }], responses: { '200': { description: ok } } }
  /ring:
    post: { operationId: ring, security: [{ key: [] }], responses: { '204': { description: rung } } }
  /keyed/{id}:
    delete:
      operationId: removeKeyed
      security: [{ key: [] }]
      parameters: [{ name: id, in: path, required: true, schema: { type: string, enum: [a, b] } }]
      responses: { '204': { description: gone } }
components:
  securitySchemes:
    key: { type: http, scheme: bearer }
    signature: { type: http, scheme: hoba }
`,
      'odd.yaml',
    ),
  );
}

function runOn(
  api: ReturnType<typeof buildModel>,
  transport: ReturnType<typeof cannedTransport>,
  more: Partial<Parameters<typeof startRun>[0]> = {},
): ReturnType<typeof startRun> {
  const input = { version: '0.0.0', api, transport, baseUrl: 'http://localhost', apiKey: KEY, runId: 'run1' } as const;
  return startRun({ ...input, mode: 'full', ...more });
}

describe('the probes leave out', () => {
  const model = openModel("'200': { description: ok }");
  const answer = { status: 401, headers: ['WWW-Authenticate', 'Bearer'] };

  test.each([
    { operation: 'signed', reason: /^signed asks for signature: no key can be sent for that$/ },
    { operation: 'ring', reason: /neither its path nor its body/ },
    { operation: 'removeKeyed', reason: /known to be absent/ },
  ])('$operation, with the reason, once', async ({ operation, reason }) => {
    const transport = cannedTransport(answer);
    const results = await probeAuthentication(runOn(model, transport), [model.operationById(operation)!]);
    expect(transport.sent).toEqual([]);
    expect(results.map(({ verdict }) => verdict)).toEqual([
      { kind: 'skipped', reason: expect.stringMatching(reason) as string, cause: 'not-harmless' },
    ]);
  });

  test('operations that anybody may call', async () => {
    const transport = cannedTransport(answer);
    expect(await probeAuthentication(runOn(model, transport), [model.operationById('open')!])).toEqual([]);
  });

  test('a name in the query that the operation uses for something else', async () => {
    const transport = cannedTransport(answer);
    await probeAuthentication(runOn(model, transport), [model.operationById('notes')!]);
    const targets = transport.sent.map(({ target }) => target);
    expect(targets).toContain(`/notes?access_token=${KEY}`);
    expect(targets).not.toContain(`/notes?api_key=${KEY}`);
  });

  test.each([
    { apiKey: undefined, left: 8 },
    { apiKey: 'test-key', left: 17 },
    { apiKey: 'dGVzdC1rZXk=', left: 17 },
    { apiKey: 'key', left: 13 },
  ])('what the key $apiKey is not fit for', async ({ apiKey, left }) => {
    const transport = cannedTransport(answer);
    await probeAuthentication(runOn(model, transport, { apiKey }), [model.operationById('notes')!]);
    expect(transport.sent).toHaveLength(left);
  });

  test.each(['observe', 'own'] as const)('in mode %s what that mode does not send', async (mode) => {
    const { run, sent } = await holedPetstore(isSound, { mode });
    // One of each method.
    const ids = ['listPets', 'createPet', 'replacePet', 'deletePet', 'updateOrder'];
    const operations = ids.map((id) => run.api.operationById(id)!);
    const results = await probeAuthentication(run, operations);
    const skipped = results.filter(({ verdict }) => verdict.kind === 'skipped');
    const whole = skipped.filter(({ name }) => !name.endsWith(' rejects the key in the query'));
    const unsafe = operations.filter(({ method }) => method !== 'GET');
    expect(whole.map(({ operation }) => operation)).toEqual(mode === 'observe' ? unsafe.map(({ id }) => id) : []);
    expect(skipped.every(({ verdict }) => verdict.kind === 'skipped' && verdict.cause === 'mode')).toBe(true);
    if (mode === 'observe') expect(new Set(sent.map(({ method }) => method))).toEqual(new Set(['GET', 'HEAD']));
  });
});

test('how keys are compared is asked once, by a read, and not of what may be a number', async () => {
  const casesOf = async (apiKey: string, ids: readonly string[]): Promise<string[]> => {
    const { run } = await holedPetstore(isSound);
    const results = await probeAuthentication(
      { ...run, apiKey },
      ids.map((id) => run.api.operationById(id)!),
    );
    return results.flatMap(({ name }) => (name.endsWith('in another case') ? [name] : []));
  };
  expect(await casesOf(KEY, ['createPet', 'listPets', 'getPet'])).toEqual(['listPets rejects the key in another case']);
  expect(await casesOf('0af7651916cd43dd8448eb211c80319c', ['listPets'])).toEqual([]);
});

test('writes go to ids that are known to be absent, with a body that nobody can use', async () => {
  const { sent } = await probeSoundServer();
  const writes = sent.filter(({ method }) => method !== 'GET' && method !== 'HEAD');
  expect(writes.length).toBeGreaterThan(50);
  for (const { method, target, body } of writes) {
    expect(target.split('?')[0]).toMatch(method === 'POST' ? /^\/[a-z/]+$/ : /\/9223372036854775807$/);
    expect(['', '{"standin"']).toContain(new TextDecoder().decode(body));
  }
});

test('no result holds the key, not even the key that was cut', async () => {
  const { results } = await probeSoundServer();
  expect(JSON.stringify(results)).not.toContain(KEY.slice(0, -1));
  const cut = results.find(({ name }) => name.includes('cut by'));
  expect(cut?.request?.headers).toContain('Bearer ${STANDIN_API_KEY%?}');
  const headerOf = (title: string): string | undefined =>
    results.find(({ name }) => name.endsWith(title))?.request?.headers.find((header) => header.startsWith('Bearer '));
  expect(headerOf('the key with another letter in it')).toBe('Bearer ${STANDIN_API_KEY:0:7}x${STANDIN_API_KEY:8}');
  expect(headerOf('letters before the key')).toBe('Bearer xx$STANDIN_API_KEY');
  expect(headerOf('letters after the key')).toBe('Bearer $STANDIN_API_KEYxx');
  const capitals = results.find(({ name }) => name.includes('another case'));
  expect(capitals?.request?.headers).toContain('Bearer ${STANDIN_API_KEY^^}');
});

test.each(['own', 'observe'] as const)('in mode %s no key is in a URL, and that is told', async (mode) => {
  const { run, sent } = await holedPetstore(isSound, { mode });
  const results = await probeAuthentication(run, [run.api.operationById('listPets')!]);
  expect(sent.length).toBeGreaterThan(5);
  expect(sent.filter(({ target }) => target.includes(KEY))).toEqual([]);
  const leftOut = results.filter(({ verdict }) => verdict.kind === 'skipped');
  expect(leftOut.map(({ name }) => name)).toEqual(['listPets rejects the key in the query']);
  expect(leftOut[0]?.verdict).toEqual({
    kind: 'skipped',
    reason: 'it would put the key into the URL, which access logs keep; --mode full sends it',
    cause: 'mode',
  });
});
