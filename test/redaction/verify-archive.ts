import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { otherCase } from '../../src/security/scheme';
import { type Ended, endedHere } from '../cli/standin-process';
import { Archive, ARCHIVE, type Hole } from '../support/archive';
import type { TemporaryFolder } from '../support/temporary-folder';

const ENV = { STANDIN_API_KEY: 'key-of-owner', OTHER_KEY: 'key-of-other', OLD_KEY: 'key-of-expired' };
const SECRETS = Object.values(ENV).flatMap((key) => [
  ...[key, otherCase(key) ?? key, Buffer.from(key).toString('base64')],
]);

/** Runs `standin verify` in mode own at a service with holes, with a further caller and an expired key. */
export async function verifyArchive(
  folder: TemporaryFolder,
  holes: readonly Hole[],
  args: readonly string[],
): Promise<Ended> {
  const spec = folder.write('archive.json', ARCHIVE);
  const { url, close } = await new Archive('forbidden', ...holes).listen();
  const target = ['--base-url', url, '--spec', spec, '--mode', 'own', '--seed', '1'];
  try {
    const identities = ['--identity', 'other=OTHER_KEY', '--refused-identity', 'old=OLD_KEY'];
    return await endedHere(['verify', ...target, ...identities, ...args], { env: ENV, cwd: folder.path });
  } finally {
    await close();
  }
}

export function filesIn(path: string): string[] {
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesIn(join(path, name))) : [path];
}

export function expectNoSecret({ stdout, stderr }: Ended, files: readonly string[]): void {
  for (const text of [stdout, stderr, ...files.map((file) => readFileSync(file, 'utf8'))])
    for (const secret of SECRETS) expect(text.includes(secret)).toBe(false);
}
