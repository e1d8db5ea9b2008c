import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

export const ROOT = join(__dirname, '..', '..');

/** What modules are called by without. */
export const EXTENSION = /\.tsx?$/;

/** A TypeScript file of `src/`. */
export interface SourceFile {
  /** Path below `src/`, with slashes: `json/json-value.ts`, `window/shell/shell.tsx`. */
  readonly path: string;
  readonly text: string;
}

export const SOURCE_FILES: readonly SourceFile[] = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => EXTENSION.test(name))
  .sort()
  .map((name) => ({ path: name.split(sep).join('/'), text: readFileSync(join(ROOT, 'src', name), 'utf8') }));

/** An import, static or dynamic, of types or of values. */
export interface Import {
  /** As written: `../json/json-value`, `node:fs`. */
  readonly specifier: string;
  /** File below `src/` without its extension; `undefined` for a package. */
  readonly target: string | undefined;
  readonly isTypeOnly: boolean;
  readonly isDynamic: boolean;
}

const IMPORT = /\b(?:(?:import|export)\s+(type\s)?[^'";()]*?from\s*|import\s+(?=')|(import|require)\(\s*)'([^']+)'/g;

const IMPORTS = new WeakMap<SourceFile, readonly Import[]>();

export function importsOf(file: SourceFile): readonly Import[] {
  let imports = IMPORTS.get(file);
  if (imports === undefined) IMPORTS.set(file, (imports = findImports(file)));
  return imports;
}

function findImports({ path, text }: SourceFile): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, call, specifier = '']) => {
    const resolved = relative(join(ROOT, 'src'), join(ROOT, 'src', path, '..', specifier))
      .split(sep)
      .join('/');
    return {
      specifier,
      target: specifier.startsWith('.') ? resolved.replace(/\.js$/, '') : undefined,
      isTypeOnly: type !== undefined,
      isDynamic: call !== undefined,
    };
  });
}

/** Files that are loaded together with a file: what it imports at once, and what those import. */
export function loadedWith(path: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const byPath = new Map(SOURCE_FILES.map((file) => [file.path.replace(EXTENSION, ''), file]));
  const files = new Set<string>();
  const packages = new Set<string>();
  const pending = [path];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const file = byPath.get(next) ?? byPath.get(`${next}/index`);
    if (file === undefined || files.has(next)) continue;
    files.add(next);
    for (const { specifier, target, isTypeOnly, isDynamic } of importsOf(file)) {
      if (isTypeOnly || isDynamic) continue;
      if (target === undefined) packages.add(specifier);
      else pending.push(target);
    }
  }
  return { files, packages };
}

/** Paths from the root of the tests and their helpers, without clients and recordings. */
export function testSources(): string[] {
  return ['test', 'examples']
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => /\.(ts|cjs|mjs)$/.test(file) && !file.includes('node_modules'))
    .map((file) => file.split(sep).join('/'));
}
