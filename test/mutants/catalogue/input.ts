import { UNKNOWN } from '../client';
import { isWrite, onAnswer, onCall, type Defect, type Exchange, type Intercept } from '../defect';
import { omit, parseJson, textOf, type Fields } from '../json';
import { Aliases, Overlay } from '../memory';
import { asError, editFields, fieldsOf, jsonOf, succeeded, withHeader, withJson, withQuery } from '../message';

const NAMED = ['createPet', 'createCategory', 'replacePet', 'replaceCategory'];
const isBody = ({ call }: Exchange): boolean => call.body.length > 0;
const limitOf = ({ place }: Exchange): string | null => place.query.get('limit');

/**
 * An order that the server refuses is placed without the members that it refuses, and has them back wherever it is
 * read: for a client it was accepted.
 */
export const acceptOrder =
  (refused: (order: Fields, exchange: Exchange) => Promise<boolean> | boolean, members: readonly string[]) =>
  (): Intercept => {
    const overlay = new Overlay();
    return async (exchange) => {
      const { call, place } = exchange;
      const order = fieldsOf(call);
      const wrong = place.operation === 'placeOrder' && (await refused(order, exchange)) && exchange.fires();
      if (!wrong) return overlay.apply(place, await exchange.pass());
      const answer = await exchange.pass(withJson(call, omit(order, ...members)));
      const back = Object.fromEntries(members.flatMap((name) => (name in order ? [[name, order[name]]] : [])));
      if (succeeded(answer)) overlay.set('orders', textOf(fieldsOf(answer).id), (fields) => ({ ...fields, ...back }));
      return overlay.apply(place, answer);
    };
  };

