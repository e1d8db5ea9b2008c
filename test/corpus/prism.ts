import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { installPackage } from './install-package';
import type { Trial } from './trial';

/** The last version whose `engines` take Node 20. */
const PRISM = '@stoplight/prism-cli@5.14.2';
const LIMIT_MS = 120_000;

/** The same description in both, from the start of the process to the first answer. */
export interface Comparison {
  readonly name: string;
  readonly ours: Measured;
  readonly prism: Measured | { readonly failed: string };
}

export interface Measured {
  readonly ms: number;
  readonly memoryMb: number;
}

/** Starts Prism's CLI with a description and waits for its first answer, whatever that is. */
export async function comparePrism(file: string, trial: Trial): Promise<Comparison> {
  const ours = { ms: trial.firstAnswerMs, memoryMb: trial.memoryMb };
  const port = await freePort();
  const bin = join(installPackage(PRISM), 'dist', 'index.js');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [bin, 'mock', '--port', String(port), file], { stdio: 'ignore' });
  try {
    while (performance.now() - startedAt < LIMIT_MS) {
      if (child.exitCode !== null) return { name: trial.name, ours, prism: { failed: 'ended without a response' } };
      if (await answers(port)) {
        const ms = performance.now() - startedAt;
        return { name: trial.name, ours, prism: { ms, memoryMb: peakMemory(child.pid) } };
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return { name: trial.name, ours, prism: { failed: `no response in ${LIMIT_MS / 1000} s` } };
  } finally {
    child.kill('SIGKILL');
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    await (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

function peakMemory(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' && address !== null ? address.port : 0);
      });
    });
  });
}
