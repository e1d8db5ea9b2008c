import { join } from 'node:path';
import { runContract } from '../../../src/library/run-contract';
import { createMockServer } from '../../../src/express';
import type { CreateMockServerOptions } from '../../../src/library/mock-options';
import type { RunResult } from '../../../src/runner/result/run-result';
import { temporaryFolder } from '../../support/temporary-folder';
import { differences } from './library';

const DOCUMENTS = join(__dirname, '..', '..', 'corpus', 'documents');
const folder = temporaryFolder();

/** Runs steps at a mock that begins with other rows and counts from another id than the one that it is compared with. */
async function atOtherMock(document: string, steps: string, options: CreateMockServerOptions = {}): Promise<RunResult> {
  const description = join(DOCUMENTS, document);
  const contracts = folder.write('contract.yaml', `standin: contract/1\nname: Other\nsteps:\n${steps}`);
  const app = await createMockServer({ description, seed: 'another', idStart: 7000, ...options });
  return runContract({ app, description, contracts, lockStep: true, probesAuth: false });
}

const ANY = 'expect: { status: [200, 201, 204, 400, 401, 403, 404, 409, 422] }';

const SHOP = `
- { operation: createCustomer, body: { name: 'Ann \${runId}', email: 'ann.\${runId}@example.com', password: secret-1234 }, ${ANY}, capture: { ann: $response.body#/data/id } }
- { operation: createCustomer, body: { name: 'Bob \${runId}', email: 'bob.\${runId}@example.com', phone: null }, ${ANY}, capture: { bob: $response.body#/data/id } }
- { operation: createCustomer, body: { name: 'Nobody' }, ${ANY} }
- { operation: getCustomer, parameters: { customerId: '\${ann}' }, ${ANY} }
- { operation: updateCustomer, parameters: { customerId: '\${ann}' }, body: { phone: '+1 555 0100' }, ${ANY} }
- { operation: getCustomer, parameters: { customerId: '\${ann}' }, ${ANY} }
- { operation: listCustomers, ${ANY} }
- { operation: listCustomers, parameters: { sort: -name }, ${ANY} }
- { operation: listCustomers, parameters: { email: 'bob.\${runId}@example.com' }, ${ANY} }
- { operation: createOrder, parameters: { customerId: '\${ann}' }, body: { sku: lamp, quantity: 2 }, ${ANY}, capture: { order: $response.body#/id } }
- { operation: createOrder, parameters: { customerId: '\${bob}' }, body: { sku: lamp, quantity: 0 }, ${ANY} }
- { operation: getOrder, parameters: { orderId: '\${order}' }, ${ANY} }
- { operation: cancelOrder, parameters: { orderId: '\${order}' }, ${ANY} }
- { operation: getOrder, parameters: { orderId: '\${order}' }, ${ANY} }
- { operation: listOrdersOfCustomer, parameters: { customerId: '\${ann}' }, ${ANY} }
- { operation: listCategories, ${ANY} }
- { operation: getSettings, ${ANY} }
- { operation: putSettings, body: { currency: USD }, ${ANY} }
- { operation: getSettings, ${ANY} }
- { operation: deleteCustomer, parameters: { customerId: '\${bob}' }, ${ANY} }
- { operation: getCustomer, parameters: { customerId: '\${bob}' }, ${ANY} }
- { operation: deleteCustomer, parameters: { customerId: '\${ann}' }, ${ANY} }
`;

test('a shop in many files, with envelopes, nested paths and a single record, differs in nothing', async () => {
  const result = await atOtherMock('shop/openapi.yaml', SHOP);
  expect(differences(result)).toEqual([]);
  expect(result.outcome).toBe('conforms');
  expect(result.lockStep).toEqual({ compared: 22, omitted: [] });
});

test('a shop whose orders stay open when they are cancelled differs in that', async () => {
  const rules = {
    standin: 'rules/1',
    operations: { cancelOrder: ({ item }: { item: Record<string, unknown> }) => (item['status'] = 'paid') },
    beginning: 'seeded',
  };
  const options = { rules } as unknown as CreateMockServerOptions;
  expect(differences(await atOtherMock('shop/openapi.yaml', SHOP, options))).toContain(
    'warning /response/body/status: "status" is not what the request makes of it',
  );
});

test('squares with two coordinates differ in nothing', async () => {
  const steps = `
- { operation: get-board, ${ANY} }
- { operation: get-square, parameters: { row: 1, column: 2 }, ${ANY} }
- { operation: get-square, parameters: { row: 4, column: 2 }, ${ANY} }
- { operation: put-square, parameters: { row: 1, column: 2 }, body: X, ${ANY} }
- { operation: put-square, parameters: { row: 1, column: 2 }, body: Z, ${ANY} }
- { operation: get-square, parameters: { row: 1, column: 2 }, ${ANY} }
- { operation: get-square, parameters: { row: 1, column: 2 }, auth: none, ${ANY} }`;
  const result = await atOtherMock('board-31.yaml', steps);
  expect(differences(result)).toEqual([]);
  expect(result.lockStep).toEqual({ compared: 7, omitted: [] });
});
