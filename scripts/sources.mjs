import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

/** Paths of the modules that are compiled for Node. The window is bundled for browsers instead. */
export function findSources(root) {
  return ['src', 'spec'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter((path) => !path.startsWith('src/window/')),
  );
}

/**
 * The files below the root that were loaded for a module, as paths of sources where they are compiled.
 *
 * @param require - the function that loaded it
 * @param file - an absolute path in dist/
 */
export function findLoadedFiles(root, require, file) {
  const found = new Set();
  const visit = (module) => {
    if (module === undefined || found.has(module.filename) || module.filename.includes('node_modules')) return;
    found.add(module.filename);
    for (const child of module.children) visit(child);
  };
  visit(require.cache[require.resolve(file)]);
  return [...found]
    .map((name) => relative(root, name))
    .map((path) => (/^dist\/(?:src|spec)\//.test(path) ? path.replace(/^dist\//, '').replace(/\.js$/, '.ts') : path));
}
