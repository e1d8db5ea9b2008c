import { spawn, type ChildProcess } from 'node:child_process';
import { Console } from 'node:console';
import { main } from '../../src/cli/main';
import { BUILT_COMMAND } from '../support/built-command';

/** What the developer's own shell sets must not get in the way. */
const OWN_VARIABLES = ['STANDIN_API_KEY', 'STANDIN_ADMIN_TOKEN', 'FORCE_COLOR'] as const;

export interface Ended {
  /** `undefined` when a server was started and runs on. */
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/**
 * Runs the command line in this process, in a folder and with variables of the environment of its own. For what ends by
 * itself and is not about the process: it is several times quicker than {@link endedRun}.
 */
export async function endedHere(args: readonly string[], { env = {}, cwd }: RunOptions = {}): Promise<Ended> {
  const before = { folder: process.cwd(), env: { ...process.env } };
  for (const name of OWN_VARIABLES) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  if (cwd !== undefined) process.chdir(cwd);
  try {
    return await runMain(...args);
  } finally {
    process.chdir(before.folder);
    for (const name of [...OWN_VARIABLES, ...Object.keys(env)]) {
      const value = before.env[name];
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
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

export interface Served {
  /** With the base path. */
  readonly url: string;
  /** What it has written so far. */
  readonly output: () => Omit<Ended, 'exitCode'>;
  /** Waits until what it has written to stdout matches. */
  readonly written: (pattern: RegExp) => Promise<void>;
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>;
}

export interface ServedHere {
  /** With the base path. */
  readonly url: string;
  readonly stdout: string;
  /** Stops the server as a signal does. */
  readonly stop: () => Promise<void>;
}

/**
 * Runs `standin mock` in this process, on a free port. It is several times quicker than {@link serve}.
 *
 * @throws Error with the text of stderr where the command ends
 */
export async function servedHere(...args: readonly string[]): Promise<ServedHere> {
  const others = new Set(process.listeners('SIGTERM'));
  const { exitCode, stdout, stderr } = await runMain('mock', '--port', '0', '--log', 'silent', ...args);
  if (exitCode !== undefined) throw new Error(stderr);
  const [stop] = process.listeners('SIGTERM').filter((listener) => !others.has(listener));
  if (stop === undefined) throw new Error('The command does not handle SIGTERM');
  return {
    url: urlIn(stdout),
    stdout,
    async stop() {
      const exit = process.exit.bind(process);
      const ended = new Promise<void>((resolve) => {
        process.exit = (() => {
          resolve();
        }) as typeof exit;
      });
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
      stop('SIGTERM');
      await ended;
      process.exit = exit;
    },
  };
}

function urlIn(stdout: string): string {
  return /(?:is (?:mocked|recorded) at |"url":")(http:\/\/[^\s"]+)/.exec(stdout)?.[1] ?? '';
}

const children = new Set<ChildProcess>();

/** For `afterEach`: no server outlives its test. */
export function killAll(): void {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
}

/** Runs the built command line in a process of its own: it ends, or it serves. */
export async function standin(args: readonly string[], { env = {}, cwd }: RunOptions = {}): Promise<Ended | Served> {
  const unset = Object.fromEntries(OWN_VARIABLES.map((name) => [name, undefined]));
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
    url: urlIn(written.stdout),
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
