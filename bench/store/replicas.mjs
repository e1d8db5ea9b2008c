// Several mocks that share a Redis, behind a load balancer: are they one, and do they stay one when something breaks?
import { spawn } from 'node:child_process';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../server-process.mjs';
import { ask } from './ask.mjs';
import { startBalancer } from './balancer.mjs';
import { hasRedis, startCable, startRedis } from './redis.mjs';

const CLIENTS = 64;

function startMock(bin, port, name) {
  const store = `redis://127.0.0.1:${port}/0?name=${name}`;
  const command = [process.execPath, bin, 'mock', '--port', '0', '--log', 'silent', '--store', store];
  return startServer({ label: 'standin mock', command });
}

/** Runs the bundled contracts at a port. @returns exit code and the number of verdicts */
function verify(bin, port) {
  return new Promise((resolve) => {
    const args = [bin, 'verify', 'contracts/core', 'contracts/full', '--base-url', `http://127.0.0.1:${port}`];
    const child = spawn(process.execPath, [...args, '--report', 'json'], {
      env: { ...process.env, STANDIN_API_KEY: 'test-key' },
    });
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (piece) => (text += piece));
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (piece) => (errors += piece));
    child.on('close', (code) => resolve({ code, text, errors }));
  });
}

async function contracts({ bin, print, goal }, redis, count) {
  const mocks = [];
  for (let index = 0; index < count; index++) mocks.push(await startMock(bin, redis.port, `contracts-${count}`));
  const balancer = await startBalancer(mocks.map(({ port }) => port));
  try {
    const { code, text, errors } = await verify(bin, balancer.port);
    const verdicts = text.startsWith('{') ? JSON.parse(text).tally : undefined;
    if (code !== 0) print(`        ${errors.slice(-500)}${text.slice(0, 300)}`);
    const figure = `exit ${code}, ${JSON.stringify(verdicts ?? {})}`;
    return goal(`the bundled contracts at ${count} behind a balancer`, figure, code === 0, 'exit 0');
  } finally {
    balancer.close();
    for (const mock of mocks) await mock.stop();
  }
}

/** What clients were told, to be held against what is there in the end. */
class Ledger {
  created = new Map();
  unknown = new Set();
  ids = [];
  added = 0;
  maybeAdded = 0;
  answered = 0;
  failed = 0;

  async client(agent, port, number, isOver) {
    for (let count = 0; !isOver(); count++) {
      const name = `${number} ${count}`;
      this.unknown.add(name);
      const made = await ask(agent, port, 'POST', '/categories', JSON.stringify({ name }));
      if (made?.status === 201) {
        this.unknown.delete(name);
        const { id } = JSON.parse(made.body);
        this.ids.push(id);
        this.created.set(id, name);
        this.answered++;
        // Read your writes, wherever the balancer sends the read to.
        const read = await ask(agent, port, 'GET', `/categories/${id}`);
        if (read?.status === 404) throw new Error(`category ${id} was made and is not there for the next request`);
      } else this.failed++;
      await this.addOne(agent, port);
    }
  }

  /** Adds one to the stock of a pet that all clients share, by the ETag that was read. */
  async addOne(agent, port) {
    const read = await ask(agent, port, 'GET', '/inventory/1');
    if (read?.status !== 200) return;
    const { quantity } = JSON.parse(read.body);
    const body = JSON.stringify({ quantity: quantity + 1 });
    const changed = await ask(agent, port, 'PATCH', '/inventory/1', body, { 'If-Match': read.etag });
    if (changed?.status === 200) this.added++;
    else if (changed === undefined || changed.status >= 500) this.maybeAdded++;
  }
}

