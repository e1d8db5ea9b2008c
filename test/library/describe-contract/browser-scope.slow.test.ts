import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { runJest } from './run-jest';

const ROOT = join(__dirname, '..', '..', '..');

/** The scope of a browser in jest, as jsdom makes it: without names of Node, and with timers that are numbers. */
const SCOPE = `
  const { TestEnvironment } = require(${JSON.stringify(join(ROOT, 'node_modules', 'jest-environment-node'))});
  const MISSING = ['TextDecoder', 'TextEncoder', 'setImmediate', 'clearImmediate', 'structuredClone', 'fetch', 'Request',
    'Response', 'Headers', 'FormData', 'Blob', 'File', 'ReadableStream', 'WritableStream', 'TransformStream', 'crypto',
    'MessageChannel', 'MessagePort', 'BroadcastChannel', 'performance'];
  module.exports = class extends TestEnvironment {
    async setup() {
      await super.setup();
      for (const name of MISSING) delete this.global[name];
      const timers = new Map();
      this.global.setTimeout = (run, delay, ...values) => {
        const timer = timers.size + 1;
        timers.set(timer, setTimeout(run, delay, ...values));
        return timer;
      };
      this.global.clearTimeout = (timer) => clearTimeout(timers.get(timer));
      this.global.window = this.global;
      this.global.document = {};
    }
  };
`;

const CONTRACT = `standin: contract/1
name: in a browser
steps:
  - { operation: listPets, expect: { status: 200 } }
  - { operation: createCategory, body: { name: 'Of \${runId}' }, expect: { status: 201 }, capture: { id: $response.body#/id } }
  - { operation: deleteCategory, parameters: { categoryId: '\${id}' }, expect: { status: 204 } }
`;

test('describeContract and the mock work in the scope of a browser, whichever is loaded first', async () => {
  const folder = temporaryFolder();
  folder.write('browser.cjs', SCOPE);
  const contracts = JSON.stringify(folder.write('contract.yaml', CONTRACT));
  const inScope = (lines: string): string => `/** @jest-environment ${folder.file('browser.cjs')} */\n${lines}`;
  const express = "const { createMockServer } = require('standin/express');";
  const helper = "const { describeContract } = require('standin/jest');";
  const call = `describeContract({ createApp: () => createMockServer(), contracts: ${contracts} });`;
  const files = await runJest(folder, {
    mockFirst: inScope([express, helper, call].join('\n')),
    indexFirst: inScope(["require('standin/index');", express, helper, call].join('\n')),
    helperFirst: inScope([helper, express, call].join('\n')),
  });
  const failed = files.flatMap(({ message, assertionResults }) =>
    assertionResults.length === 0 ? [message] : assertionResults.flatMap(({ failureMessages }) => failureMessages),
  );
  expect(failed).toEqual([]);
  expect(files.every(({ assertionResults }) => assertionResults.length > 5)).toBe(true);
  folder.remove();
});
