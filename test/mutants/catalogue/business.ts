import { good, onAnswer, type Defect, type Exchange } from '../defect';
import { textOf, type Fields } from '../json';
import { itemPath } from '../memory';
import { edited, fieldsOf, type Answer } from '../message';
import { acceptOrder } from './input';

const stockPath = (exchange: Exchange, petId: Fields['petId']): string =>
  itemPath(exchange, 'inventory', textOf(petId));

/** Lets a request about an order through, then sets the stock of its pet as a faulty service would leave it. */
const keepStock =
  (operation: string, wrong: (before: number, order: Fields) => number | undefined) =>
  () =>
  async (exchange: Exchange): Promise<Answer> => {
    if (exchange.place.operation !== operation) return exchange.pass();
    const isNew = exchange.call.method === 'POST';
    const order = isNew ? fieldsOf(exchange.call) : fieldsOf(await exchange.ask('GET', itemPath(exchange)));
    if (order.petId === undefined) return exchange.pass();
    const path = stockPath(exchange, order.petId);
    const before = Number(fieldsOf(await exchange.ask('GET', path)).quantity);
    const answer = await exchange.pass();
    const quantity = wrong(before, order);
    const isDone = answer.status === 201 || answer.status === 204;
    if (isDone && quantity !== undefined && exchange.fires()) await exchange.ask('PATCH', path, { quantity });
    return answer;
  };

export const BUSINESS_DEFECTS: readonly Defect[] = [
  {
    id: 'BR-01',
    needs: ['B'],
    title: 'an order takes nothing out of the stock',
    clause: 'petstore.md §5, placeOrder: q −= n',
    start: keepStock('placeOrder', (before) => before),
    witness: async (client) => {
      const pet = await client.pet();
      await client.patch(pet.stock, { quantity: 5 });
      await client.order({ petId: pet.id, quantity: 2 });
      return (await client.stockOf(pet)) === 5;
    },
  },
  {
    id: 'BR-02',
    needs: ['B'],
    title: 'a cancelled order gives nothing back to the stock',
    clause: 'petstore.md §5, cancelOrder: q += n',
    start: keepStock('cancelOrder', (before) => before),
    witness: async (client) => {
      const pet = await client.pet();
      await client.patch(pet.stock, { quantity: 5 });
      const order = await client.order({ petId: pet.id, quantity: 2 });
      await client.delete(order.path);
      return (await client.stockOf(pet)) === 3;
    },
  },
  {
    id: 'BR-04',
    needs: ['B'],
    title: 'a sold pet can be ordered',
    clause: 'petstore.md §5, placeOrder: 409 pet_not_available',
    start: acceptOrder(
      async ({ petId }, exchange) => {
        const { status } = fieldsOf(await exchange.ask('GET', stockPath(exchange, petId)));
        return status === 'sold';
      },
      ['petId'],
    ),
    witness: async (client) => {
      const pet = await client.pet({ status: 'sold' });
      return (await client.order({ petId: pet.id })).reply.status === 201;
    },
  },
  {
    id: 'BR-05',
    needs: ['B'],
    title: 'a sold pet can be made available or pending again',
    clause: 'petstore.md §5, replacePet: sold to another status only via updateInventory',
    start: () => async (exchange) => {
      const answer = await exchange.pass();
      const isRefused = fieldsOf(answer).code === 'invalid_status_transition';
      if (exchange.place.operation !== 'replacePet' || !isRefused || !exchange.fires()) return answer;
      await exchange.ask('PATCH', itemPath(exchange, 'inventory'), { quantity: 1 });
      return exchange.pass();
    },
    witness: async (client) => {
      const pet = await client.pet({ status: 'sold' });
      const { categoryId } = pet.reply.fields;
      return (await client.put(pet.path, { name: 'Again', categoryId, status: 'available' })).status === 200;
    },
  },
  {
    id: 'BR-07',
    needs: ['B'],
    title: 'an order takes one unit out of the stock, however many it is for',
    clause: 'petstore.md §5, placeOrder: q −= n',
    start: keepStock('placeOrder', (before, { quantity }) => (Number(quantity ?? 1) > 1 ? before - 1 : undefined)),
    witness: async (client) => {
      const pet = await client.pet();
      await client.patch(pet.stock, { quantity: 5 });
      await client.order({ petId: pet.id, quantity: 3 });
      return (await client.stockOf(pet)) === 4;
    },
  },
  {
    id: 'BR-08',
    needs: ['B', 'S'],
    title: 'the stock spells statuses in capitals, the pets do not',
    clause: 'InventoryItem.status is always the status of the pet',
    start: onAnswer(
      good('getInventoryItem', 'listInventory', 'updateInventory'),
      edited((fields) => ({ ...fields, status: textOf(fields.status).toUpperCase() })),
    ),
    witness: async (client) => (await client.get((await client.pet()).stock)).fields.status === 'AVAILABLE',
  },
];