const STORIES = {
  'nothing breaks': async () => sleep(3000),
  'a replica is killed, and one is added': async ({ mocks, balancer, add }) => {
    await sleep(1000);
    const gone = mocks.shift();
    await gone.stop();
    balancer.drop(gone.port);
    await sleep(500);
    await add();
    await sleep(1500);
  },
  'Redis is restarted (AOF)': async ({ redis }) => {
    await sleep(1000);
    await redis.restart(300);
    await sleep(2500);
  },
  'Redis is paused for 5 s': async ({ redis }) => {
    await sleep(1000);
    await redis.pause(5000);
    await sleep(3000);
  },
  'the network to Redis is cut for 3 s': async ({ cable }) => {
    await sleep(1000);
    cable.cut();
    await sleep(3000);
    cable.mend();
    await sleep(2500);
  },
};

async function story({ bin, print, goal }, redis, count, title, play) {
  const name = `load-${count}-${Math.random().toString(36).slice(2, 8)}`;
  const cable = await startCable(redis.port);
  const mocks = [];
  for (let index = 0; index < count; index++) mocks.push(await startMock(bin, cable.port, name));
  const balancer = await startBalancer(mocks.map(({ port }) => port));
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  const ledger = new Ledger();
  const first = JSON.parse((await ask(agent, balancer.port, 'GET', '/inventory/1')).body).quantity;
  let isOver = false;
  const wrong = [];
  const clients = Array.from({ length: CLIENTS }, (_, number) =>
    ledger.client(agent, balancer.port, number, () => isOver).catch((error) => wrong.push(error.message)),
  );
  const add = async () => {
    const mock = await startMock(bin, cable.port, name);
    mocks.push(mock);
    balancer.add(mock.port);
  };
  await play({ mocks, balancer, add, redis, cable });
  isOver = true;
  await Promise.all(clients);
  // Each of them has to know all of it.
  for (const { port } of mocks) {
    const state = JSON.parse((await ask(new Agent(), port, 'GET', '/__standin/state'))?.body ?? '{}');
    const rows = state.collections?.['/categories'] ?? [];
    const there = new Map(rows.map((row) => [row.id, row.name]));
    for (const [id, told] of ledger.created) if (there.get(id) !== told) wrong.push(`category ${id} is lost`);
    for (const row of rows) {
      if (row.id > 2 && !ledger.created.has(row.id) && !ledger.unknown.has(row.name))
        wrong.push(`category ${row.id} is there and nobody asked for it`);
    }
    const stock = (state.collections?.['/inventory'] ?? []).find(({ petId }) => petId === 1)?.quantity;
    const [least, most] = [first + ledger.added, first + ledger.added + ledger.maybeAdded];
    if (!(stock >= least && stock <= most)) wrong.push(`the stock is ${stock}, and ${least} to ${most} were added`);
  }
  if (new Set(ledger.ids).size !== ledger.ids.length) wrong.push('an id was given out twice');
  agent.destroy();
  balancer.close();
  for (const mock of mocks) await mock.stop();
  cable.close();
  for (const text of [...new Set(wrong)].slice(0, 5)) print(`        ${text}`);
  const { answered, added, failed } = ledger;
  return goal(
    `${count} replicas, ${CLIENTS} clients, ${title}: ${answered} made, ${added} added with an ETag, ${failed} refused meanwhile`,
    `${wrong.length} lost or wrong`,
    wrong.length === 0 && answered > 0,
    '0',
  );
}

export async function measureReplicas(settings) {
  if (!hasRedis) {
    settings.print('left out, there is no redis-server: apt-get install redis-server');
    return true;
  }
  const redis = await startRedis(settings.folder);
  settings.print(`redis-server ${redis.version}`);
  const isMet = [];
  try {
    const [calm, ...broken] = Object.entries(STORIES);
    const parts = [
      ...[1, 2, 4].map((count) => () => contracts(settings, redis, count)),
      ...[1, 2, 4].map((count) => () => story(settings, redis, count, ...calm)),
      ...broken.map((each) => () => story(settings, redis, 2, ...each)),
    ];
    for (const part of settings.chooseParts(parts)) isMet.push(await part());
  } finally {
    await redis.stop();
  }
  return isMet.every(Boolean);
}
