import { loadApi } from '../../../src/files/load-api';
import { contractText } from '../../../src/traffic/contract/contract-text';
import { deriveContract, type Derivation } from '../../../src/traffic/contract/derive-contract';
import { runContract } from '../../../src/library/run-contract';
import { recordSession, type Send } from '../../support/recorded-traffic';
import { startServer } from '../../support/server';
import { temporaryFolder } from '../../support/temporary-folder';

const { api } = loadApi();
const folder = temporaryFolder();

async function derive(session: (send: Send) => Promise<void>): Promise<Derivation> {
  const mock = await startServer({});
  const exchanges = await recordSession(mock.url, session);
  await mock.close();
  return deriveContract({ api, exchanges, basePath: '', name: 'Recorded', header: [] });
}

/** A pet of a category of its own, and an order of it that is done, so that nothing can be removed. */
async function orderForGood(send: Send): Promise<void> {
  const category = await send('POST', '/categories', { name: 'Dogs' });
  const pet = await send('POST', '/pets', { name: 'Rex', categoryId: category.body.id });
  await send('PATCH', `/inventory/${pet.body.id}`, { quantity: 5 });
  const order = await send('POST', '/store/orders', { petId: pet.body.id, quantity: 1 });
  await send('PATCH', `/store/orders/${order.body.id}`, { complete: true });
  await send('DELETE', `/store/orders/${order.body.id}`);
}

test('what the service refused to remove stays, and with it what it refers to', async () => {
  const { draft, notes } = await derive(orderForGood);
  const { setup, steps } = draft.value as Record<string, { name: string; leaves?: string }[]>;
  const staying = [...setup!, ...steps!].flatMap(({ name, leaves }) =>
    leaves === undefined ? [] : [`${name}: ${leaves}`],
  );
  expect(staying).toEqual([
    'add a category: a pet that refers to it stays',
    'add a pet: an order that refers to it stays',
    'add an order: the service refused to remove it when it was recorded (409)',
  ]);
  expect(notes.filter((note) => note.includes('leaves something'))).toHaveLength(3);
});

test('a run of such a contract conforms, and tells what stays', async () => {
  const { draft } = await derive(orderForGood);
  const contracts = folder.write('order.yaml', contractText(draft));
  const fresh = await startServer({});
  const result = await runContract({ contracts, baseUrl: fresh.url, apiKey: 'test-key', mode: 'own' });
  await fresh.close();
  expect(result.outcome).toBe('conforms');
  expect(result.leftBehind.map(({ isAccepted }) => isAccepted)).toEqual([true, true, true]);
});

test('what was refused first and removed later does not stay', async () => {
  const { draft, notes } = await derive(async (send) => {
    const category = await send('POST', '/categories', { name: 'Dogs' });
    const pet = await send('POST', '/pets', { name: 'Rex', categoryId: category.body.id });
    await send('DELETE', `/categories/${category.body.id}`);
    await send('DELETE', `/pets/${pet.body.id}`);
    await send('DELETE', `/categories/${category.body.id}`);
  });
  expect(JSON.stringify(draft.value)).not.toContain('leaves');
  expect(notes).toEqual([]);
});