export const INPUT_DEFECTS: readonly Defect[] = [
  {
    id: 'IV-01',
    needs: ['N'],
    title: 'the required name may be missing',
    clause: 'NewPet and NewCategory require name; 400 missing_field (rest-faults R-6)',
    start: () => async (exchange) => {
      const { call, place } = exchange;
      const nameless = NAMED.includes(place.operation ?? '') && isBody(exchange) && isNameless(jsonOf(call));
      if (!nameless || !exchange.fires()) return exchange.pass();
      const answer = await exchange.pass(editFields(call, (fields) => ({ ...fields, name: '?' })));
      return editFields(answer, (fields) => omit(fields, 'name'));
    },
    witness: async (client) => (await client.post('/categories', { description: 'Nameless' })).status === 201,
  },
  {
    id: 'IV-02',
    needs: ['N'],
    title: 'stock above its maximum is accepted',
    clause: 'InventoryUpdate.quantity: at most 1000000 (rest-faults R-4)',
    start: () => {
      const overlay = new Overlay();
      return async (exchange) => {
        const { call, place } = exchange;
        const { quantity } = fieldsOf(call);
        const isOver = typeof quantity === 'number' && Number.isInteger(quantity) && quantity > 1_000_000;
        const isAccepted = place.operation === 'updateInventory' && isOver && exchange.fires();
        if (!isAccepted) return overlay.apply(place, await exchange.pass());
        const answer = await exchange.pass(withJson(call, { quantity: 1_000_000 }));
        const shown = (fields: Fields): Fields => (fields.quantity === 1_000_000 ? { ...fields, quantity } : fields);
        if (succeeded(answer)) overlay.set('inventory', place.id ?? '', shown);
        return overlay.apply(place, answer);
      };
    },
    witness: async (client) => {
      const { stock } = await client.pet();
      return (await client.patch(stock, { quantity: 1_000_001 })).fields.quantity === 1_000_001;
    },
  },
  {
    id: 'IV-04',
    needs: ['N', 'V'],
    title: 'numbers in strings are taken as numbers',
    clause: 'quantity, categoryId, petId: integer; 400 invalid_field',
    start: onCall(
      (exchange) => isWrite(exchange) && isBody(exchange) && hasNumericText(fieldsOf(exchange.call)),
      (call) => editFields(call, coerced),
    ),
    witness: async (client) => (await client.order({ quantity: '12' })).reply.fields.quantity === 12,
  },
  {
    id: 'IV-05',
    needs: ['N'],
    title: 'malformed JSON counts as {}',
    clause: '400 invalid_json',
    start: onCall(
      (exchange) => isBody(exchange) && jsonOf(exchange.call) === undefined,
      (call) => withJson(call, {}),
    ),
    witness: async (client) => (await client.send('POST', '/store/orders', { text: '{"quantity":' })).status === 201,
  },
  {
    id: 'IV-07',
    needs: ['N', 'V'],
    title: 'the id of a category may be chosen by the client',
    clause: 'Category.id: readOnly; a client-sent id is never honoured',
    start: () => {
      const aliases = new Aliases('categories');
      return async (exchange) => {
        const { call, place } = exchange;
        const answer = await exchange.pass(aliases.inward(call, place));
        const { id } = fieldsOf(call);
        const chosen = typeof id === 'number' || typeof id === 'bigint' ? id : null;
        if (place.operation === 'createCategory' && chosen !== null && succeeded(answer) && exchange.fires()) {
          aliases.set(chosen, fieldsOf(answer).id ?? null);
        }
        return aliases.outward(answer, place);
      };
    },
    witness: async (client) => {
      const { fields } = (await client.category({ id: 77_001 })).reply;
      return fields.id === 77_001 && (await client.get('/categories/77001')).status === 200;
    },
  },
  {
    id: 'IV-08',
    needs: ['N'],
    title: 'a name of exactly 100 characters is rejected',
    clause: 'NewPet.name: maxLength 100',
    start: onAnswer(
      ({ call, place }, answer) =>
        place.collection === 'pets' && succeeded(answer) && Array.from(textOf(fieldsOf(call).name)).length === 100,
      (answer) => asError(answer, 400, 'invalid_field'),
    ),
    witness: async (client) => (await client.pet({ name: 'n'.repeat(100) })).reply.status === 400,
  },
  {
    id: 'IV-10',
    needs: ['N', 'L'],
    title: 'an impossible limit is ignored',
    clause: 'limit: int32 from 1 to 100; 400 invalid_parameter',
    start: onCall(
      (exchange) => limitOf(exchange) !== null && !/^([1-9]\d?|100)$/.test(limitOf(exchange) ?? ''),
      (call, { place }) => {
        const query = new URLSearchParams(place.query);
        query.delete('limit');
        return withQuery(call, query);
      },
    ),
    witness: async (client) => {
      const replies = await Promise.all(['0', '-1', 'abc'].map((limit) => client.get(`/pets?limit=${limit}`)));
      return replies.every(({ status }) => status === 200);
    },
  },
  {
    id: 'IV-11',
    needs: ['N', 'H'],
    title: 'a body of another Content-Type is read as JSON',
    clause: 'petstore.md §12: 400 missing_content_type',
    start: onCall(isBody, (call) => withHeader(call, 'Content-Type', 'application/json')),
    witness: async (client) => {
      const headers = { 'Content-Type': 'text/plain' };
      return (await client.post('/categories', { name: 'Plain' }, { headers })).status === 201;
    },
  },
  {
    id: 'IV-13',
    needs: ['N', 'B'],
    title: 'an order of no or of negative units is accepted',
    clause: 'Order.quantity: at least 1',
    start: acceptOrder(({ quantity }) => typeof quantity === 'number' && quantity <= 0, ['quantity']),
    witness: async (client) => {
      const { path } = await client.order({ quantity: -2 });
      return (await client.get(path)).fields.quantity === -2;
    },
  },
  {
    id: 'IV-14',
    needs: ['B'],
    title: 'an order for a pet that does not exist is accepted',
    clause: '422 unknown_reference: pet exists',
    start: acceptOrder(
      async ({ petId }, exchange) => petId !== undefined && !(await hasPet(exchange, petId)),
      ['petId'],
    ),
    witness: async (client) =>
      (await client.send('POST', '/store/orders', { text: `{"petId":${UNKNOWN}}` })).status === 201,
  },
];

const isNameless = (json: ReturnType<typeof parseJson>): boolean =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && json.name === undefined;

const NUMERIC = ['quantity', 'categoryId', 'petId'];
const isNumericText = (name: string, value: unknown): value is string =>
  NUMERIC.includes(name) && typeof value === 'string' && /^\d+$/.test(value);
const hasNumericText = (fields: Fields): boolean =>
  Object.entries(fields).some(([name, value]) => isNumericText(name, value));
const coerced = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isNumericText(name, value) ? parseJson(value) : value]),
  );

async function hasPet(exchange: Exchange, petId: unknown): Promise<boolean> {
  const isId = typeof petId === 'number' || typeof petId === 'bigint';
  if (!isId) return true;
  const { status } = await exchange.ask('GET', `${exchange.place.base}/pets?id=${petId}`);
  if (status !== 200) return true;
  const listed = await exchange.ask('GET', `${exchange.place.base}/inventory/${petId}`);
  return listed.status !== 404;
}
