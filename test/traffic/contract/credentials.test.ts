import { secretMark } from '../../../src/traffic/exchange/recorded-exchange';
import type { CleanExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { exchange, type Said } from '../recorded';
import { derivedFrom } from './derived';

const SCHEMES: Readonly<Record<string, object>> = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  header: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  query: { type: 'apiKey', in: 'query', name: 'api_key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
};

/** @param security - of all operations: one requirement for each text, `header+cookie` asks for both */
function described(...security: readonly string[]): string {
  const requirements = security.map((text) => Object.fromEntries(text.split('+').map((name) => [name, []])));
  const names = [...new Set(security.flatMap((text) => text.split('+')))];
  const schema = {
    type: 'object',
    properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
  };
  const shown = (value: object): object => ({
    description: 'Fine',
    content: { 'application/json': { schema: value } },
  });
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  return JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    security: requirements,
    paths: {
      '/things': {
        get: { operationId: 'listThings', responses: { '200': shown({ type: 'array', items: schema }) } },
        post: {
          operationId: 'addThing',
          requestBody: { content: { 'application/json': { schema } } },
          responses: { '201': shown(schema) },
        },
      },
      '/things/{id}': {
        get: { operationId: 'getThing', parameters: [id], responses: { '200': shown(schema) } },
        delete: { operationId: 'removeThing', parameters: [id], responses: { '204': { description: 'Gone' } } },
      },
    },
    components: { securitySchemes: Object.fromEntries(names.map((name) => [name, SCHEMES[name]])) },
  });
}

const bearer = { Authorization: `Bearer ${secretMark('access_token')}` };
const basic = { Authorization: `Basic ${secretMark('basic_credentials')}` };
const apiKey = { 'X-Api-Key': secretMark('api_key') };

const usual = [1, 2, 3].map((id) => exchange(`GET /things/${id}`, { headers: bearer, answered: { id } }));

/** The step of the last exchange, and what has to be known of the contract. */
function lastStep(
  all: readonly CleanExchange[],
  description?: string,
): { step: unknown; notes: readonly string[]; environment: readonly string[]; identities: readonly string[] } {
  const { draft, notes, environment, identities } = derivedFrom(all, description);
  const steps = draft.value['steps'] as readonly unknown[];
  return { step: steps.at(-1), notes, environment, identities };
}

const after = (line: string, said: Said, description?: string): ReturnType<typeof lastStep> =>
  lastStep([...usual, exchange(line, { answered: [], ...said })], description);

describe('a request with another credential than the others', () => {
  test.each([
    [
      'in the query',
      `GET /things?api_key=${secretMark('api_key')}`,
      {},
      { method: 'GET', path: '/things?api_key=${env.API_KEY}', auth: 'none' },
      'API_KEY',
    ],
    [
      'of another scheme',
      'GET /things',
      basic,
      { auth: 'none', headers: { Authorization: 'Basic ${env.BASIC_CREDENTIALS}' } },
      'BASIC_CREDENTIALS',
    ],
    ['in a header', 'GET /things', apiKey, { auth: 'none', headers: { 'X-Api-Key': '${env.API_KEY}' } }, 'API_KEY'],
    [
      'in a cookie',
      'GET /things',
      { Cookie: `sid=${secretMark('sid')}` },
      { auth: 'none', headers: { Cookie: 'sid=${env.SID}' } },
      'SID',
    ],
  ])('%s sends it there', (_, line, headers, step, variable) => {
    const alternatives = described('bearer', 'basic', 'header', 'query', 'cookie');
    for (const description of [alternatives, described('bearer')])
      expect(after(line, { headers }, description)).toMatchObject({
        step: { name: 'list things', ...step },
        environment: [variable],
        identities: [],
      });
  });
});

test('another caller of an operation that was called with one scheme alone needs a key of its own', () => {
  expect(after(`GET /things?api_key=${secretMark('api_key')}`, {})).toMatchObject({
    step: { auth: { identity: 'caller 2' } },
    identities: ['caller 2'],
  });
});

describe('a request with a credential beside that of the others', () => {
  test.each([
    [
      'in the query',
      `GET /things?api_key=${secretMark('api_key')}`,
      bearer,
      { path: '/things?api_key=${env.API_KEY}' },
    ],
    ['in a header', 'GET /things', { ...bearer, ...apiKey }, { headers: { 'X-Api-Key': '${env.API_KEY}' } }],
    [
      'in a cookie',
      'GET /things',
      { ...bearer, Cookie: `sid=${secretMark('sid')}` },
      { headers: { Cookie: 'sid=${env.SID}' } },
    ],
  ])('%s sends both', (_, line, headers, step) => {
    for (const description of [described('bearer', 'header', 'query', 'cookie'), described('bearer')]) {
      const { step: last } = after(line, { headers }, description);
      expect(last).toMatchObject({ name: 'list things', ...step });
      expect(last).not.toHaveProperty('auth');
    }
  });

  test('two that an operation asks for together are not sent as one', () => {
    const headers = { ...apiKey, Cookie: `sid=${secretMark('sid')}` };
    const { step, environment } = lastStep(
      [exchange('GET /things', { headers, answered: [] })],
      described('header+cookie'),
    );
    expect(step).toMatchObject({ headers: { Cookie: 'sid=${env.SID}' } });
    expect(environment).toStrictEqual(['SID']);
  });

  test('a cookie of a response does not take the place of the one that authenticates', () => {
    const { step } = lastStep(
      [
        exchange('GET /things', {
          headers: { Cookie: `sid=${secretMark('sid')}` },
          answered: [],
          responseHeaders: { 'Set-Cookie': `seen=${secretMark('seen')}; Path=/` },
        }),
        exchange('GET /things/1', {
          headers: { Cookie: `sid=${secretMark('sid')}; seen=${secretMark('seen')}` },
          answered: { id: 1 },
        }),
      ],
      described('cookie'),
    );
    expect(step).toMatchObject({ auth: 'none', headers: { Cookie: 'sid=${env.SID}; seen=${seen}' } });
  });
});

