import type { JsonValue } from '../../core/json/json-value';
import type { Item, ItemDraft } from '../state/item';
import type { Key } from '../../lists/sort-values';

/**
 * Business rules of a service, beside its description: which properties refer to which collections, and what else
 * happens when an operation is called. A rules file exports one of these by default.
 */
export interface Rules {
  /** Version of this format. */
  readonly standin: 'rules/1';
  readonly references?: readonly Reference[];
  /** By operationId; called when the request was found good, before anything is stored. */
  readonly operations?: Readonly<Record<string, (event: RuleEvent) => void>>;
  /** What must hold between any two requests. Fixtures are checked by it before the mock starts. */
  readonly invariants?: (store: RuleReader) => Iterable<BrokenInvariant>;
  /**
   * By the name of a query parameter of lists: which items its value asks for, in a language that no description tells.
   * Takes the place of what was inferred of the parameter.
   */
  readonly filters?: Readonly<Record<string, FilterRule>>;
  /**
   * What a mock without fixtures begins with: nothing when left out, because what is generated knows nothing of rules;
   * `seeded` for what it begins with without rules.
   */
  readonly beginning?: 'empty' | 'seeded';
}

/** @returns does an item belong to what is asked for? `undefined` where all of them do */
export type FilterRule = (event: FilterEvent) => ((item: Item) => boolean) | undefined;

/** A list that is asked for, as the rule of one of its parameters sees it. */
export interface FilterEvent {
  /** What was sent, as the schema of the parameter reads it; `undefined` where it was not sent. */
  readonly value: JsonValue | undefined;
  /** All that was sent in the query, by the names of the parameters. Frozen. */
  readonly query: Readonly<Record<string, JsonValue>>;
  /** The operationId. */
  readonly operation: string;
  /** The collection that is listed: `/books`, or `/shelves/7/books`. */
  readonly collection: string;
  readonly store: RuleReader;
  /** As {@link RuleEvent.refuse}. */
  readonly refuse: (status: number, code: string, message: string, pointer?: string) => never;
}

/** An item that the service could never have come to hold. */
export interface BrokenInvariant {
  /** Path of the collection, with values in the place of its variables. */
  readonly collection: string;
  readonly key: JsonValue;
  readonly message: string;
}

/** A property that holds the key of an item in another collection. */
export interface Reference {
  /** Path of the collection whose items hold the reference, for example `/books` or `/shelves/{shelf}/books`. */
  readonly collection: string;
  /** Property that holds the key, for example `authorId`. */
  readonly member: string;
  /**
   * Path of the collection it leads to. One below an item can be led to from what lies below the same item: from
   * `/shelves/{shelf}/loans` to `/shelves/{shelf}/books`.
   */
  readonly to: string;
  /** Code of the 409 that rejects to remove an item which is still referred to. Without it removal is free. */
  readonly refuseRemoval?: string;
}

/** One call of an operation, as its rule sees it. Whatever a rule did is undone when the request is rejected. */
export interface RuleEvent {
  /**
   * The item that will be stored, to be changed in place: for a create with its new key, for an update with the
   * sent properties merged in. For a removal a copy that nobody stores.
   */
  readonly item: ItemDraft;
  /** The item as it was; `undefined` for a create. Frozen. */
  readonly before: Item | undefined;
  /** The properties that were sent and may be set. Frozen. */
  readonly input: Item;
  /** The collection in which the item lies: `/books`, or `/shelves/7/books`. */
  readonly collection: string;
  /** What stands in the place of the variables of the operation's path, by their names. Frozen. */
  readonly path: Readonly<Record<string, JsonValue>>;
  /** The mock's time as RFC 3339, to the millisecond. */
  readonly now: string;
  readonly store: RuleStore;
  /** Is the value about to be stored another one than before? To be called on the event. */
  changes(property: string): boolean;
  /**
   * Rejects the request; nothing of it stays.
   *
   * @param status - 4xx, one that the operation documents
   * @param code - machine-readable, snake_case
   * @param pointer - JSON pointer into the request body, when a property is at fault
   */
  refuse(status: number, code: string, message: string, pointer?: string): never;
}

/**
 * The store for reading. A collection below an item is named with the keys of the items that it lies below:
 * `/shelves/7/books`, each key percent-encoded.
 */
export interface RuleReader {
  /** The names of all collections of a path: `/shelves/7/books` and others for `/shelves/{shelf}/books`. */
  collections(path: string): Iterable<string>;
  get(collection: string, key: JsonValue | undefined): Item | undefined;
  /** Items whose property has the value, in the order of their keys. */
  find(collection: string, property: string, value: JsonValue): readonly Item[];
  /** Every item of a collection, in the order of their keys. */
  items(collection: string): Iterable<Item>;
}

/** The store as a rule sees it, its own changes included. */
export interface RuleStore extends RuleReader {
  /** @throws Error when the key is taken, or the item is not there that it is to lie below */
  insert(collection: string, item: Item): void;
  /** Merges properties into an item. @throws Error when there is no such item */
  update(collection: string, key: JsonValue | undefined, properties: Readonly<Record<string, JsonValue>>): void;
  /**
   * With what lies below its path, as a DELETE does. One that others refer to is not removed where a reference says so:
   * the request is rejected.
   *
   * @throws Error when there is no such item
   */
  remove(collection: string, key: JsonValue | undefined): void;
}

/** Thrown by {@link RuleEvent.refuse} and {@link RuleStore.remove}, caught by the engine. */
export class Rejection extends Error {
  readonly status: number;
  readonly code: string;
  readonly pointer: string | undefined;

  constructor(status: number, code: string, message: string, pointer?: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.pointer = pointer;
  }
}

/** Keys of the store, from a value of JSON. */
export function toKey(value: JsonValue | undefined): Key | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}
