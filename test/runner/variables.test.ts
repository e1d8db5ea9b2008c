import { runContract } from '../../src/library/run-contract';
import { type RunContractOptions } from '../../src/library/run-options';
import { formatSourceLocation, StandinError } from '../../src/core/errors/standin-error';
import type { RunResult } from '../../src/runner/result/run-result';
import { temporaryFolder } from '../support/temporary-folder';
import { cannedTransport } from './peer';

const folder = temporaryFolder();
const CONTRACT = `standin: contract/1
name: Tenants
variables:
  tenant: acme
  region: { default: eu }
  limit: { type: integer, default: 20 }
  pin: { secret: true, default: '1234' }
env: [STANDIN_TEST_USER]
steps:
  - name: look
    method: GET
    path: /things/\${tenant}?limit=\${limit}
    headers: { X-Region: 'in \${region}', X-Pin: '\${pin}', X-User: '\${env.STANDIN_TEST_USER}' }
    expect:
      status: 200
      body: { limit: '\${limit}', tenant: { $pattern: '^\${tenant}$' } }
`;

beforeEach(() => {
  process.env['STANDIN_TEST_USER'] = 'ada-lovelace';
});
afterEach(() => {
  delete process.env['STANDIN_TEST_USER'];
});

const answer = (body: string) => cannedTransport({ status: 200, body });

async function runText(text: string, options: Partial<RunContractOptions> = {}): Promise<RunResult> {
  const contracts = folder.write('tenants.yaml', text);
  const transport = answer('{}');
  return runContract({ baseUrl: 'http://127.0.0.1:1', contracts, transport, probesAuth: false, ...options });
}

async function refusal(text: string, options: Partial<RunContractOptions> = {}): Promise<StandinError> {
  const transport = answer('{}');
  const error: unknown = await runText(text, { ...options, transport }).catch((thrown: unknown) => thrown);
  expect(transport.sent).toEqual([]);
  if (!(error instanceof StandinError)) throw new Error('it was not refused');
  return error;
}

test('variables have their defaults, and values that are given win over them', async () => {
  const transport = answer('{"limit":20,"tenant":"acme"}');
  await runText(CONTRACT, { transport });
  const other = answer('{"limit":5,"tenant":"a.c"}');
  const result = await runText(CONTRACT, { transport: other, variables: { tenant: 'a.c', limit: '5', region: 'us' } });
  expect(transport.sent[0]).toMatchObject({ target: '/things/acme?limit=20', headers: { 'x-region': 'in eu' } });
  expect(other.sent[0]).toMatchObject({
    target: '/things/a.c?limit=5',
    headers: { 'x-region': 'in us', 'x-pin': '1234', 'x-user': 'ada-lovelace' },
  });
  // In the body the number is a number, and the pattern means the characters of the value.
  const findings = result.contracts[0]!.steps[0]!.verdict;
  expect(JSON.stringify(findings)).not.toContain('body-expected');
});

test('in a pattern the text of a variable stands for itself', async () => {
  const transport = answer('{"limit":20,"tenant":"abc"}');
  const result = await runText(CONTRACT, { transport, variables: { tenant: 'a.c' } });
  expect(JSON.stringify(result.contracts)).toContain('body-expected');
});

test('a value is no placeholder, whatever it looks like', async () => {
  const transport = answer('{}');
  await runText(CONTRACT, { transport, variables: { region: '${runId}' } });
  expect(transport.sent[0]!.headers['x-region']).toBe('in ${runId}');
});

test('secret values and those of the environment are in no result', async () => {
  const transport = answer('{"limit":20,"tenant":"1234","seen":"ada-lovelace"}');
  const result = JSON.stringify(await runText(CONTRACT, { transport }));
  expect(result).not.toContain('ada-lovelace');
  expect(result).not.toContain('1234');
  expect(result).toContain('${pin}');
  expect(result).toContain('acme');
});

test('a variable without a value is told with the place of its declaration', async () => {
  const error = await refusal(
    CONTRACT.replace('tenant: acme', 'tenant: {}').replace("default: '1234'", 'type: string'),
  );
  expect(
    error.findings.map((finding) => `${formatSourceLocation(finding).split('/').at(-1)} ${finding.message}`),
  ).toEqual(['tenants.yaml:4:3 "tenant" has no value', 'tenants.yaml:7:3 "pin" has no value']);
  expect(error.findings[0]!.hint).toContain('--variable tenant=');
});

test('an environment variable that is not set is told with the place of its declaration', async () => {
  delete process.env['STANDIN_TEST_USER'];
  const error = await refusal(CONTRACT);
  expect(error.findings.map(({ line, message }) => `${line} ${message}`)).toEqual([
    '8 The environment variable STANDIN_TEST_USER is not set',
  ]);
});

test('nothing of the environment can be read that the contract does not declare', async () => {
  const error = await refusal(CONTRACT.replace('env: [STANDIN_TEST_USER]', 'env: []'));
  expect(error.findings.map(({ line, message, hint }) => `${line} ${message} ${hint}`)).toEqual([
    '13 The contract does not declare ${env.STANDIN_TEST_USER} Declare it at the top of the contract: env: [STANDIN_TEST_USER].',
  ]);
});

test('a value of another type is refused, and a secret one is not shown', async () => {
  const error = await refusal(CONTRACT.replace("default: '1234'", 'type: integer'), {
    variables: { limit: 'ten', pin: 'swordfish' },
  });
  expect(error.findings.map(({ message, expected }) => `${message}, expected ${expected}`)).toEqual([
    '"limit" cannot be "ten", expected a whole number, such as 7',
    '"pin" has a value of another type, expected a whole number, such as 7',
  ]);
});

test('a secret that makes a step unreadable is not shown either', async () => {
  const error = await refusal(CONTRACT.replace('/things/${tenant}', '/things/${pin}'), {
    variables: { pin: 'two words' },
  });
  expect(JSON.stringify(error.findings)).not.toContain('two words');
});

test('a variable that no contract declares is refused, with the one that was meant', async () => {
  const error = await refusal(CONTRACT, { variables: { tennant: 'x' } });
  expect(error.message).toBe('No contract declares the variable "tennant": did you mean "tenant"?');
});

test('a capture cannot have the name of a variable', async () => {
  const error = await refusal(`${CONTRACT}    capture: { tenant: $url }\n`);
  expect(error.findings[0]!.message).toBe('"tenant" is a variable already; choose another name');
});
