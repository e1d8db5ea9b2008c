import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { Folder } from '../safety/staging';

const ROOT = join(__dirname, '..', '..');

interface JestResult {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

let folder: Folder;
beforeEach(() => {
  folder = new Folder();
});
afterEach(() => {
  folder.remove();
});

/** Runs a test file with jest in a process of its own, as users do, with the package that was built. */
function runJest(test: string): Promise<JestResult> {
  folder.write('some.test.cjs', test.replaceAll('standin/', `${ROOT}/dist/src/`));
  folder.write('package.json', '{}');
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = [jest, '--json', '--rootDir', folder.file('.'), '--testMatch', '**/*.test.cjs'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder.file('.'), maxBuffer: 10_000_000 }, (_, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout) as JestResult);
      } catch {
        reject(new Error(stderr));
      }
    });
  });
}

const CONTRACT = `standin: contract/1
name: categories
steps:
  - name: add one
    operation: createCategory
    body: { name: 'Of \${runId}' }
    expect: { status: 201 }
    capture: { categoryId: $response.body#/id }
  - name: expect too much
    operation: getCategory
    parameters: { categoryId: '\${categoryId}' }
    expect: { status: 200, body: { name: Another } }
  - name: list pets
    operation: listPets
    expect: { status: 200 }
cleanup:
  - operation: deleteCategory
    parameters: { categoryId: '\${categoryId}' }
    expect: { status: 204 }
`;

test('each step is a test of its own, and a failing one tells what its report would', async () => {
  const contracts = folder.write('categories.yaml', CONTRACT);
  const result = await runJest(`
    const { createMockServer } = require('standin/express');
    const { describeContract } = require('standin/jest');
    describeContract({ createApp: () => createMockServer(), contracts: ${JSON.stringify(contracts)}, skip: ['listPets'] });
  `);
  const tests = result.testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(tests.map(({ fullName, status }) => `${status} ${fullName}`)).toEqual([
    'passed Petstore API 1.0.0 categories add one',
    'failed Petstore API 1.0.0 categories expect too much',
    'pending Petstore API 1.0.0 categories list pets',
    'passed Petstore API 1.0.0 categories cleanup: deleteCategory',
    'passed Petstore API 1.0.0 auth behaviour createCategory',
    'passed Petstore API 1.0.0 auth behaviour getCategory',
    'passed Petstore API 1.0.0 auth behaviour deleteCategory',
    'passed Petstore API 1.0.0 nothing is left behind',
    'passed Petstore API 1.0.0 the run as a whole',
  ]);
  const [message] = tests.find(({ status }) => status === 'failed')?.failureMessages ?? [];
  expect(message).toContain('body-expected');
  expect(message).toContain('at: /response/body/name');
  expect(message).toContain('categories.yaml:');
}, 60_000);

test('a target that fails in the set-up step fails the steps that needed it', async () => {
  const contracts = folder.write('categories.yaml', CONTRACT);
  const result = await runJest(`
    const { describeContract } = require('standin/jest');
    const app = (request, response) => { response.statusCode = 500; response.end(); };
    describeContract({ app, contracts: ${JSON.stringify(contracts)}, probesAuth: false });
  `);
  expect(result.numPassedTests).toBe(1);
  const failed = result.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status === 'failed'),
  );
  expect(failed.map(({ fullName }) => fullName.split(' ').slice(3).join(' '))).toEqual([
    'categories add one',
    'categories expect too much',
    'categories list pets',
    // A 500 does not say whether something was made.
    'nothing is left behind',
    'the run as a whole',
  ]);
  expect(failed[1]?.failureMessages[0]).toContain('was not sent: it needs ${categoryId}');
}, 60_000);

test('a run that judges nothing has no green test of the whole', async () => {
  const contracts = folder.write(
    'writes.yaml',
    `standin: contract/1
name: writes
steps:
  - operation: createCategory
    body: { name: 'Of \${runId}' }
    expect: { status: 201 }
`,
  );
  const result = await runJest(`
    const { createMockServer } = require('standin/express');
    const { describeContract } = require('standin/jest');
    const createApp = () => createMockServer();
    describeContract({ createApp, contracts: ${JSON.stringify(contracts)}, mode: 'observe', probesAuth: false });
  `);
  const tests = result.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = tests.filter(({ status }) => status === 'failed');
  expect(failed.map(({ fullName }) => fullName)).toEqual(['Petstore API 1.0.0 the run as a whole']);
  expect(failed[0]?.failureMessages[0]).toContain('Nothing was judged');
}, 60_000);

test('a port where nothing listens is told once, and no test is green but that nothing is left', async () => {
  const contracts = folder.write('categories.yaml', CONTRACT);
  const result = await runJest(`
    const { describeContract } = require('standin/jest');
    describeContract({ baseUrl: 'http://127.0.0.1:1', contracts: ${JSON.stringify(contracts)} });
  `);
  const tests = result.testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed');
  expect(passed.map(({ fullName }) => fullName)).toEqual(['Petstore API 1.0.0 nothing is left behind']);
  const messages = new Map(tests.map(({ fullName, failureMessages }) => [fullName, failureMessages[0]]));
  expect(messages.get('Petstore API 1.0.0 categories add one')).toMatch(/^Error: Not judged, because no answer came/);
  const message = messages.get('Petstore API 1.0.0 the run as a whole');
  expect(message).toContain('TRANSPORT_UNREACHABLE: http://127.0.0.1:1 cannot be reached');
  expect(message).toContain('hint: Nothing listens there.');
  expect(message).toMatch(/No answer came to any of \d+ steps\./);
}, 60_000);

test('everything that is wrong with contracts is in the error, with file and line', async () => {
  const contracts = folder.write('bad.yaml', CONTRACT.replace('getCategory', 'getCategorie').replace('200 }', 'two }'));
  const result = await runJest(`
    const { describeContract } = require('standin/jest');
    describeContract({ app: () => undefined, contracts: ${JSON.stringify(contracts)} });
  `);
  const { message } = result.testResults[0]!;
  expect(message).toMatch(/bad\.yaml:10:\d+ error .*getCategorie/);
  expect(message).toMatch(/bad\.yaml:15:\d+ error /);
}, 60_000);

test('an option that a run refuses is told with what to do', async () => {
  const contracts = folder.write('categories.yaml', CONTRACT);
  const result = await runJest(`
    const { describeContract } = require('standin/jest');
    describeContract({ baseUrl: 'https://petstore.example.com', contracts: ${JSON.stringify(contracts)} });
  `);
  const [first] = result.testResults.flatMap(({ assertionResults }) => assertionResults);
  expect(first?.failureMessages[0]).toContain('CONFIG_INVALID: The target is not this machine');
  expect(first?.failureMessages[0]).toContain('hint: ');
}, 60_000);
