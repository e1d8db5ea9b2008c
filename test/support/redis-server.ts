import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { temporaryFolder } from './temporary-folder';
import { until } from './until';

/** Is there a redis-server to try things on? */
export const hasRedis = spawnSync('redis-server', ['--version']).error === undefined;

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

export interface RedisServer {
  readonly port: number;
  /** `redis://…`, a store of its own for each name. */
  address(name: string): string;
  /** Runs a command of redis-cli. @returns what it prints */
  cli(...args: readonly string[]): string;
  /** Ends it at once, and starts it again on the same port with the same files. */
  restart(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Starts a real Redis. @param flags - further ones of redis-server */
export async function startRedis(...flags: readonly string[]): Promise<RedisServer> {
  const folder = temporaryFolder();
  const port = await freePort();
  const cli = (...args: readonly string[]): string =>
    spawnSync('redis-cli', ['-p', String(port), ...args], { encoding: 'utf8' }).stdout.trim();
  let child: ChildProcess;
  const start = async (): Promise<void> => {
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder.path, '--save', ''];
    child = spawn('redis-server', [...own, '--appendonly', 'yes', '--appendfsync', 'always', ...flags]);
    running.add(child);
    await until(() => /PONG|NOAUTH/.test(cli('ping')), 'redis-server answers');
  };
  const end = async (): Promise<void> => {
    running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  };
  await start();
  return {
    port,
    address: (name) => `redis://127.0.0.1:${port}/0?name=${name}`,
    cli,
    async restart() {
      await end();
      await start();
    },
    signal(signal) {
      child.kill(signal);
    },
    stop: end,
  };
}
