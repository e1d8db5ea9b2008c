// A real redis-server for the measurements, and what stands between it and the mocks.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort, startProcess, stopProcess } from '../server-process.mjs';

export const hasRedis = spawnSync('redis-server', ['--version']).error === undefined;

/** Starts one that writes each command to its file before it answers (AOF). */
export async function startRedis(folder) {
  const port = await findFreePort();
  const dir = mkdtempSync(path.join(folder, 'redis-'));
  const command = ['redis-server', '--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''];
  let child;
  const ask = (...args) =>
    spawnSync('redis-cli', ['-p', String(port), ...args], { encoding: 'utf8', timeout: 8000 }).stdout?.trim() ?? '';
  const start = async () => {
    child = startProcess([...command, '--appendonly', 'yes', '--appendfsync', 'everysec']);
    for (let tries = 0; tries < 400; tries++) {
      if (ask('ping') === 'PONG') return;
      await sleep(25);
    }
    throw new Error(`redis-server did not start: ${child.output}`);
  };
  await start();
  return {
    port,
    ask,
    version: /v=(\S+)/.exec(spawnSync('redis-server', ['--version'], { encoding: 'utf8' }).stdout)?.[1] ?? '',
    /** The process ends as by a power cut of it alone: what it wrote is with the system. */
    async restart(awayMs) {
      await stopProcess(child);
      await sleep(awayMs);
      await start();
    },
    async pause(ms) {
      process.kill(child.pid, 'SIGSTOP');
      await sleep(ms);
      process.kill(child.pid, 'SIGCONT');
    },
    stop: () => stopProcess(child),
  };
}

/** Passes bytes on to a port, until it is cut: then it drops what is open, and takes nothing. */
export async function startCable(to) {
  const open = new Set();
  let isCut = false;
  const server = net.createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    const other = net.connect({ port: to, host: '127.0.0.1', noDelay: true });
    socket.setNoDelay(true);
    for (const each of [socket, other]) {
      open.add(each);
      each.on('error', () => undefined);
      each.on('close', () => {
        open.delete(each);
        socket.destroy();
        other.destroy();
      });
    }
    socket.pipe(other).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    port: server.address().port,
    cut() {
      isCut = true;
      for (const each of open) each.destroy();
    },
    mend() {
      isCut = false;
    },
    close() {
      this.cut();
      server.close();
    },
  };
}
