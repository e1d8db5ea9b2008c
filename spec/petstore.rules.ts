import type { Item, JsonValue, RuleEvent, RuleReader, Rules, RuleStore } from 'standin';

/**
 * Business rules of the Petstore: what becomes of a pet and its stock when pets, orders and stock change.
 *
 * Each pet has one inventory item. Its `quantity` is the free stock, without the units that orders hold; its `status`
 * is always the pet's. An open order is one with a `petId` that is not complete. Between requests it holds that an
 * available pet has stock, and that a sold pet has neither stock nor open orders.
 */
const PETS = '/pets';
const ORDERS = '/store/orders';
const INVENTORY = '/inventory';

type Status = 'available' | 'pending' | 'sold';

const rules: Rules = {
  standin: 'rules/1',
  references: [
    { collection: PETS, member: 'categoryId', to: '/categories', refuseRemoval: 'category_in_use' },
    { collection: ORDERS, member: 'petId', to: PETS, refuseRemoval: 'pet_in_use' },
    { collection: INVENTORY, member: 'petId', to: PETS },
  ],
  operations: {
    createPet({ item, store }) {
      item['status'] ??= 'available';
      const { id = 0, status } = item;
      store.insert(INVENTORY, { petId: id, quantity: status === 'sold' ? 0 : 1, status });
    },

    replacePet(event) {
      const { item, before = {}, store } = event;
      const from = statusOf(before);
      const to = (item['status'] ??= from) as Status;
      if (from === to) return;
      const pet = before['id'] ?? 0;
      if (!mayBecome(from, to, store, pet)) {
        const message = `The field /status cannot go from ${from} to ${to}${reason(from, to)}`;
        event.refuse(409, 'invalid_status_transition', message, '/status');
      }
      store.update(INVENTORY, pet, to === 'sold' ? { status: to, quantity: 0 } : { status: to });
    },

    deletePet({ before, store }) {
      if (store.get(INVENTORY, before?.['id']) !== undefined) store.remove(INVENTORY, before?.['id']);
    },

    placeOrder(event) {
      const { item, store } = event;
      const isComplete = (item['complete'] ??= false) === true;
      const pet = item['petId'];
      if (pet !== undefined) {
        item['quantity'] ??= 1;
        reserve(event, pet, Number(item['quantity']));
      }
      if (!isComplete) return;
      item['shipDate'] ??= event.now;
      if (pet !== undefined) settle(store, pet, undefined);
    },

    updateOrder(event) {
      const { item, before = {}, store } = event;
      if (before['petId'] !== undefined && event.changes('petId')) {
        event.refuse(422, 'immutable_field', 'The field /petId cannot be changed once it is set', '/petId');
      }
      if (before['complete'] === true) {
        if (['petId', 'quantity', 'shipDate', 'complete'].some((member) => event.changes(member))) {
          event.refuse(409, 'order_already_complete', 'The order is complete and cannot be changed');
        }
        return;
      }
      takeStock(event, before);
      if (item['complete'] !== true) return;
      item['shipDate'] ??= event.now;
      if (item['petId'] !== undefined) settle(store, item['petId'], before['id']);
    },

    cancelOrder(event) {
      const { before, store } = event;
      if (before?.['complete'] === true) {
        event.refuse(409, 'order_already_complete', 'The order is complete and cannot be cancelled');
      }
      const pet = before?.['petId'];
      if (pet !== undefined) give(store, pet, Number(before?.['quantity'] ?? 0));
    },

    updateInventory({ item, before, store }) {
      const pet = before?.['petId'] ?? 0;
      const status = statusForStock(store, pet, before?.['status'] as Status, Number(item['quantity']));
      item['status'] = status;
      store.update(PETS, pet, { status });
    },
  },

  *invariants(store) {
    for (const pet of store.items(PETS)) {
      const message = faultOfPet(store, pet);
      if (message !== undefined) yield { collection: PETS, key: pet['id'] ?? 0, message };
    }
    for (const { id = 0, petId, quantity } of store.items(ORDERS)) {
      const message = 'is for a pet, but for no quantity of it';
      if (petId !== undefined && quantity === undefined) yield { collection: ORDERS, key: id, message };
    }
    for (const { petId = 0 } of store.items(INVENTORY)) {
      if (store.get(PETS, petId) === undefined) yield { collection: INVENTORY, key: petId, message: 'has no pet' };
    }
  },
};

