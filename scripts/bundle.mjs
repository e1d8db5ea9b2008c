// The command line in one file: finding, reading and compiling three hundred modules takes a fifth of the start. The file
// has the modules of every command; a command runs only those that it uses. Packages are loaded from node_modules.
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';

const BIN = join('dist', 'bin');

export async function run(root) {
  const require = createRequire(import.meta.url);
  const { WRAPPER } = require(join(root, 'dist', 'src', 'cli', 'compiled-code.js'));
  mkdirSync(join(root, BIN), { recursive: true });
  const options = {
    absWorkingDir: root,
    bundle: true,
    metafile: true,
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // The bundled libraries are separate files: in this one, every process would hold their text in memory.
    external: ['#vendor/*'],
    legalComments: 'none',
    logLevel: 'warning',
  };
  const outputs = [join(BIN, 'standin.js'), join(BIN, 'command-line.js')];
  const [launcher, commandLine] = outputs;
  const built = [
    await build({ ...options, entryPoints: [join('src', 'cli', 'launch.ts')], outfile: launcher }),
    await build({
      ...options,
      entryPoints: [join('src', 'cli', 'bin.ts')],
      outfile: commandLine,
      charset: 'ascii',
      // The whole text is kept in memory. Node prints the line of an uncaught error, so that lines must be short.
      minifyWhitespace: true,
      lineLimit: 120,
      banner: { js: WRAPPER[0] },
      footer: { js: WRAPPER[1] },
    }),
  ];
  return {
    inputs: [...built.flatMap(({ metafile }) => Object.keys(metafile.inputs)), 'tsconfig.json'],
    outputs,
  };
}
