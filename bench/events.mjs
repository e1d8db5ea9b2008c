// What events cost, and whether all of them come: 10,000 at 500 a second beside reads, and a receiver that is down for ten seconds.
//
//   npm run bench:events                    everything (alone on the machine)
//   npm run bench:events -- --count 2000    fewer of them
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { defaultBin } from './commands.mjs';
import { chooseGenerator, load } from './load.mjs';
import { describeMachine } from './machine.mjs';
import { startServer } from './server-process.mjs';
import { ask } from './store/ask.mjs';

const require = createRequire(import.meta.url);
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '10000' },
    rate: { type: 'string', default: '500' },
    bin: { type: 'string', default: defaultBin },
    assert: { type: 'boolean' },
  },
});
const [count, rate] = [Number(values.count), Number(values.rate)];
const folder = mkdtempSync(path.join(tmpdir(), 'standin-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const print = (text) => process.stdout.write(`${text}\n`);
let isAllMet = true;
function goal(what, figure, isMet, words) {
  isAllMet &&= isMet;
  print(`${isMet ? 'met   ' : 'MISSED'}  ${what}: ${figure} (goal ${words})`);
}

const NOTE = { $ref: '#/components/schemas/Note' };
const json = (schema) => ({ description: 'as it is', content: { 'application/json': { schema } } });
const description = path.join(folder, 'notes.json');
writeFileSync(
  description,
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Notes', version: '1' },
    paths: {
      '/notes': {
        get: { responses: { 200: json({ type: 'array', items: NOTE }) } },
        post: { requestBody: json(NOTE), responses: { 201: json(NOTE) } },
      },
      '/notes/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { responses: { 200: json(NOTE) } },
        put: { requestBody: json(NOTE), responses: { 200: json(NOTE) } },
      },
    },
    webhooks: {
      'note.created': { post: { requestBody: json(NOTE), responses: { 200: { description: 'taken' } } } },
      'note.updated': { post: { requestBody: json(NOTE), responses: { 200: { description: 'taken' } } } },
    },
    components: {
      schemas: {
        Note: {
          type: 'object',
          required: ['text'],
          properties: { id: { type: 'integer', readOnly: true }, text: { type: 'string' } },
        },
      },
    },
  }),
);

