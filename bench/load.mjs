// Drivers of the load generators: wrk where it is installed, else autocannon. Both give the same figures.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuSeconds, findProgram, machineCpuSeconds } from './machine.mjs';
import { startProcess } from './server-process.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

export const connections = 32;

/** From this share of a core on, a single-threaded generator has nothing left to give. */
const generatorBusy = 0.95;
/** From this share of a core on, a server is the limit, whatever the generator does. */
const serverBusy = 0.95;
/** Below this share of a core, a server was held back by something: the generator, or other processes on its core. */
const serverIdle = 0.9;

/** Up to this share of one core, other processes pass for a quiet machine. */
export const quietShare = 0.1;

/** Whether other processes of the machine took a part in a load. */
export function isDisturbed({ othersCpu }) {
  return othersCpu !== undefined && othersCpu > quietShare;
}

/** Finds the generator. `preferred` is `wrk`, `autocannon` or `undefined` for the better one there is. */
export function chooseGenerator(preferred) {
  const wrk = findProgram('wrk');
  if (preferred === 'wrk' && !wrk) throw new Error('wrk is not installed');
  if (wrk && preferred !== 'autocannon') {
    const version = /wrk\s+(\S+)/.exec(spawnSync(wrk, ['-v'], { encoding: 'utf8' }).stdout)?.[1] ?? '';
    // Each request of the spread is rendered once, in wrk: thousands cost nothing.
    return { name: 'wrk', version: version.replace(/^debian\//, ''), maxPaths: 10_000, command: wrkCommand(wrk) };
  }
  const { version } = createRequire(import.meta.url)('autocannon/package.json');
  // autocannon renders each request for each connection.
  return { name: 'autocannon', version, maxPaths: 300, command: autocannonCommand };
}

function wrkCommand(wrk) {
  return ({ port, request, seconds, temporaryFolder }) => {
    const env = { BENCH_METHOD: request.method ?? 'GET' };
    if (request.body !== undefined) env.BENCH_BODY = request.body;
    if (request.paths) {
      env.BENCH_PATHS_FILE = path.join(temporaryFolder, 'paths.txt');
      writeFileSync(env.BENCH_PATHS_FILE, `${request.paths.join('\n')}\n`);
    }
    const headers = Object.entries(request.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
    const url = `http://127.0.0.1:${port}${request.path}`;
    const shape = ['-t1', `-c${connections}`, `-d${seconds}s`];
    return { command: [wrk, ...shape, '-s', path.join(here, 'wrk.lua'), ...headers, url], env };
  };
}

function autocannonCommand({ port, request, seconds }) {
  const { method = 'GET', headers, body, paths } = request;
  const plan = { url: `http://127.0.0.1:${port}${request.path}`, connections, seconds, method, headers, body, paths };
  return { command: [process.execPath, path.join(here, 'autocannon-child.mjs'), JSON.stringify(plan)], env: {} };
}

/**
 * Loads a server with one kind of request and reads who was busy meanwhile.
 *
 * `failedAnswers` counts answers that are not 2xx (wrk sees those from 400 on; the caller compares sizes for the rest).
 * `generatorCpu`, `serverCpu` and `othersCpu` are shares of one core over the middle of the run.
 */
export async function load({ generator, server, request, seconds, core, temporaryFolder }) {
  const { command, env } = generator.command({ port: server.port, request, seconds, temporaryFolder });
  const child = startProcess(command, { env, core });
  const usage = await watch(child, server, seconds);
  await child.ended;
  const totals = /^BENCH (.*)$/m.exec(child.output)?.[1];
  if (!totals) throw new Error(`${generator.name} gave no figures:\n${child.output.trim()}`);
  const { requests, bytes, ...rest } = JSON.parse(totals);
  const generatorLimited = usage.generatorCpu >= generatorBusy && usage.serverCpu < serverBusy;
  return {
    ...rest,
    requests,
    perSecond: requests / rest.seconds,
    bytesPerAnswer: requests > 0 ? bytes / requests : 0,
    ...usage,
    generatorLimited,
    serverIdle: !generatorLimited && usage.serverCpu < serverIdle,
  };
}

async function watch(child, server, seconds) {
  // The first third is left out: autocannon compiles itself, and connections open.
  await sleep(seconds * 350);
  const before = readUsage(child, server);
  await sleep(seconds * 550);
  const after = readUsage(child, server);
  const share = (name) => (after[name] - before[name]) / (after.at - before.at);
  const [generatorCpu, serverCpu] = [share('generator'), share('server')];
  const othersCpu =
    after.machine === undefined ? undefined : Math.max(0, share('machine') - generatorCpu - serverCpu - share('self'));
  return { generatorCpu, serverCpu, othersCpu };
}

function readUsage(child, server) {
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now() / 1000,
    generator: cpuSeconds(child.pid),
    server: server.cpuSeconds(),
    machine: machineCpuSeconds(),
    self: (user + system) / 1e6,
  };
}
