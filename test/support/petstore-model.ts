import type { Stored } from './petstore';

/** A second opinion on the state machine: the rules of the contract, written down once more and apart from the mock. */
export type Status = 'available' | 'pending' | 'sold';

export type Command =
  | { readonly do: 'createPet'; readonly categoryId: number; readonly status: Status | undefined }
  | { readonly do: 'replacePet'; readonly id: number; readonly categoryId: number; readonly status: Status | undefined }
  | { readonly do: 'deletePet'; readonly id: number }
  | { readonly do: 'createCategory' }
  | { readonly do: 'deleteCategory'; readonly id: number }
  | { readonly do: 'placeOrder'; readonly order: OrderInput }
  | { readonly do: 'updateOrder'; readonly id: number; readonly order: OrderInput }
  | { readonly do: 'cancelOrder'; readonly id: number }
  | { readonly do: 'updateInventory'; readonly id: number; readonly quantity: number };

export interface OrderInput {
  readonly petId?: number | undefined;
  readonly quantity?: number | undefined;
  readonly shipDate?: string | undefined;
  readonly complete?: boolean | undefined;
}

interface Pet {
  categoryId: number;
  status: Status;
  stock: number;
}
interface Order {
  petId: number | undefined;
  quantity: number | undefined;
  /** `now` for a date that the service fills in. */
  shipDate: string | undefined;
  complete: boolean;
}

export class PetstoreModel {
  readonly pets = new Map<number, Pet>();
  readonly orders = new Map<number, Order>();
  readonly categories = new Set<number>();
  private readonly last = { pet: 0, order: 0, category: 0 };

  /** @returns the status of a success, or status and code of a refusal */
  apply(command: Command): string {
    switch (command.do) {
      case 'createCategory':
        this.categories.add(++this.last.category);
        return '201';
      case 'deleteCategory':
        return this.deleteCategory(command.id);
      case 'createPet':
        return this.createPet(command.categoryId, command.status ?? 'available');
      case 'replacePet':
        return this.replacePet(command.id, command.categoryId, command.status);
      case 'deletePet':
        return this.deletePet(command.id);
      case 'placeOrder':
        return this.placeOrder(command.order);
      case 'updateOrder':
        return this.updateOrder(command.id, command.order);
      case 'cancelOrder':
        return this.cancelOrder(command.id);
      case 'updateInventory':
        return this.updateInventory(command.id, command.quantity);
    }
  }

  private deleteCategory(id: number): string {
    if (!this.categories.has(id)) return '404 resource_not_found';
    if ([...this.pets.values()].some(({ categoryId }) => categoryId === id)) return '409 category_in_use';
    this.categories.delete(id);
    return '204';
  }

  private createPet(categoryId: number, status: Status): string {
    if (!this.categories.has(categoryId)) return '422 unknown_reference';
    this.pets.set(++this.last.pet, { categoryId, status, stock: status === 'sold' ? 0 : 1 });
    return '201';
  }

  private replacePet(id: number, categoryId: number, wanted: Status | undefined): string {
    const pet = this.pets.get(id);
    if (pet === undefined) return '404 resource_not_found';
    if (!this.categories.has(categoryId)) return '422 unknown_reference';
    const status = wanted ?? pet.status;
    const allowed: Record<string, boolean> = {
      'available pending': true,
      'pending available': pet.stock > 0,
      'available sold': this.openOrders(id) === 0,
      'pending sold': this.openOrders(id) === 0,
    };
    if (status !== pet.status && allowed[`${pet.status} ${status}`] !== true) return '409 invalid_status_transition';
    pet.categoryId = categoryId;
    pet.status = status;
    if (status === 'sold') pet.stock = 0;
    return '200';
  }

  private deletePet(id: number): string {
    if (!this.pets.has(id)) return '404 resource_not_found';
    if ([...this.orders.values()].some(({ petId }) => petId === id)) return '409 pet_in_use';
    this.pets.delete(id);
    return '204';
  }

  private placeOrder({ petId, quantity, shipDate, complete = false }: OrderInput): string {
    const order: Order = { petId, quantity, shipDate, complete: false };
    if (petId !== undefined) {
      const refusal = this.reserve(petId, (order.quantity ??= 1));
      if (refusal !== undefined) return refusal;
    }
    this.orders.set(++this.last.order, order);
    if (complete) this.complete(order);
    return '201';
  }

