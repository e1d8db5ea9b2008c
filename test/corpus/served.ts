import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { BUILT_COMMAND } from '../support/built-command';

const START_LIMIT_MS = 60_000;

/** A mock in a process of its own, as its users start it. */
export interface Served {
  readonly kind: 'served';
  /** Scheme, host, port and base path. */
  readonly url: string;
  /** Epoch milliseconds at which the process was started. */
  readonly startedAt: number;
  /** Everything that it wrote to stderr so far. */
  errors(): string;
  /** Peak of its resident memory, in MB; 0 where the system does not tell. */
  memoryMb(): number;
  stop(): void;
}

export interface NotServed {
  readonly kind: 'refused';
  /** What the process said. */
  readonly reason: string;
}

/** Starts `standin mock FILE` on a free port. */
export function serveFile(file: string, flags: readonly string[] = []): Promise<Served | NotServed> {
  const startedAt = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, [BUILT_COMMAND, 'mock', file, '--port', '0', '--log', 'json', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let errors = '';
  return new Promise((resolve) => {
    const refuse = (reason: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      resolve({ kind: 'refused', reason });
    };
    const timer = setTimeout(() => {
      refuse(`nothing listened after ${START_LIMIT_MS / 1000} s`);
    }, START_LIMIT_MS);
    child.stderr.on('data', (chunk: Buffer) => {
      // Enough to explain a failure; a server that complains about each request must not fill this process.
      if (errors.length < 1e6) errors += chunk.toString();
    });
    child.on('exit', () => {
      refuse(errors);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      const lines = (out + chunk.toString()).split('\n');
      // Hundreds of warnings may stand before the line that says where the mock listens.
      out = lines.at(-1) ?? '';
      const url = lines.flatMap((line) => /"url":"([^"]+)"/.exec(line)?.[1] ?? [])[0];
      if (url === undefined) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      child.stdout.removeAllListeners('data').resume();
      resolve({
        kind: 'served',
        url,
        startedAt,
        errors: () => errors,
        memoryMb: () => peakMemory(child.pid),
        stop: () => child.kill('SIGKILL'),
      });
    });
  });
}

function peakMemory(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
