import { execFile } from 'node:child_process';
import { join } from 'node:path';
import type { TemporaryFolder } from '../../support/temporary-folder';

const ROOT = join(__dirname, '..', '..', '..');

/** What became of one test file. */
export interface FileResult {
  /** The path of the test file. */
  readonly name: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly fullName: string;
    readonly status: string;
    readonly failureMessages: readonly string[];
  }[];
}

/** Runs test files with jest in a process of its own, as users do, with the package that was built. */
export function runJest(
  folder: TemporaryFolder,
  files: Readonly<Record<string, string>>,
): Promise<readonly FileResult[]> {
  for (const [name, text] of Object.entries(files)) {
    folder.write(`${name}.test.cjs`, text.replaceAll('standin/', `${ROOT}/dist/src/`));
  }
  // As what is in node_modules, the package is not transformed; a new folder would have it all transformed anew.
  folder.write('package.json', '{ "jest": { "transform": {} } }');
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const cache = ['--cacheDirectory', folder.path];
  const args = [jest, '--json', '--runInBand', ...cache, '--rootDir', folder.path, '--testMatch', '**/*.test.cjs'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd: folder.path, maxBuffer: 10_000_000 }, (_, stdout, stderr) => {
      try {
        resolve((JSON.parse(stdout) as { readonly testResults: readonly FileResult[] }).testResults);
      } catch {
        reject(new Error(stderr));
      }
    });
  });
}
