import { good, isOperation, type Defect, type Exchange } from '../defect';
import { isFields, omit, textOf, type Fields } from '../json';
import { Aliases, itemPath, Overlay } from '../memory';
import { type Answer, editFields, fieldsOf, jsonOf, succeeded, withHeader } from '../message';
import { pathOf } from '../petstore';

const isReplacement = isOperation('replacePet', 'replaceCategory');
const read = (exchange: Exchange): Promise<Answer> => exchange.ask('GET', itemPath(exchange));

const ORDER_MEMBERS: ReadonlySet<string> = new Set(['id', 'petId', 'quantity', 'shipDate', 'complete']);

/** What a client would send to get this resource again. */
const sendable = (fields: Fields): Fields => omit(fields, 'id');

/** Puts a resource back as it was; a pet may need its stock first, because nothing leaves `sold` otherwise. */
async function restore(exchange: Exchange, before: Fields, stock: Answer): Promise<void> {
  const path = itemPath(exchange);
  const { status } = await exchange.ask('PUT', path, sendable(before));
  if (status === 200 || exchange.place.collection !== 'pets') return;
  const { quantity = 0 } = fieldsOf(stock);
  await exchange.ask('PATCH', itemPath(exchange, 'inventory'), { quantity });
  await exchange.ask('PUT', path, sendable(before));
}

