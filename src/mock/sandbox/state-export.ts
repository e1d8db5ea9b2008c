import { headerValue } from '../../core/http/headers';
import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { once } from '../../core/text/memoize';
import { FIXTURE_FORMAT } from '../../formats/fixture';
import { successor } from '../../lists/sort-values';
import type { ApiModel } from '../../openapi/model/api-model';
import type { NestedWriteOnly } from '../../openapi/view/object-properties';
import { createRedaction } from '../../redaction/redaction';
import { namePattern, parseCollectionName } from '../../resources/model/resource';
import type { Item } from '../state/item';
import { storesOctets, uploadSummary } from '../state/item-paths';
import type { Resource } from '../state/prepared-resource';
import { type Change, type CollectionDiff, collectionOf, type State, type StateDiff } from '../state/state';
import type { JournalEntry } from './journal-entry';

const hide = (): string => '[redacted]';

/**
 * An entry whose request shows no secret property: a password that was sent is nobody's to read later. One of an
 * operation that the description does not have any more may show none of them all.
 */
export function redactJournalEntry(api: ApiModel, entry: JournalEntry): JournalEntry {
  const operation = api.operations.find(({ id }) => id === entry.operation);
  const type = headerValue(entry.requestHeaders, 'Content-Type');
  const redaction = createRedaction(api, operation, hide);
  return {
    ...entry,
    target: redaction.target(entry.target),
    requestHeaders: redaction.headers(entry.requestHeaders),
    requestBody: redaction.body(entry.requestBody, type),
  };
}

/** All of them as who looks at them may see them. */
export function shownEntries(
  api: ApiModel,
  resources: readonly Resource[],
  entries: readonly JournalEntry[],
): JournalEntry[] {
  const redactor = new StateRedactor(resources);
  return entries.map((entry) => redactJournalEntry(api, redactor.entry(entry)));
}

interface SensitiveProperties {
  /** Of the collections that it is in. */
  readonly name: RegExp;
  readonly members: ReadonlySet<string>;
  readonly nested: NestedWriteOnly;
}

function sensitivePropertiesOf({ path, properties, nestedWriteOnly, hidden }: Resource): SensitiveProperties[] {
  const members = new Set([...properties.values()].flatMap(({ name, writeOnly }) => (writeOnly ? [name] : [])));
  return members.size === 0 && !nestedWriteOnly.exist() && ![...hidden].some(storesOctets)
    ? []
    : [{ name: namePattern(path), members, nested: nestedWriteOnly }];
}

/** Takes the write-only properties, and the bytes of uploads, from what is stored, before anybody outside is shown it (OAS 3.0.3 §4.7.24). */
export class StateRedactor {
  private readonly secrets: () => readonly SensitiveProperties[];

  constructor(resources: readonly Resource[]) {
    this.secrets = once(() => resources.flatMap(sensitivePropertiesOf));
  }

  /** @param collection - its name in the state */
  item<Shown extends Item | undefined>(collection: string, item: Shown): Shown {
    return item === undefined ? item : (this.of(collection)(item) as Shown);
  }

  /** The same for many items of one collection. */
  of(collection: string): (item: Item) => Item {
    const secret = this.secrets().find(({ name }) => name.test(collection));
    if (secret === undefined) return (item) => item;
    return (item) => {
      const own = Object.fromEntries(
        Object.entries(item).flatMap(([name, value]): [string, JsonValue][] => {
          if (secret.members.has(name)) return [];
          return [[name, storesOctets(name) ? uploadSummary(value) : value]];
        }),
      );
      return secret.nested.without(own);
    };
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

interface Extent {
  /** Of the description, in its order. */
  readonly resources: readonly Resource[];
  /** Name of the one collection that is wanted; all when left out. */
  readonly collection?: string | undefined;
  /**
   * Collections that nobody wrote to are made when they are looked at. Those are left out from which on the document has
   * so many characters; `leftOut` names their resources. Nothing is left out without it.
   */
  readonly budget?: number | undefined;
}

/** A state in the format of a fixture file. */
export type StoredState = {
  readonly standin: string;
  /** Rows by the name of their collection, in the order of their keys: `/books`, `/shelves/7/books`. */
  readonly collections: Readonly<Record<string, JsonObject[]>>;
  /** The key that the next new item gets, by the name of a collection. */
  readonly nextKeys: Readonly<Record<string, number | bigint>>;
  /** Paths of the resources that are not in it, where it is bounded. */
  readonly leftOut?: string[];
};

const WHOLE: Extent = { resources: [] };

/**
 * A state in the format of a fixture file, so that what was saved once can be the seed of another run: read again, it
 * gives the same bytes. Names are sorted, for the order in which collections came to be is not of the state.
 *
 * @param redactor - takes out what nobody is shown; left out, everything is in it
 */
export function exportState(
  state: State,
  redactor?: StateRedactor,
  { resources, collection, budget }: Extent = WHOLE,
): StoredState {
  const shown = new Map<string, Item[]>();
  let size = 0;
  const show = (name: string): void => {
    const items = [...(collectionOf(state, name)?.byKey() ?? [])].map((item) => redactor?.item(name, item) ?? item);
    shown.set(name, items);
    if (budget !== undefined) size += stringifyJson(items).length;
  };
  const leftOut: string[] = [];
  if (collection !== undefined) show(collection);
  else {
    for (const name of state.collections.keys()) show(name);
    for (const name of state.seeds?.names() ?? []) {
      if (shown.has(name)) continue;
      if (budget !== undefined && size > budget) {
        leftOut.push(...resourcesFrom(resources, name));
        break;
      }
      show(name);
    }
  }
  const names = [...shown.keys()].sort();
  const others = collection === undefined ? state.nextKeys.keys() : [];
  const keyed = [...new Set([...names, ...others])].sort();
  return {
    standin: FIXTURE_FORMAT,
    collections: Object.fromEntries(names.map((name) => [name, shown.get(name) ?? []])),
    nextKeys: Object.fromEntries(
      keyed.flatMap((name) => {
        const key = nextKeyOf(state, name);
        return key === undefined ? [] : [[name, key]];
      }),
    ),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

/** Paths of the resources from the one on that a collection is of: those before it are shown. */
function resourcesFrom(resources: readonly Resource[], name: string): string[] {
  const paths = resources.map(({ path }) => path);
  return paths.slice(Math.max(0, paths.indexOf(parseCollectionName(resources, name)?.resource.path ?? '')));
}

function nextKeyOf(state: State, name: string): number | bigint | undefined {
  const known = state.nextKeys.get(name) ?? state.seeds?.nextKey(name);
  const highest = known === undefined ? collectionOf(state, name)?.highestKey() : undefined;
  return typeof highest === 'number' || typeof highest === 'bigint' ? successor(highest) : known;
}
