import { REPORT_KINDS } from '../../src/report/registry';
import { temporaryFolder } from '../support/temporary-folder';
import { expectNoSecret, filesIn, verifyArchive } from './verify-archive';

const folder = temporaryFolder();

test('no key of a caller, good or expired, is in any report, also where the service says it itself', async () => {
  folder.write('out/note.txt', 'so that the folder is there');
  const reports = REPORT_KINDS.flatMap((kind) => ['--report', `${kind}=${folder.file(`out/report.${kind}`)}`]);
  const holes = ['removes', 'lets-in-expired', 'echoes'] as const;
  const ended = await verifyArchive(folder, holes, ['--generate=lifecycle,credentials', '--verbose', ...reports]);
  expect(ended.exitCode).toBe(1);
  const written = filesIn(folder.file('out'));
  expect(written.length).toBeGreaterThan(REPORT_KINDS.length);
  expect(ended.stdout).toContain('STANDIN_KEY_OTHER');
  expect(ended.stdout).toContain('STANDIN_KEY_OLD');
  expectNoSecret(ended, written);
});
