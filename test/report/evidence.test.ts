import type { HttpResponse } from '../../src/core/http/message';
import { formatReport, REPORT_KINDS, type ReportKind } from '../../src/report/registry';
import { readResultJson } from '../../src/report/result/merge-results';
import { rootCauses } from '../../src/report/causes/root-causes';
import { formatTextReport } from '../../src/report/kinds/text-report';
import { type RunResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import { loadText } from '../openapi/load-text';
import { cannedTransport, oneStep, replayText } from '../runner/peer';

const OF_DATABASE = 'relation &quot;pets&quot; does not exist'.replaceAll('&quot;', "'");
const broken = (more: Partial<HttpResponse> = {}): Partial<HttpResponse> => ({
  status: 500,
  headers: ['Content-Type', 'application/json', 'X-Request-Id', 'req-5f3a', 'traceparent', '00-aa-bb-01'],
  body: Buffer.from(JSON.stringify({ code: 'db_down', status: 500, message: OF_DATABASE })),
  ...more,
});
const GET = oneStep('operation: getPet', 'parameters: { petId: 1 }', 'expect: { status: 200 }');

/** Every report, that of a terminal with `--verbose` included. */
function reportsOf(result: RunResult): [kind: string, report: string][] {
  const verbose = formatTextReport(result, false, { kind: 'set' }, { isVerbose: true });
  return [['verbose', verbose], ...REPORT_KINDS.map((kind): [string, string] => [kind, formatReport(kind, result)])];
}

describe('a step that failed', () => {
  test('shows what the service answered, in every report', async () => {
    const result = await replayText(GET, cannedTransport(broken()));
    const silent = reportsOf(result).flatMap(([kind, report]) => {
      const text = report.replaceAll('&#39;', "'").replaceAll('\\"', '"').replaceAll('&quot;', '"');
      return text.includes(OF_DATABASE) ? [] : [kind];
    });
    expect(silent).toEqual([]);
  });

  test('has the request ids of the service beside it, in every report', async () => {
    const result = await replayText(GET, cannedTransport(broken()));
    expect(reportsOf(result).filter(([, report]) => !report.includes('req-5f3a'))).toEqual([]);
    expect(allSteps(result)[0]?.requestIds).toEqual([
      { name: 'X-Request-Id', value: 'req-5f3a' },
      { name: 'traceparent', value: '00-aa-bb-01' },
    ]);
  });

  test('is read back out of the JSON report', async () => {
    const result = await replayText(GET, cannedTransport(broken()));
    const read = readResultJson(formatReport('json', result));
    expect(rootCauses(read)[0]?.steps[0].step.response).toEqual(allSteps(result)[0]?.response);
  });

  test('is shown by a run check as well, although its own answer was fine', async () => {
    const pet = (name: string): Partial<HttpResponse> => ({
      headers: ['Content-Type', 'application/json'],
      body: Buffer.from(JSON.stringify({ id: 1, name, categoryId: 1, status: 'available' })),
    });
    const contract = `standin: contract/1
name: echo
steps:
  - operation: createPet
    body: { name: Rex, categoryId: 1 }
    expect: { status: 201 }
  - operation: getPet
    parameters: { petId: 1 }
    expect: { status: 200 }
`;
    const result = await replayText(
      contract,
      cannedTransport({ body: '[]' }, { ...pet('Rex'), status: 201 }, pet('Max')),
    );
    const [, read] = allSteps(result);
    expect(read?.response?.body).toContain('"name":"Max"');
  });

  test('that passed shows none', async () => {
    const body = Buffer.from('{"id":1,"name":"Rex","categoryId":1,"status":"available"}');
    const result = await replayText(GET, cannedTransport({ body }));
    expect(allSteps(result).map(({ response, requestIds }) => ({ response, requestIds }))).toEqual([{}]);
  });
});

describe('the evidence is bounded', () => {
  const bodyOf = async (
    more: Partial<HttpResponse>,
  ): Promise<{ body: string | undefined; omitted: string | undefined }> => {
    const result = await replayText(GET, cannedTransport(broken(more)));
    const { body, omitted } = allSteps(result)[0]!.response!;
    return { body, omitted };
  };

  test.each([
    ['JSON', 'application/json', JSON.stringify({ message: 'é'.repeat(20_000) })],
    ['a list of a megabyte', 'application/json', JSON.stringify(Array(200_000).fill('item'))],
    ['a page', 'text/html', `<h1>${'x'.repeat(40_000)}</h1>`],
  ])('%s is cut after 16 KiB, and says so', async (_, type, text) => {
    const { body, omitted } = await bodyOf({ headers: ['Content-Type', type], body: Buffer.from(text) });
    expect(Buffer.byteLength(body!)).toBeLessThanOrEqual(16 * 1024);
    expect(omitted).toMatch(new RegExp(`^cut after \\d+ of ${Buffer.byteLength(text)} bytes$`));
  });

  test.each([
    ['image/png', [0x89, 0x50, 0x4e, 0x47, 0, 1, 2]],
    [undefined, [0xff, 0xfe, 0, 1, 2, 3, 4]],
  ])('bytes of %s are told by size and type', async (type, bytes) => {
    const headers = type === undefined ? [] : ['Content-Type', type];
    const shown = { body: undefined, omitted: `binary, ${type ?? 'no Content-Type'}, 7 bytes` };
    expect(await bodyOf({ headers, body: Uint8Array.from(bytes) })).toEqual(shown);
  });

  test('what fails in the same way is shown once', async () => {
    const step = GET.slice(GET.indexOf('  - '));
    const contract = `standin: contract/1\nname: test\nsteps:\n${step.repeat(50)}`;
    const result = await replayText(contract, cannedTransport(broken()));
    expect(allSteps(result)).toHaveLength(50);
    expect(allSteps(result).filter(({ response }) => response !== undefined)).toHaveLength(1);
    for (const cause of rootCauses(result)) expect(cause.steps[0].step.response).toBeDefined();
  });

  test('a request of a megabyte is cut, and its command says where to put the body', async () => {
    const contract = oneStep(
      'operation: createPet',
      `body: { name: "${'x'.repeat(1_000_000)}" }`,
      'expect: { status: 201 }',
    );
    const result = await replayText(contract, cannedTransport(broken()));
    for (const [, report] of reportsOf(result)) expect(report.length).toBeLessThan(300_000);
    expect(formatTextReport(result, false)).toMatch(
      /--data-binary @body # write the body .* cut after 16384 of 1000011 bytes/,
    );
  });
});

describe('nothing secret is shown', () => {
  const { api } = loadText(`openapi: 3.0.3
info: { title: Users, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /login:
    post:
      operationId: login
      requestBody: { content: { application/json: { schema: { type: object } }, application/x-www-form-urlencoded: { schema: { type: object } } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object, properties: { pin: { type: string, writeOnly: true } } } } } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Shop-Key } } }
`);
  const KEY = 'sk-live-0123456789';
  const contract = oneStep(
    'operation: login',
    'headers: { Cookie: "sid=hush-cookie", X-Client-Secret: hush-header }',
    'body: { user: ann, password: hush-password }',
    'expect: { status: 201 }',
  );
  const answers: readonly (readonly [string, string, string])[] = [
    [
      'JSON',
      'application/json',
      JSON.stringify({ access_token: 'hush-token', user: { pin: 'hush-pin', secret: 'hush-s' } }),
    ],
    [
      'JSON that echoes the password',
      'application/json',
      JSON.stringify({ message: 'no user ann with hush-password' }),
    ],
    ['JSON with the key in base64', 'application/json', JSON.stringify({ id: Buffer.from(KEY).toString('base64') })],
    ['half of a JSON document', 'application/json', '{"access_token":"hush-token","user":{"pin":"hush-pin"'],
    ['a form', 'application/x-www-form-urlencoded', 'refresh_token=hush-token&user=ann'],
    ['a page with a field', 'text/html', '<input name="csrf_token" value="hush-field"><p>hush-password</p>'],
    ['a text that begins like a log', 'text/plain', `Authorization: Bearer ${KEY}\npassword=hush-password`],
    ['a text that is cut in a key', 'text/plain', `${'x'.repeat(16 * 1024 - 8)}${KEY}`],
  ];

  test.each(answers)('in %s', async (_, type, text) => {
    const headers = ['Content-Type', type, 'Set-Cookie', 'sid=hush-set; HttpOnly', 'X-Auth-Token', 'hush-auth'];
    const response = { status: 500, headers: [...headers, 'X-Echo', KEY], body: Buffer.from(text) };
    const result = await replayText(contract, cannedTransport(response), { api, apiKey: KEY });
    for (const [kind, report] of reportsOf(result)) {
      const leaked = report.match(/hush-[\w]+|sk-live-\w+|c2stbGl2/g);
      expect({ kind, leaked }).toEqual({ kind, leaked: null });
    }
    // Names stay, so that a reader sees that something was there.
    expect(formatReport('json', result)).toContain('sid=***; HttpOnly');
  });
});

test('markup of a server is text in a page, and no command of GitHub or of a terminal', async () => {
  const evil = '</pre></details><script>alert(1)</script>]]>\u001b[2J\n::error::x\n```\n</details>';
  const response = broken({
    headers: ['Content-Type', 'text/html', 'X-Request-Id', evil.replaceAll('\n', ' ')],
    body: Buffer.from(evil),
  });
  const result = await replayText(GET, cannedTransport(response));
  const report = (kind: ReportKind): string => formatReport(kind, result);
  expect(report('html')).not.toContain('<script>alert');
  expect(report('junit')).not.toMatch(/<script>|\]\]>/);
  expect(report('markdown')).not.toMatch(/^::error/m);
  expect(
    report('github')
      .split('\n')
      .filter((line) => line.startsWith('::error::x')),
  ).toEqual([]);
  for (const [, text] of reportsOf(result)) expect(text).not.toContain('\u001b');
});
