import { isEquivalentText, isSameValue } from '../../src/checks/run/sent-values';
import { countCallsSync } from '../support/count-calls';

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

test.each([
  { format: 'date-time', sent: '2026-01-15T10:30:00Z', got: '2026-01-15T11:30:00.000+01:00', want: true },
  { format: 'date-time', sent: '2026-01-15T10:30:00Z', got: '2026-01-15T10:30:01Z', want: false },
  { format: 'date', sent: '2026-01-15', got: '2026-01-16', want: false },
  { format: 'uuid', sent: UUID, got: UUID.toUpperCase(), want: true },
  { format: 'uuid', sent: UUID, got: UUID.replace('0', '1'), want: false },
  { format: undefined, sent: UUID, got: UUID.toUpperCase(), want: false },
  { format: undefined, sent: '2026-01-15T10:30:00Z', got: '2026-01-15T10:30:00.0Z', want: false },
])('$format: $sent comes back as $got: $want', ({ format, sent, got, want }) => {
  expect(isSameValue(sent, got, { type: 'string', format: format ?? 'password' })).toBe(want);
  if (format !== undefined) expect(isSameValue({ at: [sent] }, { at: [got] })).toBe(want);
});

test.each([
  { format: 'email', sent: 'Ann@Example.com', got: 'ann@example.com', want: true },
  { format: 'email', sent: 'ann@example.com', got: 'bob@example.com', want: false },
  { format: 'hostname', sent: 'WWW.example.com.', got: 'www.example.com', want: true },
  { format: 'uri', sent: 'HTTP://example.com:80', got: 'http://example.com/', want: true },
  { format: 'uri', sent: 'http://example.com/A', got: 'http://example.com/a', want: false },
  { format: 'password', sent: 'A', got: 'a', want: false },
])('$format: $got is another spelling of $sent: $want', ({ format, sent, got, want }) => {
  expect(isEquivalentText(sent, got, { type: 'string', format })).toBe(want);
});

test('comparing lists in different orders takes work that grows with their length', () => {
  const compare = (length: number): number => {
    const sent = Array.from({ length }, (_, index) => ({ id: index, name: `item ${index % 7}` }));
    return countCallsSync(() => {
      expect(isSameValue(sent, sent.toReversed())).toBe(true);
      expect(isSameValue(sent, [...sent.slice(1), { id: -1, name: 'another' }])).toBe(false);
      // Every item has another form: so many are not compared with each other.
      expect(isSameValue(sent, sent.map((item) => ({ ...item, more: 1 })).reverse())).toBe(true);
    });
  };
  expect(compare(2000)).toBeLessThan(2.2 * compare(1000));
});

test.each([
  [[1, 1, 2], [2, 1, 1], true],
  [[1, 1, 2], [2, 2, 1], false],
  [[{ id: 1 }, { id: 2 }], [{ id: 2, at: 'now' }, { id: 1 }], true],
])('%j comes back as %j: %s', (sent, got, want) => {
  expect(isSameValue(sent, got)).toBe(want);
});