test('what a description has no scheme for is sent, and so does the cleanup', () => {
  const description = described();
  const { draft, environment } = derivedFrom(
    [
      exchange('POST /things', {
        headers: bearer,
        sent: { name: 'Ann' },
        status: 201,
        answered: { id: 7, name: 'Ann' },
      }),
    ],
    description,
  );
  const headers = { Authorization: 'Bearer ${env.ACCESS_TOKEN}' };
  expect(draft.value).toMatchObject({ steps: [{ headers }], cleanup: [{ operation: 'removeThing', headers }] });
  expect(environment).toStrictEqual(['ACCESS_TOKEN']);
});

test('the cleanup sends a key in the query as the creation did', () => {
  const { draft } = derivedFrom(
    [
      ...usual,
      exchange(`POST /things?api_key=${secretMark('api_key')}`, {
        sent: { name: 'Ann' },
        status: 201,
        answered: { id: 7, name: 'Ann' },
      }),
    ],
    described('bearer', 'query'),
  );
  expect(draft.value['cleanup']).toMatchObject([
    { method: 'DELETE', path: '/things/${thingId_4}?api_key=${env.API_KEY}', auth: 'none' },
  ]);
});

test('a key that is refused is no key that anybody is asked for', () => {
  const refused = { status: 401, answered: { code: 'no' } };
  const description = described('bearer', 'header');
  expect(after('GET /things', { headers: { ...bearer, ...apiKey }, ...refused }, description)).toMatchObject({
    step: { headers: { 'X-Api-Key': 'unknown-${runId}' } },
    environment: [],
  });
});

test('the setup looks something up with the credentials that its operation was called with', () => {
  const { draft } = derivedFrom([
    exchange('POST /login', { sent: { name: 'Ann' }, answered: { token: secretMark('access_token') } }),
    exchange('GET /doors', { headers: apiKey, answered: [{ id: 1 }] }),
    exchange('GET /things', { headers: bearer, answered: [{ id: 3, name: 'Bob' }] }),
    exchange('GET /things/47', { headers: bearer, answered: { id: 47, name: 'Ann' } }),
  ]);
  const [login, lookUp] = draft.value['setup'] as readonly Record<string, unknown>[];
  expect(login).toMatchObject({ capture: { accessToken: '$response.body#/token' } });
  expect(lookUp).toMatchObject({ name: 'look up a thing', auth: { key: '${accessToken}' } });
  expect(lookUp).not.toHaveProperty('headers');
});

describe('what is not sent is told', () => {
  test('where an operation asks for no key', () => {
    const description = described('bearer').replace(
      '"operationId":"listThings"',
      '"operationId":"listThings","security":[]',
    );
    expect(after('GET /things', { headers: bearer }, description).notes).toStrictEqual([
      'the description asks for no key there, so that "list things" is sent without the header Authorization',
    ]);
  });

  test('where a cookie is one of the browser', () => {
    const headers = { ...bearer, Cookie: `theme=${secretMark('theme')}; visits=${secretMark('visits')}` };
    const { step, notes } = after('GET /things', { headers }, described('bearer'));
    expect(step).not.toHaveProperty('headers');
    expect(notes).toStrictEqual([
      'no response of the recording gave it, and its name says nothing of a key, so that "list things" is sent without the cookies theme, visits',
    ]);
  });

  test('where a header holds what looks like a key, and is not called so', () => {
    const headers = { ...bearer, 'X-Tracking': secretMark('tracking') };
    expect(after('GET /things', { headers }, described('bearer')).notes).toStrictEqual([
      'no response of the recording gave it, and its name says nothing of a key, so that "list things" is sent without the header X-Tracking',
    ]);
  });
});

describe('a session without any key', () => {
  const open = [
    exchange('GET /things', { answered: [] }),
    exchange('POST /things', { sent: { name: 'Ann' }, status: 201, answered: { id: 7, name: 'Ann' } }),
  ];

  test('has no step that is called so, and its steps are sent as the description asks', () => {
    const { draft, notes } = derivedFrom(open, described('bearer'));
    const { steps, cleanup } = draft.value as Record<string, { name?: string; auth?: unknown }[]>;
    expect(steps!.map(({ name, auth }) => [name, auth])).toEqual([
      ['list things', undefined],
      ['add a thing', undefined],
    ]);
    expect(cleanup!.map(({ auth }) => auth)).toEqual([undefined]);
    // Files of browsers have no such headers unless one asks for them.
    expect(notes).toEqual([
      expect.stringContaining('no request has a key or a cookie, though the description asks for one'),
    ]);
  });

  test('is told of where there is a login, and no description that asks for a key', () => {
    const login = exchange('POST /login', { sent: { password: secretMark('password') }, answered: { name: 'Ann' } });
    const reading = [exchange('GET /things', { answered: [] })];
    expect(derivedFrom([login, ...reading]).notes).toEqual([
      expect.stringContaining('though a login stands among them'),
    ]);
    expect(derivedFrom(reading).notes).toEqual([]);
  });

  test('tells of it where it was the reason of a refusal', () => {
    const refused = exchange('GET /things/1', { status: 401, answered: { code: 'no' } });
    expect(lastStep([...open, refused], described('bearer')).step).toMatchObject({
      name: 'without a key, read a thing is rejected (401)',
    });
  });
});
