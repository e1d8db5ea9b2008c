import fc from 'fast-check';
import { isRfc3339Date, isRfc3339DateTime, parseRfc3339 } from '../../../src/core/time/date-time';
import { anyCharacter } from '../../support/any-character';

test.each([
  { text: '1963-06-19T08:30:06Z', why: 'plain' },
  { text: '1963-06-19t08:30:06z', why: 'lower case' },
  { text: '1963-06-19T08:30:06.283185Z', why: 'six fraction digits' },
  { text: '1963-06-19T08:30:06.1Z', why: 'one fraction digit' },
  { text: `1963-06-19T08:30:06.${'1'.repeat(400)}Z`, why: 'very many fraction digits' },
  { text: '1937-01-01T12:00:27.87+00:20', why: 'positive offset' },
  { text: '1990-12-31T15:59:50.123-08:00', why: 'negative offset' },
  { text: '2024-02-29T00:00:00Z', why: 'leap day' },
  { text: '2000-02-29T00:00:00Z', why: 'leap day of a century' },
  { text: '0000-01-01T00:00:00Z', why: 'year 0' },
  { text: '0000-02-29T00:00:00Z', why: 'leap day of year 0' },
  { text: '1998-12-31T23:59:60Z', why: 'leap second' },
  { text: '1998-12-31T23:59:60.123Z', why: 'fraction of a leap second' },
  { text: '1998-12-31T15:59:60-08:00', why: 'leap second with offset' },
  { text: '1999-01-01T05:29:60+05:30', why: 'leap second east of UTC' },
  { text: '2026-01-01T00:00:00-00:00', why: 'unknown offset' },
  { text: '2026-01-01T00:00:00+23:59', why: 'largest offset' },
])('$text is a date-time: $why', ({ text }) => {
  expect(isRfc3339DateTime(text)).toBe(true);
});

test.each([
  { text: '', why: 'empty' },
  { text: '1998-12-31T23:59:61Z', why: 'second 61' },
  { text: '1998-12-31T22:59:60Z', why: 'leap second in the wrong hour' },
  { text: '1998-12-31T23:58:60Z', why: 'leap second in the wrong minute' },
  { text: '1998-12-31T23:59:60-08:00', why: 'leap second that is none in UTC' },
  { text: '1998-12-31T24:00:00Z', why: 'hour 24' },
  { text: '1998-12-31T23:60:00Z', why: 'minute 60' },
  { text: '1990-02-31T15:59:59.123-08:00', why: 'February 31' },
  { text: '2023-02-29T00:00:00Z', why: 'no leap year' },
  { text: '1900-02-29T00:00:00Z', why: 'century without leap day' },
  { text: '2026-04-31T00:00:00Z', why: 'April 31' },
  { text: '2026-13-01T00:00:00Z', why: 'month 13' },
  { text: '2026-00-01T00:00:00Z', why: 'month 0' },
  { text: '2026-01-00T00:00:00Z', why: 'day 0' },
  { text: '1990-12-31T15:59:59-24:00', why: 'offset hour 24' },
  { text: '2026-01-01T00:00:00+10:60', why: 'offset minute 60' },
  { text: '2026-01-01T00:00:00+01', why: 'offset without minutes' },
  { text: '2026-01-01T00:00:00+0100', why: 'offset without colon' },
  { text: '1963-06-19T08:30:06.28123+01:00Z', why: 'two offsets' },
  { text: '2026-01-01T00:00:00', why: 'no offset' },
  { text: '2026-01-01', why: 'date only' },
  { text: '06/19/1963 08:30:06 PST', why: 'another notation' },
  { text: '2026-01-01 00:00:00Z', why: 'space instead of T' },
  { text: '2013-350T01:01:01Z', why: 'ordinal date' },
  { text: '2013-W25-3T01:01:01Z', why: 'week date' },
  { text: '20260101T000000Z', why: 'basic form' },
  { text: '1963-6-19T08:30:06.283185Z', why: 'unpadded month' },
  { text: '1963-06-1T00:00:00Z', why: 'unpadded day' },
  { text: '2026-01-01T0:00:00Z', why: 'unpadded hour' },
  { text: '+11963-06-19T08:30:06Z', why: 'signed year' },
  { text: '11963-06-19T08:30:06Z', why: 'five-digit year' },
  { text: '1963-06-1\u09eaT00:00:00Z', why: 'non-ASCII digit in the date' },
  { text: '1963-06-11T0\u09ea:00:00Z', why: 'non-ASCII digit in the time' },
  { text: '2026-01-01T00:00:00.Z', why: 'point without digits' },
  { text: '2026-01-01T00:00:00,5Z', why: 'comma as point' },
  { text: '2026-01-01T00:00Z', why: 'no seconds' },
  { text: '2026-01-01T00:00:00Z\n', why: 'trailing newline' },
  { text: ' 2026-01-01T00:00:00Z', why: 'leading space' },
  { text: '2026-01-01T00:00:00Z[UTC]', why: 'RFC 9557 suffix' },
])('$text is no date-time: $why', ({ text }) => {
  expect(isRfc3339DateTime(text)).toBe(false);
  expect(parseRfc3339(text)).toBeUndefined();
});

