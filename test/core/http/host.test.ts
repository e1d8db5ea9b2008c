import fc from 'fast-check';
import { isLoopbackHost, isValidHost, stripPort } from '../../../src/core/http/request-target';
import { anyCharacter } from '../../support/any-character';

test.each([
  'localhost',
  'example.com',
  'EXAMPLE.com.',
  'a_b.internal',
  'xn--bcher-kva.example',
  '%65xample.com',
  'localhost:4010',
  'localhost:',
  'localhost:0',
  'localhost:65535',
  '127.0.0.1',
  '127.0.0.1:80',
  '[::1]',
  '[::]:80',
  '[2001:db8::8:800:200C:417A]:443',
  '[2001:db8:0:0:8:800:200c:417a]',
  '[::ffff:192.0.2.1]',
  '[1:2:3:4:5:6:192.0.2.1]',
  '[1:2:3:4:5:6:7::]',
])('%s is a host', (value) => {
  expect(isValidHost(value)).toBe(true);
});

test.each([
  '',
  ':80',
  'local host',
  'localhost:65536',
  'localhost:8o',
  'localhost:80:80',
  'user@localhost',
  'user:secret@localhost',
  'localhost/pets',
  'localhost?x',
  'localhost#x',
  'local\\host',
  '%zz',
  'b\u00fccher.example',
  'a,b@c',
  '::1',
  '[]',
  '[::1',
  '::1]',
  '[::1]x',
  '[1:2:3]',
  '[1:2:3:4:5:6:7:8:9]',
  '[1:2:3:4:5:6:7:8::]',
  '[1::2::3]',
  '[:::]',
  '[12345::]',
  '[::1.2.3]',
  '[::1.2.3.256]',
  '[1.2.3.4::]',
  '[fe80::1%25eth0]',
  '[localhost]',
  'localhost\n',
])('%j is no host', (value) => {
  expect(isValidHost(value)).toBe(false);
});

test.each([
  { host: 'localhost:4010', want: 'localhost' },
  { host: 'localhost:', want: 'localhost' },
  { host: 'localhost', want: 'localhost' },
  { host: '[::1]:80', want: '[::1]' },
  { host: '[::1]', want: '[::1]' },
  { host: '::1', want: '::1' },
  { host: '', want: '' },
])('$host without its port is $want', ({ host, want }) => {
  expect(stripPort(host)).toBe(want);
});

test.each(['localhost', 'LocalHost', 'api.localhost', '127.0.0.1', '127.1.2.3', '127.255.255.255', '[::1]', '::1'])(
  '%s is this machine',
  (host) => {
    expect(isLoopbackHost(host)).toBe(true);
  },
);

test.each([
  '',
  'example.com',
  'localhost.example.com',
  'notlocalhost',
  '127.0.0.1.example.com',
  '127.0.0.256',
  '127.0.0',
  '127.0.0.01',
  '128.0.0.1',
  '0.0.0.0',
  '[::2]',
  'localhost:80',
])('%j is not known to be this machine', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});

test('no text makes the functions throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      isValidHost(text);
      isValidHost(`[${text}]`);
      isLoopbackHost(text);
      stripPort(text);
    }),
  );
});

test('every IPv6 address is a host in brackets', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      expect(isValidHost(`[${address}]:80`)).toBe(true);
    }),
  );
});
