import { isEquivalentText, isSameValue } from '../../src/checks/run/sent-values';
import { cpuClock } from '../support/cpu-clock';

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

test('a long list in another order is the same list, and soon known to be', () => {
  const sent = Array.from({ length: 50_000 }, (_, index) => ({ id: index, name: `item ${index % 7}` }));
  const spentMs = cpuClock();
  expect(isSameValue(sent, sent.toReversed())).toBe(true);
  expect(isSameValue(sent, [...sent.slice(1), { id: -1, name: 'another' }])).toBe(false);
  expect(spentMs()).toBeLessThan(5000);
});

test.each([
  [[1, 1, 2], [2, 1, 1], true],
  [[1, 1, 2], [2, 2, 1], false],
  [[{ id: 1 }, { id: 2 }], [{ id: 2, at: 'now' }, { id: 1 }], true],
])('%j comes back as %j: %s', (sent, got, want) => {
  expect(isSameValue(sent, got)).toBe(want);
});
