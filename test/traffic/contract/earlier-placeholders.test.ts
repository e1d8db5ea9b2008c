import { loadApi } from '../../../src/files/load-api';
import { loadContracts } from '../../../src/files/load-contracts';
import { contractText } from '../../../src/traffic/contract/contract-text';
import { deriveContract } from '../../../src/traffic/contract/derive-contract';
import { recordSession, type Send } from '../../support/recorded-traffic';
import { startServer } from '../../support/server';
import { temporaryFolder } from '../../support/temporary-folder';

const { api } = loadApi();
const folder = temporaryFolder();

/** The text of the contract of a session at a mock; it is read as `verify` does. */
async function contractOfSession(session: (send: Send) => Promise<void>): Promise<string> {
  const mock = await startServer({});
  const exchanges = await recordSession(mock.url, session);
  await mock.close();
  const text = contractText(deriveContract({ api, exchanges, basePath: '', name: 'Recorded', header: [] }).draft);
  loadContracts([folder.write('recorded.yaml', text)], api);
  return text;
}

test('what is sent before any response has it is looked up, though a response repeats it', async () => {
  const text = await contractOfSession(async (send) => {
    const { body } = await send('POST', '/pets', { name: 'Rex', categoryId: 1 });
    await send('PUT', `/pets/${body.id}`, { name: 'Rex', categoryId: 1, status: 'pending' });
  });
  expect(text).toMatch(/setup:\n {2}# [^\n]*\n {2}- name: [^\n]*category/);
  expect(text.match(/categoryId: '\$\{categoryId\}'/g)?.length).toBeGreaterThan(1);
});

test('what this run made is in a list, unless its page is full of others', async () => {
  const text = await contractOfSession(async (send) => {
    await send('POST', '/pets', { name: 'Rex', categoryId: 1 });
    await send('GET', '/pets');
  });
  expect(text).toMatch(/body:\n +\$contains: \{ id: '\$\{petId\}', .*\}\n +\$unlessItems: 20\n/);
});

test('a setup sends nothing that a later step captures', async () => {
  const text = await contractOfSession(async (send) => {
    await send('GET', '/categories');
    await send('GET', '/pets');
    await send('POST', '/pets', { name: 'New', categoryId: 2 });
    await send('PUT', '/pets/2', { name: 'Other', categoryId: 2, status: 'available' });
    await send('PUT', '/pets/3', { name: 'Third', categoryId: 2, status: 'available' });
  });
  expect(text).toContain('to work on');
});

test('whatever is asked for in whatever order, the contract can be read', async () => {
  let state = 20_261_124;
  const random = (most: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % most;
  };
  for (let round = 0; round < 12; round++) {
    await contractOfSession(async (send) => {
      for (let step = 0; step < 12; step++) {
        const [pet, category] = [1 + random(5), 1 + random(3)];
        const requests: [string, string, object?][] = [
          ['GET', '/pets'],
          ['GET', `/pets/${pet}`],
          ['GET', `/categories/${category}`],
          ['GET', `/inventory/${pet}`],
          ['POST', '/pets', { name: `Pet ${step}`, categoryId: category }],
          ['PUT', `/pets/${pet}`, { name: `Changed ${step}`, categoryId: category, status: 'available' }],
          ['POST', '/categories', { name: `Group ${step}` }],
          ['PATCH', `/inventory/${pet}`, { quantity: step }],
          ['POST', '/store/orders', { petId: pet, quantity: 1 }],
          ['DELETE', `/pets/${pet}`],
        ];
        const [method = '', path = '', body] = requests[random(requests.length)] ?? [];
        await send(method, path, body);
      }
    });
  }
});
