// What recording costs: requests per second through `standin record`, beside a bare proxy of the same library before the
// same target, by turns; and what it adds to the slowest of a hundred responses at a load that a person's tests make.
//
//   npm run bench:record                  5 rounds of 4 s
//   npm run bench:record -- --rounds 9 --seconds 8
//   npm run bench:record -- --spec spec/petstore.yaml     judged as it comes
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bareGetServer, defaultBin } from './commands.mjs';
import { chooseGenerator, load } from './load.mjs';
import { describeMachine } from './machine.mjs';
import { findFreePort, startServer } from './server-process.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    spec: { type: 'string' },
    assert: { type: 'boolean' },
  },
});
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
const median = (numbers) => [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)];

/** A list of twenty, as most responses of APIs are: some kB of JSON. */
const BODY = JSON.stringify(
  Array.from({ length: 20 }, (_, id) => ({ id, name: `Pet ${id}`, status: 'available', tags: ['small', 'old'] })),
);
const RATE = 200;
const GOALS = { ratio: 0.5, addedMs: 2 };

const folder = mkdtempSync(path.join(tmpdir(), 'standin-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const request = { path: '/pets?limit=20', headers: { Accept: 'application/json', Authorization: 'Bearer test-key' } };

async function startAll() {
  const bodyFile = path.join(folder, 'body.json');
  writeFileSync(bodyFile, BODY);
  const target = await startServer(bareGetServer(bodyFile));
  const url = `http://127.0.0.1:${target.port}`;
  const script = path.join(import.meta.dirname, 'servers', 'bare-proxy.cjs');
  const bare = await startServer({
    label: 'bare proxy',
    command: [process.execPath, script],
    env: { BENCH_TARGET: url },
  });
  // Its first words name the target: it is told the port.
  const port = await findFreePort();
  const out = path.join(folder, 'bench.yaml');
  const spec = values.spec === undefined ? [] : ['--spec', values.spec];
  const recorder = await startServer({
    label: 'standin record',
    command: [process.execPath, defaultBin, 'record', '--target', url, '--out', out, '--port', String(port), ...spec],
    port,
  });
  return { target, bare, recorder };
}

async function perSecond(server) {
  const figures = await load({ generator: chooseGenerator(), server, request, seconds, temporaryFolder: folder });
  if (figures.failedAnswers > 0 || figures.socketErrors > 0)
    throw new Error(`${server.label}: ${JSON.stringify(figures)}`);
  return figures.perSecond;
}

/** The time that 99 of 100 responses need at most, in ms, where requests come at a steady rate whatever became of those before. */
async function p99At(server) {
  const agent = new Agent({ keepAlive: true });
  const times = [];
  const pending = [];
  const startedAt = performance.now();
  for (let number = 0; number < RATE * seconds; number++) {
    const wait = startedAt + (number * 1000) / RATE - performance.now();
    if (wait > 0) await sleep(wait);
    const sentAt = performance.now();
    pending.push(
      new Promise((resolve, reject) => {
        const { headers } = request;
        httpRequest({ port: server.port, host: '127.0.0.1', path: request.path, agent, headers }, (response) => {
          response.resume().on('end', () => {
            times.push(performance.now() - sentAt);
            resolve();
          });
        })
          .on('error', reject)
          .end();
      }),
    );
  }
  await Promise.all(pending);
  agent.destroy();
  times.sort((left, right) => left - right);
  return times[Math.floor(times.length * 0.99)];
}

const servers = await startAll();
try {
  const rates = { target: [], bare: [], recorder: [] };
  const p99s = { target: [], bare: [], recorder: [] };
  for (let round = 0; round <= rounds; round++) {
    // Forth and back: a machine that warms up or slows down favours nobody.
    const turns = round % 2 === 0 ? Object.keys(servers) : Object.keys(servers).reverse();
    for (const name of turns) {
      const [rate, p99] = [await perSecond(servers[name]), await p99At(servers[name])];
      // The first round warms up.
      if (round === 0) continue;
      rates[name].push(rate);
      p99s[name].push(p99);
    }
  }
  const rate = Object.fromEntries(Object.entries(rates).map(([name, all]) => [name, median(all)]));
  const p99 = Object.fromEntries(Object.entries(p99s).map(([name, all]) => [name, median(all)]));
  const ratio = rate.recorder / rate.bare;
  const added = p99.recorder - p99.target;
  const verdict = (isMet) => (isMet ? 'met' : '**missed**');
  const [isFast, isQuick] = [ratio >= GOALS.ratio, added < GOALS.addedMs];
  console.log(describeMachine());
  console.log(`Rounds: ${rounds} of ${seconds} s each after one to warm up, by turns; figures are medians.`);
  console.log(
    `Each response: ${Buffer.byteLength(BODY)} bytes of JSON${values.spec ? `; judged by ${values.spec}` : ''}.\n`,
  );
  console.log('| What | standin record | bare proxy | target alone | Goal | |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  console.log(
    `| requests per second | ${Math.round(rate.recorder)}, ${ratio.toFixed(2)} of the bare proxy | ${Math.round(rate.bare)} | ${Math.round(rate.target)} | at least ${GOALS.ratio} | ${verdict(isFast)} |`,
  );
  console.log(
    `| p99 at ${RATE} requests per second | ${p99.recorder.toFixed(2)} ms, ${added.toFixed(2)} ms added | ${p99.bare.toFixed(2)} ms | ${p99.target.toFixed(2)} ms | less than ${GOALS.addedMs} ms added | ${verdict(isQuick)} |`,
  );
  process.exitCode = values.assert && !(isFast && isQuick) ? 1 : 0;
} finally {
  for (const server of Object.values(servers)) await server.stop();
}
process.exit();
