import { RESPONSE_CHECKS } from '../../src/checks/response/registry';
import type { ObservedResponse } from '../../src/checks/response-check';
import { loadDescriptionText } from '../../src/files/load-description';

const { api } = loadDescriptionText(
  `
openapi: 3.0.3
info: { title: Notes, version: '1' }
security: [{ bearer: [] }]
paths:
  /login: { post: { operationId: login, security: [], responses: { '401': { description: Unknown } } } }
  /notes: { get: { operationId: listNotes, responses: { '401': { description: Unknown } } } }
  /files:
    get: { operationId: listFiles, security: [{ cookie: [] }], responses: { '401': { description: Unknown } } }
  /links:
    get:
      operationId: listLinks
      security: [{ cookie: [] }]
      responses:
        '401': { description: Unknown, headers: { WWW-Authenticate: { required: true, schema: { type: string } } } }
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    cookie: { type: apiKey, in: cookie, name: sid }
`,
  'notes.yaml',
);

test.each([
  ['login', 'warning'],
  ['listFiles', 'warning'],
  // The description promises one.
  ['listLinks', 'error'],
  ['listNotes', 'error'],
])('a 401 of %s without a challenge is of severity %s', (id, severity) => {
  const check = RESPONSE_CHECKS.find((each) => each.id === 'www-authenticate')!;
  const operation = api.operations.find((each) => each.id === id)!;
  const documented = operation.responses.get('401');
  const observed = { api, operation, status: 401, headers: [], documented } as unknown as ObservedResponse;
  expect(check.run(observed)).toMatchObject([{ severity, message: 'The 401 has no WWW-Authenticate' }]);
});
