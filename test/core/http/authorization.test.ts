import fc from 'fast-check';
import { bearerChallenge, type BearerChallenge, parseBearer } from '../../../src/core/http/authorization';
import { anyCharacter } from '../../support/any-character';

test.each([
  { value: 'Bearer test-key', token: 'test-key' },
  { value: 'bearer test-key', token: 'test-key' },
  { value: 'BEARER a', token: 'a' },
  { value: 'Bearer aZ09-._~+/', token: 'aZ09-._~+/' },
  { value: 'Bearer YWJj==', token: 'YWJj==' },
])('$value carries the token $token', ({ value, token }) => {
  expect(parseBearer(value)).toEqual({ kind: 'bearer', token });
});

const scheme = 'The Authorization header does not use the Bearer scheme.';
const empty = 'The Authorization header names the Bearer scheme but has no token.';
const spacing = 'Bearer and the token must be separated by exactly one space.';
const characters = 'The bearer token holds a character that a token cannot have.';

test.each([
  { value: '', reason: scheme },
  { value: ' ', reason: scheme },
  { value: 'test-key', reason: scheme },
  { value: 'Basic dXNlcjpwYXNz', reason: scheme },
  { value: 'Bearertest-key', reason: scheme },
  { value: ' Bearer test-key', reason: scheme },
  { value: 'Bearer', reason: empty },
  { value: 'Bearer ', reason: empty },
  { value: 'Bearer   ', reason: empty },
  { value: 'Bearer  test-key', reason: spacing },
  { value: 'Bearer\ttest-key', reason: spacing },
  { value: 'Bearer \ttest-key', reason: spacing },
  { value: 'Bearer:test-key', reason: spacing },
  { value: 'Bearer test key', reason: characters },
  { value: 'Bearer test-key ', reason: characters },
  { value: 'Bearer "test-key"', reason: characters },
  { value: 'Bearer a,b', reason: characters },
  { value: 'Bearer =', reason: characters },
  { value: 'Bearer a=b', reason: characters },
  { value: 'Bearer token="a"', reason: characters },
  { value: 'Bearer k\u00e9y', reason: characters },
  { value: 'Bearer a\n', reason: characters },
])('$value is malformed: $reason', ({ value, reason }) => {
  expect(parseBearer(value)).toEqual({ kind: 'malformed', reason });
});

test('no text makes it throw, and a reason never depends on the credentials', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('', 'Bearer ', 'Bearer', 'Basic '),
      (text, prefix) => {
        const parsed = parseBearer(prefix + text);
        if (parsed.kind === 'malformed') expect([scheme, empty, spacing, characters]).toContain(parsed.reason);
      },
    ),
  );
});

test.each<{ parts: BearerChallenge; want: string }>([
  { parts: { realm: 'petstore' }, want: 'Bearer realm="petstore"' },
  { parts: { realm: 'a "b" \\c' }, want: 'Bearer realm="a \\"b\\" \\\\c"' },
  { parts: { realm: 'caf\u00e9 \u{1F436}\r\nX: y' }, want: 'Bearer realm="caf? ???X: y"' },
  { parts: { realm: '' }, want: 'Bearer realm=""' },
  { parts: { realm: 'r', error: 'invalid_token' }, want: 'Bearer realm="r", error="invalid_token"' },
  {
    parts: { realm: 'r', error: 'invalid_token', errorDescription: 'The key "x\\y" is\tunknown' },
    want: `Bearer realm="r", error="invalid_token", error_description="The key 'x/y' is unknown"`,
  },
])('$parts is written as $want', ({ parts, want }) => {
  expect(bearerChallenge(parts)).toBe(want);
});
