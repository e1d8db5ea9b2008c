// The page of the mock, dist/window: one HTML, one script, one style sheet. What it is made of, its libraries too, is in
// these files: nothing of it is loaded from elsewhere, and nothing is installed with the package.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'src', 'window');
const target = join(root, 'dist', 'window');
const names = ['index.html', 'window.js', 'window.css'];

mkdirSync(target, { recursive: true });
for (const name of names) rmSync(join(target, name), { force: true });
await build({
  entryPoints: { window: join(source, 'main.tsx') },
  outdir: target,
  bundle: true,
  minify: true,
  platform: 'browser',
  target: ['chrome111', 'firefox115', 'safari16.4'],
  tsconfig: join(source, 'tsconfig.json'),
  legalComments: 'none',
  logLevel: 'warning',
});
await build({
  entryPoints: { window: join(source, 'style', 'window.css') },
  outdir: target,
  bundle: true,
  minify: true,
  target: ['chrome111', 'firefox115', 'safari16.4'],
  logLevel: 'warning',
});
copyFileSync(join(source, 'index.html'), join(target, 'index.html'));

/** What somebody waits for who opens the page over a slow line. */
const MOST_BYTES = 150_000;
const size = names.reduce((sum, name) => sum + gzipSync(readFileSync(join(target, name))).length, 0);
if (size > MOST_BYTES) throw new Error(`dist/window has ${size} bytes gzipped, more than ${MOST_BYTES}`);
if (process.argv.includes('--size')) process.stderr.write(`window: ${(size / 1000).toFixed(1)} kB gzipped\n`);

// The style and the script of the report of a run, as texts of a module: they stand in each page.
const page = await build({
  entryPoints: { style: join(source, 'style', 'report.css'), script: join(source, 'report', 'report.ts') },
  outdir: target,
  write: false,
  bundle: true,
  minify: true,
  platform: 'browser',
  target: ['chrome111', 'firefox115', 'safari16.4'],
  tsconfig: join(source, 'tsconfig.json'),
  legalComments: 'none',
  logLevel: 'warning',
});
const textOf = (extension) => page.outputFiles.find(({ path }) => path.endsWith(extension)).text.trim();
writeFileSync(
  join(root, 'dist', 'generated', 'report-page.js'),
  `exports.style = ${JSON.stringify(textOf('.css'))};\nexports.script = ${JSON.stringify(textOf('.js'))};\n`,
);
