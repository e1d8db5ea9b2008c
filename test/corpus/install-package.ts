import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Installs a package of npm for its files, in a folder of the system's temporary folder that is kept for the next run.
 * Nothing of it is run.
 *
 * @returns the folder of the package
 */
export function installPackage(name: string): string {
  if (!/^(?:@[a-z0-9._-]+\/)?[a-z0-9._-]+(?:@[\w.-]+)?$/.test(name)) throw new Error(`${name} is no name of a package`);
  const root = join(tmpdir(), `standin-corpus-${userInfo().username}`);
  const bare = name.replace(/(?<=.)@[^/]*$/, '');
  const folder = join(root, 'node_modules', bare);
  if (existsSync(folder)) return folder;
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const manifest = join(root, 'package.json');
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n');
  process.stderr.write(`installing ${name} in ${root}\n`);
  const npm = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', name], {
    cwd: root,
    encoding: 'utf8',
    timeout: 600_000,
  });
  if (npm.status !== 0) throw new Error(`npm could not install ${name}: ${npm.stderr.slice(-500)}`);
  return folder;
}
