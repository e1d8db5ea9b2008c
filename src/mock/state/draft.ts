import { freezeJson } from '../../core/json/json-value';
import type { Key } from '../../lists/sort-values';
import type { ChildCounts } from './child-counts';
import type { Collection } from './collection';
import type { Item } from './item';
import type { RemainingSeed } from './remaining-seed';
import type { Resource } from './prepared-resource';
import type { Change, LiveState } from './state';

const NO_CHANGES: readonly Change[] = [];

/** What changes did beside what they did to items. */
interface SideEffects {
  /** What there was of the seeds before, where that is less now. */
  seeds: RemainingSeed | undefined;
  /** Collections that came to be, or were taken over from the seeds. */
  readonly begun: Set<string>;
}

/** Of those changes alone that did anything else: nearly all did not. */
const SIDE_EFFECTS = new WeakMap<readonly Change[], SideEffects>();

/** Puts back what was there before changes of another draft that nothing followed, the latest of them first. */
export function takeBackChanges(state: LiveState, changes: readonly Change[]): void {
  // What they counted is among the changes.
  const draft = new Draft(state);
  for (const { collection, key, before } of changes.toReversed()) {
    if (before === undefined) draft.deleteWithSeededDescendants(collection, key);
    else draft.put(collection, key, before);
  }
  const { seeds, begun } = SIDE_EFFECTS.get(changes) ?? {};
  if (seeds !== undefined && state.seeds !== undefined) state.seeds = seeds.of(state.seeds);
  for (const name of begun ?? []) state.drop(name);
}

interface DraftFacts {
  /** Names of the records that are as if they had never been written. */
  readonly dropped: readonly string[];
  /** Names of the collections whose next key was set. */
  readonly keys: readonly string[];
  /** See {@link LiveState.nonconforming}, where that was changed. */
  readonly nonconforming: ReadonlySet<string> | undefined;
}

/** What one request does to the state: its changes as values, and the way back when the request is rejected. */
export class Draft {
  private readonly state: LiveState;
  // Made on the first write: most drafts only read.
  private made: Change[] | undefined;
  private keysBefore: Map<string, number | bigint | undefined> | undefined;
  /** Collections that came to be, or were taken over from the seeds, with this request. */
  private begun: Set<string> | undefined;
  /** Records that are as if they had never been written. */
  private forgotten: Map<string, Collection> | undefined;
  private readonly seedsBefore: RemainingSeed | undefined;
  private readonly nonconformingBefore: ReadonlySet<string> | undefined;
  private readonly counts: ChildCounts | undefined;

  /** Who asks, as the token says, where one says it: the key of an item. */
  readonly caller: string | undefined;

  /** @param counts - numbers that follow what is stored; left out, all stays as it is put */
  constructor(state: LiveState, counts?: ChildCounts, caller?: string) {
    this.caller = caller;
    this.state = state;
    this.counts = counts;
    this.seedsBefore = state.seeds;
    this.nonconformingBefore = state.nonconforming;
  }

  get changes(): readonly Change[] {
    return this.made ?? NO_CHANGES;
  }

  get hasChanged(): boolean {
    return (this.made ?? NO_CHANGES).length > 0 || this.keysBefore !== undefined;
  }

  /** What it did beside its changes, for who writes down all that it did. */
  get facts(): DraftFacts {
    const { nonconforming } = this.state;
    return {
      dropped: [...(this.forgotten?.keys() ?? [])],
      keys: [...(this.keysBefore?.keys() ?? [])],
      nonconforming: nonconforming === this.nonconformingBefore ? undefined : nonconforming,
    };
  }

  /** For reading only. */
  collection(path: string): Collection {
    return this.state.collection(path);
  }

  get(path: string, key: Key): Item | undefined {
    return this.state.collection(path).get(key);
  }

  /** Is the item one that the state began with, and that nobody has changed since? Never one of fixtures. */
  isUnchangedSeed(path: string, key: Key): boolean {
    const item = this.get(path, key);
    return item !== undefined && this.state.seeds?.collection(path)?.get(key) === item;
  }

  /** @returns the item as it is stored: what follows from other items is not for who puts it to say */
  put(path: string, key: Key, item: Item): Item {
    const frozen = freezeJson<Item>(this.counts?.counted(this, path, key, item) ?? item);
    const before = this.writable(path).set(key, frozen);
    this.note({ collection: path, key, before, after: frozen });
    this.recount(path, before, frozen);
    return frozen;
  }

