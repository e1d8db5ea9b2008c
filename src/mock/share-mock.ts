import type { Mock } from './create-mock';
import type { ResponseFault } from './faults/forced-response-queue';
import { readForcedResponse } from './faults/read-forced-response';
import { responseReference } from './pipeline/forced-response-rendering';
import { migrateState } from './reload-mock';
import { aboutOf, requireRelated, storedStateOf } from './restore-mock';
import { MAIN_ID } from './sandbox/sandbox-selection';
import type { PartsReader } from './sandbox/shared-parts';
import type { SharedLog } from './sandbox/request-stream';
import { SharedStore } from './sandbox/shared-store';
import type { Tail } from './state/state-log';
import type { State } from './state/state';

/**
 * Serves the sandboxes that a log has, together with other processes.
 *
 * @param current - the mock as it is now; another one after a reload
 * @throws ConfigError `STORE_UNUSABLE` for a store of an API that has nothing in common with this one, StoreError where it
 *   does not answer
 */
export async function shareMock(current: () => Mock, log: SharedLog): Promise<{ readonly isOfOther: boolean }> {
  const [before, now] = [await log.about(), aboutOf(current())];
  const isOfOther = before !== undefined && before.digest !== now.digest;
  const stateOf = (id: string, tail: Tail): State => {
    const mock = current();
    const state = storedStateOf(mock, log, id, tail);
    if (!isOfOther) return state;
    requireRelated(mock, log, before, [{ state }]);
    return migrateState(state, mock.resources, mock.initial).state;
  };
  const { sandboxes } = current().engine;
  const store = new SharedStore(log, { sandboxes, stateOf, reader: () => partsReader(current()) });
  // The first of them begins it.
  await store.run(MAIN_ID, () => undefined);
  await log.describe(now);
  sandboxes.store = store;
  void store.requests?.start();
  return { isOfOther };
}

function partsReader({ context, initial }: Mock): PartsReader {
  const reference = responseReference(context);
  return {
    flags: context.options.faults.flags,
    seeds: initial.seeds,
    forced(operation, options): ResponseFault | undefined {
      try {
        return readForcedResponse(reference, operation, options);
      } catch {
        // Another process has another description: here it is not allowed.
        return undefined;
      }
    },
  };
}
