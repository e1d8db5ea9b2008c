// Builds dist/, step by step. A step runs only if something that it read the last time has changed since, or an output is
// missing; dist/.built.json holds the hashes. Files in dist/ that no step wrote are removed.
//
//   npm run build                  what runs: dist/src, the command line, the window, the bundled libraries
//   npm run build -- --package     also what only a package needs: type declarations and the bill of materials
//
// The build does not check types: npm run typecheck does.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { formatSchemas } from './format-schemas.mjs';
import { findSources } from './sources.mjs';

/**
 * @typedef {object} Step
 * @property {string} name - as the progress line shows it
 * @property {string} script - the module of this folder that has `run`
 * @property {string} [run] - the function of that module; it returns the files that it read and wrote, below the root
 * @property {readonly string[]} [uses] - other modules of this folder that the script imports
 * @property {() => readonly string[]} [inputs] - files that the step reads, whether or not `run` names them
 * @property {string} [key] - the step runs again when this text changes
 * @property {boolean} [packageOnly] - runs with --package only
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stampFile = join(root, 'dist', '.built.json');
/** npm writes this file when it installs: it changes with each installed version. */
const installed = ['node_modules/.package-lock.json', 'package-lock.json'].find((path) => existsSync(join(root, path)));
const sources = findSources(root);

/** @type {readonly Step[]} */
const steps = [
  { name: 'compile', script: 'compile.mjs', uses: ['sources.mjs'], inputs: () => sources },
  {
    name: 'OpenAPI schemas',
    script: 'generate.mjs',
    run: 'writeOpenApiSchemas',
    uses: ['keyed-members.mjs', 'sources.mjs'],
  },
  {
    name: 'format schemas',
    script: 'generate.mjs',
    run: 'writeFormatSchemas',
    uses: ['format-schemas.mjs', 'sources.mjs'],
    inputs: () => formatSchemas,
  },
  { name: 'bundled description', script: 'generate.mjs', run: 'writeBundledDescription', uses: ['sources.mjs'] },
  { name: 'configuration schema', script: 'generate.mjs', run: 'writeConfigSchema', uses: ['sources.mjs'] },
  { name: 'bundled libraries', script: 'vendor.mjs', uses: ['licences.mjs'] },
  { name: 'window', script: 'window.mjs', uses: ['licences.mjs'] },
  { name: 'command line', script: 'bundle.mjs' },
  { name: 'code cache', script: 'code-cache.mjs', key: `${process.version} ${process.platform}-${process.arch}` },
  { name: 'manual page', script: 'man.mjs', uses: ['sources.mjs'], inputs: () => ['package.json'] },
  {
    name: 'types',
    script: 'declarations.mjs',
    inputs: () => [...sources, 'tsconfig.json', 'tsconfig.build.json'],
    packageOnly: true,
  },
  {
    name: 'bill of materials',
    script: 'sbom.mjs',
    inputs: () => ['package.json', 'package-lock.json'],
    packageOnly: true,
  },
];

const hashes = new Map();
/** The hash of a file; `undefined` if there is none. */
function hashOf(path) {
  if (!hashes.has(path)) hashes.set(path, readHash(join(root, path)));
  return hashes.get(path);
}

function readHash(file) {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('base64');
  } catch {
    return undefined;
  }
}

/** Inputs that are known before a step runs. */
function knownInputs({ script, uses = [], inputs = () => [] }) {
  return [installed, ...[script, ...uses].map((name) => `scripts/${name}`), ...inputs()];
}

function isCurrent(step, stamp) {
  return (
    stamp !== undefined &&
    stamp.key === step.key &&
    knownInputs(step).every((path) => path in stamp.inputs) &&
    Object.entries(stamp.inputs).every(([path, hash]) => hashOf(path) === hash) &&
    stamp.outputs.every((path) => existsSync(join(root, path)))
  );
}

/** The sources that changed since the last time; all of them if the compiler changed. */
function changedInputs(step, stamp) {
  const { inputs = () => [] } = step;
  const files = inputs();
  const others = knownInputs(step).filter((path) => !files.includes(path));
  if (stamp === undefined || others.some((path) => stamp.inputs[path] !== hashOf(path))) return files;
  return files.filter((path) => stamp.inputs[path] !== hashOf(path));
}

async function runStep(step, stamp) {
  const { run = 'run', script } = step;
  const known = Object.fromEntries(knownInputs(step).map((path) => [path, hashOf(path)]));
  const { inputs = [], outputs } = await (await import(`./${script}`))[run](root, changedInputs(step, stamp));
  for (const path of outputs) hashes.delete(path);
  const read = Object.fromEntries(inputs.map((path) => [path, hashOf(path)]));
  return { key: step.key, inputs: { ...read, ...known }, outputs };
}

function readStamps() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'));
  } catch {
    return {};
  }
}

function writeStamps(stamps) {
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify(stamps));
}

/** Removes what is left in dist/ of deleted sources, other versions of Node and earlier builds. */
function removeLeftovers(stamps) {
  const kept = new Set([
    stampFile,
    ...Object.values(stamps).flatMap(({ outputs }) => outputs.map((path) => join(root, path))),
  ]);
  for (const entry of readdirSync(join(root, 'dist'), { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isDirectory() && !kept.has(path)) rmSync(path);
  }
}

const { values } = parseArgs({ options: { package: { type: 'boolean', default: false } } });
const stamps = readStamps();
let hasChanged = false;
for (const step of steps) {
  const { [step.name]: stamp } = stamps;
  if (isCurrent(step, stamp)) continue;
  if (step.packageOnly && !values.package) {
    // Declarations of an earlier state must not be packed.
    if (stamp === undefined) continue;
    delete stamps[step.name];
  } else {
    const start = performance.now();
    delete stamps[step.name];
    writeStamps(stamps);
    stamps[step.name] = await runStep(step, stamp);
    process.stderr.write(`building: ${step.name}, ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
  }
  writeStamps(stamps);
  hasChanged = true;
}
if (hasChanged) removeLeftovers(stamps);
