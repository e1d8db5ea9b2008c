import { parseRetryAfter } from '../../../src/core/http/http-date';

const now = Date.UTC(2026, 0, 1);

test.each([
  { value: '0', want: 0 },
  { value: '120', want: 120_000 },
  { value: ' 7 ', want: 7000 },
  { value: '9'.repeat(400), want: Number.MAX_SAFE_INTEGER },
  { value: 'Thu, 01 Jan 2026 00:01:00 GMT', want: 60_000 },
  { value: 'Thursday, 01-Jan-26 00:01:00 GMT', want: 60_000 },
  { value: 'Wed, 31 Dec 2025 00:00:00 GMT', want: 0 },
])('Retry-After: $value asks to wait $want ms', ({ value, want }) => {
  expect(parseRetryAfter(value, now)).toBe(want);
});

test.each(['', '-1', '1.5', '1e3', '0x10', '5s', 'soon', '2026-01-01T00:01:00Z', '1, 2'])(
  '%j asks nothing',
  (value) => {
    expect(parseRetryAfter(value, now)).toBeUndefined();
  },
);
