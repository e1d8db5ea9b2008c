import type { HttpResponse } from '../../src/core/http/message';
import { formatReport, REPORT_KINDS } from '../../src/report/registry';
import { formatTextReport } from '../../src/report/kinds/text-report';
import { fingerprintFindings } from '../../src/report/causes/fingerprint';
import type { LocatedFinding } from '../../src/runner/result/run-result';
import { cannedTransport, oneStep, replayText, stepNamed } from '../runner/peer';
import { loadText } from '../openapi/load-text';
import { failed } from './results';

const USER = `{ type: object, properties: { id: { type: integer }, name: { type: string }, phrase: { type: string, format: password }, pin: { type: string, writeOnly: true } } }`;
const { api } = loadText(`openapi: 3.0.3
info: { title: Users, version: 1.0.0 }
paths:
  /users:
    post:
      operationId: createUser
      parameters: [{ name: X-Door, in: header, schema: { type: string, format: password } }]
      requestBody: { content: { application/json: { schema: ${USER} } } }
      responses: { '201': { description: new, content: { application/json: { schema: ${USER} } } } }
  /users/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    put:
      operationId: putUser
      requestBody: { content: { application/json: { schema: ${USER} } } }
      responses: { '200': { description: ok, content: { application/json: { schema: ${USER} } } } }
`);

const CONTRACT = `standin: contract/1
name: users
steps:
  - operation: createUser
    headers: { X-Secret: hunter2-header, X-Api-Token: hunter2-token, X-Door: hunter2-door, Cookie: a=hunter2-cookie }
    body: { name: 'A \${runId}', phrase: hunter2-phrase, pin: hunter2-pin, api_key: hunter2-key }
    expect: { status: 201, body: { id: 5, phrase: other } }
    capture: { userId: $response.body#/id }
  - operation: putUser
    parameters: { id: '\${userId}' }
    body: { id: '\${userId}', name: ann, password: hunter2-password }
    expect: { status: 204, body: { name: other } }
`;

test('no report shows a password, a write-only member or a secret header, whatever the server gives back', async () => {
  const answers = ['hunter2-phrase and hunter2-pin', 'hunter2-password'].map((name): Partial<HttpResponse> => {
    const body = { id: 7, name, phrase: 'hunter2-phrase', pin: 'hunter2-pin', token: 'hunter2-of-the-server' };
    return { headers: ['Content-Type', 'application/json'], body: Buffer.from(JSON.stringify(body)) };
  });
  const result = await replayText(CONTRACT, cannedTransport(...answers), { api });
  expect(result.outcome).toBe('violations');
  const key = { kind: 'set' } as const;
  const text = formatTextReport(result, false, key, { isVerbose: true });
  for (const report of [text, ...REPORT_KINDS.map((kind) => formatReport(kind, result))]) {
    expect(report.match(/hunter2[-\w]*/g)).toBeNull();
  }
  // What is no secret can be read, and the body of a recipe stays one.
  const [, put] = result.contracts[0]!.steps;
  expect(put!.request!.body).toContain('"name":"ann","password":"***"');
  expect(put!.recipe!.request.body).toBe('{"id":${userId},"name":"ann","password":"***"}');
});

/** What is found at a response of a `GET` by a schema whose `token` is a secret number. */
async function findingsAt(body: string, ...step: readonly string[]): Promise<readonly LocatedFinding[]> {
  const { api: tokens } = loadText(`openapi: 3.0.3
info: { title: Tokens, version: 1.0.0 }
paths:
  /token:
    get:
      operationId: getToken
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: object
                properties: { token: { type: integer, multipleOf: 10 }, pair: { type: object } }
`);
  const result = await replayText(
    oneStep('operation: getToken', 'name: read', ...step),
    cannedTransport({ body: Buffer.from(body) }),
    { api: tokens },
  );
  const read = stepNamed(result, 'read');
  const { verdict } = read;
  return verdict.kind === 'fail' ? verdict.findings : [];
}

const expect200 = 'expect: { status: 200 }';
const fingerprintsOf = (findings: readonly LocatedFinding[]): string[] =>
  fingerprintFindings(failed(findings), findings, 'run1').map(({ fingerprint }) => fingerprint);

test('a short secret is not looked for in sentences: what the schema asks for can be read, and is one cause', async () => {
  const [one, other] = [await findingsAt('{"token":1}', expect200), await findingsAt('{"token":7}', expect200)];
  const message = 'The field /token must be a multiple of 10';
  const identity = { subject: 'The field /token', rule: 'must be a multiple of 10' };
  expect(one).toMatchObject([{ message, identity, expected: 'a multiple of 10', actual: '***' }]);
  expect(fingerprintsOf(one)).toEqual(fingerprintsOf(other));
});

test('a message that names both values names what is shown of them', async () => {
  const [found] = await findingsAt('{"token":20}', 'expect: { status: 200, body: { token: 10 } }');
  expect(found).toMatchObject({ message: '/token: expected ***, got ***', expected: '***', actual: '***' });
  const pair = 'expect: { status: 200, body: { pair: { $equals: [] } } }';
  const [inside] = await findingsAt('{"pair":{"token":5,"a":1}}', pair);
  expect(inside).toMatchObject({ message: '/pair: expected exactly [], got {"token":"***","a":1}' });
});

test('what a step waits for shows no secret when it does not come', async () => {
  const repeat = 'repeat: { until: { body: { token: 10 } }, attempts: 2, intervalMs: 1, timeoutMs: 5000 }';
  const [found] = await findingsAt('{"token":20}', repeat, 'expect: { status: 201 }');
  const hint = '/token: expected ***, got ***. The bound: repeat.attempts is 2.';
  expect(found).toMatchObject({ check: 'repeat-until', expected: '***', actual: '***', hint });
});
