import fc from 'fast-check';
import { parseIdempotencyKey } from '../../../src/core/http/header-fields';
import { anyCharacter } from '../../support/any-character';

test.each([
  { value: '"8e03978e-40d5-43dd-bc93-6894a57f9324"', key: '8e03978e-40d5-43dd-bc93-6894a57f9324' },
  { value: '8e03978e-40d5-43dd-bc93-6894a57f9324', key: '8e03978e-40d5-43dd-bc93-6894a57f9324' },
  { value: ' "a" ', key: 'a' },
  { value: '"a \\"b\\" \\\\"', key: 'a "b" \\' },
  { value: 'order:42/retry=1', key: 'order:42/retry=1' },
  { value: 'my key, the first', key: 'my key, the first' },
  { value: 'a"b', key: 'a"b' },
  { value: 'caf\u00e9', key: 'caf\u00e9' },
  { value: 'k'.repeat(255), key: 'k'.repeat(255) },
  { value: `"${'k'.repeat(255)}"`, key: 'k'.repeat(255) },
])('$value is the key $key', ({ value, key }) => {
  expect(parseIdempotencyKey(value)).toEqual({ kind: 'key', key });
});

test.each([
  { value: '', reason: 'is empty' },
  { value: '  ', reason: 'is empty' },
  { value: '""', reason: 'is empty' },
  { value: 'k'.repeat(256), reason: 'has 256 characters, more than 255' },
  { value: `"${'k'.repeat(256)}"`, reason: 'has 256 characters, more than 255' },
  { value: '"a', reason: 'is not one quoted string' },
  { value: '"', reason: 'is not one quoted string' },
  { value: '"a"b', reason: 'is not one quoted string' },
  { value: '"a", "b"', reason: 'is not one quoted string' },
  { value: '"a\\n"', reason: 'is not one quoted string' },
  { value: '"caf\u00e9"', reason: 'is not one quoted string' },
  { value: 'a\u0000b', reason: 'holds a character that a header cannot carry' },
  { value: '\u{1F436}', reason: 'holds a character that a header cannot carry' },
])('$value is refused: $reason', ({ value, reason }) => {
  expect(parseIdempotencyKey(value)).toEqual({ kind: 'malformed', reason });
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      parseIdempotencyKey(text);
      parseIdempotencyKey(`"${text}"`);
    }),
  );
});
