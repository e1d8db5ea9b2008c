// The command line in one file: to find, read and compile three hundred modules takes a fifth of the start. What a
// command does not use is in it, and is not run; libraries are loaded as ever. Beside it lies the code that V8 made of it,
// which the bin takes on the same version of Node.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const scripts = dirname(fileURLToPath(import.meta.url));
const dist = join(scripts, '..', 'dist');
const bin = join(dist, 'bin');
const options = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  packages: 'external',
  legalComments: 'none',
  logLevel: 'warning',
};
// First, so that none outlives its text.
mkdirSync(bin, { recursive: true });
for (const name of readdirSync(bin)) if (name.endsWith('.code')) rmSync(join(bin, name));

await build({ ...options, entryPoints: [join(dist, 'src', 'cli', 'launch.js')], outfile: join(bin, 'standin.js') });
await build({ ...options, entryPoints: [join(dist, 'src', 'cli', 'bin.js')], outfile: join(bin, 'command-line.js') });

const compiled = spawnSync(process.execPath, [join(scripts, 'compile.mjs')], {
  encoding: 'utf8',
  env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' },
});
if (compiled.status !== 0) throw new Error(`The command line was not compiled: ${compiled.stdout}${compiled.stderr}`);
