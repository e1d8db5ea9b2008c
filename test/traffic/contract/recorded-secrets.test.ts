import { secretMark } from '../../../src/traffic/exchange/recorded-exchange';
import { exchange } from '../recorded';
import { contractOf, derivedFrom } from './derived';

test('a secret that a response shows and no request sends is not captured', () => {
  const text = contractOf([
    exchange('POST /keys', { sent: { kind: 'csk' }, status: 201, answered: { id: 7, pin: secretMark('pin') } }),
    exchange('GET /keys/7', { answered: { id: 7, kind: 'csk', pin: secretMark('pin') } }),
  ]);
  expect(text).not.toContain('pin');
});

test('one that a later request sends is captured where it was given', () => {
  const text = contractOf([
    exchange('POST /login', { sent: { user: 'ada' }, answered: { ticket: secretMark('ticket') } }),
    exchange('POST /orders', { sent: { ticket: secretMark('ticket') }, status: 201, answered: { id: 7 } }),
  ]);
  expect(text).toContain('capture: { ticket: $response.body#/ticket }');
  expect(text).toContain("ticket: '${ticket}'");
});

describe('a POST that gives a secret for a secret', () => {
  const login = (sent: object, status = 200) =>
    contractOf([
      exchange('POST /login', { sent, status, answered: { ticket: secretMark('ticket') } }),
      exchange('POST /orders', { sent: { ticket: secretMark('ticket') }, status: 201, answered: { id: 7 } }),
    ]);

  test('is a login, which mode own may send', () => {
    expect(login({ user: 'ada', password: secretMark('password') })).toMatch(
      /touches: nothing\n {4}operation: \w*[lL]ogin/,
    );
  });

  test('is none where it asks for no secret, or makes something', () => {
    expect(login({ user: 'ada' })).not.toContain('touches');
    expect(login({ user: 'ada', password: secretMark('password') }, 201)).not.toContain('touches');
  });
});

describe('credentials that the session got for itself', () => {
  const signed = { headers: { Authorization: `Bearer ${secretMark('ticket')}` } };
  const login = exchange('POST /login', { sent: { user: 'ada' }, answered: { ticket: secretMark('ticket') } });
  const things = [
    exchange('GET /orders', { ...signed, answered: [{ id: 3, label: 'Old', note: 'first' }] }),
    exchange('POST /orders', { ...signed, sent: { label: 'New' }, status: 201, answered: { id: 7, label: 'New' } }),
    exchange('GET /orders/7', { ...signed, answered: { id: 7, label: 'New' } }),
  ];
  const removal = exchange('DELETE /orders/8', { ...signed, status: 404, answered: { code: 'NONE' } });

  test('are sent by what the cleanup removes', () => {
    const text = contractOf([login, ...things, removal]);
    expect(text).toMatch(/cleanup:\s+- name: .*\s+operation: \w+\s+parameters: .*\s+auth: \{ key: '\$\{ticket\}' \}/);
  });

  test('are there before the setup makes something', () => {
    const change = exchange('PUT /orders/3', {
      ...signed,
      sent: { label: 'Changed' },
      answered: { id: 3, label: 'Changed' },
    });
    const { value } = derivedFrom([login, ...things, removal, change]).draft;
    expect(value['setup']).toMatchObject([
      { operation: 'login', capture: { ticket: '$response.body#/ticket' } },
      { name: 'add an order to work on', auth: { key: '${ticket}' } },
    ]);
    expect(JSON.stringify(value['steps'])).not.toContain('"login"');
  });
});
