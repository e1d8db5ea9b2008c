// Installs Prism's CLI once, in a folder of the system's temporary folder, never in the project.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

// The last version whose `engines` take Node 20.
export const version = '5.14.2';

/**
 * Finds Prism's CLI, installing it when it is missing.
 *
 * @returns `{ version, bin }`, or `{ version, reason }` when it cannot be had
 */
export function findPrism(log) {
  const user = os.userInfo();
  // One folder per user: in a shared temporary folder, code that somebody else put there must not run.
  const folder = path.join(os.tmpdir(), `standin-bench-prism-${version}-${user.uid < 0 ? user.username : user.uid}`);
  const bin = path.join(folder, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const complete = path.join(folder, 'complete');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const owner = lstatSync(folder);
    if (!owner.isDirectory() || (user.uid >= 0 && owner.uid !== user.uid)) {
      return { version, reason: `${folder} belongs to somebody else` };
    }
    if (existsSync(complete) && existsSync(bin)) return { version, bin };
    log(`installing @stoplight/prism-cli@${version} in ${folder}`);
    rmSync(path.join(folder, 'node_modules'), { recursive: true, force: true });
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
    const failure = install(folder);
    if (failure) return { version, reason: failure };
    writeFileSync(complete, '');
    return { version, bin };
  } catch (error) {
    return { version, reason: String(error) };
  }
}

function install(folder) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = spawnSync('npm', ['install', ...flags, `@stoplight/prism-cli@${version}`], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 300_000,
    env: withoutProject(process.env),
  });
  if (npm.status === 0) return undefined;
  const words = npm.error ? String(npm.error) : npm.stderr.trim().split('\n').slice(0, 3).join(' ');
  return `npm install ended with ${npm.status ?? npm.signal ?? 'no status'}: ${words}`;
}

/** `npm run` hands its own project to children; an install elsewhere must not follow it. */
function withoutProject(env) {
  const ours = /^npm_(package_|lifecycle_|config_(local_prefix|prefix|engine_strict)$)/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !ours.test(name)));
}
