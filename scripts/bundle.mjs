// The command line in one file: to find, read and compile three hundred modules takes a fifth of the start. What a
// command does not use is in it, and is not run; libraries are loaded as ever. Beside it lies the code that V8 made of it,
// which the bin takes on the same version of Node.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const scripts = dirname(fileURLToPath(import.meta.url));
const dist = join(scripts, '..', 'dist');
const bin = join(dist, 'bin');
const { WRAPPER } = createRequire(import.meta.url)(join(dist, 'src', 'cli', 'compiled-code.js'));
const options = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  packages: 'external',
  // They are files of their own: in this one, their text would be in the memory of everybody.
  external: ['#vendor/*'],
  legalComments: 'none',
  logLevel: 'warning',
};
// First, so that none outlives its text.
mkdirSync(bin, { recursive: true });
for (const name of readdirSync(bin)) if (name.endsWith('.code')) rmSync(join(bin, name));

await build({ ...options, entryPoints: [join(dist, 'src', 'cli', 'launch.js')], outfile: join(bin, 'standin.js') });
await build({
  ...options,
  entryPoints: [join(dist, 'src', 'cli', 'bin.js')],
  outfile: join(bin, 'command-line.js'),
  charset: 'ascii',
  // The whole text is kept in memory. Of an error that nobody caught, Node shows the line.
  minifyWhitespace: true,
  lineLimit: 120,
  banner: { js: WRAPPER[0] },
  footer: { js: WRAPPER[1] },
});

const compiled = spawnSync(process.execPath, [join(scripts, 'compile.mjs')], {
  encoding: 'utf8',
  env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' },
});
if (compiled.status !== 0) throw new Error(`The command line was not compiled: ${compiled.stdout}${compiled.stderr}`);
