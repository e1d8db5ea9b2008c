import type { Problem } from '../../core/http/problem';
import { type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Key } from '../../lists/sort-values';
import { fillTemplate, parseCollectionName } from '../../resources/model/resource';
import { removeWithDescendants } from '../state/descendants';
import { type Draft } from '../state/draft';
import type { Item, ItemDraft } from '../state/item';
import { conform } from '../state/item-representation';
import { keyOfProperty, type Resource } from '../state/prepared-resource';
import { collectionsOf } from '../state/shown-items';
import { type Reference, Rejection, type RuleStore, toKey } from './rules';

interface ReferenceStore {
  readonly draft: Draft;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly references: readonly Reference[];
}

/**
 * The name of the collection that a reference leads to.
 *
 * @param values - what stands in the place of the variables of the path of the referring item
 */
export function referredCollection(
  { to }: Pick<Reference, 'to'>,
  resources: ReadonlyMap<string, Resource>,
  values: readonly Key[],
): string {
  return fillTemplate(to, values.slice(0, resources.get(to)?.scope.length ?? 0));
}

/** An item that others refer to stays, where the rules say so. */
export function rejectRemoval(
  { draft, resources, references }: ReferenceStore,
  resource: Resource,
  values: readonly Key[],
  key: Key,
): Problem | undefined {
  for (const reference of references) {
    const code = reference.refuseRemoval;
    const message = code && referrersText(reference, { draft, resources }, resource, values, key);
    if (message) return { status: 409, code, message };
  }
  return undefined;
}

/** `1 item of /loans still refers to 2 through bookId`; `undefined` where no item does by this reference. */
export function referrersText(
  { collection, member: property, to }: Reference,
  { draft, resources }: Omit<ReferenceStore, 'references'>,
  resource: Resource,
  values: readonly Key[],
  key: Key,
): string | undefined {
  const referrer = to === resource.path ? resources.get(collection) : undefined;
  if (referrer === undefined) return undefined;
  const toSortValue = referrer.sortValues(property);
  let count = 0;
  for (const name of namesBelow(referrer, values, draft, resources))
    count += draft.collection(name).countWhere(property, [toSortValue(key)], toSortValue);
  if (count === 0) return undefined;
  const others = count === 1 ? '1 item of' : `${count} items of`;
  const verb = count === 1 ? 'refers' : 'refer';
  return `${others} ${collection} still ${verb} to ${stringifyJson(key)} through ${property}`;
}

/** Names of the collections of a resource; those below other values are left out. */
function namesBelow(
  resource: Resource,
  values: readonly Key[],
  draft: Draft,
  resources: ReadonlyMap<string, Resource>,
): string[] {
  const names = collectionsOf(resource, draft, resources);
  if (values.length === 0) return names;
  return names.filter((name) => {
    const own = parseCollectionName([resource], name)?.values ?? [];
    return values.every((value, index) => own[index] === String(value));
  });
}

/** A collection that a rule names. */
interface NamedCollection {
  /** As the state knows it. */
  readonly name: string;
  readonly resource: Resource;
  /** What stands in the place of the variables of its path. */
  readonly values: readonly Key[];
}

/** The draft of one request, as rules may use it: every item that a rule stores is checked by its schema as well. */
export class DraftRuleStore implements RuleStore {
  private readonly draft: Draft;
  private readonly resources: ReadonlyMap<string, Resource>;
  private readonly references: readonly Reference[];

  constructor(draft: Draft, resources: ReadonlyMap<string, Resource>, references: readonly Reference[] = []) {
    this.draft = draft;
    this.resources = resources;
    this.references = references;
  }

  collections(path: string): readonly string[] {
    const resource = this.resources.get(path);
    return resource === undefined ? [this.placeOf(path).name] : collectionsOf(resource, this.draft, this.resources);
  }

  get(path: string, value: JsonValue | undefined): Item | undefined {
    const key = toKey(value);
    return key === undefined ? undefined : this.draft.get(this.placeOf(path).name, key);
  }

  find(path: string, property: string, value: JsonValue): readonly Item[] {
    const { name, resource } = this.placeOf(path);
    const toSortValue = resource.sortValues(property);
    return [...this.draft.collection(name).where(property, [toSortValue(value)], toSortValue)];
  }

  items(path: string): Iterable<Item> {
    return this.draft.collection(this.placeOf(path).name).byKey();
  }

  insert(path: string, item: Item): void {
    const { name, resource, values } = this.placeOf(path);
    const key = toKey(ownProperty(item, resource.keyMember));
    if (key === undefined || this.draft.get(name, key) !== undefined) {
      throw new Error(
        `A rule inserts ${path} ${shown(ownProperty(item, resource.keyMember))}, which is not a free key`,
      );
    }
    const placed: ItemDraft = resource.scope.length === 0 ? item : { ...item };
    for (const [index, { parent, property }] of resource.scope.entries()) {
      const value = values[index] ?? '';
      if (!this.isThere(parent, values, value))
        throw new Error(`A rule inserts ${path}, below an item that is not there`);
      if (property !== undefined) setProperty(placed, property, keyOfProperty(resource, property, value));
    }
    this.draft.put(name, key, conform(resource, placed));
  }

  update(path: string, value: JsonValue | undefined, properties: Readonly<Record<string, JsonValue>>): void {
    const { name, resource } = this.placeOf(path);
    const { key, item } = this.existing(path, value);
    this.draft.put(name, key, conform(resource, { ...item, ...properties }));
  }

  remove(path: string, value: JsonValue | undefined): void {
    const { draft, resources, references } = this;
    const { resource, values } = this.placeOf(path);
    const { key } = this.existing(path, value);
    const problem = rejectRemoval({ draft, resources, references }, resource, values, key);
    if (problem !== undefined) throw new Rejection(problem.status, problem.code, problem.message);
    removeWithDescendants({ draft, resources }, resource, values, key);
  }

  private placeOf(path: string): NamedCollection {
    const named = this.resources.get(path);
    if (named?.scope.length === 0) return { name: path, resource: named, values: [] };
    if (named !== undefined) {
      throw new Error(
        `A rule names ${path}, which is a collection below each item: fill in its variables, as in event.collection or store.collections('${path}')`,
      );
    }
    const found = parseCollectionName([...this.resources.values()], path);
    if (found === undefined) {
      throw new Error(`A rule names the collection ${path}; there are ${[...this.resources.keys()].join(', ')}`);
    }
    const { resource } = found;
    const values = resource.scope.map(({ parent }, index) => {
      const value = found.values[index] ?? '';
      return (parent === undefined ? undefined : this.resources.get(parent)?.toKey(value)) ?? value;
    });
    return { name: fillTemplate(resource.path, values), resource, values };
  }

  /** Is the item there that a collection lies below? What is stored nowhere always is. */
  private isThere(path: string | undefined, values: readonly Key[], key: Key): boolean {
    const parent = path === undefined ? undefined : this.resources.get(path);
    if (parent === undefined) return true;
    return this.draft.get(fillTemplate(parent.path, values.slice(0, parent.scope.length)), key) !== undefined;
  }

  private existing(path: string, value: JsonValue | undefined): { key: Key; item: Item } {
    const key = toKey(value);
    const item = key === undefined ? undefined : this.draft.get(this.placeOf(path).name, key);
    if (key === undefined || item === undefined) {
      throw new Error(`A rule changes ${path} ${shown(value)}, which does not exist`);
    }
    return { key, item };
  }
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'undefined' : stringifyJson(value);
}
