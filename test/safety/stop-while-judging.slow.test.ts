import { createServer, type Server, type ServerResponse } from 'node:http';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { endedRun, killAll, serve } from '../cli/standin-process';
import { BUILT_COMMAND } from '../support/built-command';
import { temporaryFolder } from '../support/temporary-folder';

const DESCRIPTION = `
openapi: 3.0.3
info: { title: Orders, version: '1' }
paths:
  /orders:
    get:
      operationId: listOrders
      responses: { '200': { description: all, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Line' } } } } } }
    post:
      operationId: makeOrder
      requestBody: { content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Line' } } } } }
      responses: { '204': { description: taken } }
components:
  schemas:
    Line: { type: object, required: [sku, count], properties: { sku: { type: string }, count: { type: integer } } }
`;
const STEPS = `standin: contract/1
name: Lists
steps:
  - { name: first, operation: listOrders, expect: { status: 200 } }
  - { name: second, operation: listOrders, expect: { status: 200 } }
  - { name: third, operation: listOrders, expect: { status: 200 } }
`;
const folder = temporaryFolder();
const spec = folder.write('openapi.yaml', DESCRIPTION);
const contract = folder.write('contract.yaml', STEPS);
const WRONG = `[${Array(400_000).fill('{"sku":1}').join()}]`;

let server: Server | undefined;
afterEach(() => {
  killAll();
  server?.closeAllConnections();
  server?.close();
});

/** Answers each request as it is told to. @returns the address */
function answering(answer: (count: number, response: ServerResponse) => void): Promise<string> {
  let count = 0;
  const started = createServer((_, response) => {
    answer((count += 1), response);
  });
  server = started;
  return new Promise((resolve) => {
    started.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(started.address() as AddressInfo).port}`);
    });
  });
}

const large = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(WRONG);
};

test.each(['SIGTERM', 'SIGINT'] as const)('a mock that judges large bodies ends at %s', async (signal) => {
  const mock = await serve([spec, '--auth', 'off', '--max-body', '33554432', '--log', 'silent']);
  const body = `[${Array(4_000_000).fill('0').join()}]`;
  const posts = Array.from({ length: 4 }, () =>
    fetch(`${mock.url}/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).catch(
      () => undefined,
    ),
  );
  // One of them is being judged, or its answer is on its way.
  await Promise.race(posts);
  const { exitCode } = await mock.stop(signal);
  expect(exitCode).toBe(0);
  await Promise.all(posts);
});

test('a run that judges large answers ends at Ctrl-C, and says that it was stopped', async () => {
  // The first answer is on its way: it is received and checked from now on.
  let onFirstSent: () => void = () => undefined;
  const firstSent = new Promise<void>((resolve) => (onFirstSent = resolve));
  const url = await answering((count, response) => {
    if (count === 1) response.on('finish', onFirstSent);
    large(response);
  });
  const child = spawn(process.execPath, [
    ...[BUILT_COMMAND, 'verify', contract, '--spec', spec, '--base-url', url],
    ...['--no-auth-probes', '--report', 'json=-'],
  ]);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.resume();
  const closed = once(child, 'close');
  await firstSent;
  child.kill('SIGINT');
  await closed;
  const { contracts } = JSON.parse(stdout) as {
    contracts: { steps: { verdict: { kind: string; cause?: string } }[] }[];
  };
  expect(contracts[0]!.steps.at(-1)!.verdict).toMatchObject({ kind: 'skipped', cause: 'interrupted' });
});

test('--timeout holds for the next answer while a large one is judged', async () => {
  const url = await answering((count, response) => {
    if (count === 1) large(response);
  });
  const { exitCode, stdout } = await endedRun([
    ...['verify', contract, '--spec', spec, '--base-url', url, '--no-auth-probes'],
    ...['--timeout', '1', '--retries', '0', '--report', 'json=-'],
  ]);
  expect(exitCode).toBeGreaterThan(0);
  expect(stdout).toContain('TRANSPORT_TIMEOUT');
});
