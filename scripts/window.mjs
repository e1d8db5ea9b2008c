// The page of the mock, dist/window: one HTML file, one script, one style sheet; and a script and a style sheet for the
// API reference, which is many times as large and loaded when somebody opens it. All libraries are bundled: the page
// loads nothing from elsewhere, and npm installs nothing for it.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { licences, listOf } from './licences.mjs';

/** What a user waits for who opens the page over a slow line. */
const MAX_BYTES = 150_000;
const SOURCE = join('src', 'window');
const TARGET = join('dist', 'window');
const REPORT = join('dist', 'generated', 'report-page.js');
const page = ['index.html', 'window.js', 'window.css'];
const reference = ['reference.js', 'reference.css'];

/** The reference is a script of its own, beside the one that imports it. */
const referenceApart = {
  name: 'reference-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/reference\/reference$/ }, () => ({ path: './reference.js', external: true }));
  },
};

export async function run(root) {
  const options = {
    absWorkingDir: root,
    outdir: TARGET,
    bundle: true,
    minify: true,
    metafile: true,
    platform: 'browser',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    tsconfig: join(SOURCE, 'tsconfig.json'),
    legalComments: 'none',
    logLevel: 'warning',
  };
  const built = [
    await build({ ...options, entryPoints: { window: join(SOURCE, 'main.tsx') }, plugins: [referenceApart] }),
    await build({ ...options, entryPoints: { window: join(SOURCE, 'style', 'window.css') } }),
    await build({
      ...options,
      entryPoints: { reference: join(SOURCE, 'reference', 'reference.ts') },
      format: 'esm',
      // Swagger UI looks for the global object of Node as well.
      define: { global: 'globalThis' },
    }),
    await build({ ...options, entryPoints: { reference: join(SOURCE, 'style', 'reference.css') } }),
  ];
  const target = join(root, TARGET);
  mkdirSync(target, { recursive: true });
  copyFileSync(join(root, SOURCE, 'index.html'), join(target, 'index.html'));
  const bundled = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  writeFileSync(join(target, 'licenses.txt'), licences(root, bundled, TARGET));
  writeFileSync(join(target, 'packages.json'), listOf(root, bundled));

  const size = page.reduce((sum, name) => sum + gzipSync(readFileSync(join(target, name))).length, 0);
  if (size > MAX_BYTES) throw new Error(`${TARGET} has ${size} bytes gzipped, more than ${MAX_BYTES}`);

  // The style and the script of the HTML report of a run, as texts of a module: each report contains them.
  const report = await build({
    ...options,
    entryPoints: { style: join(SOURCE, 'style', 'report.css'), script: join(SOURCE, 'report', 'report.ts') },
    write: false,
  });
  const findText = (extension) => report.outputFiles.find(({ path }) => path.endsWith(extension)).text.trim();
  mkdirSync(join(root, 'dist', 'generated'), { recursive: true });
  writeFileSync(
    join(root, REPORT),
    `exports.style = ${JSON.stringify(findText('.css'))};\nexports.script = ${JSON.stringify(findText('.js'))};\n`,
  );
  const inputs = [...bundled, ...Object.keys(report.metafile.inputs)].filter((path) => !path.includes('node_modules'));
  const settings = [join(SOURCE, 'index.html'), join(SOURCE, 'tsconfig.json'), 'tsconfig.json'];
  const files = [...page, ...reference, 'licenses.txt', 'packages.json'].map((name) => join(TARGET, name));
  return { inputs: [...inputs, ...settings], outputs: [...files, REPORT] };
}
