import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder for the files of one test file; removed after its tests. */
export function temporaryFolder(): { readonly path: string; write(name: string, text: string | Uint8Array): string } {
  const path = mkdtempSync(join(tmpdir(), 'standin-test-'));
  afterAll(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return {
    path,
    write(name, text) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  };
}
