import type { Json, JsonMap, Row } from './json-text';
import { datePosition, pageOf, type ListRules, type Page } from './listing';
import { flag, idList, oneId, oneOf, pageSize, statusSet, text, type QueryRules } from './query';
import { INVENTORY_UPDATE, NEW_CATEGORY, NEW_PET, ORDER, type Shape, type Status } from './shapes';
import * as shop from './shop';
import type { Shop } from './shop';

export type Collection = 'categories' | 'pets' | 'orders' | 'stock';
export type Resource = shop.Category | shop.Pet | shop.Order;

export interface Input {
  readonly shop: Shop;
  readonly query: ReadonlyMap<string, unknown>;
  readonly body: JsonMap;
}

/** What an operation is; the effect comes after all checks that need no state. */
export interface Operation {
  readonly name: string;
  /** Part of the small service that a deployment without the optional rest offers. */
  readonly plain?: true;
  readonly query?: QueryRules;
  readonly body?: Shape;
  readonly list?: (input: Input) => Page;
  readonly read?: true;
  readonly create?: (input: Input) => Resource;
  /** Changes a resource that is there; `tagged` answers carry the entity tag of the outcome. */
  readonly change?: (resource: never, input: Input) => void;
  readonly tagged?: true;
  readonly remove?: (resource: never, input: Input) => void;
}

export interface Route {
  readonly path: RegExp;
  readonly collection: Collection;
  readonly id?: string;
  readonly methods: Readonly<Record<string, Operation>>;
}

const number = (value: Json | undefined): number | undefined => (value === undefined ? undefined : Number(value));

const newPet = (body: JsonMap): shop.NewPet => ({
  name: body.get('name') as string,
  categoryId: body.get('categoryId') as bigint,
  status: body.get('status') as Status | undefined,
});
const newCategory = (body: JsonMap): shop.NewCategory => ({
  name: body.get('name') as string,
  description: body.get('description') as string | undefined,
});
const orderValues = (body: JsonMap): shop.OrderValues => ({
  id: body.get('id') as bigint | undefined,
  petId: body.get('petId') as bigint | undefined,
  quantity: number(body.get('quantity')),
  shipDate: body.get('shipDate') as string | undefined,
  complete: body.get('complete') as boolean | undefined,
});

const PETS: ListRules<shop.Pet> = {
  name: 'pets',
  defaultSize: 20,
  row: shop.petRow,
  id: (pet) => pet.id,
  keys: { name: (pet) => [pet.name] },
};
const CATEGORIES: ListRules<shop.Category> = {
  name: 'categories',
  defaultSize: 100,
  row: shop.categoryRow,
  id: (category) => category.id,
  keys: { name: (category) => [category.name] },
};
const ORDERS: ListRules<shop.Order> = {
  name: 'orders',
  defaultSize: 100,
  row: shop.orderRow,
  id: (order) => order.id,
  keys: { shipDate: (order) => datePosition(order.shipDate) },
};
const STOCK: ListRules<shop.Pet> = {
  name: 'inventory',
  defaultSize: 100,
  row: shop.stockRow,
  id: (pet) => pet.id,
  keys: { quantity: (pet) => [pet.stock] },
};

/** A filter that was not given lets everything through. */
const equals = (wanted: unknown, value: unknown): boolean => wanted === undefined || wanted === value;
const among = (wanted: unknown, value: unknown): boolean =>
  wanted === undefined || (wanted as ReadonlySet<unknown>).has(value);

const paging = (...sorts: string[]): QueryRules => ({ limit: pageSize, cursor: text, sort: oneOf(...sorts) });
const byName = paging('id', '-id', 'name', '-name');

