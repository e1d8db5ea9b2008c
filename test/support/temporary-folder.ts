import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder for the files of tests. */
export interface TemporaryFolder {
  readonly path: string;
  /** The path of a file in it, whether there is one or not. */
  file(name: string): string;
  /** Writes a file, and makes the folders above it. @returns its path */
  write(name: string, text: string | Uint8Array): string;
  /** For a folder of one test, or one use: all others are removed behind the tests. */
  remove(): void;
}

const made = new Set<string>();
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

/** Makes a folder that is gone after the tests of the file. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'standin-test-'));
  made.add(path);
  return {
    path,
    file: (name) => join(path, name),
    write(name, text) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    remove() {
      made.delete(path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}