export const UPDATE_DEFECTS: readonly Defect[] = [
  {
    id: 'UP-01',
    needs: ['V'],
    title: 'a replacement returns 200 and is not kept',
    clause: 'replacePet, replaceCategory: replaces name, category and status',
    start: () => async (exchange) => {
      if (!isReplacement(exchange)) return exchange.pass();
      const before = await read(exchange);
      const stock = await exchange.ask('GET', itemPath(exchange, 'inventory'));
      const answer = await exchange.pass();
      if (succeeded(answer) && exchange.fires()) await restore(exchange, fieldsOf(before), stock);
      return answer;
    },
    witness: async (client) => {
      const { path } = await client.category();
      await client.put(path, { name: 'Renamed' });
      return (await client.get(path)).fields.name === 'Rodent';
    },
  },
  {
    id: 'UP-03',
    needs: ['V', 'Q'],
    title: 'the same replacement a second time has another effect',
    clause: 'RFC 9110 §9.2.2: PUT is idempotent (WFC 905, rest-faults R-10)',
    start: () => {
      const times = new Map<string, number>();
      return (exchange) => {
        const { name } = fieldsOf(exchange.call);
        if (!isReplacement(exchange) || typeof name !== 'string') return exchange.pass();
        const key = `${exchange.call.target} ${exchange.call.body.toString()}`;
        const count = (times.get(key) ?? 0) + 1;
        times.set(key, count);
        if (count === 1 || !exchange.fires()) return exchange.pass();
        return exchange.pass(editFields(exchange.call, (fields) => ({ ...fields, name: `${name} (${count})` })));
      };
    },
    witness: async (client) => {
      const { path } = await client.category();
      const [first, second] = [await client.put(path, { name: 'Owl' }), await client.put(path, { name: 'Owl' })];
      return first.fields.name !== second.fields.name;
    },
  },
  {
    id: 'UP-04',
    needs: ['T', 'D'],
    title: 'replacing what does not exist adds it',
    clause: 'replacePet: 404 resource_not_found',
    start: () => {
      const aliases = new Aliases('pets');
      return async (exchange) => {
        const { call, place } = exchange;
        const answer = await exchange.pass(aliases.inward(call, place));
        const isNew = place.operation === 'replacePet' && answer.status === 404;
        if (!isNew || !exchange.fires()) return aliases.outward(answer, place);
        const made = await exchange.ask('POST', pathOf(place.base, 'pets'), jsonOf(call) ?? {});
        if (!succeeded(made)) return made;
        aliases.set(BigInt(place.id ?? 0), fieldsOf(made).id ?? null);
        const plain = withHeader(withHeader({ ...made, status: 200 }, 'Location'), 'ETag');
        return aliases.outward(plain, place);
      };
    },
    witness: async (client) => {
      const { id } = await client.category();
      const { status } = await client.put('/pets/4242', { name: 'Ghost', categoryId: id });
      return status === 200 && textOf((await client.get('/pets/4242')).fields.id) === '4242';
    },
  },
  {
    id: 'UP-06',
    needs: ['N', 'V'],
    title: 'a change that is rejected with 400 changes a property all the same',
    clause: 'a failed request changes nothing (WFC 901)',
    start: () => async (exchange) => {
      const answer = await exchange.pass();
      const isItem = ['PUT', 'PATCH'].includes(exchange.call.method) && exchange.place.id !== undefined;
      const sent = jsonOf(exchange.call);
      if (!isItem || answer.status !== 400 || !isFields(sent) || !exchange.fires()) return answer;
      const before = exchange.call.method === 'PUT' ? sendable(fieldsOf(await read(exchange))) : {};
      for (const [name, value] of Object.entries(sent)) {
        await exchange.ask(exchange.call.method, itemPath(exchange), { ...before, [name]: value });
      }
      return answer;
    },
    witness: async (client) => {
      const { path } = await client.category();
      const { status } = await client.put(path, { name: 'Half', description: 5 });
      return status === 400 && (await client.get(path)).fields.name === 'Half';
    },
  },
  {
    id: 'UP-07',
    needs: ['V'],
    title: 'changing an order wipes the members that were not sent',
    clause: 'updateOrder: the members in the body are the new values; the others stay (WFC 906)',
    start: () => {
      const overlay = new Overlay();
      return async (exchange) => {
        const { call, place } = exchange;
        const answer = await exchange.pass();
        if (good('updateOrder')(exchange, answer) && exchange.fires()) {
          const sent = fieldsOf(call);
          const wiped = ['quantity', 'shipDate'].filter((name) => !(name in sent));
          overlay.set('orders', place.id ?? '', (fields) => omit(fields, ...wiped));
        }
        return overlay.apply(place, answer);
      };
    },
    witness: async (client) => {
      const { path } = await client.order({ quantity: 3, shipDate: '2026-05-04T03:02:01Z' });
      await client.patch(path, { quantity: 4 });
      return (await client.get(path)).fields.shipDate === undefined;
    },
  },
  {
    id: 'UP-09',
    needs: ['V'],
    title: 'the response to a replacement shows what was there before',
    clause: 'replacePet, replaceCategory 200: the resource as it is now',
    start: () => async (exchange) => {
      if (!isReplacement(exchange)) return exchange.pass();
      const before = await read(exchange);
      const answer = await exchange.pass();
      return answer.status === 200 && exchange.fires() ? { ...answer, body: before.body } : answer;
    },
    witness: async (client) => {
      const { path } = await client.category();
      const { fields } = await client.put(path, { name: 'Renamed' });
      return fields.name === 'Rodent' && (await client.get(path)).fields.name === 'Renamed';
    },
  },
  {
    id: 'UP-10',
    needs: ['V'],
    title: 'changing what an order does not have wipes its ship date',
    clause: 'updateOrder: members present are new values, everything else stays',
    start: () => {
      const changed = new Overlay();
      return async (exchange) => {
        const { place, call } = exchange;
        const answer = await exchange.pass();
        const isUnknown = Object.keys(fieldsOf(call)).some((name) => !ORDER_MEMBERS.has(name));
        if (place.operation === 'updateOrder' && isUnknown && answer.status === 200 && exchange.fires())
          changed.set('orders', place.id ?? '', (fields) => omit(fields, 'shipDate'));
        return changed.apply(place, answer);
      };
    },
    witness: async (client) => {
      const { path } = await client.order({ shipDate: '2026-05-04T03:02:01Z' });
      await client.patch(path, { colour: 'red' });
      return (await client.get(path)).fields.shipDate === undefined;
    },
  },
];
