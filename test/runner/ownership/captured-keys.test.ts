import { formatReport, REPORT_KINDS } from '../../../src/report/registry';
import type { HttpResponse } from '../../../src/core/http/message';
import { type RunResult } from '../../../src/runner/result/run-result';
import { allSteps } from '../../../src/runner/result/outcome';
import { cannedTransport, replayText } from '../peer';

const TOKEN = 'captured-token/123';
const answer: Partial<HttpResponse> = {
  status: 201,
  headers: ['Content-Type', 'application/json'],
  body: Buffer.from(JSON.stringify({ id: 1, name: TOKEN })),
};

const CONTRACT = `standin: contract/1
name: login
steps:
  - operation: createCategory
    body: { name: 'A \${runId}' }
    expect: { status: 200, body: { name: other } }
    capture: { token: $response.body#/name }
  - name: bearer
    operation: listPets
    headers: { Authorization: 'Bearer \${token}' }
    expect: { status: 200 }
  - name: cookie
    operation: listPets
    headers: { Cookie: 'session=\${token}; theme=dark-and-secret', Proxy-Authorization: Basic written-secret }
    expect: { status: 200 }
`;

function headersOf(result: RunResult, name: string, header: string): (string | undefined)[] {
  const step = allSteps(result).find((each) => each.name === name);
  return [step?.request, step?.recipe?.request].map((request) => {
    const { headers = [] } = request ?? {};
    return headers[headers.indexOf(header) + 1];
  });
}

test('a captured value that is sent as a credential is a key of the run, from the answer on that gave it', async () => {
  const lines: string[] = [];
  const result = await replayText(CONTRACT, cannedTransport(answer), {
    onStep: (step) => lines.push(JSON.stringify(step)),
  });
  const texts = [...lines, ...REPORT_KINDS.map((kind) => formatReport(kind, result))];
  for (const text of texts) {
    for (const secret of [TOKEN, encodeURIComponent(TOKEN), 'dark-and-secret', 'written-secret']) {
      expect(text).not.toContain(secret);
    }
  }
  expect(headersOf(result, 'bearer', 'Authorization')).toEqual(['Bearer ${token}', 'Bearer ${token}']);
  expect(headersOf(result, 'cookie', 'Cookie')).toEqual(['session=${token}; theme=***', 'session=${token}; theme=***']);
  expect(headersOf(result, 'cookie', 'Proxy-Authorization')).toEqual(['Basic ***', 'Basic ***']);
});

test('a captured value that is sent elsewhere is shown', async () => {
  const contract = CONTRACT.replace('Authorization:', 'X-Other:').replace('${token};', 'none;');
  const result = await replayText(contract, cannedTransport(answer));
  expect(JSON.stringify(result)).toContain(TOKEN);
});
