import type { Dialect } from './dialect';
import { textOf } from './json';
import { fieldsOf, type Answer, type Call, type Place } from './message';

const PATHS: Readonly<Record<string, string>> = {
  pets: '/pets',
  categories: '/categories',
  orders: '/store/orders',
  inventory: '/inventory',
};
const OPERATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  pets: { GET: 'listPets', POST: 'createPet', 'GET id': 'getPet', 'PUT id': 'replacePet', 'DELETE id': 'deletePet' },
  categories: {
    GET: 'listCategories',
    POST: 'createCategory',
    'GET id': 'getCategory',
    'PUT id': 'replaceCategory',
    'DELETE id': 'deleteCategory',
  },
  orders: {
    GET: 'listOrders',
    POST: 'placeOrder',
    'GET id': 'getOrder',
    'PATCH id': 'updateOrder',
    'DELETE id': 'cancelOrder',
  },
  inventory: { GET: 'listInventory', 'GET id': 'getInventoryItem', 'PATCH id': 'updateInventory' },
};

function placeOf({ method, target }: Call): Place {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const match = /^(.*?)\/(pets|categories|store\/orders|inventory)(?:\/([^/]+))?$/.exec(path);
  const [, base = '', name, id] = match ?? [];
  const collection = name === 'store/orders' ? 'orders' : name;
  const verb = `${method === 'HEAD' ? 'GET' : method}${id === undefined ? '' : ' id'}`;
  return {
    base,
    collection,
    id,
    query: new URLSearchParams(query),
    operation: collection && OPERATIONS[collection]?.[verb],
  };
}

const resourceOf = (operation: string | undefined): string | undefined =>
  Object.keys(OPERATIONS).find((name) => Object.values(OPERATIONS[name] ?? {}).includes(operation ?? ''));

export const pathOf = (base: string, collection: string, id?: string): string =>
  `${base}${PATHS[collection] ?? ''}${id === undefined ? '' : `/${id}`}`;

function subjectOf(call: Call, place: Place, answer: Answer | undefined): string {
  const collection = place.collection === 'inventory' ? 'pets' : (place.collection ?? '');
  if (place.id !== undefined) return `${collection}/${place.id}`;
  if (call.method === 'POST' && answer) return `${collection}/${textOf(fieldsOf(answer).id)}`;
  return call.method === 'POST' ? `${collection}/${call.body.toString()}` : call.target;
}

export const PETSTORE: Dialect = {
  placeOf,
  resourceOf,
  subjectOf,
  credential: (key) => ['Authorization', `Bearer ${key}`],
};
