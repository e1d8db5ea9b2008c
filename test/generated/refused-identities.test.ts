import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import type { RunResult } from '../../src/runner/result/run-result';
import { Archive, archiveDescription } from '../support/archive';
import { ask, findings, OPTIONS } from '../support/ask-archive';
import { temporaryFolder } from '../support/temporary-folder';

const folder = temporaryFolder();

const TOKENS = folder.write(
  'tokens.yaml',
  `standin: tokens/1
tokens:
  owner: { key: key-of-owner, scopes: ['*'] }
  other: { key: key-of-other, scopes: ['files:read'] }
  writer: { key: key-of-writer, scopes: ['files:write'] }
  old: { key: key-of-old, scopes: ['*'], expires: '2001-01-01T00:00:00Z' }
`,
);

/** Names of the probes with a refused key that passed. */
const passedProbes = ({ probes }: RunResult): Set<string> =>
  new Set(
    probes.flatMap(({ name, verdict }) => (verdict.kind === 'pass' && name.includes('the key of old') ? name : [])),
  );

/** Each operation is called with the key, and writes also in a form that would succeed with another key. */
const ALL_PROBES = new Set([
  ...['listFiles', 'addFile', 'getFile', 'replaceFile', 'changeFile', 'removeFile'].map(
    (id) => `${id} rejects the key of old`,
  ),
  ...['addFile', 'replaceFile', 'changeFile', 'removeFile'].map(
    (id) => `${id} rejects the key of old in a valid request`,
  ),
]);

describe('a key that has to be rejected', () => {
  const EXPIRED = { refusedIdentities: { old: 'key-of-expired' }, identities: {}, probesAuth: true } as const;

  test('is sent to each operation, and changes nothing', async () => {
    const archive = new Archive('shared');
    const result = await ask(archive, { ...EXPIRED, mode: 'own', generate: ['lifecycle'] });
    expect(findings(result)).toEqual([]);
    expect(passedProbes(result)).toEqual(ALL_PROBES);
    expect([...archive.files.values()]).toEqual([]);
  });

  test('is found where it is let in, and what was made with it goes', async () => {
    const archive = new Archive('shared', 'lets-in-expired');
    const result = await ask(archive, { ...EXPIRED, mode: 'own', generate: ['lifecycle'] });
    const failed = result.probes.filter(({ verdict }) => verdict.kind === 'fail').map(({ name }) => name);
    expect(failed).toContain('listFiles rejects the key of old');
    expect(failed).toContain('removeFile rejects the key of old');
    expect(failed.every((name) => name.includes('the key of old'))).toBe(true);
    expect(result.outcome).toBe('violations');
    expect([...archive.files.values()]).toEqual([]);
  });

  test('is rejected by the mock after its time', async () => {
    const app = await createMockServer({
      description: folder.write('scoped.json', archiveDescription(true)),
      tokens: TOKENS,
    });
    const more = {
      description: folder.write('scoped.json', archiveDescription(true)),
      refusedIdentities: { old: 'key-of-old' },
    };
    const result = await runContract({
      ...OPTIONS,
      ...more,
      app,
      mode: 'full',
      generate: ['lifecycle'],
      probesAuth: true,
    });
    expect(findings(result)).toEqual([]);
    expect(result.outcome).toBe('conforms');
    expect(result.leftBehind).toEqual([]);
    expect(passedProbes(result)).toEqual(ALL_PROBES);
  });

  test.each([
    { refusedIdentities: { old: 'key-of-owner' }, says: 'has the key of "the run"' },
    { refusedIdentities: { other: 'key-of-expired' }, says: 'has the name of "other"' },
    { refusedIdentities: { old: 'a b c' }, says: 'The key of the refused identity "old" is empty or holds' },
  ])('is none that is good: $says', async ({ refusedIdentities, says }) => {
    const run = ask(new Archive('shared'), { refusedIdentities });
    await expect(run).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining(says) });
  });
});
