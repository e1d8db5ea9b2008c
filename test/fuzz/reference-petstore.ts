/** What a reference answers: the status, the code of a refusal, and the body where one is due. */
export interface Expected {
  readonly status: number;
  readonly code?: string;
  readonly body?: unknown;
}

type Status = 'available' | 'pending' | 'sold';

export interface NewPet {
  readonly name: string;
  readonly categoryId: number;
  readonly status?: Status;
}

export interface NewCategory {
  readonly name: string;
  readonly description?: string;
}

export interface NewOrder {
  readonly id?: number;
  readonly petId?: number;
  readonly quantity?: number;
  readonly shipDate?: string;
  readonly complete?: boolean;
}

interface StoredPet {
  name: string;
  categoryId: number;
  status: Status;
  /** Units that no order holds. */
  free: number;
}

interface StoredOrder {
  petId?: number;
  quantity?: number;
  shipDate?: string;
  complete: boolean;
}

/**
 * The Petstore once more, as petstore.md §5 tells it, in the plainest code there is: no store, no drafts, no rules
 * file. It exists to disagree with the mock.
 */
export class ReferencePetstore {
  readonly categories = new Map<number, NewCategory>([
    [1, { name: 'Dog', description: 'Dogs of all breeds and sizes' }],
    [2, { name: 'Cat' }],
  ]);
  readonly pets = new Map<number, StoredPet>([
    [1, { name: 'Biscuit', categoryId: 1, status: 'available', free: 3 }],
    [2, { name: 'Miso', categoryId: 2, status: 'pending', free: 0 }],
    [3, { name: 'Clementine', categoryId: 2, status: 'sold', free: 0 }],
  ]);
  readonly orders = new Map<number, StoredOrder>([
    [1, { petId: 2, quantity: 1, complete: false }],
    [2, { petId: 3, quantity: 1, shipDate: '2026-01-15T10:30:00Z', complete: true }],
  ]);
  private readonly next = { category: 3, pet: 4, order: 3 };
  private readonly now: string;

  constructor(now: string) {
    this.now = now;
  }

  createCategory(input: NewCategory): Expected {
    const id = this.next.category++;
    this.categories.set(id, input);
    return { status: 201, body: this.categoryBody(id) };
  }

  replaceCategory(id: number, input: NewCategory): Expected {
    if (!this.categories.has(id)) return NOT_FOUND;
    this.categories.set(id, input);
    return { status: 200, body: this.categoryBody(id) };
  }

  deleteCategory(id: number): Expected {
    if (!this.categories.has(id)) return NOT_FOUND;
    const isUsed = [...this.pets.values()].some(({ categoryId }) => categoryId === id);
    if (isUsed) return conflict('category_in_use');
    this.categories.delete(id);
    return GONE;
  }

  createPet({ name, categoryId, status = 'available' }: NewPet): Expected {
    if (!this.categories.has(categoryId)) return UNKNOWN_REFERENCE;
    const id = this.next.pet++;
    this.pets.set(id, { name, categoryId, status, free: status === 'sold' ? 0 : 1 });
    return { status: 201, body: this.petBody(id) };
  }

  replacePet(id: number, { name, categoryId, status }: NewPet): Expected {
    const pet = this.pets.get(id);
    if (pet === undefined) return NOT_FOUND;
    if (!this.categories.has(categoryId)) return UNKNOWN_REFERENCE;
    const to = status ?? pet.status;
    if (to !== pet.status) {
      const mayGo =
        pet.status === 'sold'
          ? false
          : to === 'sold'
            ? this.openOrdersOf(id).length === 0
            : to === 'pending'
              ? true
              : pet.free > 0;
      if (!mayGo) return conflict('invalid_status_transition');
      if (to === 'sold') pet.free = 0;
    }
    Object.assign(pet, { name, categoryId, status: to });
    return { status: 200, body: this.petBody(id) };
  }

  deletePet(id: number): Expected {
    if (!this.pets.has(id)) return NOT_FOUND;
    const isUsed = [...this.orders.values()].some(({ petId }) => petId === id);
    if (isUsed) return conflict('pet_in_use');
    this.pets.delete(id);
    return GONE;
  }

  placeOrder(input: NewOrder): Expected {
    const order: StoredOrder = { ...members(input), complete: input.complete ?? false };
    const refusal = order.petId === undefined ? undefined : this.reserve(order, order.petId);
    if (refusal !== undefined) return refusal;
    const id = this.next.order++;
    this.orders.set(id, order);
    if (order.complete) this.fulfil(order);
    return { status: 201, body: this.orderBody(id) };
  }

  updateOrder(id: number, input: NewOrder): Expected {
    const before = this.orders.get(id);
    if (before === undefined) return NOT_FOUND;
    const after: StoredOrder = { ...before, ...members(input) };
    const refusal =
      this.cannotRefer(id, input, before) ??
      (before.complete ? refuseChange(before, after) : this.rebook(before, after));
    if (refusal !== undefined) return refusal;
    this.orders.set(id, after);
    if (after.complete && !before.complete) this.fulfil(after);
    return { status: 200, body: this.orderBody(id) };
  }

