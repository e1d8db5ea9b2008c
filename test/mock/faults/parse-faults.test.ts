import { parseFaults } from '../../../src/mock/faults/fault-syntax';

function actions(text: string): unknown {
  const parsed = parseFaults(text);
  return parsed.kind === 'parsed' ? parsed.faults.map(({ action }) => action) : parsed.message;
}

test.each([
  { text: 'none', want: [] },
  { text: 'latency:200', want: [{ kind: 'latency', delay: { kind: 'uniform', fromMs: 200, toMs: 200 } }] },
  { text: 'latency:0.1s..1m', want: [{ kind: 'latency', delay: { kind: 'uniform', fromMs: 100, toMs: 60_000 } }] },
  {
    text: 'latency:normal:200ms:50ms',
    want: [{ kind: 'latency', delay: { kind: 'normal', meanMs: 200, deviationMs: 50 } }],
  },
  {
    text: 'latency:lognormal:200ms:0.5',
    want: [{ kind: 'latency', delay: { kind: 'lognormal', medianMs: 200, sigma: 0.5 } }],
  },
  { text: 'dribble:10/100ms', want: [{ kind: 'dribble', bytes: 10, everyMs: 100 }] },
  { text: 'reset, empty', want: [{ kind: 'reset' }, { kind: 'empty' }] },
  { text: 'wrong-content-type', want: [{ kind: 'wrong-content-type', mediaType: 'text/html' }] },
  { text: 'status:503', want: [{ kind: 'status', status: 503 }] },
  { text: 'error-rate:.2:500', want: [{ kind: 'error-rate', share: 0.2, status: 500 }] },
  { text: 'outage:5s..35s', want: [{ kind: 'outage', fromMs: 5000, untilMs: 35_000, status: 503 }] },
  { text: 'fail:3', want: [{ kind: 'fail', count: 3, status: 503 }] },
  { text: 'rate-limit:5/s', want: [{ kind: 'rate-limit', requests: 5, perMs: 1000 }] },
  { text: 'rate-limit:100/2m', want: [{ kind: 'rate-limit', requests: 100, perMs: 120_000 }] },
  { text: 'commit-then-fail', want: [{ kind: 'commit-then-fail', status: undefined }] },
  {
    text: 'violate:/items/-/a%3Bb:x:enum',
    want: [{ kind: 'violate', pointer: '/items/-/a;b:x', path: ['items', '-', 'a;b:x'], breach: 'enum' }],
  },
])('$text is read', ({ text, want }) => {
  expect(actions(text)).toEqual(want);
});

test('settings say where a fault happens and when it ends', () => {
  expect(parseFaults('status:503;for=30s;times=2;operation=listBooks;method=get;path=/books/{id}')).toMatchObject({
    faults: [{ forMs: 30_000, times: 2, operation: 'listBooks', method: 'GET', path: '/books/{id}' }],
  });
});

test.each([
  { text: '', says: 'There is no fault ""' },
  { text: 'latensy:200', says: 'did you mean latency?' },
  { text: 'reset,', says: 'there are latency, dribble, reset' },
  { text: 'reset:now', says: 'expected reset alone' },
  { text: 'latency', says: 'latency:200ms, latency:100ms..500ms' },
  { text: 'latency:fast', says: 'a time such as 200ms' },
  { text: 'latency:61s', says: 'at most 60s' },
  { text: 'latency:2s..1s', says: 'the shorter time before' },
  { text: 'dribble:10', says: 'dribble:BYTES/TIME' },
  { text: 'dribble:0/1ms', says: 'a whole number from 1' },
  { text: 'status:200', says: 'a status from 400 to 599' },
  { text: 'error-rate:2', says: 'from 0 to 1' },
  { text: 'outage:5s', says: 'a time such as' },
  { text: 'rate-limit:5', says: 'rate-limit:N/TIME' },
  { text: 'violate:/name', says: 'missing|type|enum|extra' },
  { text: 'violate:name:type', says: 'does not start with "/"' },
  { text: 'status:503;fro=30s', says: 'there are for=…, times=…' },
  { text: 'status:503;for=', says: 'for= is empty' },
  { text: 'status:503;times=0', says: 'a whole number from 1' },
  { text: 'status:503;times=1;times=2', says: 'twice' },
  { text: 'status:503;path=/%', says: '%25' },
  { text: 'reset,'.repeat(20) + 'reset', says: 'more than 20' },
  { text: 'x'.repeat(2001), says: 'more than 2000' },
])('"$text" is refused: $says', ({ text, says }) => {
  expect(actions(text)).toContain(says);
});
