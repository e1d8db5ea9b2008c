import { memberOf, setMember } from '../json/member';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { fillTemplate, placeOfName } from '../resources/collection-name';
import { removeWithBelow } from './below';
import { conform } from './conform';
import type { Draft } from './draft';
import type { Item, ItemDraft } from './item';
import type { Key } from './order';
import { keyOfMember, type Resource } from './resource';
import { collectionsOf, refuseRemoval } from './rule-references';
import { Refusal, toKey, type Reference, type RuleStore } from './rules';

/** A collection that a rule names. */
interface Place {
  /** As the state knows it. */
  readonly name: string;
  readonly resource: Resource;
  /** What stands in the place of the variables of its path. */
  readonly values: readonly Key[];
}

/** The draft of one request, as rules may use it: every item that a rule stores is judged by its schema as well. */
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

  find(path: string, member: string, value: JsonValue): readonly Item[] {
    const { name, resource } = this.placeOf(path);
    const toSortValue = resource.sortValues(member);
    return [...this.draft.collection(name).where(member, [toSortValue(value)], toSortValue)];
  }

  items(path: string): Iterable<Item> {
    return this.draft.collection(this.placeOf(path).name).byKey();
  }

  insert(path: string, item: Item): void {
    const { name, resource, values } = this.placeOf(path);
    const key = toKey(memberOf(item, resource.keyMember));
    if (key === undefined || this.draft.get(name, key) !== undefined) {
      throw new Error(`A rule inserts ${path} ${shown(memberOf(item, resource.keyMember))}, which is no free key`);
    }
    const placed: ItemDraft = resource.scope.length === 0 ? item : { ...item };
    for (const [index, { parent, member }] of resource.scope.entries()) {
      const value = values[index] ?? '';
      if (!this.isThere(parent, values, value))
        throw new Error(`A rule inserts ${path}, below an item that is not there`);
      if (member !== undefined) setMember(placed, member, keyOfMember(resource, member, value));
    }
    this.draft.put(name, key, conform(resource, placed));
  }

  update(path: string, value: JsonValue | undefined, members: Readonly<Record<string, JsonValue>>): void {
    const { name, resource } = this.placeOf(path);
    const { key, item } = this.existing(path, value);
    this.draft.put(name, key, conform(resource, { ...item, ...members }));
  }

  remove(path: string, value: JsonValue | undefined): void {
    const { draft, resources, references } = this;
    const { resource, values } = this.placeOf(path);
    const { key } = this.existing(path, value);
    const problem = refuseRemoval({ draft, resources, references }, resource, values, key);
    if (problem !== undefined) throw new Refusal(problem.status, problem.code, problem.message);
    removeWithBelow({ draft, resources }, resource, values, key);
  }

  private placeOf(path: string): Place {
    const named = this.resources.get(path);
    if (named?.scope.length === 0) return { name: path, resource: named, values: [] };
    if (named !== undefined) {
      throw new Error(
        `A rule names ${path}, which is a collection below each item: fill in its variables, as in event.collection or store.collections('${path}')`,
      );
    }
    const found = placeOfName([...this.resources.values()], path);
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

  /** Is the item there that a collection lies below? What is kept nowhere always is. */
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
