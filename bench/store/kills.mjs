// kill -9 at a random moment under a load of writes, again and again: is what was answered there afterwards, and nothing by half?
import { rmSync } from 'node:fs';
import { Agent } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '../server-process.mjs';
import { ask } from './ask.mjs';

const WRITERS = 16;
/** The mock is killed after so many creations at most. */
const MAX_ANSWERS = 150;

/** What is known of one pet: what was answered for certain, and what was under way when the mock was killed. */
class Known {
  constructor() {
    this.pets = new Map();
    this.unknown = new Set();
  }

  async write(agent, port, writer, count) {
    const name = `pet ${writer} ${count}`;
    this.unknown.add(name);
    const made = await ask(agent, port, 'POST', '/pets', JSON.stringify({ name, categoryId: 1 }));
    if (made?.status !== 201) return;
    this.unknown.delete(name);
    const { id } = JSON.parse(made.body);
    const pet = { name, tried: 0, done: 0, isRemoved: false, mayBeRemoved: false };
    this.pets.set(id, pet);
    for (let version = 1; version <= 3; version++) {
      pet.tried = version;
      const body = JSON.stringify({ name: `${name} v${version}`, categoryId: 1 });
      const changed = await ask(agent, port, 'PUT', `/pets/${id}`, body);
      if (changed?.status !== 200) return;
      pet.done = version;
    }
    if (count % 2 === 1) return;
    pet.mayBeRemoved = true;
    const removed = await ask(agent, port, 'DELETE', `/pets/${id}`);
    if (removed?.status === 204) pet.isRemoved = true;
  }

  /** Holds what the mock has against what is known. @returns what is wrong */
  against({ '/pets': pets, '/inventory': stock }) {
    const wrong = [];
    const there = new Map(pets.map((pet) => [pet.id, pet]));
    const stocked = new Set(stock.map(({ petId }) => petId));
    for (const [id, pet] of this.pets) {
      const found = there.get(id);
      if (found === undefined) {
        if (!pet.mayBeRemoved) wrong.push(`pet ${id} was answered and is lost`);
        continue;
      }
      if (pet.isRemoved) wrong.push(`pet ${id} was removed and is there again`);
      const version = Number(/ v(\d+)$/.exec(found.name)?.[1] ?? 0);
      if (version < pet.done || version > pet.tried)
        wrong.push(`pet ${id} has version ${version}, answered were ${pet.done} of ${pet.tried}`);
    }
    // A pet and its stock are made, and removed, by one request.
    for (const { id, name } of pets) {
      if (!stocked.has(id)) wrong.push(`pet ${id} has no stock: half of a request was stored`);
      if (id > 3 && !this.pets.has(id) && !this.unknown.has(name.replace(/ v\d+$/, '')))
        wrong.push(`pet ${id} is there and nobody asked for it`);
    }
    for (const petId of stocked) if (!there.has(petId)) wrong.push(`the stock of ${petId} has no pet`);
    return wrong;
  }
}

async function killOnce(command, round) {
  const known = new Known();
  const server = await startServer({ label: 'standin mock', command });
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  let isOver = false;
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let count = 0; !isOver; count++) await known.write(agent, server.port, writer, count);
  });
  // After some answers, not after some time: on a busy machine nothing might have been written by then.
  const wanted = 1 + Math.floor(Math.random() * MAX_ANSWERS);
  while (known.pets.size < wanted) await sleep(1);
  isOver = true;
  // By SIGKILL, the whole group.
  await server.stop();
  await Promise.all(writers);
  agent.destroy();
  const again = await startServer({ label: 'standin mock', command });
  const plain = new Agent();
  const state = JSON.parse((await ask(plain, again.port, 'GET', '/__standin/state')).body);
  const wrong = known.against(state.collections).map((text) => `round ${round}: ${text}`);
  await ask(plain, again.port, 'POST', '/__standin/reset', '{}');
  await again.stop();
  return { answered: known.pets.size, wrong };
}

export async function measureKills({ times, bin, folder, log, print, goal }) {
  let areMet = true;
  for (const sync of ['always', 'interval']) {
    const place = path.join(folder, `kills-${sync}`);
    const flags = ['--store', `file:${place}`, '--store-sync', sync];
    const command = [process.execPath, bin, 'mock', '--port', '0', '--log', 'silent', ...flags];
    let answered = 0;
    const wrong = [];
    for (let round = 1; round <= times; round++) {
      const result = await killOnce(command, round);
      answered += result.answered;
      wrong.push(...result.wrong);
      if (round % 20 === 0) log(`  ${sync}: ${round} of ${times}, ${answered} pets answered, ${wrong.length} wrong`);
    }
    for (const text of wrong.slice(0, 10)) print(`        ${text}`);
    areMet =
      goal(
        `kill -9 ${times} times, --store-sync ${sync}, ${answered} pets made and answered`,
        `${wrong.length} lost, half done or come back`,
        wrong.length === 0,
        '0',
      ) && areMet;
    rmSync(place, { recursive: true, force: true });
  }
  return areMet;
}
