import { exchange } from '../recorded';
import { contractOf } from './derived';

const SENT = Date.parse('2026-11-24T18:37:26.990Z');

function writtenFor(time: string): string {
  const sent = { title: 'Check-up', at: time };
  const text = contractOf([
    exchange('POST /visits', { sent, status: 201, answered: { id: 7, ...sent }, at: SENT }),
    exchange('GET /visits/7', { answered: { id: 7, ...sent }, at: SENT + 1000 }),
  ]);
  expect(text.match(/ at: /g)).toHaveLength(1);
  return /[{ ]at: '?((?<=')[^']*|[^,\n}]*)/.exec(text)?.[1] ?? '';
}

test.each([
  ['2026-11-24T20:37:26.988Z', '${now+2h}'],
  ['2026-11-24T19:37:26+00:00', '${now+1h}'],
  ['2026-11-24T20:07:26.500+01:00', '${now+30m}'],
  ['2026-11-24T18:37:26.988Z', '${now+0s}'],
  ['2026-11-24T18:41:00.500Z', '${now+214s}'],
  ['2026-12-24T09:00:00Z', '${today+30d}T09:00:00Z'],
  ['2026-11-24', '${today+0d}'],
  ['2026-12-01', '${today+7d}'],
])('%s, which would have passed at another time, is sent as %s and not expected literally', (time, want) => {
  expect(writtenFor(time)).toBe(want);
});

test.each(['1815-12-10', '2026-11-20T10:00:00Z', '2100-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'])(
  '%s stays what it is',
  (time) => {
    const sent = { title: 'Check-up', at: time };
    const text = contractOf([exchange('POST /visits', { sent, status: 201, answered: { id: 7, ...sent }, at: SENT })]);
    expect(text).toContain(`at: ${time}`);
  },
);

test('a moment that a response showed is taken from there', () => {
  const visit = { id: 7, title: 'Check-up', at: '2026-11-24T18:37:26.997Z' };
  const text = contractOf([
    exchange('POST /visits', { sent: { title: 'Check-up' }, status: 201, answered: { id: 7 }, at: SENT }),
    exchange('GET /visits/7', { answered: visit, at: SENT + 1000 }),
    exchange('PUT /visits/7', { sent: { ...visit, title: 'Another' }, answered: visit, at: SENT + 2000 }),
  ]);
  expect(text).toContain('capture: { at: $response.body#/at }');
  expect(text).toMatch(/body: \{ id: '\$\{visitId\}', title: .*, at: '\$\{at\}' \}/);
});
