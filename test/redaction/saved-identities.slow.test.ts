import { readFileSync } from 'node:fs';
import { temporaryFolder } from '../support/temporary-folder';
import { expectNoSecret, filesIn, verifyArchive } from './verify-archive';

const folder = temporaryFolder();

test('what another caller could do is saved with his name, and found again', async () => {
  const failures = folder.file('failures');
  const ended = await verifyArchive(
    folder,
    ['removes'],
    ['--generate=credentials', '--no-auth-probes', '--save-failures', failures],
  );
  const written = filesIn(failures);
  expectNoSecret(ended, written);
  const saved = written.find((file) => /other-caller.*\.yaml$/.test(file)) ?? '';
  expect(readFileSync(saved, 'utf8')).toMatch(/identity: other/);
  const again = await verifyArchive(folder, ['removes'], ['--replay', saved]);
  expect(again.stdout + again.stderr).toMatch(/still fail/i);
  expectNoSecret(again, []);
  const fixed = await verifyArchive(folder, [], ['--replay', saved]);
  expect(fixed.exitCode).toBe(0);
});
