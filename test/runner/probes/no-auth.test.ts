import { createMockServer } from '../../../src/library/create-mock-server';
import { runContract } from '../../../src/library/run-contract';
import { temporaryFolder } from '../../support/temporary-folder';
import { cannedTransport } from '../peer';

const folder = temporaryFolder();
const contracts = folder.write(
  'one.yaml',
  'standin: contract/1\nname: One\nsteps:\n  - operation: listPets\n    expect: { status: 200 }\n',
);

test('where the service needs no key none is sent, and nothing is tried without one', async () => {
  const transport = cannedTransport({ status: 200, body: '[]' });
  const result = await runContract({ baseUrl: 'http://127.0.0.1:1', contracts, transport, auth: 'off' });
  expect(transport.sent).toHaveLength(1);
  expect(transport.sent[0]!.headers).not.toHaveProperty('authorization');
  expect(result.probes).toEqual([]);
});

test('another machine that needs no key is asked without one', async () => {
  const transport = cannedTransport({ status: 200, body: '[]' });
  await runContract({ baseUrl: 'https://pets.example.com', contracts, transport, auth: 'off' });
  expect(transport.sent).toHaveLength(1);
});

test('a service that needs one all the same is told', async () => {
  const app = await createMockServer();
  const { outcome } = await runContract({ app, contracts, auth: 'off' });
  expect(outcome).toBe('violations');
});
