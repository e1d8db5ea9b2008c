// What the contract runner costs: the bundled contracts against the mock, beside a bare loop of the same requests.
//
//   npm run bench:verify                  7 rounds
//   npm run bench:verify -- --rounds 15
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { exchange } from './exchange.mjs';
import { mockServer, defaultBin, defaultSpec } from './commands.mjs';
import { describeMachine } from './machine.mjs';
import { startServer } from './server-process.mjs';

const { runContract } = createRequire(import.meta.url)('../dist/src/index.js');
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '7' }, assert: { type: 'boolean' } } });
const rounds = Number(values.rounds);
const median = (numbers) => [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)];

const server = await startServer(mockServer({ bin: defaultBin, spec: defaultSpec }));
const baseUrl = `http://127.0.0.1:${server.port}`;

/** Every measurement begins with the same state, so that the same requests get the same ids. */
async function reset() {
  const headers = { 'Content-Type': 'application/json' };
  const { status } = await exchange(server.port, { method: 'POST', path: '/__standin/reset', headers, body: '{}' });
  if (status !== 204) throw new Error(`the reset answered ${status}`);
}

async function timeRun(options) {
  await reset();
  const startedAt = performance.now();
  const result = await runContract({ baseUrl, seed: 1, ...options });
  const ms = performance.now() - startedAt;
  if (result.outcome !== 'conforms') throw new Error(`the run ended with ${result.outcome}`);
  return ms;
}

/** The requests of one run at a time, with their bodies. */
async function record() {
  await reset();
  const requests = [];
  const pool = new Pool(baseUrl);
  const transport = {
    async send(request) {
      requests.push(request);
      return send(pool, request);
    },
  };
  await runContract({ baseUrl, seed: 1, concurrency: 1, transport });
  await pool.close();
  return requests;
}

async function send(pool, { method, target, rawHeaders, body }) {
  const response = await pool.request({
    method,
    path: target,
    headers: [...rawHeaders],
    body: body.length === 0 ? null : body,
    responseHeaders: 'raw',
  });
  const bytes = new Uint8Array(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: response.headers, body: bytes.length === 0 ? undefined : bytes };
}

async function timeLoop(requests) {
  await reset();
  const pool = new Pool(baseUrl);
  const startedAt = performance.now();
  for (const request of requests) await send(pool, request);
  const ms = performance.now() - startedAt;
  await pool.close();
  return ms;
}

try {
  const requests = await record();
  const times = { loop: [], one: [], eight: [] };
  for (let round = 0; round <= rounds; round++) {
    const loop = await timeLoop(requests);
    const one = await timeRun({ concurrency: 1 });
    const eight = await timeRun({ concurrency: 8 });
    // The first round warms up.
    if (round === 0) continue;
    times.loop.push(loop);
    times.one.push(one);
    times.eight.push(eight);
  }
  const [loop, one, eight] = [times.loop, times.one, times.eight].map(median);
  const ratio = one / loop;
  const isMet = ratio <= 3 && eight < one;
  console.log(describeMachine());
  console.log(
    `Rounds: ${rounds} after one to warm up, one after the other in turn; figures are medians of wall time.\n`,
  );
  console.log(`| What | Time | Beside it | Ratio | Goal | |`);
  console.log(`| --- | --- | --- | --- | --- | --- |`);
  console.log(
    `| all bundled contracts, ${requests.length} requests, one contract at a time | ${Math.round(one)} ms | the same requests in a bare undici loop ${Math.round(loop)} ms | ${ratio.toFixed(2)} | at most 3 | ${ratio <= 3 ? 'met' : '**missed**'} |`,
  );
  console.log(
    `| the same with \`--concurrency 8\` | ${Math.round(eight)} ms | with 1 | ${(eight / one).toFixed(2)} | below 1 | ${eight < one ? 'met' : '**missed**'} |`,
  );
  process.exitCode = values.assert && !isMet ? 1 : 0;
} finally {
  await server.stop?.();
}
process.exit();
