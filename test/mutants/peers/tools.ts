import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** A tool from npm, at one version: a table of today has to be the table of tomorrow. */
export interface Tool {
  /** Packages and their versions, the one that is compared first. */
  readonly packages: Readonly<Record<string, string>>;
  /** Of the command, inside the folder that the packages are installed in. */
  readonly bin: string;
  /** A command that has to be there as well. */
  readonly needs?: string;
}

/** Where a tool is. */
export interface Installed {
  readonly folder: string;
  readonly bin: string;
}

/**
 * Finds a tool, and installs it where it is missing: in the temporary folder of the system, never in the project.
 *
 * @throws Error if it cannot be had
 */
export function install({ packages, bin, needs }: Tool): Installed {
  if (needs !== undefined && spawnSync(needs, ['-version']).error !== undefined)
    throw new Error(`it needs the command ${needs}`);
  const { uid } = userInfo();
  const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  // One folder for each user: what somebody else put into a shared folder must not run.
  const all = join(tmpdir(), `standin-peers-${uid}`);
  mkdirSync(all, { recursive: true, mode: 0o700 });
  if (uid >= 0 && lstatSync(all).uid !== uid) throw new Error(`${all} belongs to somebody else`);
  const folder = join(all, names.join('+').replaceAll('/', '-'));
  const installed = { folder, bin: join(folder, bin) };
  const complete = join(folder, 'complete');
  if (existsSync(complete)) return installed;
  process.stderr.write(`installing ${names.join(', ')}\n`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawnSync('npm', ['install', ...flags, ...names], {
    cwd: folder,
    encoding: 'utf8',
    env: ownEnvironment(),
  });
  if (npm.status !== 0)
    throw new Error(`npm install ended with ${npm.status ?? 'no status'}: ${npm.stderr.slice(0, 300)}`);
  writeFileSync(complete, '');
  return installed;
}

/** `npm run` hands its own project to children; an installation elsewhere must not follow it. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^npm_(package_|lifecycle_|config_(local_)?prefix$)/.test(name),
  );
  return Object.fromEntries(own);
}