  cancelOrder(id: number): Expected {
    const order = this.orders.get(id);
    if (order === undefined) return NOT_FOUND;
    if (order.complete) return conflict('order_already_complete');
    this.orders.delete(id);
    if (order.petId !== undefined) this.take(order.petId, -(order.quantity ?? 0));
    return GONE;
  }

  updateInventory(id: number, quantity: number): Expected {
    const pet = this.pets.get(id);
    if (pet === undefined) return NOT_FOUND;
    pet.free = quantity;
    if (quantity > 0) pet.status = 'available';
    else if (pet.status === 'available') pet.status = this.openOrdersOf(id).length > 0 ? 'pending' : 'sold';
    return { status: 200, body: this.inventoryBody(id) };
  }

  petBody(id: number): unknown {
    const pet = this.pets.get(id);
    return pet && { id, name: pet.name, categoryId: pet.categoryId, status: pet.status };
  }

  categoryBody(id: number): unknown {
    const category = this.categories.get(id);
    return category && { id, ...category };
  }

  orderBody(id: number): unknown {
    const order = this.orders.get(id);
    return order && { id, ...order };
  }

  inventoryBody(id: number): unknown {
    const pet = this.pets.get(id);
    return pet && { petId: id, quantity: pet.free, status: pet.status };
  }

  /** Everything, by path of the collection and in the order of the ids. */
  collections(): Record<string, unknown[]> {
    const all = (map: ReadonlyMap<number, unknown>, body: (id: number) => unknown): unknown[] =>
      [...map.keys()].sort((left, right) => left - right).map(body);
    return {
      '/categories': all(this.categories, (id) => this.categoryBody(id)),
      '/pets': all(this.pets, (id) => this.petBody(id)),
      '/store/orders': all(this.orders, (id) => this.orderBody(id)),
      '/inventory': all(this.pets, (id) => this.inventoryBody(id)),
    };
  }

  private openOrdersOf(pet: number): StoredOrder[] {
    return [...this.orders.values()].filter(({ petId, complete }) => petId === pet && !complete);
  }

  private reserve(order: StoredOrder, petId: number): Expected | undefined {
    const pet = this.pets.get(petId);
    if (pet === undefined) return UNKNOWN_REFERENCE;
    if (pet.status !== 'available') return conflict('pet_not_available');
    order.quantity ??= 1;
    return this.take(petId, order.quantity);
  }

  /** What is 422, which comes before what is 409. */
  private cannotRefer(id: number, input: NewOrder, { petId }: StoredOrder): Expected | undefined {
    const isOtherPet = input.petId !== undefined && input.petId !== petId;
    if (isOtherPet && !this.pets.has(input.petId)) return UNKNOWN_REFERENCE;
    const isImmutable = (input.id ?? id) !== id || (isOtherPet && petId !== undefined);
    return isImmutable ? IMMUTABLE : undefined;
  }

  private rebook(before: StoredOrder, after: StoredOrder): Expected | undefined {
    if (before.petId !== undefined) return this.take(before.petId, (after.quantity ?? 0) - (before.quantity ?? 0));
    return after.petId === undefined ? undefined : this.reserve(after, after.petId);
  }

  /** Takes units from the free stock; a negative number gives them back. */
  private take(petId: number, units: number): Expected | undefined {
    const pet = this.pets.get(petId);
    if (pet === undefined || units === 0) return undefined;
    if (units > pet.free) return conflict('insufficient_stock');
    pet.free -= units;
    if (pet.free === 0) pet.status = 'pending';
    else if (pet.status === 'pending') pet.status = 'available';
    return undefined;
  }

  private fulfil(order: StoredOrder): void {
    order.shipDate ??= this.now;
    const pet = order.petId === undefined ? undefined : this.pets.get(order.petId);
    if (pet === undefined || order.petId === undefined) return;
    if (pet.free === 0 && pet.status === 'pending' && this.openOrdersOf(order.petId).length === 0) pet.status = 'sold';
  }
}

const NOT_FOUND: Expected = { status: 404, code: 'resource_not_found' };
const UNKNOWN_REFERENCE: Expected = { status: 422, code: 'unknown_reference' };
const IMMUTABLE: Expected = { status: 422, code: 'immutable_field' };
const GONE: Expected = { status: 204 };

function conflict(code: string): Expected {
  return { status: 409, code };
}

function refuseChange(before: StoredOrder, after: StoredOrder): Expected | undefined {
  const names = ['petId', 'quantity', 'shipDate', 'complete'] as const;
  return names.some((name) => before[name] !== after[name]) ? conflict('order_already_complete') : undefined;
}

/** The members that a client may set, those that were sent. */
function members({ petId, quantity, shipDate, complete }: NewOrder): Omit<StoredOrder, 'complete'> & NewOrder {
  return {
    ...(petId === undefined ? {} : { petId }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(shipDate === undefined ? {} : { shipDate }),
    ...(complete === undefined ? {} : { complete }),
  };
}
