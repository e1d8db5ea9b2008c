import { secretMark } from '../../../src/traffic/exchange/recorded-exchange';
import { exchange } from '../recorded';
import { contractOf } from './derived';

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
