import { canonicalKey, equalJson } from '../../core/json/json-value';
import type { History, RunCheck } from './history';
import { type ObservedExchange, repeatedRequests, type RunCheckFinding, templateOf } from '../run-check';

/** Two equal reads with no write of the run in between give the same. Others may write, so that it is a warning. */
export const readRepeatable: RunCheck = {
  id: 'read-repeatable',
  source: 'RFC 9110 §9.2.1, §9.3.1',
  run(history) {
    const { exchanges, api } = history;
    const groups = repeatedRequests(exchanges.filter(({ method, status }) => method === 'GET' && status === 200));
    return groups.flatMap((reads): RunCheckFinding[] => {
      const later = reads.find((read, index) => isChanged(history, reads[index - 1], read));
      const earlier = later === undefined ? undefined : reads[reads.indexOf(later) - 1];
      if (later === undefined || earlier === undefined) return [];
      const what = isReordered(earlier, later) ? 'the same items in another order' : 'another body';
      return [
        {
          exchange: later,
          earlier,
          severity: 'warning',
          at: '/response/body',
          message: `GET ${templateOf(api, later)} gave ${what} when it was repeated, and the run had written nothing`,
          expected: 'the same body',
          actual: what,
          hint: 'Or did somebody else write?',
        },
      ];
    });
  },
};

function isChanged(history: History, earlier: ObservedExchange | undefined, later: ObservedExchange): boolean {
  if (later.isPolled === true) return false;
  if (earlier?.body === undefined || later.body === undefined || equalJson(earlier.body, later.body)) return false;
  return history.anyWritesBetween(earlier, later).length === 0;
}

function isReordered({ body: before }: ObservedExchange, { body: after }: ObservedExchange): boolean {
  if (!Array.isArray(before) || !Array.isArray(after)) return false;
  const sorted = (items: typeof before): string =>
    items
      .map((item) => canonicalKey(item))
      .sort()
      .join();
  return sorted(before) === sorted(after);
}
