// Builds dist/. Says "building…" on stderr while it does, and ends at once when nothing that dist/ is made of changed
// since the last build. `rm -rf dist` makes it build from nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatSchemas } from './format-schemas.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', '.built-from');
const outputs = [
  'bin/standin.js',
  'src/index.js',
  'generated/config.schema.json',
  'window/index.html',
  'window/reference.js',
  'generated/report-page.js',
  'vendor/packages.json',
  'window/packages.json',
  'man/standin.1',
].map((name) => join(root, 'dist', name));

/** A hash of all that dist/ is made of; the compiled code in it belongs to one version of Node. */
function inputs() {
  const folders = ['src', 'spec', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', ...formatSchemas];
  const hash = createHash('sha256').update(process.version);
  for (const file of [...folders.sort(), ...files.map((name) => join(root, name))]) {
    hash.update(`\0${file.slice(root.length)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

const wanted = inputs();
const isCurrent =
  existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && outputs.every((path) => existsSync(path));
if (!isCurrent) {
  process.stderr.write('building…\n');
  rmSync(stamp, { force: true });
  // Made of what is built, when it is packed: an old one would list what is there no more.
  rmSync(join(root, 'dist', 'sbom.cdx.json'), { force: true });
  for (const args of [
    ['node_modules/typescript/bin/tsc', '--build', 'tsconfig.build.json'],
    ['scripts/generate.mjs'],
    ['scripts/vendor.mjs'],
    ['scripts/window.mjs'],
    ['scripts/bundle.mjs'],
    ['scripts/man.mjs'],
  ]) {
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}
