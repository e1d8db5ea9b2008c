import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { conform } from './conform';
import type { Item } from './item';
import type { Key } from './order';
import type { Resource } from './resource';
import { toKey, type RuleStore } from './rules';
import type { Draft } from './state';

/** The draft of one request, as rules may use it: every item that a rule stores is judged by its schema as well. */
export function createRuleStore(draft: Draft, resources: ReadonlyMap<string, Resource>): RuleStore {
  const resourceAt = (path: string): Resource => {
    const resource = resources.get(path);
    if (resource === undefined) {
      throw new Error(`A rule names the collection ${path}; there are ${[...resources.keys()].join(', ')}`);
    }
    return resource;
  };
  const existing = (path: string, value: JsonValue | undefined): { key: Key; item: Item } => {
    const key = toKey(value);
    const item = key === undefined ? undefined : draft.get(path, key);
    if (key === undefined || item === undefined)
      throw new Error(`A rule changes ${path} ${shown(value)}, which does not exist`);
    return { key, item };
  };
  return {
    get(path, value) {
      const key = toKey(value);
      return key === undefined ? undefined : draft.get(resourceAt(path).path, key);
    },
    find(path, member, value) {
      const toSortValue = resourceAt(path).sortValues(member);
      return [...draft.collection(path).where(member, [toSortValue(value)], toSortValue)];
    },
    items: (path) => draft.collection(resourceAt(path).path).byKey(),
    insert(path, item) {
      const resource = resourceAt(path);
      const key = toKey(item[resource.keyMember]);
      if (key === undefined || draft.get(path, key) !== undefined) {
        throw new Error(`A rule inserts ${path} ${shown(item[resource.keyMember])}, which is no free key`);
      }
      draft.put(path, key, conform(resource, item));
    },
    update(path, value, members) {
      const { key, item } = existing(path, value);
      draft.put(path, key, conform(resourceAt(path), { ...item, ...members }));
    },
    remove(path, value) {
      draft.remove(path, existing(path, value).key);
    },
  };
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? 'undefined' : stringifyJson(value);
}
