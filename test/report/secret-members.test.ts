import type { HttpResponse } from '../../src/core/http/message';
import { formatReport, REPORT_KINDS } from '../../src/report/registry';
import { formatTextReport } from '../../src/report/kinds/text-report';
import { cannedTransport, replayText } from '../runner/peer';
import { loadText } from '../openapi/load-text';

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
  const text = formatTextReport(result, false, key, { isVerbose: true, documented: new Map() });
  for (const report of [text, ...REPORT_KINDS.map((kind) => formatReport(kind, result))]) {
    expect(report.match(/hunter2[-\w]*/g)).toBeNull();
  }
  // What is no secret can be read, and the body of a recipe stays one.
  const [, put] = result.contracts[0]!.steps;
  expect(put!.request!.body).toContain('"name":"ann","password":"***"');
  expect(put!.recipe!.request.body).toBe('{"id":${userId},"name":"ann","password":"***"}');
});
