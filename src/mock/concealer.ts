import { once } from '../http/memo';
import type { JsonValue } from '../json/json-value';
import { namePattern } from '../resources/collection-name';
import type { CollectionDiff, StateDiff } from './diff-states';
import type { Item } from './item';
import type { JournalEntry } from './journal';
import type { NestedSecrets } from './nested-secrets';
import type { Resource } from './resource';
import type { Change } from './state';
import { keepsOctets } from './file-places';
import { noteOf } from './uploaded';

interface Secret {
  /** Of the collections that it is in. */
  readonly name: RegExp;
  readonly members: ReadonlySet<string>;
  readonly nested: NestedSecrets;
}

function secretOf({ path, properties, secrets, hidden }: Resource): Secret[] {
  const members = new Set([...properties.values()].flatMap(({ name, writeOnly }) => (writeOnly ? [name] : [])));
  return members.size === 0 && !secrets.areThere() && ![...hidden].some(keepsOctets)
    ? []
    : [{ name: namePattern(path), members, nested: secrets }];
}

/** Takes the write-only members, and the octets of uploads, from what is stored, before anybody outside is shown it (OAS 3.0.3 §4.7.24). */
export class Concealer {
  private readonly secrets: () => readonly Secret[];

  constructor(resources: readonly Resource[]) {
    this.secrets = once(() => resources.flatMap(secretOf));
  }

  /** @param collection - its name in the state */
  item<Shown extends Item | undefined>(collection: string, item: Shown): Shown {
    const secret = this.secrets().find(({ name }) => name.test(collection));
    if (secret === undefined || item === undefined) return item;
    const own = Object.fromEntries(
      Object.entries(item).flatMap(([name, value]): [string, JsonValue][] => {
        if (secret.members.has(name)) return [];
        return [[name, keepsOctets(name) ? noteOf(value) : value]];
      }),
    );
    return secret.nested.without(own) as Shown;
  }

  entry(entry: JournalEntry): JournalEntry {
    if (entry.changes.length === 0 || this.secrets().length === 0) return entry;
    return { ...entry, changes: entry.changes.map((change) => this.change(change)) };
  }

  diff(diff: StateDiff): StateDiff {
    if (this.secrets().length === 0) return diff;
    return Object.fromEntries(Object.entries(diff).map(([name, each]) => [name, this.collectionDiff(name, each)]));
  }

  private change(change: Change): Change {
    const { collection, before, after } = change;
    return { ...change, before: this.item(collection, before), after: this.item(collection, after) };
  }

  private collectionDiff(name: string, { added, removed, changed }: CollectionDiff): CollectionDiff {
    return {
      added: added.map((item) => this.item(name, item)),
      removed: removed.map((item) => this.item(name, item)),
      changed: changed.map(({ before, after }) => ({ before: this.item(name, before), after: this.item(name, after) })),
    };
  }
}