  /** Notes that all that is done only puts things to another place, which is nothing that happens to them. */
  move(perform: () => void): void {
    const start = this.changes.length;
    perform();
    for (const change of this.made?.splice(start) ?? []) this.made?.push({ ...change, isMove: true });
  }

  /** Removes an item with what it began with below it. What was stored below it is left to the caller. */
  deleteWithSeededDescendants(path: string, key: Key): void {
    const before = this.get(path, key);
    if (before !== undefined) {
      this.writable(path).delete(key);
      this.note({ collection: path, key, before, after: undefined });
      this.recount(path, before, undefined);
    }
    const { seeds } = this.state;
    this.state.seeds = seeds?.without(path, key);
    if (this.state.seeds !== seeds && this.made !== undefined) this.sideEffects(this.made).seeds = this.seedsBefore;
  }

  /** Removes a record as if it had never been written, removed or not. What it began with is left to {@link deleteWithSeededDescendants}. */
  forget(path: string): void {
    if (!this.state.owns(path)) return;
    const own = this.state.collection(path);
    for (const [key, before] of own.entries())
      (this.made ??= []).push({ collection: path, key, before, after: undefined });
    (this.forgotten ??= new Map()).set(path, own);
    this.state.drop(path);
  }

  /** The keys of a collection at which something is stored, or below which: see {@link LiveState.keysStored}. */
  keysStored(path: string): Key[] {
    return this.state.keysStored(path);
  }

  /** Was anything stored there since the item above it was made, even if it is gone by now? */
  has(path: string): boolean {
    return this.state.has(path);
  }

  /** Is something stored there now, and not read from the seeds? */
  owns(path: string): boolean {
    return this.state.owns(path);
  }

  names(): string[] {
    return [...this.state.names()];
  }

  /** What a collection began with, whatever became of it; `undefined` where nothing was generated or shown. */
  initialCollection(path: string): Collection | undefined {
    return this.state.seeds?.collection(path);
  }

  /** Names of the collections of a resource that were there from the start. */
  seededNames(resource: Resource): Iterable<string> {
    return this.state.seeds?.namesOf(resource) ?? [];
  }

  nextKey(path: string): number | bigint | undefined {
    return this.state.nextKey(path);
  }

  setNextKey(path: string, key: number | bigint): void {
    this.keysBefore ??= new Map();
    if (!this.keysBefore.has(path)) this.keysBefore.set(path, this.state.nextKey(path));
    this.state.setNextKey(path, key);
  }

  /** Do all stored items of a resource match its schema, as far as is known? */
  conforms({ path }: Resource): boolean {
    return this.state.nonconforming?.has(path) !== true;
  }

  /** Notes that an item of a resource is stored that its schema does not allow. */
  markNonconforming(resource: Resource): void {
    if (this.conforms(resource)) this.state.nonconforming = new Set(this.state.nonconforming).add(resource.path);
  }

  /** Takes everything back, the latest change first. */
  undo(): void {
    for (const [name, collection] of this.forgotten ?? []) this.state.adopt(name, collection);
    for (const { collection, key, before } of this.changes.toReversed()) {
      const target = this.state.writable(collection);
      if (before === undefined) target.delete(key);
      else target.set(key, before);
    }
    this.state.seeds = this.seedsBefore;
    this.state.nonconforming = this.nonconformingBefore;
    for (const name of this.begun ?? []) this.state.drop(name);
    for (const [path, key] of this.keysBefore ?? []) this.state.setNextKey(path, key);
    this.begun = undefined;
    this.forgotten = undefined;
    this.made = undefined;
    this.keysBefore = undefined;
  }

  /** Brings the items up to date that count one which was stored or removed. */
  private recount(path: string, before: Item | undefined, after: Item | undefined): void {
    if (this.counts === undefined) return;
    for (const { collection, key } of this.counts.touchedBy(path, before, after)) {
      const above = this.get(collection, key);
      if (above !== undefined && this.counts.counted(this, collection, key, above) !== above)
        this.put(collection, key, above);
    }
  }

  private note(change: Change): void {
    const made = (this.made ??= []);
    made.push(change);
    if (this.begun?.has(change.collection) === true) this.sideEffects(made).begun.add(change.collection);
  }

  private sideEffects(made: readonly Change[]): SideEffects {
    let effects = SIDE_EFFECTS.get(made);
    if (effects === undefined) SIDE_EFFECTS.set(made, (effects = { seeds: undefined, begun: new Set() }));
    return effects;
  }

  private writable(path: string): Collection {
    if (!this.state.owns(path)) (this.begun ??= new Set()).add(path);
    return this.state.writable(path);
  }
}
