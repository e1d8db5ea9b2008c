// A server in a process group of its own: started, awaited, stopped, and never left behind.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange } from './exchange.mjs';
import { cpuSeconds, pinCommand, residentMiB } from './machine.mjs';

const running = new Set();

process.on('exit', () => {
  for (const child of running) kill(child);
});
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
]) {
  process.on(signal, () => process.exit(code));
}

/** Starts a command that is killed with its whole group when this script ends, however it ends. */
export function startProcess(command, { env = {}, core, cwd } = {}) {
  const [program, ...args] = pinCommand(command, core);
  const child = spawn(program, args, {
    cwd,
    // A group of its own, so that children of the child are stopped as well.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '', ...env },
  });
  running.add(child);
  child.output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      child.output = (child.output + text).slice(-20_000);
    });
  }
  child.ended = once(child, 'close').then(
    () => undefined,
    (error) => {
      child.output += String(error);
    },
  );
  child.ended.finally(() => running.delete(child));
  return child;
}

/**
 * Starts a server and waits until it takes connections.
 *
 * @param port - the port the command was told; without it, the server prints `http://127.0.0.1:PORT` on stdout
 * @throws with the server's own last words when it ends or stays silent for `timeoutMs`
 */
export async function startServer({ label, command, env, core, port, timeoutMs = 120_000 }) {
  const child = startProcess(command, { env, core });
  const deadline = Date.now() + timeoutMs;
  while (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    const found = port ?? /http:\/\/127\.0\.0\.1:(\d+)/.exec(child.output)?.[1];
    if (found !== undefined && (await takesConnections(Number(found)))) {
      return {
        label,
        pid: child.pid,
        port: Number(found),
        cpuSeconds: () => cpuSeconds(child.pid),
        residentMiB: () => residentMiB(child.pid),
        stop: () => stopProcess(child),
      };
    }
    if (Date.now() > deadline) break;
    await sleep(10);
  }
  await stopProcess(child);
  const words = child.output.trim().split('\n').slice(-12).join('\n');
  throw new Error(`${label} did not start: ${command.join(' ')}\n${words}`);
}

/** Starts a server and times it: from just before the spawn until the first whole 200 answer, in ms. */
export async function timeFirstAnswer({ label, command, env, port, request, timeoutMs = 60_000 }) {
  const started = performance.now();
  const child = startProcess(command, { env });
  for (;;) {
    const answer = await exchange(port, request).catch(() => undefined);
    if (answer?.status === 200) {
      const ms = performance.now() - started;
      return { ms, residentMiB: () => residentMiB(child.pid), stop: () => stopProcess(child) };
    }
    if (child.exitCode !== null || child.pid === undefined || performance.now() - started > timeoutMs) {
      await stopProcess(child);
      const last = answer
        ? `its last answer was ${answer.status}`
        : child.output.trim().split('\n').slice(-6).join('\n');
      throw new Error(`${label} gave no 200 answer: ${last}`);
    }
    await sleep(2);
  }
}

export async function stopProcess(child) {
  kill(child);
  await child.ended;
}

/** A port that nobody listens on at the moment. */
export async function findFreePort() {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

function kill(child) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is gone already.
  }
}

function takesConnections(port) {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host: '127.0.0.1' });
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
