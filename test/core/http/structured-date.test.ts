import { formatStructuredDate, parseStructuredDate } from '../../../src/core/http/http-date';

test.each([
  { epochMs: 0, want: '@0' },
  { epochMs: Date.UTC(2026, 0, 1), want: '@1767225600' },
  { epochMs: 1999, want: '@1' },
  { epochMs: -1, want: '@-1' },
])('$epochMs is written as $want', ({ epochMs, want }) => {
  expect(formatStructuredDate(epochMs)).toBe(want);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e18])('%d cannot be written', (epochMs) => {
  expect(() => formatStructuredDate(epochMs)).toThrow(RangeError);
});

test.each([
  { text: '@1767225600', want: Date.UTC(2026, 0, 1) },
  { text: ' @0 ', want: 0 },
  { text: '@-1', want: -1000 },
  { text: '@1;a=b', want: 1000 },
])('$text is $want', ({ text, want }) => {
  expect(parseStructuredDate(text)).toBe(want);
});

test.each([
  '',
  '@',
  'true',
  '?1',
  '1767225600',
  '@1.5',
  '@+1',
  '@1e3',
  '"@1"',
  '@1 a',
  '@1, @2',
  '@1234567890123456',
  '@1\n',
  'Thu, 05 Dec 2030 00:00:00 GMT',
])('%j is no Date', (text) => {
  expect(parseStructuredDate(text)).toBeUndefined();
});
