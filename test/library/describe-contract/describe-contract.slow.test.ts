import { basename } from 'node:path';
import { PAYMENTS } from '../../events/payments';
import { temporaryFolder } from '../../support/temporary-folder';
import { runJest, type FileResult } from './run-jest';

const folder = temporaryFolder();

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

const CATEGORIES = JSON.stringify(folder.write('categories.yaml', CONTRACT));
const BAD = JSON.stringify(
  folder.write('bad.yaml', CONTRACT.replace('getCategory', 'getCategorie').replace('200 }', 'two }')),
);
const WRITES = JSON.stringify(
  folder.write(
    'writes.yaml',
    `standin: contract/1
name: writes
steps:
  - operation: createCategory
    body: { name: 'Of \${runId}' }
    expect: { status: 201 }
`,
  ),
);

const PAYMENTS_FILE = JSON.stringify(folder.write('payments.json', JSON.stringify(PAYMENTS)));
const EVENTS = JSON.stringify(
  folder.write(
    'events.yaml',
    `standin: contract/1
name: events
steps:
  - method: POST
    path: /webhooks
    body: { url: '\${receiverUrl}' }
    expect: { status: 201 }
  - name: it is told
    method: POST
    path: /payments
    body: { amount: 5, status: pending }
    expect: { status: 201 }
    expectEvent: { event: payment.completed, times: 0, withinMs: 100 }
  - name: it is not told
    method: PUT
    path: /payments/1
    body: { amount: 5, status: completed }
    expect: { status: 200 }
    expectEvent: { event: payment.deleted, withinMs: 200 }
`,
  ),
);

const FILES = {
  steps: `
    const { createMockServer } = require('standin/express');
    const { describeContract } = require('standin/jest');
    describeContract({ createApp: () => createMockServer(), contracts: ${CATEGORIES}, skip: ['listPets'] });
  `,
  events: `
    const { createMockServer } = require('standin/express');
    const { describeContract } = require('standin/jest');
    const description = ${PAYMENTS_FILE};
    const createApp = () => createMockServer({ description, auth: 'off', state: 'empty' });
    describeContract({ createApp, description, auth: 'off', contracts: ${EVENTS}, probesAuth: false, listen: true });
  `,
  broken: `
    const { describeContract } = require('standin/jest');
    const app = (request, response) => { response.statusCode = 500; response.end(); };
    describeContract({ app, contracts: ${CATEGORIES}, probesAuth: false });
  `,
  unjudged: `
    const { createMockServer } = require('standin/express');
    const { describeContract } = require('standin/jest');
    const createApp = () => createMockServer();
    describeContract({ createApp, contracts: ${WRITES}, mode: 'observe', probesAuth: false });
  `,
  silent: `
    const { describeContract } = require('standin/jest');
    describeContract({ baseUrl: 'http://127.0.0.1:1', contracts: ${CATEGORIES} });
  `,
  unreadable: `
    const { describeContract } = require('standin/jest');
    describeContract({ app: () => undefined, contracts: ${BAD} });
  `,
  refused: `
    const { describeContract } = require('standin/jest');
    describeContract({ baseUrl: 'https://petstore.example.com', contracts: ${CATEGORIES} });
  `,
};

/** One run for all: most of its time goes into starting jest. */
let results: readonly FileResult[];
beforeAll(async () => {
  results = await runJest(folder, FILES);
});

function resultOf(file: keyof typeof FILES): FileResult {
  const result = results.find(({ name }) => basename(name) === `${file}.test.cjs`);
  if (result === undefined) throw new Error(`jest ran ${results.map(({ name }) => name).join(', ')}, and no ${file}`);
  return result;
}

test('each step is a test of its own, and a failing one tells what its report would', () => {
  const { assertionResults } = resultOf('steps');
  expect(assertionResults.map(({ fullName, status }) => `${status} ${fullName}`)).toEqual([
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
  const [message] = assertionResults.find(({ status }) => status === 'failed')?.failureMessages ?? [];
  expect(message).toContain('body-expected');
  expect(message).toContain('at: /response/body/name');
  expect(message).toContain('categories.yaml:');
});

test('what the service sends belongs to the test of the step that caused it', () => {
  const { assertionResults } = resultOf('events');
  const steps = assertionResults.filter(({ fullName }) => fullName.includes('it is'));
  expect(steps.map(({ fullName, status }) => [fullName, status])).toEqual([
    ['Payments 1 events it is told', 'passed'],
    ['Payments 1 events it is not told', 'failed'],
  ]);
  expect(steps[1]?.failureMessages[0]).toContain('The event payment.deleted: It did not come within 0.2 s');
});

test('a target that fails in the set-up step fails the steps that needed it', () => {
  const { assertionResults } = resultOf('broken');
  expect(assertionResults.filter(({ status }) => status === 'passed')).toHaveLength(1);
  const failed = assertionResults.filter(({ status }) => status === 'failed');
  expect(failed.map(({ fullName }) => fullName.split(' ').slice(3).join(' '))).toEqual([
    'categories add one',
    'categories expect too much',
    'categories list pets',
    // A 500 does not say whether something was made.
    'nothing is left behind',
    'the run as a whole',
  ]);
  expect(failed[1]?.failureMessages[0]).toContain('was not sent: it needs ${categoryId}');
});

test('a run that judges nothing has no green test of the whole', () => {
  const failed = resultOf('unjudged').assertionResults.filter(({ status }) => status === 'failed');
  expect(failed.map(({ fullName }) => fullName)).toEqual(['Petstore API 1.0.0 the run as a whole']);
  expect(failed[0]?.failureMessages[0]).toContain('Nothing was checked');
});

test('a port where nothing listens is told once, and no test is green but that nothing is left', () => {
  const { assertionResults } = resultOf('silent');
  const passed = assertionResults.filter(({ status }) => status === 'passed');
  expect(passed.map(({ fullName }) => fullName)).toEqual(['Petstore API 1.0.0 nothing is left behind']);
  const messages = new Map(assertionResults.map(({ fullName, failureMessages }) => [fullName, failureMessages[0]]));
  expect(messages.get('Petstore API 1.0.0 categories add one')).toMatch(/^Error: Not judged, because no response came/);
  const message = messages.get('Petstore API 1.0.0 the run as a whole');
  expect(message).toContain('TRANSPORT_UNREACHABLE: http://127.0.0.1:1 cannot be reached');
  expect(message).toContain('hint: Nothing listens there.');
  expect(message).toMatch(/No response came to any of \d+ steps\./);
});

test('everything that is wrong with contracts is in the error, with file and line', () => {
  const { message } = resultOf('unreadable');
  expect(message).toMatch(/bad\.yaml:10:\d+ error .*getCategorie/);
  expect(message).toMatch(/bad\.yaml:15:\d+ error /);
});

test('an option that a run refuses is told with what to do', () => {
  const [first] = resultOf('refused').assertionResults;
  expect(first?.failureMessages[0]).toContain('CONFIG_INVALID: The target is not this machine');
  expect(first?.failureMessages[0]).toContain('hint: ');
});
