import { allSteps } from '../../src/runner/result/outcome';
import type { Mode, RunResult } from '../../src/runner/result/run-result';
import { Archive, type Hole, type Manner } from '../support/archive';
import { ask, findings } from '../support/ask-archive';

/** The warnings of a check, each with its step. */
export const warnings = (result: RunResult, wanted: string): string[] =>
  allSteps(result).flatMap(({ name, warnings: all }) =>
    all.filter(({ check }) => check === wanted).map(({ message }) => `${name}: ${message}`),
  );

/** Expects that a run finds nothing at a service that lets callers do what the manner says. */
export async function expectNoFindings(manner: Manner, mode: Mode): Promise<void> {
  const archive = new Archive(manner);
  const result = await ask(archive, { mode });
  expect(findings(result)).toEqual([]);
  expect(result.outcome).toBe('conforms');
  expect(result.leftBehind).toEqual([]);
  expect([...archive.files.values()]).toEqual([]);
  expect(archive.log.filter((line) => line.startsWith('other')).length).toBeGreaterThan(8);
}

/** Expects that a run finds a hole, and leaves nothing behind. */
export async function expectHoleFound(manner: Manner, hole: Hole, found: readonly string[]): Promise<void> {
  const archive = new Archive(manner, hole);
  const result = await ask(archive, { mode: 'own' });
  expect([...new Set(findings(result))]).toEqual(expect.arrayContaining([...found]));
  expect(result.outcome).toBe('violations');
  expect(result.leftBehind).toEqual([]);
  expect([...archive.files.values()]).toEqual([]);
}

export const HOLES: readonly (readonly [manner: Manner, hole: Hole, found: readonly string[]])[] = [
  [
    'hidden',
    'removes',
    [
      'remove the file as other: other-caller: Another caller may not read /files/{fileId}, and DELETE removed it all the same',
    ],
  ],
  [
    'forbidden',
    'removes',
    [
      'remove the file as other: other-caller: Another caller may not read /files/{fileId}, and DELETE removed it all the same',
    ],
  ],
  [
    'forbidden',
    'changes',
    [
      'change the file as other: other-caller: Another caller may not read /files/{fileId}, and PATCH changed it all the same',
    ],
  ],
  [
    'hidden',
    'replaces',
    [
      'replace the file as other: other-caller: Another caller may not read /files/{fileId}, and PUT changed it all the same',
    ],
  ],
  [
    'hidden',
    'lists',
    ['list as other: other-caller: Another caller may not read /files/{fileId}, and the list shows it to him'],
  ],
  [
    'forbidden',
    'tells',
    [
      'read the file as other: other-caller: Another caller may not read /files/{fileId}, and the response to GET shows what is in it',
    ],
  ],
  [
    'hidden',
    'replays',
    [
      'add the same file with the same Idempotency-Key as other: other-caller: Another caller may not read /files/{fileId}, and got it by sending its creation once more',
    ],
  ],
  [
    'reader',
    'does-all-the-same',
    [
      'replace the file as other: rejected-write-changed: The PUT of another caller was rejected with 403, and done all the same',
      'change the file as other: rejected-write-changed: The PATCH of another caller was rejected with 403, and done all the same',
      'remove the file as other: rejected-write-changed: The DELETE of another caller was rejected with 403, and done all the same',
    ],
  ],
  [
    'hidden',
    'does-all-the-same',
    [
      'replace the file as other: rejected-write-changed: The PUT of another caller was rejected with 404, and done all the same',
      'change the file as other: rejected-write-changed: The PATCH of another caller was rejected with 404, and done all the same',
      'remove the file as other: rejected-write-changed: The DELETE of another caller was rejected with 404, and done all the same',
    ],
  ],
];
