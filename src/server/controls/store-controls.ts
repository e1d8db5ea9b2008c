import type { CurrentMock } from './sandbox-controls';

/** How a mock that stores what it remembers ends. */
export interface StoreControls {
  /**
   * Writes what is left, makes one readable fixture file of each sandbox where they are stored in a folder, and leaves the store to others. Nothing
   * can be changed after it. Does nothing where nothing is stored.
   *
   * @throws StoreError where the rest could not be written
   */
  closeStore(): Promise<void>;
}

/** What a load balancer, or somebody who looks for a fault, may know of a store. */
export interface StoreFacts {
  readonly place: string;
  /** What keeps it from storing now; `null` while all is well. */
  readonly trouble: string | null;
}

/** @param leave - called before: what is on its way is left to whoever goes on */
export function storeControls(current: CurrentMock, leave: () => void): StoreControls {
  return {
    async closeStore() {
      const { sandboxes } = current().engine;
      if (sandboxes.store === undefined) return;
      leave();
      await sandboxes.store.close(sandboxes.all());
    },
  };
}

/** @returns `undefined` where what is stored ends with the mock */
export function storeFacts(current: CurrentMock): StoreFacts | undefined {
  const log = current().engine.sandboxes.store?.log;
  return log && { place: log.place, trouble: log.trouble() ?? null };
}
