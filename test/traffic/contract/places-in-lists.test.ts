import { smallApi } from '../../support/small-api';
import { exchange } from '../recorded';
import { contractOf } from './derived';

const SETTING = { type: 'object', properties: { kind: { type: 'string' }, value: { type: 'string' } } };
const SETTINGS = smallApi({
  'GET /settings': { answers: { 200: { type: 'array', items: SETTING } } },
  'POST /settings': { body: SETTING, answers: { 201: null } },
  'GET /settings/{kind}': { answers: { 200: SETTING } },
  'PUT /settings/{kind}': { body: SETTING, answers: { 200: SETTING } },
  'DELETE /settings/{kind}': { answers: { 204: null } },
});
const setting = { kind: 'ALLOW-FROM', value: 'a' };

test.each([
  ['by a description', SETTINGS],
  ['by one that is inferred', undefined],
])('a key that the client itself chose is not taken from a place of a list, %s', (_, description) => {
  const text = contractOf(
    [
      exchange('POST /settings', { sent: setting, status: 201 }),
      exchange('GET /settings', { answered: [setting, { kind: 'DEFAULT', value: 'b' }] }),
      exchange('GET /settings/ALLOW-FROM', { answered: setting }),
      exchange('PUT /settings/ALLOW-FROM', { sent: setting, answered: setting }),
      exchange('DELETE /settings/ALLOW-FROM', { status: 204 }),
    ],
    description,
  );
  expect(text).not.toContain('capture');
  expect(text).toContain('kind: ALLOW-FROM');
});

test('what was found below something that was there may be made there in mode own', () => {
  const text = contractOf([
    exchange('GET /servers', { answered: [{ id: 'localhost', type: 'Server' }] }),
    exchange('GET /servers/localhost', { answered: { id: 'localhost', type: 'Server' } }),
    exchange('POST /servers/localhost/zones', { sent: { name: 'a' }, status: 201, answered: { id: 7, name: 'a' } }),
    exchange('GET /servers/localhost/zones/7', { answered: { id: 7, name: 'a' } }),
    exchange('DELETE /servers/localhost/zones/7', { status: 204 }),
  ]);
  expect(text).toContain('within: { serverId: localhost }');
});
