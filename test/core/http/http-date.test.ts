import fc from 'fast-check';
import { formatHttpDate, isFixdate, parseHttpDate } from '../../../src/core/http/http-date';
import { anyCharacter } from '../../support/any-character';

test.each([
  { epochMs: 0, want: 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { epochMs: Date.UTC(2030, 11, 5), want: 'Thu, 05 Dec 2030 00:00:00 GMT' },
  { epochMs: Date.UTC(1994, 10, 6, 8, 49, 37, 999), want: 'Sun, 06 Nov 1994 08:49:37 GMT' },
  { epochMs: -62_135_596_800_000, want: 'Mon, 01 Jan 0001 00:00:00 GMT' },
  { epochMs: Date.UTC(9999, 11, 31, 23, 59, 59), want: 'Fri, 31 Dec 9999 23:59:59 GMT' },
])('$epochMs is written as $want', ({ epochMs, want }) => {
  expect(formatHttpDate(epochMs)).toBe(want);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Date.UTC(10_000, 0, 1), -62_167_219_200_001])(
  '%d cannot be written',
  (epochMs) => {
    expect(() => formatHttpDate(epochMs)).toThrow(RangeError);
  },
);

const example = Date.UTC(1994, 10, 6, 8, 49, 37);

test.each([
  { text: 'Sun, 06 Nov 1994 08:49:37 GMT', want: example },
  { text: 'Sunday, 06-Nov-94 08:49:37 GMT', want: example },
  { text: 'Sun Nov  6 08:49:37 1994', want: example },
  { text: 'Wed Nov 16 08:49:37 1994', want: Date.UTC(1994, 10, 16, 8, 49, 37) },
  { text: 'Thu, 29 Feb 2024 00:00:00 GMT', want: Date.UTC(2024, 1, 29) },
  { text: 'Sat, 31 Dec 2016 23:59:60 GMT', want: Date.UTC(2017, 0, 1) },
  { text: 'Mon, 01 Jan 0001 00:00:00 GMT', want: -62_135_596_800_000 },
])('$text is $want', ({ text, want }) => {
  expect(parseHttpDate(text)).toBe(want);
});

test.each([
  '',
  '0',
  '2030-12-05T00:00:00Z',
  'Thu, 05 Dec 2030 00:00:00 UTC',
  'Thu, 05 Dec 2030 00:00:00 +0000',
  'Thu, 05 Dec 2030 00:00:00',
  'Thu, 05 Dec 2030 00:00:00 gmt',
  'thu, 05 Dec 2030 00:00:00 GMT',
  'Thu, 05 dec 2030 00:00:00 GMT',
  'Wed, 05 Dec 2030 00:00:00 GMT',
  'Thu, 5 Dec 2030 00:00:00 GMT',
  'Thu, 05 Dec 30 00:00:00 GMT',
  'Thu 05 Dec 2030 00:00:00 GMT',
  'Thu, 05 Dec 2030 0:00:00 GMT',
  'Thu, 05 Dec 2030 00:00 GMT',
  'Thu,  05 Dec 2030 00:00:00 GMT',
  ' Thu, 05 Dec 2030 00:00:00 GMT',
  'Thu, 05 Dec 2030 00:00:00 GMT\n',
  'Fri, 29 Feb 2030 00:00:00 GMT',
  'Fri, 00 Nov 2030 00:00:00 GMT',
  'Sun, 31 Nov 2030 00:00:00 GMT',
  'Thu, 05 Dec 2030 24:00:00 GMT',
  'Thu, 05 Dec 2030 00:60:00 GMT',
  'Thu, 05 Dec 2030 00:00:60 GMT',
  'Thu, 05 Dec 2030 23:59:61 GMT',
  'Sun, 06-Nov-94 08:49:37 GMT',
  'Sunday, 06 Nov 1994 08:49:37 GMT',
  'Sunday, 06-Nov-1994 08:49:37 GMT',
  'Sun Nov 6 08:49:37 1994',
  'Sun Nov  6 08:49:37 1994 GMT',
  '@1767225600',
])('%j is no HTTP-date', (text) => {
  expect(parseHttpDate(text)).toBeUndefined();
});

const now = Date.UTC(2026, 0, 1);

test.each([
  { text: 'Sunday, 06-Nov-94 00:00:00 GMT', nowMs: now, want: '1994-11-06' },
  { text: 'Thursday, 05-Dec-30 00:00:00 GMT', nowMs: now, want: '2030-12-05' },
  { text: 'Wednesday, 01-Jan-76 00:00:00 GMT', nowMs: now, want: '2076-01-01' },
  { text: 'Saturday, 01-Jan-77 00:00:00 GMT', nowMs: now, want: '1977-01-01' },
  { text: 'Thursday, 01-Jan-70 00:00:00 GMT', nowMs: undefined, want: '1970-01-01' },
  { text: 'Tuesday, 01-Jan-69 00:00:00 GMT', nowMs: undefined, want: '2069-01-01' },
])('the two-digit year of $text, seen from $nowMs, means $want', ({ text, nowMs, want }) => {
  expect(parseHttpDate(text, nowMs)).toBe(Date.parse(want));
});

test('what is written can be read', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date(-62_135_596_800_000), max: new Date(Date.UTC(9999, 11, 31)), noInvalidDate: true }),
      (date) => {
        const seconds = Math.floor(date.getTime() / 1000) * 1000;
        expect(parseHttpDate(formatHttpDate(seconds))).toBe(seconds);
      },
    ),
  );
});

test('no text makes it throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      parseHttpDate(text);
    }),
  );
});

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', true],
  ['Sunday, 06-Nov-94 08:49:37 GMT', false],
  ['Sun Nov  6 08:49:37 1994', false],
  ['Mon, 06 Nov 1994 08:49:37 GMT', false],
  ['Sun, 06 Nov 1994 08:49:37 UTC', false],
])('%s is in the form that may be sent: %p', (value, want) => {
  expect(isFixdate(value)).toBe(want);
});
