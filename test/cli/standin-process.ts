import { spawn, type ChildProcess } from 'node:child_process';
import { Console } from 'node:console';
import { main } from '../../src/cli/main';
import { BUILT_COMMAND } from '../support/built-command';

export interface Ended {
  /** `undefined` when a server was started and runs on. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line in this process, for what ends by itself; catches what it writes. */
export async function runMain(...args: readonly string[]): Promise<Ended> {
  const written = { stdout: '', stderr: '' };
  const writers = {
    stdout: process.stdout.write.bind(process.stdout),
    stderr: process.stderr.write.bind(process.stderr),
  };
  const ours = globalThis.console;
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array): boolean => {
      written[name] += String(text);
      return true;
    };
  }
  globalThis.console = new Console(process.stdout, process.stderr);
  try {
    return { exitCode: await main(args), ...written };
  } finally {
    globalThis.console = ours;
    process.stdout.write = writers.stdout;
    process.stderr.write = writers.stderr;
  }
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Served {
  /** With the base path. */
  readonly url: string;
  /** What it has written so far. */
  readonly output: () => Omit<Ended, 'exitCode'>;
  /** Waits until what it has written to stdout matches. */
  readonly written: (pattern: RegExp) => Promise<void>;
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>;
}

const children = new Set<ChildProcess>();

/** For `afterEach`: no server outlives its test. */
export function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
}

/** Runs the built command line in a process of its own: it ends, or it serves. */
export async function standin(args: readonly string[], { env = {}, cwd }: RunOptions = {}): Promise<Ended | Served> {
  // What the developer's own shell or jest sets must not get in the way.
  const unset = { STANDIN_API_KEY: undefined, STANDIN_ADMIN_TOKEN: undefined, FORCE_COLOR: undefined };
  const child = spawn(process.execPath, [BUILT_COMMAND, ...args], {
    env: { ...process.env, ...unset, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
  });
  children.add(child);
  const written = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      for (const listener of listeners) listener();
    });
  }
  const closed = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => {
      children.delete(child);
      resolve({ exitCode: exitCode ?? -1, ...written });
    });
  });
  const until = (isDone: () => boolean): Promise<void> => {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!isDone()) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
    });
  };
  const started = until(() => /Stop with Ctrl-C|"listening"/.test(written.stdout));
  const ended = await Promise.race([closed, started]);
  if (ended !== undefined) return ended;
  return {
    url: /(?:is mocked at |"url":")(http:\/\/[^\s"]+)/.exec(written.stdout)?.[1] ?? '',
    output: () => ({ ...written }),
    written: (pattern) => until(() => pattern.test(written.stdout)),
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return closed;
    },
  };
}

/** A server on a free port. */
export async function serve(args: readonly string[] = [], options: RunOptions = {}): Promise<Served> {
  const result = await standin(['mock', '--port', '0', ...args], options);
  if ('stop' in result) return result;
  throw new Error(`standin ended with ${String(result.exitCode)}: ${result.stderr}`);
}

/** A run that has to end by itself; a server that it starts instead is stopped. */
export async function endedRun(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const result = await standin(args, options);
  if (!('stop' in result)) return result;
  return { ...(await result.stop('SIGKILL')), exitCode: undefined };
}