export default rules;

type PetId = JsonValue;

function statusOf(item: Item): Status {
  return (item['status'] ?? 'available') as Status;
}

/** The edges that a replacement may take; all others go through orders and stock. */
function mayBecome(from: Status, to: Status, store: RuleReader, pet: PetId): boolean {
  if (from === 'sold') return false;
  if (to === 'sold') return openOrders(store, pet).length === 0;
  return to === 'pending' || stockOf(store, pet) > 0;
}

/** What an open order takes more of, or gives back, with its new quantity or its first pet. */
function takeStock(event: RuleEvent, before: Item): void {
  const { item } = event;
  const pet = item['petId'];
  if (pet === undefined) return;
  item['quantity'] ??= 1;
  const quantity = Number(item['quantity']);
  if (before['petId'] === undefined) reserve(event, pet, quantity);
  else resize(event, pet, quantity - Number(before['quantity'] ?? 0));
}

function faultOfPet(store: RuleReader, pet: Item): string | undefined {
  const status = statusOf(pet);
  const stock = store.get(INVENTORY, pet['id']);
  if (stock === undefined) return 'has no inventory item';
  if (statusOf(stock) !== status) return `is ${status}, its inventory item ${statusOf(stock)}`;
  if (status === 'available' && stock['quantity'] === 0) return 'is available without stock';
  if (status !== 'sold') return undefined;
  if (stock['quantity'] !== 0) return 'is sold with stock left';
  return openOrders(store, pet['id'] ?? 0).length > 0 ? 'is sold with an open order' : undefined;
}

/** Takes units from the free stock of an available pet. */
function reserve(event: RuleEvent, pet: PetId, quantity: number): void {
  const status = statusOf(event.store.get(PETS, pet) ?? {});
  if (status !== 'available') {
    event.refuse(409, 'pet_not_available', `The field /petId names a pet that is ${status}, not available`, '/petId');
  }
  resize(event, pet, quantity);
}

/** Takes `more` units, or gives units back when it is negative. */
function resize(event: RuleEvent, pet: PetId, more: number): void {
  const stock = stockOf(event.store, pet);
  if (more > stock) {
    const message = `The field /quantity asks for ${String(more)} more of the pet; ${String(stock)} are in stock`;
    event.refuse(409, 'insufficient_stock', message, '/quantity');
  }
  if (more !== 0) give(event.store, pet, -more);
}

/** Puts units back into the free stock (or takes them, when negative) and moves the status with it. */
function give(store: RuleStore, pet: PetId, quantity: number): void {
  const stock = stockOf(store, pet) + quantity;
  const current = store.get(PETS, pet)?.['status'] as Status;
  const status = stock === 0 ? 'pending' : current === 'pending' ? 'available' : current;
  store.update(INVENTORY, pet, { quantity: stock, status });
  store.update(PETS, pet, { status });
}

/** When the last open order of a pet without stock is complete, the pet is sold. */
function settle(store: RuleStore, pet: PetId, completedOrder: Item[string] | undefined): void {
  const others = openOrders(store, pet).filter((order) => order['id'] !== completedOrder);
  if (store.get(PETS, pet)?.['status'] !== 'pending' || stockOf(store, pet) > 0 || others.length > 0) return;
  store.update(PETS, pet, { status: 'sold' });
  store.update(INVENTORY, pet, { status: 'sold' });
}

function statusForStock(store: RuleStore, pet: PetId, current: Status, quantity: number): Status {
  if (quantity > 0) return 'available';
  if (current !== 'available') return current;
  return openOrders(store, pet).length > 0 ? 'pending' : 'sold';
}

function stockOf(store: RuleReader, pet: PetId): number {
  return Number(store.get(INVENTORY, pet)?.['quantity'] ?? 0);
}

function openOrders(store: RuleReader, pet: PetId): readonly Item[] {
  return store.find(ORDERS, 'petId', pet).filter((order) => order['complete'] !== true);
}

function reason(from: Status, to: Status): string {
  if (from === 'sold') return '; set its stock instead';
  return to === 'sold' ? ' while orders for the pet are open' : ' while there is no stock';
}
