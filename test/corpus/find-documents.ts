import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** How much of a file tells whether it is a description: the version is written near its top, after a comment at most. */
const HEAD_BYTES = 4096;
const VERSION = /(?:^|[\s{,])["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\.\d/;

/**
 * Every description in a folder and the folders in it, in the order of their names. Files that descriptions are
 * composed of do not say a version, and so are left out.
 */
export function findDocuments(path: string): string[] {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) return findDocuments(inner);
      return /\.(?:json|ya?ml)$/i.test(entry.name) && isDescription(inner) ? [inner] : [];
    });
}

function isDescription(file: string): boolean {
  const buffer = Buffer.alloc(HEAD_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    const length = readSync(descriptor, buffer, 0, HEAD_BYTES, 0);
    return VERSION.test(buffer.toString('utf8', 0, length));
  } finally {
    closeSync(descriptor);
  }
}

/** `count` of the items, spread evenly over all of them: the same ones each time. */
export function sample<T>(items: readonly T[], count: number): T[] {
  if (count >= items.length) return [...items];
  return Array.from({ length: count }, (_, index) => items[Math.floor((index * items.length) / count)]!);
}