export const ROUTES: readonly Route[] = [
  {
    path: /^\/pets$/,
    collection: 'pets',
    methods: {
      POST: { name: 'createPet', plain: true, body: NEW_PET, create: ({ shop, body }) => shop.addPet(newPet(body)) },
      GET: {
        name: 'listPets',
        plain: true,
        query: { ...byName, status: statusSet, categoryId: oneId, id: idList, name: text },
        list: ({ shop, query }) => {
          const pets = [...shop.pets.values()].filter(
            (pet) =>
              among(query.get('status'), pet.status) &&
              equals(query.get('categoryId'), pet.categoryId) &&
              among(query.get('id'), pet.id) &&
              equals(query.get('name'), pet.name),
          );
          return pageOf(pets, PETS, query);
        },
      },
    },
  },
  {
    path: /^\/pets\/([^/]+)$/,
    collection: 'pets',
    id: 'petId',
    methods: {
      PUT: {
        name: 'replacePet',
        body: NEW_PET,
        change: (pet: shop.Pet, { shop, body }) => {
          shop.replacePet(pet, newPet(body));
        },
      },
      DELETE: {
        name: 'deletePet',
        remove: (pet: shop.Pet, { shop }) => {
          shop.removePet(pet);
        },
      },
      GET: { name: 'getPet', plain: true, read: true },
    },
  },
  {
    path: /^\/categories$/,
    collection: 'categories',
    methods: {
      POST: {
        name: 'createCategory',
        plain: true,
        body: NEW_CATEGORY,
        create: ({ shop, body }) => shop.addCategory(newCategory(body)),
      },
      GET: {
        name: 'listCategories',
        plain: true,
        query: { ...byName, name: text },
        list: ({ shop, query }) => {
          const categories = [...shop.categories.values()].filter(({ name }) => equals(query.get('name'), name));
          return pageOf(categories, CATEGORIES, query);
        },
      },
    },
  },
  {
    path: /^\/categories\/([^/]+)$/,
    collection: 'categories',
    id: 'categoryId',
    methods: {
      PUT: {
        name: 'replaceCategory',
        body: NEW_CATEGORY,
        change: (category: shop.Category, { body }) => Object.assign(category, newCategory(body)),
      },
      DELETE: {
        name: 'deleteCategory',
        remove: (category: shop.Category, { shop }) => {
          shop.removeCategory(category);
        },
      },
      GET: { name: 'getCategory', read: true },
    },
  },
  {
    path: /^\/store\/orders$/,
    collection: 'orders',
    methods: {
      POST: { name: 'placeOrder', body: ORDER, create: ({ shop, body }) => shop.place(orderValues(body)) },
      GET: {
        name: 'listOrders',
        plain: true,
        query: { ...paging('id', '-id', 'shipDate', '-shipDate'), petId: oneId, complete: flag },
        list: ({ shop, query }) => {
          const orders = [...shop.orders.values()].filter(
            (order) => equals(query.get('petId'), order.petId) && equals(query.get('complete'), order.complete),
          );
          return pageOf(orders, ORDERS, query);
        },
      },
    },
  },
  {
    path: /^\/store\/orders\/([^/]+)$/,
    collection: 'orders',
    id: 'orderId',
    methods: {
      PATCH: {
        name: 'updateOrder',
        body: ORDER,
        tagged: true,
        change: (order: shop.Order, { shop, body }) => {
          shop.change(order, orderValues(body));
        },
      },
      DELETE: {
        name: 'cancelOrder',
        plain: true,
        remove: (order: shop.Order, { shop }) => {
          shop.cancel(order);
        },
      },
      GET: { name: 'getOrder', read: true },
    },
  },
  {
    path: /^\/inventory$/,
    collection: 'stock',
    methods: {
      GET: {
        name: 'listInventory',
        plain: true,
        query: { ...paging('petId', '-petId', 'quantity', '-quantity'), status: statusSet, petId: idList },
        list: ({ shop, query }) => {
          const pets = [...shop.pets.values()].filter(
            (pet) => among(query.get('status'), pet.status) && among(query.get('petId'), pet.id),
          );
          return pageOf(pets, STOCK, query);
        },
      },
    },
  },
  {
    path: /^\/inventory\/([^/]+)$/,
    collection: 'stock',
    id: 'petId',
    methods: {
      PATCH: {
        name: 'updateInventory',
        plain: true,
        body: INVENTORY_UPDATE,
        tagged: true,
        change: (pet: shop.Pet, { shop, body }) => {
          shop.restock(pet, Number(body.get('quantity')));
        },
      },
      GET: { name: 'getInventoryItem', read: true },
    },
  },
];

export function findResource(shop: Shop, collection: Collection, id: bigint): Resource | undefined {
  return (collection === 'stock' ? shop.pets : shop[collection]).get(id);
}

export function rowOf(collection: Collection, resource: Resource): Row {
  const rows = { pets: shop.petRow, categories: shop.categoryRow, orders: shop.orderRow, stock: shop.stockRow };
  return (rows[collection] as (one: Resource) => Row)(resource);
}
