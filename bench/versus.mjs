// This build beside another one of it, turn by turn: the start until the first answer, the memory after it, and reads by a
// second of the server's processor. What was added and is not asked for must not cost anything.
//
//   npm run bench:versus -- --other ../before/dist/bin/standin.js    (alone on the machine)
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultBin, defaultSpec, headers, mockServer } from './commands.mjs';
import { chooseGenerator, load } from './load.mjs';
import { describeMachine } from './machine.mjs';
import { startServer, timeFirstAnswer } from './server-process.mjs';

const { values } = parseArgs({
  options: {
    other: { type: 'string' },
    rounds: { type: 'string', default: '21' },
    seconds: { type: 'string', default: '3' },
    assert: { type: 'boolean' },
  },
});
if (values.other === undefined)
  throw new Error('Name the command line of the other build: --other FOLDER/dist/bin/standin.js');
const temporaryFolder = mkdtempSync(path.join(tmpdir(), 'standin-bench-'));
process.on('exit', () => rmSync(temporaryFolder, { recursive: true, force: true }));
const builds = { this: defaultBin, other: values.other };
const request = { path: '/pets/1', headers };
const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
const generator = chooseGenerator();

const seen = { this: { start: [], memory: [], reads: [] }, other: { start: [], memory: [], reads: [] } };
// Below those that the system gives out itself.
let port = 21_000;
for (let round = 0; round < Number(values.rounds); round++) {
  // Whoever comes first meets a colder machine: by turns.
  for (const name of round % 2 === 0 ? ['this', 'other'] : ['other', 'this']) {
    const { command } = mockServer({ bin: builds[name], spec: defaultSpec, port: ++port });
    const started = await timeFirstAnswer({ label: name, command, port, request });
    seen[name].start.push(started.ms);
    seen[name].memory.push(started.residentMiB());
    await started.stop();
  }
}
for (let round = 0; round < Math.ceil(Number(values.rounds) / 3); round++) {
  for (const name of round % 2 === 0 ? ['this', 'other'] : ['other', 'this']) {
    const server = await startServer(mockServer({ bin: builds[name], spec: defaultSpec }));
    await load({ generator, server, request, seconds: 1, temporaryFolder });
    const before = server.cpuSeconds();
    const { requests } = await load({ generator, server, request, seconds: Number(values.seconds), temporaryFolder });
    seen[name].reads.push(requests / (server.cpuSeconds() - before));
    await server.stop();
  }
}

process.stdout.write(`${JSON.stringify(describeMachine())}\n`);
let isMet = true;
for (const [what, unit, isBetterHigh] of [
  ['start', 'ms', false],
  ['memory', 'MiB', false],
  ['reads', 'a second of the processor', true],
]) {
  const [mine, theirs] = [median(seen.this[what]), median(seen.other[what])];
  const ratio = isBetterHigh ? theirs / mine : mine / theirs;
  isMet &&= ratio <= 1.01;
  process.stdout.write(
    `${ratio <= 1.01 ? 'met   ' : 'MISSED'}  ${what}: ${mine.toFixed(1)} ${unit}, the other build ${theirs.toFixed(1)}; ${((ratio - 1) * 100).toFixed(1)} % more (goal: at most 1 %)\n`,
  );
}
if (values.assert === true && !isMet) process.exitCode = 1;
