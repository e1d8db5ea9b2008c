import { memberOf } from '../json/member';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { removeWithBelow } from './below';
import { conform } from './conform';
import type { Item } from './item';
import type { Key } from './order';
import type { Resource } from './resource';
import { toKey, type RuleStore } from './rules';
import type { Draft } from './draft';

/** The draft of one request, as rules may use it: every item that a rule stores is judged by its schema as well. */
export class DraftRuleStore implements RuleStore {
  private readonly draft: Draft;
  private readonly resources: ReadonlyMap<string, Resource>;

  constructor(draft: Draft, resources: ReadonlyMap<string, Resource>) {
    this.draft = draft;
    this.resources = resources;
  }

  get(path: string, value: JsonValue | undefined): Item | undefined {
    const key = toKey(value);
    return key === undefined ? undefined : this.draft.get(this.resourceAt(path).path, key);
  }

  find(path: string, member: string, value: JsonValue): readonly Item[] {
    const toSortValue = this.resourceAt(path).sortValues(member);
    return [...this.draft.collection(path).where(member, [toSortValue(value)], toSortValue)];
  }

  items(path: string): Iterable<Item> {
    return this.draft.collection(this.resourceAt(path).path).byKey();
  }

  insert(path: string, item: Item): void {
    const resource = this.resourceAt(path);
    const key = toKey(memberOf(item, resource.keyMember));
    if (key === undefined || this.draft.get(path, key) !== undefined) {
      throw new Error(`A rule inserts ${path} ${shown(memberOf(item, resource.keyMember))}, which is no free key`);
    }
    this.draft.put(path, key, conform(resource, item));
  }

  update(path: string, value: JsonValue | undefined, members: Readonly<Record<string, JsonValue>>): void {
    const { key, item } = this.existing(path, value);
    this.draft.put(path, key, conform(this.resourceAt(path), { ...item, ...members }));
  }

  remove(path: string, value: JsonValue | undefined): void {
    const { draft, resources } = this;
    removeWithBelow({ draft, resources }, this.resourceAt(path), [], this.existing(path, value).key);
  }

  private resourceAt(path: string): Resource {
    const resource = this.resources.get(path);
    if (resource !== undefined) return resource;
    throw new Error(`A rule names the collection ${path}; there are ${[...this.resources.keys()].join(', ')}`);
  }

  private existing(path: string, value: JsonValue | undefined): { key: Key; item: Item } {
    const key = toKey(value);
    const item = key === undefined ? undefined : this.draft.get(path, key);
    if (key === undefined || item === undefined) {
      throw new Error(`A rule changes ${path} ${shown(value)}, which does not exist`);
    }
    return { key, item };
  }
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'undefined' : stringifyJson(value);
}
