import type { JsonObject } from '../../core/json/json-value';
import type { Mock } from '../../mock/create-mock';
import { collectionIn, type CollectionList, listCollections } from '../../mock/sandbox/collection-list';
import {
  type Row,
  rowAt,
  rowPage,
  type RowPage,
  type RowQuery,
  rowsWith,
  type Table,
} from '../../mock/sandbox/item-page';
import { StateRedactor } from '../../mock/sandbox/state-export';
import { ItemEditor } from '../../mock/seed/item-editor';
import { LiveState, type State } from '../../mock/state/state';
import { parseCollectionName } from '../../resources/model/resource';
import type { CurrentMock, ItemKey } from './sandbox-controls';

/** A page of rows, with what it is a page of. */
export interface ShownRows extends RowPage {
  readonly collection: string;
  /** In the collection, whatever matches. */
  readonly items: number;
  readonly offset: number;
}

/** What is stored, as tables. */
export interface TableControls {
  collections(): CollectionList;
  /** @throws ConfigError for a collection that there is not */
  rows(collection: string, query: RowQuery): ShownRows;
  /**
   * The row with a key, also one that was removed since the start.
   *
   * @throws ConfigError for a collection that there is not
   */
  rowsWith(collection: string, key: ItemKey): ShownRows;
  /**
   * A row with its version.
   *
   * @param at - its key, or an item under the same key
   * @returns `undefined` where there is none
   * @throws ConfigError for a collection that there is not
   */
  storedRow(collection: string, at: ItemKey | JsonObject | undefined): Row | undefined;
  /** Who refers to an item, in words. @throws ConfigError for a collection that there is not */
  referrers(collection: string, key: ItemKey | undefined): readonly string[];
}

/** @param id - `undefined` for the main state */
export function tableControls(current: CurrentMock, id: string | undefined): TableControls {
  const sandboxes = (): Mock['engine']['sandboxes'] => current().engine.sandboxes;
  const state = (): State => (id === undefined ? sandboxes().main.snapshot() : sandboxes().stateOf(id));
  const editor = (): ItemEditor => {
    const { resources, context } = current();
    return new ItemEditor({ resources, rules: context.rules }, state, () => new LiveState(state()));
  };
  const table = (name: string): Table | undefined => {
    const { resources } = current();
    const resource = parseCollectionName(resources, name)?.resource;
    if (resource === undefined) return undefined;
    const redactor = new StateRedactor(resources);
    return {
      resource,
      now: collectionIn(state(), name),
      start: collectionIn(sandboxes().baseline, name),
      redact: redactor.of(name),
    };
  };
  return {
    referrers: (collection, key) => editor().referrers(collection, key),
    collections() {
      const { context, resources } = current();
      return listCollections(context.api, resources, state(), sandboxes().baseline);
    },
    rows(given, query) {
      const collection = editor().nameOf(given);
      const found = table(collection);
      const page = found === undefined ? { total: 0, rows: [] } : rowPage(found, query);
      return { collection, items: found?.now.size ?? 0, offset: query.offset, ...page };
    },
    rowsWith(given, key) {
      const { name, key: wanted } = editor().locate(given, key);
      const found = table(name);
      const page = found === undefined ? { total: 0, rows: [] } : rowsWith(found, wanted);
      return { collection: name, items: found?.now.size ?? 0, offset: 0, ...page };
    },
    storedRow(collection, at) {
      const place = editor().locate(collection, at);
      const found = place.key === undefined ? undefined : table(place.name);
      if (place.key === undefined || found?.now.get(place.key) === undefined) return undefined;
      return rowAt(found, place.key);
    },
  };
}
