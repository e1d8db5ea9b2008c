// The sources as CommonJS in dist/src and dist/spec, file by file. Types are removed, not checked.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import { findSources } from './sources.mjs';

const outputOf = (path) => join('dist', path.replace(/\.ts$/, '.js'));
const options = {
  swcrc: false,
  jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  // `import()` stays: it loads ES modules.
  // The annotation lists the exports for `import { x } from 'standin'` of ES modules.
  module: { type: 'commonjs', ignoreDynamic: true, exportInteropAnnotation: true },
};

/** @param changed - sources that are new or changed since the last build */
export function run(root, changed) {
  const sources = findSources(root);
  const folders = new Set();
  for (const path of sources.filter((each) => changed.includes(each) || !existsSync(join(root, outputOf(each))))) {
    const target = join(root, outputOf(path));
    const { code } = transformSync(readFileSync(join(root, path), 'utf8'), { ...options, filename: path });
    if (!folders.has(dirname(target))) mkdirSync(dirname(target), { recursive: true });
    folders.add(dirname(target));
    writeFileSync(target, code);
  }
  return { outputs: sources.map(outputOf) };
}
