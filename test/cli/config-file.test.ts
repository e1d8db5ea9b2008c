import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { configKeys, configSchema, consentKeys } from '../../src/cli/options/config-keys';
import { flagName } from '../../src/cli/options/flags';
import { COMMANDS } from '../../src/cli/registry';
import { createMockServer } from '../../src/express';
import { startPeer, type Peer } from '../runner/peer';
import { temporaryFolder } from '../support/temporary-folder';
import { runMain } from './standin-process';

const ROOT = join(__dirname, '..', '..');
const folder = temporaryFolder();
let mock: Peer;
beforeAll(async () => {
  delete process.env['STANDIN_API_KEY'];
  mock = await startPeer(await createMockServer());
});
afterAll(() => mock.close());

const CONTRACT = `standin: contract/1
name: One
variables: { limit: { type: integer } }
steps:
  - operation: listPets
    parameters: { limit: '\${limit}' }
    expect: { status: 200 }
`;
folder.write('contracts/one.yaml', CONTRACT);

function config(...lines: string[]): string {
  return folder.write('standin.config.yaml', ['standin: config/1', ...lines, ''].join('\n'));
}

test('flags in the file hold, paths are relative to it, maps and lists stand for repeated flags', async () => {
  const file = config(
    'verify:',
    '  contracts: [contracts]',
    `  baseUrl: ${mock.url}`,
    '  variable: { limit: 3 }',
    '  authProbes: false',
    '  report: { json: out/result.json }',
  );
  const { exitCode, stderr } = await runMain('verify', '--config', file);
  expect(stderr).toContain(`Config: ${file} (verify: contracts, baseUrl, variable, authProbes, report)\n`);
  expect(exitCode).toBe(0);
  const result = JSON.parse(readFileSync(folder.file('out/result.json'), 'utf8')) as {
    contracts: { steps: { request: { url: string } }[] }[];
    probes: unknown[];
  };
  expect(result.contracts[0]!.steps[0]!.request.url).toBe(`${mock.url}/pets?limit=3`);
  expect(result.probes).toEqual([]);
});

test('flags and arguments of the command line win, one by one', async () => {
  const file = config('verify:', '  contracts: [nowhere]', '  baseUrl: http://127.0.0.1:1', '  variable: { limit: 3 }');
  const args = [folder.file('contracts'), '--base-url', mock.url, '--no-auth-probes', '--config', file];
  const { exitCode, stderr } = await runMain('verify', ...args);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stderr).toContain('(verify: variable)');
});

test('a key of the command line is not mixed with the variable that the file names', async () => {
  const file = config('verify:', '  apiKeyEnv: STANDIN_NOT_SET', `  baseUrl: ${mock.url}`, '  variable: { limit: 3 }');
  const args = [folder.file('contracts'), '--api-key', 'test-key', '--config', file];
  expect((await runMain('verify', ...args)).exitCode).toBe(0);
});

test('a pack with a slash is a folder beside the file, one without is a name, and programs are told which are used', async () => {
  folder.write('packs/own/pack.yaml', 'standin: pack/1\nname: own\nabout: What we mean.\n');
  folder.write('openapi.yaml', readFileSync(join(ROOT, 'spec', 'petstore.yaml'), 'utf8'));
  const file = config('description: openapi.yaml', 'explain: { pack: [./packs/own, docker] }');
  const own = { name: 'own', about: 'What we mean.', folder: folder.file('packs/own'), chosen: 'named' };
  for (const about of [[], [folder.file('openapi.yaml'), 'GET', '/pets']]) {
    const { exitCode, stdout } = await runMain('explain', ...about, '--json', '--config', file);
    expect(exitCode).toBe(0);
    const { packs } = JSON.parse(stdout) as { packs: unknown[] };
    expect(packs).toEqual([own, expect.objectContaining({ name: 'docker', chosen: 'named' })]);
  }
});

test('the description at the top is that of every command', async () => {
  folder.write('openapi.yaml', readFileSync(join(ROOT, 'spec', 'petstore.yaml'), 'utf8'));
  const file = config('description: openapi.yaml', 'check: { strict: true }');
  const { stdout } = await runMain('check', '--config', file);
  expect(stdout).toContain(`${folder.file('openapi.yaml')}:`);
});

