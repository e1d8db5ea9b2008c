import { spawn, spawnSync } from 'node:child_process';

/** Is there a program of the name? */
export function isFound(name: string): boolean {
  return spawnSync('which', [name]).status === 0;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end; nothing of it comes from the user's own environment but the path. */
export function ran(
  program: string,
  args: readonly string[],
  { env = {}, cwd, input = '' }: { env?: Readonly<Record<string, string>>; cwd?: string; input?: string } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(program, args, { env: { PATH, HOME, ...env }, ...(cwd === undefined ? {} : { cwd }) });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk) => (output.stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (output.stderr += String(chunk)));
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, ...output });
    });
    // It may end before it reads.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
