import { Failure } from './failure';
import type { Row } from './json-text';
import type { Status } from './shapes';

export interface Category {
  readonly id: bigint;
  name: string;
  description: string | undefined;
}
export interface Pet {
  readonly id: bigint;
  name: string;
  categoryId: bigint;
  status: Status;
  /** Free stock: what open orders have reserved is not in it. */
  stock: number;
}
export interface Order {
  readonly id: bigint;
  petId: bigint | undefined;
  quantity: number | undefined;
  shipDate: string | undefined;
  complete: boolean;
}
export type NewPet = Pick<Pet, 'name' | 'categoryId'> & { status: Status | undefined };
export type NewCategory = Omit<Category, 'id'>;
export type OrderValues = { [Member in keyof Order]: Order[Member] | undefined };

const conflict = (code: string, text: string): Failure => new Failure(409, code, text);
const unknownReference = (what: string): Failure => new Failure(422, 'unknown_reference', `There is no such ${what}.`);

/** Big odd ids with uneven gaps, so that nobody gets away with guessing the next one or with counting from 1. */
function* identifiers(base: bigint): Generator<bigint, never> {
  let id = base;
  let noise = Number(base % 9973n);
  for (;;) {
    yield id;
    noise = (noise * 7621 + 1) % 9973;
    id += BigInt(2 + 2 * (noise % 41));
  }
}

/** Ids that rather descend with time, each third a jump up: in no order that a contract may rely on. */
function* scattered(base: bigint): Generator<bigint, never> {
  for (let index = 1n; ; index++) yield base + 2_000_000n - 2n * index + (index % 3n === 0n ? 1_000_000n : 0n);
}

export class Shop {
  readonly categories = new Map<bigint, Category>();
  readonly pets = new Map<bigint, Pet>();
  readonly orders = new Map<bigint, Order>();
  private readonly now: () => number;
  private readonly ids: Record<'category' | 'pet' | 'order', Generator<bigint, never>>;

  constructor(now: () => number, idOffset: bigint, isScattered = false) {
    const make = isScattered ? scattered : identifiers;
    this.now = now;
    this.ids = {
      category: make(idOffset + 410_007_113n),
      pet: make(idOffset + 8_800_145_031n),
      order: make(idOffset + 36_550_000_917n),
    };
  }

  addCategory(values: NewCategory): Category {
    const category = { id: this.ids.category.next().value, ...values };
    this.categories.set(category.id, category);
    return category;
  }

  removeCategory(category: Category): void {
    const used = [...this.pets.values()].some((pet) => pet.categoryId === category.id);
    if (used) throw conflict('category_in_use', 'Some pet is still in this category.');
    this.categories.delete(category.id);
  }

  addPet(values: NewPet): Pet {
    this.needCategory(values.categoryId);
    const status = values.status ?? 'available';
    const pet: Pet = { id: this.ids.pet.next().value, ...values, status, stock: status === 'sold' ? 0 : 1 };
    this.pets.set(pet.id, pet);
    return pet;
  }

  replacePet(pet: Pet, values: NewPet): void {
    this.needCategory(values.categoryId);
    const wanted = values.status ?? pet.status;
    if (wanted !== pet.status && !this.mayBecome(pet, wanted)) {
      throw conflict('invalid_status_transition', `A ${pet.status} pet cannot be made ${wanted} now.`);
    }
    if (wanted === 'sold') pet.stock = 0;
    Object.assign(pet, { name: values.name, categoryId: values.categoryId, status: wanted });
  }

  removePet(pet: Pet): void {
    const used = [...this.orders.values()].some((order) => order.petId === pet.id);
    if (used) throw conflict('pet_in_use', 'Some order is about this pet.');
    this.pets.delete(pet.id);
  }

  restock(pet: Pet, quantity: number): void {
    pet.stock = quantity;
    if (quantity > 0) pet.status = 'available';
    else if (pet.status === 'available') pet.status = this.openOrders(pet.id) > 0 ? 'pending' : 'sold';
  }

  place(values: OrderValues): Order {
    const order: Order = {
      id: 0n,
      petId: undefined,
      quantity: values.quantity,
      shipDate: values.shipDate,
      complete: false,
    };
    if (values.petId !== undefined) this.reserve(order, this.needPet(values.petId), values.quantity);
    // Only now is the order certain to exist: a refused one uses up no id.
    const placed: Order = { ...order, id: this.ids.order.next().value };
    this.orders.set(placed.id, placed);
    if (values.complete === true) this.fulfil(placed);
    return placed;
  }