/** Counts what comes; while it is down it cuts every connection. */
async function startReceiver() {
  const seen = { bodies: [], ids: new Map(), isDown: false };
  const server = createServer((request, response) => {
    if (seen.isDown) {
      request.socket.destroy();
      return;
    }
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      const id = request.headers['webhook-id'];
      seen.ids.set(id, (seen.ids.get(id) ?? 0) + 1);
      seen.bodies.push(JSON.parse(body));
      response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return Object.assign(seen, {
    port: server.address().port,
    stop: () => server.closeAllConnections() ?? server.close(),
  });
}

async function startMock(receiver) {
  const flags = receiver === undefined ? [] : ['--webhook', `*=http://127.0.0.1:${receiver.port}/`];
  const command = [
    process.execPath,
    values.bin,
    'mock',
    description,
    '--port',
    '0',
    '--log',
    'silent',
    '--auth',
    'off',
    ...flags,
  ];
  return startServer({ label: 'standin mock', command });
}

/** Makes notes at a rate, as long as it is told or so many. */
async function make(port, most, until = () => false) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const [startedMs, asked] = [performance.now(), []];
  let made = 0;
  while (made < most && !until()) {
    const due = Math.min(most, Math.floor(((performance.now() - startedMs) / 1000) * rate));
    for (; made < due; made++) asked.push(ask(agent, port, 'POST', '/notes', JSON.stringify({ text: `note ${made}` })));
    await sleep(2);
  }
  const answers = await Promise.all(asked);
  agent.destroy();
  return {
    made: answers.filter((answer) => answer?.status === 201).length,
    seconds: (performance.now() - startedMs) / 1000,
  };
}

const median = (numbers) => [...numbers].sort((left, right) => left - right)[Math.floor(numbers.length / 2)];

/** GETs a second while notes are made at the rate, with and without a receiver, by turns. */
async function measureReads() {
  const receiver = await startReceiver();
  const [plain, sending] = [await startMock(undefined), await startMock(receiver)];
  const generator = chooseGenerator();
  const rounds = { plain: [], sending: [] };
  for (let round = 0; round < 5; round++)
    for (const [name, server] of round % 2 === 0
      ? [
          ['plain', plain],
          ['sending', sending],
        ]
      : [
          ['sending', sending],
          ['plain', plain],
        ]) {
      let isOver = false;
      const making = make(server.port, Infinity, () => isOver);
      const request = { path: '/notes/1', headers: { Accept: 'application/json' } };
      const { perSecond } = await load({ generator, server, request, seconds: 2, temporaryFolder: folder });
      isOver = true;
      await making;
      rounds[name].push(perSecond);
    }
  await plain.stop();
  await sending.stop();
  receiver.stop();
  const share = median(rounds.sending.map((perSecond, round) => perSecond / rounds.plain[round]));
  goal(
    `GETs beside ${rate} events a second / beside the same requests without`,
    share.toFixed(2),
    share >= 0.9,
    'at least 0.90',
  );
}

async function measureAll() {
  const receiver = await startReceiver();
  const mock = await startMock(receiver);
  const { made, seconds } = await make(mock.port, count);
  for (let waited = 0; receiver.bodies.length < made && waited < 30; waited++) await sleep(1000);
  const doubles = [...receiver.ids.values()].filter((times) => times > 1).length;
  const isWhole = new Set(receiver.bodies.map(({ text }) => text)).size === made;
  await mock.stop();
  receiver.stop();
  goal(
    `of ${made} events, ${Math.round(made / seconds)} a second`,
    `${receiver.bodies.length} came, ${doubles} twice`,
    isWhole && doubles === 0,
    'all, none twice',
  );
}

/** Each note is made and then changed, so that two events of it have an order. */
async function measureOutage() {
  const receiver = await startReceiver();
  const mock = await startMock(receiver);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  receiver.isDown = true;
  const things = 300;
  for (let index = 0; index < things; index++) {
    const { body } = await ask(agent, mock.port, 'POST', '/notes', '{"text":"1"}');
    await ask(agent, mock.port, 'PUT', `/notes/${JSON.parse(body).id}`, '{"text":"2"}');
  }
  await sleep(10_000);
  receiver.isDown = false;
  for (let waited = 0; receiver.bodies.length < 2 * things && waited < 60; waited++) await sleep(1000);
  const latest = new Map();
  let misplaced = 0;
  for (const { id, text } of receiver.bodies) {
    if (Number(text) < (latest.get(id) ?? 0)) misplaced += 1;
    latest.set(id, Number(text));
  }
  const doubles = [...receiver.ids.values()].filter((times) => times > 1).length;
  agent.destroy();
  await mock.stop();
  receiver.stop();
  const figure = `${receiver.bodies.length} of ${2 * things} came, ${misplaced} out of order, ${doubles} twice`;
  goal(
    'a receiver that is down for 10 s',
    figure,
    receiver.bodies.length >= 2 * things && misplaced === 0,
    'all, in order of each thing',
  );
}

const encoder = new TextEncoder();

/**
 * A write that nobody asked to hear of, with webhooks in the description: what is done for events in it, as a share of the
 * whole. Two mocks beside each other differ by more than that from one run to the next, also where they are the same.
 */
async function measureUnasked() {
  const { createServerParts } = require(
    path.join(path.dirname(values.bin), '..', 'src', 'library', 'create-mock-server.js'),
  );
  const { mock } = await createServerParts({ description, auth: 'off' });
  const rawHeaders = ['Content-Type', 'application/json', 'Accept', 'application/json'];
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const request = { method: 'POST', target: '/notes', rawHeaders, headers, body: encoder.encode('{"text":"a note"}') };
  const perTurn = async (turns, act) => {
    const spent = [];
    for (let round = 0; round < 9; round++) {
      const begunMs = performance.now();
      for (let turn = 0; turn < turns; turn++) await act();
      spent.push((performance.now() - begunMs) / turns);
    }
    return median(spent);
  };
  const { onDone, api } = mock.context;
  const { sandboxes } = mock.engine;
  const operation = api.operations.find(({ method }) => method === 'POST');
  const changes = [{ collection: '/notes', key: 1, before: undefined, after: { id: 1, text: 'a note' } }];
  const done = { operation, changes, sandbox: sandboxes.main, sandboxes, context: mock.context, head: {} };
  const whole = await perTurn(3000, () => mock.engine.handle(request));
  const nothing = await perTurn(100_000, () => undefined);
  const own = (await perTurn(100_000, () => onDone(done, { status: 201, headers: [] }))) - nothing;
  const share = own / whole;
  const figure = `${(own * 1e6).toFixed(0)} ns of ${(whole * 1000).toFixed(0)} µs, ${(share * 100).toFixed(2)} %`;
  goal('a POST whose events nobody asked for', figure, share <= 0.01, 'at most 1 %');
}

const { node, cpu, cores } = describeMachine();
print([node, cpu, cores].join(', '));
await measureUnasked();
await measureReads();
await measureAll();
await measureOutage();
process.exit(values.assert && !isAllMet ? 1 : 0);
