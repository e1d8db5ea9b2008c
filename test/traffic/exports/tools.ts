import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';

const FOLDER = join(__dirname, '../tools');

/**
 * Installs the tools that read exports, outside of what users get, unless they are there.
 *
 * @returns why they cannot be had; `undefined` when they are there
 */
export function installTools(): string | undefined {
  if (existsSync(toolPath('newman')) && existsSync(toolPath('redocly'))) return undefined;
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', '--loglevel=error'];
  const { status, stderr, error } = spawnSync('npm', ['install', ...flags], { cwd: FOLDER, encoding: 'utf8' });
  if (status === 0) return undefined;
  return error?.message ?? stderr.trim().split('\n').at(-1) ?? 'npm install failed';
}

/** The program of a tool. */
export function toolPath(name: string): string {
  return join(FOLDER, 'node_modules/.bin', name);
}

/** What a package among the tools exports. */
export function toolModule(name: string): unknown {
  // oxlint-disable-next-line typescript/no-require-imports -- it is installed by the test
  return require(join(FOLDER, 'node_modules', name));
}
