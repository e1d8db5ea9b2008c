import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createMockServer } from '../../src/express';
import { startPeer } from '../runner/peer';
import { temporaryFolder } from '../support/temporary-folder';
import { endedRun } from './standin-process';
import { until } from '../support/until';

// Elsewhere the system has another program for it.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('verify --open shows the report in the browser of the system', async () => {
  const folder = temporaryFolder();
  const [asked, page] = [folder.file('asked'), folder.file('out.html')];
  const opener = `#!/bin/sh\necho "$1" > '${asked}.part' && mv '${asked}.part' '${asked}'\n`;
  chmodSync(folder.write('xdg-open', opener), 0o755);
  const contract = folder.write(
    'one.yaml',
    'standin: contract/1\nname: One\nsteps:\n  - operation: listPets\n    parameters: { limit: 2 }\n    expect: { status: 200 }\n',
  );
  const mock = await startPeer(await createMockServer());
  const env = { PATH: `${folder.path}:${process.env['PATH'] ?? ''}` };
  const args = ['verify', contract, '--base-url', mock.url, '--open', '--report', `html=${page}`];
  const { exitCode } = await endedRun(args, { env });
  await mock.close();
  expect(exitCode).toBe(0);
  await until(() => existsSync(asked), 'the browser to be started');
  expect(fileURLToPath(readFileSync(asked, 'utf8').trim())).toBe(page);
});
