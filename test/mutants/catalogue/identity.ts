import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { good, isWrite, type Defect, type Exchange } from '../defect';
import { textOf, type Json } from '../json';
import { Aliases, itemPath, notFound, without } from '../memory';
import { editFields, fieldsOf, headerOf, succeeded, withHeader, type Answer } from '../message';

/** Long enough that requests which are sent together are in here together: milliseconds, and turns of the event loop. */
const TOGETHER = 40;
const TURNS_TOGETHER = 100;
const LAG = 500;
const POLL = 20;
/** The first read sees what was before a write even later than that, so that a busy machine shows the lag, too. */
const MOST_LAG = 10_000;

export const IDENTITY_DEFECTS: readonly Defect[] = [
  {
    id: 'ID-02',
    needs: ['I', 'D'],
    title: 'a category can be read by the id of a pet',
    clause: 'getCategory: 404 when no category has the id',
    start: () => async (exchange) => {
      const answer = await exchange.pass();
      if (exchange.place.operation !== 'getCategory' || answer.status !== 404) return answer;
      const crossed = await exchange.ask('GET', itemPath(exchange, 'pets'));
      return crossed.status === 200 && exchange.fires() ? crossed : answer;
    },
    witness: async (client) => {
      const category = await client.category();
      const taken = await client.idsOf('/categories');
      let pet = await client.pet({ categoryId: category.id });
      // Where both count from 1, the first ids of pets are ids of categories as well.
      while (taken.includes(textOf(pet.id))) pet = await client.pet({ categoryId: category.id });
      return (await client.get(`/categories/${textOf(pet.id)}`)).status === 200;
    },
  },
  {
    id: 'ID-03',
    needs: ['I', 'V'],
    title: 'a pet has another id after a replacement',
    clause: 'Pet.id: unique identifier, assigned on creation',
    start: () => {
      const aliases = new Aliases('pets');
      return async (exchange) => {
        const { call, place } = exchange;
        const answer = await exchange.pass(aliases.inward(call, place));
        if (good('replacePet')(exchange, answer) && exchange.fires()) {
          const inner = fieldsOf(answer).id ?? BigInt(place.id ?? 0);
          aliases.set(BigInt(place.id ?? 0) + 1_000_003n, inner);
        }
        return aliases.outward(answer, place);
      };
    },
    witness: async (client) => {
      const pet = await client.pet();
      const { categoryId } = pet.reply.fields;
      const after = await client.put(pet.path, { name: 'Moved', categoryId });
      return after.fields.id !== pet.id && (await client.get(pet.path)).status === 404;
    },
  },
  {
    id: 'NC-02',
    needs: ['Q', 'I'],
    title: 'pets that are added at the same time get the same id',
    clause: 'Pet.id: unique; never reused',
    start: () => {
      let running = 0;
      let shared: Answer | undefined;
      return async (exchange) => {
        if (exchange.place.operation !== 'createPet') return exchange.pass();
        running += 1;
        await Promise.all([wait(TOGETHER), turnsOfLoop(TURNS_TOGETHER)]);
        const answer = await exchange.pass();
        const first = shared;
        if (succeeded(answer)) shared ??= answer;
        running -= 1;
        if (running === 0) shared = undefined;
        if (!first || !succeeded(answer) || !exchange.fires()) return answer;
        const id = fieldsOf(first).id ?? null;
        const twin = editFields(answer, (fields) => ({ ...fields, id }));
        return withHeader(twin, 'Location', headerOf(first, 'Location') ?? '');
      };
    },
    witness: async (client) => {
      const { id: categoryId } = await client.category();
      const pets = await Promise.all([1, 2, 3].map(() => client.pet({ categoryId })));
      return new Set(pets.map(({ id }) => textOf(id))).size < 3;
    },
  },
  {
    id: 'NC-03',
    needs: ['Q'],
    title: 'a write shows in reads half a second later',
    clause: 'all effects of one request are atomic; requests are serialised per store',
    verdict: 'eventual',
    start: () => {
      const behind = new Lag();
      return (exchange) => (isWrite(exchange) ? behind.write(exchange) : behind.read(exchange));
    },
    witness: async (client) => {
      const { path } = await client.category();
      if ((await client.get(path)).status !== 404) return false;
      while ((await client.get(path)).status !== 200) await wait(POLL);
      return true;
    },
  },
  {
    id: 'NC-05',
    needs: ['Q'],
    title: 'reading a single resource takes seconds',
    clause: 'none: petstore.md does not limit the time of an answer, a run does',
    verdict: 'inconclusive',
    start:
      ({ pause }) =>
      async (exchange) => {
        const isRead = exchange.call.method === 'GET' && exchange.place.id !== undefined;
        if (isRead && exchange.fires()) await pause();
        return exchange.pass();
      },
    witness: async (client) => {
      const { path } = await client.category();
      let isAnswered = false;
      const read = client.get(path).then(() => {
        isAnswered = true;
      });
      // A server that is only busy answers the first of these requests first.
      for (let times = 0; times < 5; times++) await client.get('/categories');
      const isLate = !isAnswered;
      client.endPauses();
      await read;
      return isLate;
    },
  },
];

async function turnsOfLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

/** A write that reads do not show yet. */
class LateWrite {
  private readonly writtenAt = Date.now();
  private isRead = false;

  /** Does a read see what was before? */
  isHidden(): boolean {
    const isHidden = Date.now() - this.writtenAt < (this.isRead ? LAG : MOST_LAG);
    this.isRead = true;
    return isHidden;
  }
}

/** Reads that are answered from before the latest write. */
class Lag {
  private readonly before = new Map<string, { readonly answer: Answer; readonly write: LateWrite }>();
  private readonly fresh = new Map<string, LateWrite>();

  async write(exchange: Exchange): Promise<Answer> {
    const { place, ask, pass } = exchange;
    const path = itemPath(exchange);
    const old = place.id === undefined ? undefined : await ask('GET', path);
    const answer = await pass();
    if (!succeeded(answer) || !exchange.fires()) return answer;
    const write = new LateWrite();
    if (old) this.before.set(path, { answer: old, write });
    else this.fresh.set(keyOf(place.collection, fieldsOf(answer).id), write);
    return answer;
  }

  async read(exchange: Exchange): Promise<Answer> {
    const { place, pass } = exchange;
    const known = this.before.get(itemPath(exchange));
    if (place.id !== undefined && known?.write.isHidden()) return known.answer;
    if (place.id !== undefined && this.isFresh(keyOf(place.collection, place.id))) return notFound(exchange);
    return without(await pass(), ({ id }) => this.isFresh(keyOf(place.collection, id)));
  }

  private isFresh(key: string): boolean {
    return this.fresh.get(key)?.isHidden() ?? false;
  }
}

const keyOf = (collection: string | undefined, id: Json | undefined): string => `${collection ?? ''}/${textOf(id)}`;
