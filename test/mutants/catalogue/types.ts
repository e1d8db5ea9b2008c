import { good, onAnswer, type Defect } from '../defect';
import { textOf, type Fields } from '../json';
import { edited, headerOf, succeeded, withHeader } from '../message';

const PETS = ['getPet', 'listPets', 'createPet', 'replacePet'];
const ORDERS = ['getOrder', 'listOrders', 'placeOrder', 'updateOrder'];
const STOCK = ['getInventoryItem', 'listInventory', 'updateInventory'];

const inPlace = (member: keyof Fields & string, change: (value: NonNullable<Fields[string]>) => Fields[string]) =>
  edited((fields) => {
    const value = fields[member];
    return value === undefined || value === null ? fields : { ...fields, [member]: change(value) };
  });

/** UTF-8 read as Latin-1, and written as UTF-8 again. */
const garbled = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

export const TYPE_DEFECTS: readonly Defect[] = [
  {
    id: 'TY-01',
    needs: ['S'],
    title: 'the id of a pet is a string',
    clause: 'Pet.id: integer, int64 (rest-faults R-2)',
    start: onAnswer(good(...PETS), inPlace('id', textOf)),
    witness: async (client) => typeof (await client.pet()).reply.fields.id === 'string',
  },
  {
    id: 'TY-02',
    needs: ['S'],
    title: 'quantities in stock are strings',
    clause: 'InventoryItem.quantity: integer, int32',
    start: onAnswer(good(...STOCK), inPlace('quantity', textOf)),
    witness: async (client) => (await client.stockOf(await client.pet())) === '1',
  },
  {
    id: 'TY-04',
    needs: ['S'],
    title: 'ship dates have no time zone',
    clause: 'Order.shipDate: date-time (RFC 3339 §5.6: time-offset is required)',
    start: onAnswer(
      good(...ORDERS),
      inPlace('shipDate', (date) => textOf(date).replace(/[Zz]$|[+-]\d\d:\d\d$/, '')),
    ),
    witness: async (client) =>
      (await client.order({ shipDate: '2026-05-04T03:02:01Z' })).reply.fields.shipDate === '2026-05-04T03:02:01',
  },
  {
    id: 'TY-05',
    needs: ['S'],
    title: 'a pending pet has a status that the description does not know',
    clause: 'PetStatus: available, pending, sold',
    start: onAnswer(
      good(...PETS, ...STOCK),
      inPlace('status', (status) => (status === 'pending' ? 'pending_review' : status)),
    ),
    witness: async (client) => (await client.pet({ status: 'pending' })).reply.fields.status === 'pending_review',
  },
  {
    id: 'TY-07',
    needs: ['S'],
    title: 'complete is a string',
    clause: 'Order.complete: boolean',
    start: onAnswer(
      good(...ORDERS),
      inPlace('complete', (complete) => (complete === true ? 'true' : 'false')),
    ),
    witness: async (client) => (await client.order()).reply.fields.complete === 'false',
  },
  {
    id: 'TY-08',
    needs: ['S'],
    title: 'quantities in stock are fractions',
    clause: 'InventoryItem.quantity: integer, int32',
    start: onAnswer(
      good(...STOCK),
      inPlace('quantity', (quantity) => Number(quantity) + 0.5),
    ),
    witness: async (client) => (await client.stockOf(await client.pet())) === 1.5,
  },
  {
    id: 'TY-10',
    needs: ['S', 'H'],
    title: 'entity tags come without quotes',
    clause: 'ETag: pattern ^"[^"]*"$; RFC 9110 §8.8.3: opaque-tag is quoted',
    start: onAnswer(
      (_, answer) => succeeded(answer) && headerOf(answer, 'ETag') !== undefined,
      (answer) => withHeader(answer, 'ETag', (headerOf(answer, 'ETag') ?? '').replaceAll('"', '')),
    ),
    witness: async (client) => /^[^"]+$/.test((await client.get((await client.category()).path)).header('etag') ?? '"'),
  },
  {
    id: 'TY-11',
    needs: ['V', 'I'],
    title: 'ids beyond 53 bits are rounded',
    clause: 'petstore.md §2: JSON numbers on the wire, exact digits',
    largeIds: true,
    start: onAnswer(
      (_, answer) => succeeded(answer),
      edited((fields) => {
        const exact = Object.entries(fields);
        // What a double made of it: its shortest digits, padded with zeros.
        return Object.fromEntries(
          exact.map(([name, value]) => [name, typeof value === 'bigint' ? rounded(value) : value]),
        );
      }),
    ),
    witness: async (client) => {
      const digits = await Promise.all([1, 2, 3, 4].map(async () => (await client.category()).reply));
      return digits.some(({ fields, header }) => !(header('location') ?? '').endsWith(`/${textOf(fields.id)}`));
    },
  },
  {
    id: 'TY-13',
    needs: ['V'],
    title: 'letters beyond ASCII are garbled',
    clause: 'what was sent comes back; RFC 8259 §8.1: UTF-8',
    start: onAnswer(
      (_, answer) => succeeded(answer),
      inPlace('name', (name) => (typeof name === 'string' ? garbled(name) : name)),
    ),
    witness: async (client) => (await client.category({ name: 'Zoë' })).reply.fields.name === 'ZoÃ«',
  },
];

const rounded = (value: bigint): bigint => BigInt(Number(value));
