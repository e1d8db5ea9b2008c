import type { Response } from 'supertest';
import { emptyApi } from '../../../src/traffic/secrets/exchange-operation';
import { createSecretVault } from '../../../src/traffic/secrets/secret-vault';
import { loadApi } from '../../../src/files/load-api';
import type { RecordedExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { type Body, type Method, usePetstore } from '../../support/petstore';
import { recorded } from './recorded';

const petstore = usePetstore();

const CALLS: readonly (readonly [Method, string, Body?])[] = [
  ['get', '/pets?limit=2'],
  ['post', '/categories', { name: 'Bird', description: 'Parrots, owls and all that fly: quick, brown, lazy' }],
  ['post', '/pets', { name: 'Kiwi', categoryId: 1, status: 'available' }],
  ['get', '/pets/1'],
  ['put', '/pets/1', { name: 'Rex', categoryId: 1, status: 'pending' }],
  ['get', '/inventory'],
  ['post', '/orders', { petId: 1, quantity: 1, shipDate: '2026-01-15T10:30:00Z' }],
  ['get', '/orders?limit=1'],
  ['get', '/orders/2'],
  ['delete', '/orders/1'],
  ['get', '/pets/999'],
  ['post', '/pets', { name: 7 }],
];

function exchangeOf([method, target, body]: (typeof CALLS)[number], response: Response): RecordedExchange {
  const headers = Object.entries(response.headers as Record<string, string>).flat();
  return recorded(
    {
      method: method.toUpperCase(),
      target,
      headers: ['Authorization', 'Bearer test-key'],
      ...(body === undefined ? {} : { body }),
    },
    { status: response.status, headers, body: response.text, type: '' },
  );
}

test('of the traffic of a service without secrets nothing but the key is replaced', async () => {
  const exchanges: RecordedExchange[] = [];
  for (const call of CALLS) {
    const [method, target, body] = call;
    exchanges.push(exchangeOf(call, await petstore.send(method, target, body)));
  }
  expect(new Set(exchanges.map(({ response }) => response?.status)).size).toBeGreaterThan(3);
  for (const api of [emptyApi(), loadApi().api]) {
    const vault = createSecretVault({ api });
    for (const exchange of exchanges) {
      const { request } = exchange;
      const headers = request.headers.map((text) => text.replace('test-key', '~secret.access_token~'));
      expect(vault.clean(exchange)).toEqual({ ...exchange, request: { ...request, headers }, secrets: 'replaced' });
    }
    expect(vault.uses().map(({ name }) => name)).toEqual(['access_token']);
  }
});
