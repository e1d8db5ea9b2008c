import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

/** The description that all tools get. */
export const DESCRIPTION = join(__dirname, '..', '..', '..', 'spec', 'petstore.yaml');

/* oxlint-disable typescript/no-explicit-any -- a tree of which each tool wants another part */
export type Tree = any;

/** The description without references, which some tools do not follow, and without tags, which take the order away. */
export function flatDescription(): Tree {
  const whole = parse(readFileSync(DESCRIPTION, 'utf8'), { intAsBigInt: true });
  const at = (reference: string): Tree =>
    reference
      .slice(2)
      .split('/')
      .reduce((tree: Tree, name) => tree[name.replaceAll('~1', '/').replaceAll('~0', '~')], whole);
  const flat = (tree: Tree): Tree => {
    if (Array.isArray(tree)) return tree.map(flat);
    if (tree === null || typeof tree !== 'object') return tree;
    if (typeof tree.$ref === 'string') return flat(at(tree.$ref));
    return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, flat(value)]));
  };
  const paths = flat(whole.paths);
  for (const { operation } of operationsOf({ paths })) delete operation.tags;
  return { ...whole, paths, components: { securitySchemes: whole.components.securitySchemes } };
}

export interface FlatOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Tree;
}

export function operationsOf({ paths }: Tree): FlatOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Tree).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Writes a description into a folder. @returns its file */
export function writeDescription(folder: string, tree: Tree): string {
  const file = join(folder, 'petstore.yaml');
  writeFileSync(file, stringify(tree, { aliasDuplicateObjects: false }));
  return file;
}