  change(order: Order, values: OrderValues): void {
    const pet = values.petId === undefined ? undefined : this.referenceOf(order, values.petId);
    if (values.id !== undefined && values.id !== order.id) {
      throw new Failure(422, 'immutable_field', 'The id of an order stays.');
    }
    if (order.complete) {
      const same = (Object.keys(values) as (keyof Order)[]).every(
        (member) => values[member] === undefined || values[member] === order[member],
      );
      if (!same) throw conflict('order_already_complete', 'A complete order stays as it is.');
      return;
    }
    const quantity = values.quantity ?? order.quantity;
    if (pet) this.reserve(order, pet, quantity);
    else if (quantity !== order.quantity) this.resize(order, quantity ?? 1);
    order.shipDate = values.shipDate ?? order.shipDate;
    if (values.complete === true) this.fulfil(order);
  }

  cancel(order: Order): void {
    if (order.complete) throw conflict('order_already_complete', 'A complete order cannot be cancelled.');
    this.orders.delete(order.id);
    const pet = order.petId === undefined ? undefined : this.pets.get(order.petId);
    if (pet) this.move(pet, order.quantity ?? 1);
  }

  private needCategory(id: bigint): void {
    if (!this.categories.has(id)) throw unknownReference(`category (${id})`);
  }

  private needPet(id: bigint): Pet {
    const pet = this.pets.get(id);
    if (!pet) throw unknownReference(`pet (${id})`);
    return pet;
  }

  private referenceOf(order: Order, petId: bigint): Pet | undefined {
    if (order.petId === undefined) return this.needPet(petId);
    if (order.petId !== petId) throw new Failure(422, 'immutable_field', 'The pet of an order stays.');
    return undefined;
  }

  private openOrders(petId: bigint): number {
    return [...this.orders.values()].filter((order) => order.petId === petId && !order.complete).length;
  }

  private mayBecome(pet: Pet, wanted: Status): boolean {
    if (pet.status === 'sold') return false;
    if (wanted === 'sold') return this.openOrders(pet.id) === 0;
    return wanted === 'pending' || pet.stock > 0;
  }

  private reserve(order: Order, pet: Pet, quantity = 1): void {
    if (pet.status !== 'available') throw conflict('pet_not_available', `This pet is ${pet.status}.`);
    this.demand(pet, quantity);
    this.move(pet, -quantity);
    Object.assign(order, { petId: pet.id, quantity });
  }

  private resize(order: Order, quantity: number): void {
    const pet = order.petId === undefined ? undefined : this.pets.get(order.petId);
    const more = quantity - (order.quantity ?? 1);
    if (pet) {
      this.demand(pet, more);
      this.move(pet, -more);
    }
    order.quantity = quantity;
  }

  private demand(pet: Pet, quantity: number): void {
    if (quantity > pet.stock) throw conflict('insufficient_stock', `Only ${pet.stock} left of this pet.`);
  }

  /** Stock comes or goes; the last unit makes a pet pending, the first one makes it available. */
  private move(pet: Pet, units: number): void {
    pet.stock += units;
    if (pet.stock === 0 && pet.status === 'available') pet.status = 'pending';
    else if (pet.stock > 0 && pet.status === 'pending') pet.status = 'available';
  }

  private fulfil(order: Order): void {
    order.complete = true;
    order.shipDate ??= new Date(this.now()).toISOString();
    const pet = order.petId === undefined ? undefined : this.pets.get(order.petId);
    if (pet?.status === 'pending' && pet.stock === 0 && this.openOrders(pet.id) === 0) pet.status = 'sold';
  }
}

export const petRow = ({ status, name, id, categoryId }: Pet): Row => ({ status, name, id, categoryId });
export const categoryRow = ({ description, id, name }: Category): Row => ({ description, id, name });
export const stockRow = ({ stock, status, id }: Pet): Row => ({ quantity: stock, status, petId: id });
export const orderRow = ({ complete, shipDate, quantity, petId, id }: Order): Row => ({
  complete,
  shipDate,
  quantity,
  petId,
  id,
});
