import type { HttpRequest, HttpResponse } from '../../../src/core/http/message';
import { readContract } from '../../../src/formats/contract/contract-reader';
import type { SourceFinding } from '../../../src/core/errors/standin-error';
import { readSource } from '../../../src/openapi/read/read-source';
import type { RunInput } from '../../../src/runner/exchange/run-state';
import { type RunResult } from '../../../src/runner/result/run-result';
import { allSteps } from '../../../src/runner/result/outcome';
import { loadText } from '../../openapi/load-text';
import { failures, replayText } from '../peer';

const describe_ = (more = ''): string => `openapi: 3.0.3
info: { title: Notes, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: ok }, '401': { description: no } } }${more}
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    patch:
      operationId: changeNote
      requestBody: { content: { application/merge-patch+json: { schema: { type: object } } } }
      responses: { '200': { description: ok }, '401': { description: no } }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`;
const STEPS = `steps:
  - operation: listNotes
    expect: { status: 200 }
  - operation: changeNote
    parameters: { id: a }
    body: { text: b }
    expect: { status: 200 }
`;
const NAMED = `standin: contract/1
name: notes
browser: { origin: https://app.example }
${STEPS}`;
const UNNAMED = `standin: contract/1
name: notes
${STEPS}`;
const OPTIONS = `
    options: { operationId: askNotes, security: [], responses: { '204': { description: ok } } }`;

interface Flaws {
  readonly methods?: string;
  readonly errors?: boolean;
  readonly origin?: string | undefined;
}

/** A service that lets pages in, but for its flaws. */
async function verify(
  contract: string,
  flaws: Flaws,
  api = loadText(describe_()).api,
): Promise<{ result: RunResult; sent: HttpRequest[] }> {
  const sent: HttpRequest[] = [];
  const { methods = 'GET, PATCH', errors = true } = flaws;
  const origin = 'origin' in flaws ? flaws.origin : '*';
  const answer = ({ method, headers, rawHeaders }: HttpRequest): HttpResponse => {
    const lines = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization');
    const isGood = lines.length === 1 && /^bearer (.*)$/i.exec(String(headers['authorization']))?.[1] === 'test-key';
    const status = method === 'OPTIONS' ? 204 : isGood ? 200 : 401;
    const open =
      origin === undefined || headers['origin'] === undefined || (status === 401 && !errors)
        ? []
        : ['Access-Control-Allow-Origin', origin];
    const allow = [
      'Access-Control-Allow-Methods',
      methods,
      'Access-Control-Allow-Headers',
      'authorization, content-type',
    ];
    const challenge = status === 401 ? ['WWW-Authenticate', 'Bearer'] : [];
    return { status, headers: [...open, ...challenge, ...(method === 'OPTIONS' ? allow : [])], body: undefined };
  };
  const transport: RunInput['transport'] = {
    send: (request) => {
      sent.push(request);
      return Promise.resolve(answer(request));
    },
  };
  return { result: await replayText(contract, transport, { api, probesAuth: true }), sent };
}

test('a service that lets pages in conforms, and each operation was asked for as a browser does', async () => {
  const { result, sent } = await verify(NAMED, {});
  expect(failures(result)).toEqual([]);
  const asked = sent.filter(({ method }) => method === 'OPTIONS');
  expect(
    asked.map(({ target, headers }) => [
      target,
      headers['access-control-request-method'],
      headers['access-control-request-headers'],
    ]),
  ).toEqual([
    ['/notes', 'GET', 'authorization'],
    [expect.stringMatching(/^\/notes\//), 'PATCH', 'authorization,content-type'],
  ]);
  const steps = sent.filter(
    ({ headers }) => headers['authorization'] === 'Bearer test-key' && headers['origin'] !== undefined,
  );
  expect(steps.every(({ headers }) => headers['origin'] === 'https://app.example')).toBe(true);
});

test.each<{ what: string; flaws: Flaws; found: string[] }>([
  {
    what: 'a preflight that does not allow PATCH',
    flaws: { methods: 'GET, POST' },
    found: ['changeNote, asked for by a browser cors'],
  },
  { what: 'errors without the headers', flaws: { errors: false }, found: ['listNotes cors'] },
  {
    what: 'another origin',
    flaws: { origin: 'https://elsewhere.example' },
    found: [
      'changeNote cors',
      'changeNote, asked for by a browser cors',
      'listNotes cors',
      'listNotes, asked for by a browser cors',
    ],
  },
])('where a contract names the page, $what: found', async ({ flaws, found }) => {
  const { result } = await verify(NAMED, flaws);
  expect(failures(result)).toEqual(found);
});

test.each<{ what: string; api: ReturnType<typeof loadText>['api']; flaws: Flaws; found: string[] }>([
  {
    what: 'that lets all in but has no headers on errors',
    api: loadText(describe_(OPTIONS)).api,
    flaws: { errors: false },
    found: ['listNotes cors'],
  },
  {
    what: 'that lets only its own pages in',
    api: loadText(describe_(OPTIONS)).api,
    flaws: { origin: 'https://own.example', methods: '' },
    found: [],
  },
  { what: 'without CORS', api: loadText(describe_(OPTIONS)).api, flaws: { origin: undefined }, found: [] },
  {
    what: 'whose description says nothing of browsers',
    api: loadText(describe_()).api,
    flaws: { errors: false, methods: '' },
    found: [],
  },
])('where no contract names a page, a service $what: $found', async ({ api, flaws, found }) => {
  const { result } = await verify(UNNAMED, flaws, api);
  expect(failures(result)).toEqual(found);
  if (found.length === 0) expect(allSteps(result).filter(({ name }) => name.includes('browser'))).toEqual([]);
});

test('a step that names an origin itself is not judged for the page of the contract', async () => {
  const contract = NAMED.replace(
    '  - operation: listNotes\n',
    '  - operation: listNotes\n    headers: { Origin: https://evil.example }\n',
  );
  const { result } = await verify(contract, { origin: 'https://app.example' });
  expect(failures(result)).toEqual([]);
});

test.each([
  ['browser: https://app.example', '"browser" must be an object, got the string "https://app.example"', '3:1'],
  ['browser: {}', 'The property "origin" is missing', '3:1'],
  [
    'browser: { origin: app.example }',
    '"origin" must be scheme, host and port of a page, such as https://app.example, got the string "app.example"',
    '3:12',
  ],
  [
    'browser: { origin: https://app.example/ }',
    '"origin" must be scheme, host and port of a page, such as https://app.example, got the string "https://app.example/"',
    '3:12',
  ],
  ['browser: { origin: https://app.example, cookies: true }', 'Unknown key "cookies"', '3:41'],
  ['browser: { origin: https://app.example, credentials: 1 }', '"credentials" must be true or false, got 1', '3:41'],
])('%s is rejected with its place', (line, message, place) => {
  const findings: SourceFinding[] = [];
  const { api } = loadText(describe_());
  readContract(readSource(`standin: contract/1\nname: notes\n${line}\n${STEPS}`, 'c.yaml'), api.operations, findings);
  expect(findings.map((finding) => [finding.message, `${finding.line}:${finding.column}`])).toEqual([[message, place]]);
});
