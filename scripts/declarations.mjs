// The type declarations of the package: dist/src/**/*.d.ts of what the public modules export.
import { spawnSync } from 'node:child_process';
import { join, relative } from 'node:path';

export function run(root) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [compiler, '-p', 'tsconfig.build.json', '--listEmittedFiles'],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The declarations could not be written:\n${stdout}${stderr}`);
  const outputs = [...stdout.matchAll(/^TSFILE: (.+)$/gm)].map(([, file]) => relative(root, file));
  return { outputs };
}
