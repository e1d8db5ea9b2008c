// The page of the mock, dist/window: one HTML, one script, one style sheet; and one of each for the reference of the API,
// which is many times as large and loaded when it is opened. What they are made of, their libraries too, is in these
// files: nothing of it is loaded from elsewhere, and nothing is installed with the package.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { licences, listOf } from './licences.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'src', 'window');
const target = join(root, 'dist', 'window');
/** The page, and what it loads when the reference of the API is opened. */
const page = ['index.html', 'window.js', 'window.css'];
const reference = ['reference.js', 'reference.css'];

const options = {
  outdir: target,
  bundle: true,
  minify: true,
  metafile: true,
  platform: 'browser',
  target: ['chrome111', 'firefox115', 'safari16.4'],
  tsconfig: join(source, 'tsconfig.json'),
  legalComments: 'none',
  logLevel: 'warning',
};

/** The reference is a script of its own, which stands beside the one that imports it. */
const referenceApart = {
  name: 'reference-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/reference\/reference$/ }, () => ({ path: './reference.js', external: true }));
  },
};

mkdirSync(target, { recursive: true });
for (const name of [...page, ...reference]) rmSync(join(target, name), { force: true });
const built = [
  await build({ ...options, entryPoints: { window: join(source, 'main.tsx') }, plugins: [referenceApart] }),
  await build({ ...options, entryPoints: { window: join(source, 'style', 'window.css') } }),
  await build({
    ...options,
    entryPoints: { reference: join(source, 'reference', 'reference.ts') },
    format: 'esm',
    // It looks for the global object of Node as well.
    define: { global: 'globalThis' },
  }),
  await build({ ...options, entryPoints: { reference: join(source, 'style', 'reference.css') } }),
];
copyFileSync(join(source, 'index.html'), join(target, 'index.html'));
const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(join(target, 'licenses.txt'), licences(root, inputs, 'dist/window'));
writeFileSync(join(target, 'packages.json'), listOf(root, inputs));

/** What somebody waits for who opens the page over a slow line. */
const MOST_BYTES = 150_000;
const sizeOf = (names) => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(target, name))).length, 0);
const size = sizeOf(page);
if (size > MOST_BYTES) throw new Error(`dist/window has ${size} bytes gzipped, more than ${MOST_BYTES}`);
if (process.argv.includes('--size')) {
  process.stderr.write(`window: ${(size / 1000).toFixed(1)} kB gzipped\n`);
  process.stderr.write(`reference, when it is opened: ${(sizeOf(reference) / 1000).toFixed(1)} kB gzipped\n`);
}

// The style and the script of the report of a run, as texts of a module: they stand in each page.
const report = await build({
  ...options,
  entryPoints: { style: join(source, 'style', 'report.css'), script: join(source, 'report', 'report.ts') },
  write: false,
});
const textOf = (extension) => report.outputFiles.find(({ path }) => path.endsWith(extension)).text.trim();
writeFileSync(
  join(root, 'dist', 'generated', 'report-page.js'),
  `exports.style = ${JSON.stringify(textOf('.css'))};\nexports.script = ${JSON.stringify(textOf('.js'))};\n`,
);