  private updateOrder(id: number, sent: OrderInput): string {
    const order = this.orders.get(id);
    if (order === undefined) return '404 resource_not_found';
    const newPet = sent.petId === order.petId ? undefined : sent.petId;
    if (newPet !== undefined) {
      if (!this.pets.has(newPet)) return '422 unknown_reference';
      if (order.petId !== undefined) return '422 immutable_field';
    }
    if (order.complete) return isChange(order, sent) ? '409 order_already_complete' : '200';
    const refusal = this.hold(order, newPet, sent.quantity ?? order.quantity);
    if (refusal !== undefined) return refusal;
    this.finish(order, sent);
    return '200';
  }

  private finish(order: Order, { shipDate, complete }: OrderInput): void {
    order.shipDate = shipDate ?? order.shipDate;
    if (complete === true) this.complete(order);
  }

  /** Makes an open order hold so many units, of a pet that it did not have before if one is given. */
  private hold(order: Order, newPet: number | undefined, quantity: number | undefined): string | undefined {
    if (newPet !== undefined) {
      const refusal = this.reserve(newPet, quantity ?? 1);
      if (refusal === undefined) Object.assign(order, { petId: newPet, quantity: quantity ?? 1 });
      return refusal;
    }
    if (order.petId !== undefined && !this.take(order.petId, quantity! - order.quantity!))
      return '409 insufficient_stock';
    order.quantity = quantity;
    return undefined;
  }

  private cancelOrder(id: number): string {
    const order = this.orders.get(id);
    if (order === undefined) return '404 resource_not_found';
    if (order.complete) return '409 order_already_complete';
    if (order.petId !== undefined) this.take(order.petId, -order.quantity!);
    this.orders.delete(id);
    return '204';
  }

  private updateInventory(id: number, quantity: number): string {
    const pet = this.pets.get(id);
    if (pet === undefined) return '404 resource_not_found';
    pet.stock = quantity;
    if (quantity > 0) pet.status = 'available';
    else if (pet.status === 'available') pet.status = this.openOrders(id) > 0 ? 'pending' : 'sold';
    return '200';
  }

  private reserve(petId: number, quantity: number): string | undefined {
    const pet = this.pets.get(petId);
    if (pet === undefined) return '422 unknown_reference';
    if (pet.status !== 'available') return '409 pet_not_available';
    return this.take(petId, quantity) ? undefined : '409 insufficient_stock';
  }

  /** Takes units out of the stock, or puts them back; the status goes with it. */
  private take(petId: number, quantity: number): boolean {
    const pet = this.pets.get(petId)!;
    if (quantity > pet.stock) return false;
    if (quantity === 0) return true;
    pet.stock -= quantity;
    if (pet.stock === 0) pet.status = 'pending';
    else if (pet.status === 'pending') pet.status = 'available';
    return true;
  }

  private complete(order: Order): void {
    order.complete = true;
    order.shipDate ??= 'now';
    const pet = order.petId === undefined ? undefined : this.pets.get(order.petId);
    if (pet?.status === 'pending' && pet.stock === 0 && this.openOrders(order.petId!) === 0) pet.status = 'sold';
  }

  private openOrders(id: number): number {
    return [...this.orders.values()].filter(({ petId, complete }) => petId === id && !complete).length;
  }

  /** In the form that {@link withoutDates} gives a state. */
  state(): object {
    return {
      categories: [...this.categories],
      pets: [...this.pets].map(([id, { categoryId, status }]) => ({ id, categoryId, status })),
      inventory: [...this.pets].map(([petId, { stock, status }]) => ({ petId, quantity: stock, status })),
      orders: [...this.orders].map(([id, { shipDate, ...order }]) => ({
        id,
        ...order,
        isDated: shipDate !== undefined,
      })),
    };
  }
}

function isChange(order: Order, sent: OrderInput): boolean {
  const members = ['petId', 'quantity', 'shipDate', 'complete'] as const;
  return members.some((member) => sent[member] !== undefined && sent[member] !== order[member]);
}

/** A state of the mock with what the model knows of it. */
export function withoutDates({ categories, pets, inventory, orders }: Stored): object {
  return {
    categories: categories.map(({ id }) => id),
    pets: pets.map(({ id, categoryId, status }) => ({ id, categoryId, status })),
    inventory,
    orders: orders.map(({ id, petId, quantity, complete, shipDate }) => ({
      id,
      petId,
      quantity,
      complete,
      isDated: shipDate !== undefined,
    })),
  };
}
