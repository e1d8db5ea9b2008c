import type { Journal } from './journal';
import type { StoredRequest } from './journal-entry';
import type { JournalOfSandboxes } from './sandbox-facts';

/** Where a request is remembered. */
export interface RememberedPlace {
  readonly seq: number;
  /** `default` for the main one. */
  readonly sandbox: string;
  readonly journal: Journal;
  readonly number: number;
}

/**
 * The requests of all sandboxes that are remembered, in one order.
 *
 * @param after - `seq`; those up to there are left out
 * @param sandbox - `undefined` for all of them
 */
export function rememberedAfter(
  journals: readonly JournalOfSandboxes[],
  after: number,
  sandbox: string | undefined,
): RememberedPlace[] {
  const places: RememberedPlace[] = [];
  for (const { journal, ownerOf } of journals) {
    for (const number of journal.remembered(after)) {
      const owner = ownerOf(number);
      if (owner === undefined || (sandbox !== undefined && owner !== sandbox)) continue;
      places.push({ seq: journal.seqOf(number), sandbox: owner, journal, number });
    }
  }
  return places.sort((one, other) => one.seq - other.seq);
}

/** All that is remembered of a request. */
export function storedAt({ journal, number }: RememberedPlace): StoredRequest {
  return journal.requestOf(number);
}
