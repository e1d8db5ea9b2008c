import type { SourceFinding } from '../../src/core/errors/standin-error';
import { readContract } from '../../src/formats/contract/contract-reader';
import { fillRelativeTimes, hasRelativeTime, timeOffset } from '../../src/formats/contract/relative-times';
import { loadApi } from '../../src/files/load-api';
import { readSource } from '../../src/openapi/read/read-source';

const NOW = Date.parse('2026-11-24T18:37:26.988Z');

test.each([
  ['${now+2h}', '2026-11-24T20:37:26Z'],
  ['${now-30m}', '2026-11-24T18:07:26Z'],
  ['${now+0s}', '2026-11-24T18:37:26Z'],
  ['${today+7d}', '2026-12-01'],
  ['${today+1d}T09:00:00Z', '2026-11-25T09:00:00Z'],
  ['from ${now-1d} to ${now+1d}', 'from 2026-11-23T18:37:26Z to 2026-11-25T18:37:26Z'],
  ['$${now+2h}', '$${now+2h}'],
  ['${now}', '${now}'],
  ['${now+2w}', '${now+2w}'],
  ['${now+999999999d}', '${now+999999999d}'],
  ['${today}', '${today}'],
])('%s is %s', (text, want) => {
  expect(fillRelativeTimes({ at: [text] }, NOW)).toEqual({ at: [want] });
});

test('what is only escaped is no time', () => {
  expect(hasRelativeTime('$${now+2h}')).toBe(false);
  expect(hasRelativeTime('a ${today-1d}')).toBe(true);
});

test.each([
  [7_200_000, '+2h'],
  [-90_000, '-90s'],
  [0, '+0s'],
  [86_400_000, '+1d'],
  [1_800_400, '+30m'],
])('%d ms are %s', (distance, want) => {
  expect(timeOffset(distance)).toBe(want);
});

const contractWith = (text: string): string =>
  `standin: contract/1\nname: times\nsteps:\n  - operation: createPet\n    body: { name: '${text}' }\n    expect: { status: 201 }\n`;

function bodyOf(text: string): { readonly body: unknown; readonly findings: readonly SourceFinding[] } {
  const findings: SourceFinding[] = [];
  const { api } = loadApi();
  const inputs = {
    given: new Map(),
    readFile: () => ({ kind: 'refused', reason: '', expected: '' }) as const,
    nowMs: NOW,
  };
  const contract = readContract(
    readSource(contractWith(text), 'times.yaml'),
    api.operations,
    findings,
    inputs as never,
  );
  return { body: contract?.steps[0]?.body, findings };
}

test('a step has the times of its run', () => {
  expect(bodyOf('${now+2h}').body).toMatchObject({ value: { name: '2026-11-24T20:37:26Z' } });
});

test.each(['${now}', '${now+2w}', '${today}'])('%s is rejected, with how such times are written', (text) => {
  const { findings } = bodyOf(text);
  expect(findings).toHaveLength(1);
  expect(findings[0]?.hint).toBe(
    'A time is written with its distance: ${now+2h}, ${now-30m}, ${now+0s}; a day ${today+7d}.',
  );
});