test.each([
  [['vrify: {}'], '2:1', 'Unknown key "vrify"', 'Did you mean "verify"?'],
  [['verify:', '  base-url: x'], '3:3', 'Unknown key "base-url"', 'Did you mean "baseUrl"?'],
  [['mock:', '  port: 99999'], '3:3', '"port" cannot be used', undefined],
  [['mock:', '  auth: anny'], '3:3', '"auth" cannot be used', undefined],
  [['mock:', '  port: [1, 2]'], '3:3', '"port" is given once', undefined],
  [['mock:', '  watch: yes please'], '3:3', '"watch" must be true or false, got the string "yes please"', undefined],
  [['verify:', '  timeout: { a: 1 }'], '3:3', '"timeout" must be a string or a number, got an object', undefined],
  [['verify: [1]'], '2:1', '"verify" must be an object, got an array', undefined],
])('%j is rejected with its place, whichever command is called', async (lines, at, message, hint) => {
  const file = config(...lines);
  const { exitCode, stderr } = await runMain('check', '--config', file);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`${file}:${at} error config-format: ${message}\n`);
  if (hint !== undefined) expect(stderr).toContain(hint);
});

test.each([
  ['verify', 'yes: true', '--yes'],
  ['verify', 'insecure: staging.example.com', '--insecure'],
  ['cleanup', 'foreignLedger: true', '--foreign-ledger'],
  ['cleanup', 'yes: true', '--yes'],
])('a file that comes with a folder agrees to nothing for whoever works in it: %s, %s', async (command, line, flag) => {
  const file = config(`${command}:`, `  ${line}`);
  const { exitCode, stderr } = await runMain('check', '--config', file);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(
    `${file}:3:3 error config-format: "${line.split(':')[0]}" is not allowed in a configuration file`,
  );
  expect(stderr).toContain(`give ${flag} with the call`);
});

test('a file without its version, one that is no YAML, and one that is not there are refused', async () => {
  const bare = folder.write('bare.yaml', 'mock: {}\n');
  const broken = folder.write('broken.yaml', 'mock: {\n');
  expect((await runMain('check', '--config', bare)).stderr).toContain('expected: "config/1"');
  expect((await runMain('check', '--config', broken)).stderr).toContain(`${broken}:`);
  expect((await runMain('check', '--config', folder.file('none.yaml'))).stderr).toContain('does not exist');
});

describe('the schema for editors', () => {
  const schema = configSchema(COMMANDS);
  const validate = new Ajv({ strict: false }).compile(schema);

  test('it has every flag of every command but agreements, with a description', () => {
    const sections = (
      schema as { properties: Record<string, { properties?: Record<string, { description?: string }> }> }
    ).properties;
    for (const command of COMMANDS) {
      const consents = consentKeys(command).map(({ name }) => name);
      const names = Object.values(command.options).flatMap(({ flag }) => (flag === undefined ? [] : [flagName(flag)]));
      const flags = names.filter((name) => !consents.includes(name));
      const properties = sections[command.name]?.properties ?? {};
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(flags));
      expect(Object.values(properties).every(({ description }) => (description ?? '') !== '')).toBe(true);
      expect(configKeys(command).length).toBe(Object.keys(properties).length);
    }
  });

  test('it takes the sample of docs/reference/configuration.md, and no slip', () => {
    const text = readFileSync(join(ROOT, 'docs', 'reference', 'configuration.md'), 'utf8');
    const [, sample = ''] = /^```yaml\n(.*?)^```/ms.exec(text) ?? [];
    expect(validate(parse(sample))).toBe(true);
    expect(validate({ standin: 'config/1', mock: { prot: 1 } })).toBe(false);
  });
});

test('folders that a description may lead into are relative to the file, one or several, for every command that reads one', async () => {
  folder.write('shared/book.yaml', 'type: string');
  const description = folder.write(
    'api/openapi.yaml',
    `openapi: 3.1.0
info: { title: Library, version: 1.0.0 }
paths:
  /books:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { $ref: ../shared/book.yaml } } } } } }
`,
  );
  const file = config('check:', '  allowFiles: shared', 'explain:', '  allowFiles: [shared, contracts]');
  for (const command of ['check', 'explain']) {
    const refused = await runMain(command, description, '--config', 'off');
    // `check` judges the description, `explain` shows what is left of it.
    expect({ command, ...refused }).toMatchObject({ exitCode: command === 'check' ? 2 : 0 });
    const told = command === 'check' ? `--allow-files ${folder.file('shared')} allows it` : 'is outside of the folder';
    expect((refused.stdout + refused.stderr).replaceAll(/\s+/g, ' ')).toContain(told);
    expect({ command, ...(await runMain(command, description, '--config', file)) }).toMatchObject({ exitCode: 0 });
  }
});
