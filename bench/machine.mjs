// What the machine is, which cores may be used, and what a process costs: processor seconds and resident memory.
import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const onLinux = process.platform === 'linux';

/** The absolute path of a program on PATH, or `undefined`. */
export function findProgram(name) {
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

export function describeMachine() {
  const [cpu] = os.cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    system: `${os.type()} ${os.release()} ${os.arch()}`,
  };
}

/** One core for the server and another for the generator, or why that is not possible. */
export function choosePinning(wanted) {
  if (!wanted) return { pinned: false, reason: 'switched off by --no-pin' };
  if (!onLinux) return { pinned: false, reason: `${os.type()} has no taskset` };
  if (!findProgram('taskset')) return { pinned: false, reason: 'taskset (util-linux) is not installed' };
  const allowed = allowedCores();
  if (allowed.length < 2) return { pinned: false, reason: 'only one core may be used' };
  return { pinned: true, serverCore: allowed.at(-1), generatorCore: allowed.at(-2) };
}

/** Puts `taskset` before a command; it execs the program, so the process id stays the program's own. */
export function pinCommand(command, core) {
  return core === undefined ? command : ['taskset', '-c', String(core), ...command];
}

function allowedCores() {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return list.split(',').flatMap((range) => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
}

/** Processor seconds that a process and its descendants have used so far. */
export function cpuSeconds(pid) {
  return sumOverTree(pid, (entry) => entry.cpuSeconds);
}

/** Resident memory of a process and its descendants, in MiB. */
export function residentMiB(pid) {
  return sumOverTree(pid, (entry) => entry.residentKiB) / 1024;
}

/** Processor seconds that all processes of the machine have used since it started; `undefined` outside Linux. */
export function machineCpuSeconds() {
  if (!onLinux) return undefined;
  // user, nice and system; interrupts are left out, because no process is charged for them.
  const [user, nice, system] = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).slice(1).map(Number);
  return (user + nice + system) / ticksPerSecond();
}

function sumOverTree(root, measure) {
  const entries = onLinux ? readProc() : readPs();
  const wanted = new Set([root]);
  for (let grew = true; grew;) {
    grew = false;
    for (const entry of entries) {
      if (wanted.has(entry.parent) && !wanted.has(entry.pid)) {
        wanted.add(entry.pid);
        grew = true;
      }
    }
  }
  return entries.filter((entry) => wanted.has(entry.pid)).reduce((sum, entry) => sum + measure(entry), 0);
}

let ticks;
function ticksPerSecond() {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) || 100;
  return ticks;
}

function readProc() {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The command, in brackets, may hold spaces: the fields start after the last bracket.
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [
        {
          pid: Number(name),
          parent: Number(fields[1]),
          cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond(),
          get residentKiB() {
            return Number(/^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1] ?? 0);
          },
        },
      ];
    } catch {
      return []; // It ended meanwhile.
    }
  });
}

function readPs() {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,time='], { encoding: 'utf8' });
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, residentKiB, time] = line.trim().split(/\s+/);
      const [days, clock] = time.includes('-') ? time.split('-') : ['0', time];
      const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
      return {
        pid: Number(pid),
        parent: Number(parent),
        residentKiB: Number(residentKiB),
        cpuSeconds: Number(days) * 86_400 + seconds,
      };
    });
}