test.each([
  { text: '1970-01-01T00:00:00Z', want: 0 },
  { text: '2026-01-01T00:00:00Z', want: Date.UTC(2026, 0, 1) },
  { text: '2026-01-01T01:30:00+01:30', want: Date.UTC(2026, 0, 1) },
  { text: '2025-12-31T16:00:00-08:00', want: Date.UTC(2026, 0, 1) },
  { text: '2026-01-01T00:00:00.5z', want: Date.UTC(2026, 0, 1) + 500 },
  { text: '2026-01-01T00:00:00.001Z', want: Date.UTC(2026, 0, 1) + 1 },
  { text: '1970-01-01T00:00:00.0005Z', want: 0.5 },
  { text: '1998-12-31T23:59:60Z', want: Date.UTC(1999, 0, 1) },
  { text: '0001-01-01T00:00:00Z', want: -62_135_596_800_000 },
  { text: '0099-12-31T00:00:00Z', want: -59_011_545_600_000 },
])('$text is $want ms', ({ text, want }) => {
  expect(parseRfc3339(text)).toBe(want);
});

test('moments finer than a millisecond still sort', () => {
  const texts = ['2026-01-01T00:00:00.1231Z', '2026-01-01T00:00:00.1235Z', '2026-01-01T00:00:00.124Z'];
  const moments = texts.map((text) => parseRfc3339(text) ?? Number.NaN);
  expect(moments.toSorted((a, b) => a - b)).toEqual(moments);
  expect(new Set(moments).size).toBe(3);
});

test.each([
  { text: '2030-12-05', want: true },
  { text: '2024-02-29', want: true },
  { text: '0000-01-01', want: true },
  { text: '2023-02-29', want: false },
  { text: '2030-13-01', want: false },
  { text: '2030-12-32', want: false },
  { text: '2030-12-00', want: false },
  { text: '2030-1-05', want: false },
  { text: '20301205', want: false },
  { text: '2030-12-05T00:00:00Z', want: false },
  { text: '2030-12-05\n', want: false },
  { text: '203\u09ea-12-05', want: false },
  { text: '', want: false },
])('$text is a full-date: $want', ({ text, want }) => {
  expect(isRfc3339Date(text)).toBe(want);
});

test('what toISOString writes is read back', () => {
  const date = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(date, (moment) => {
      expect(parseRfc3339(moment.toISOString())).toBe(moment.getTime());
      expect(isRfc3339Date(moment.toISOString().slice(0, 10))).toBe(true);
    }),
  );
});

test('no text makes the functions throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      isRfc3339DateTime(text);
      isRfc3339Date(text);
    }),
  );
});
