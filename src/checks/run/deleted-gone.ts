import { equalJson } from '../../core/json/json-value';
import { type History, itemReadingsOf, type RunCheck } from './history';
import { isSuccessful, returnsItem, type ObservedItem } from './item';
import { isAfter, isExpected, isSafe, type ObservedExchange, operationOf, type RunCheckFinding } from '../run-check';

/** What was removed is gone: nothing answers at its path any more, unless it was made again. */
export const deletedGone: RunCheck = {
  id: 'deleted-gone',
  source: 'RFC 9110 §9.3.5; WFC 103, 900',
  run(history) {
    const { exchanges, api } = history;
    const said = new Set<string>();
    return exchanges.flatMap((removal): RunCheckFinding[] => {
      const item = history.itemOf(removal);
      // 202 says that it will be done, not that it is.
      if (removal.method !== 'DELETE' || !isSuccessful(api, removal) || removal.status === 202 || item === undefined)
        return [];
      const reads = history.readsAfter(item, removal);
      const ghost = reads.find(
        (read) => returnsItem(api, read) && !isExpected(read) && !isMadeAgain(history, item, removal, read),
      );
      if (ghost === undefined || said.has(item.path)) return [];
      said.add(item.path);
      // Not because it was removed once more.
      const isGoneLater = reads.some((read) => {
        const isGone = read.status === 404 || read.status === 410;
        return isGone && isAfter(read, ghost) && history.writesBetween(item, ghost, read).length === 0;
      });
      return [describe(history, item, removal, ghost, isGoneLater)];
    });
  },
};

function isMadeAgain(history: History, item: ObservedItem, removal: ObservedExchange, read: ObservedExchange): boolean {
  return history.anyWritesBetween(removal, read).some((write) => {
    const made = history.itemOf(write);
    // A creation that was never answered may have got the same key.
    return write.method !== 'DELETE' && (made === undefined || made.path === item.path) && !isSafe(write);
  });
}

function describe(
  history: History,
  item: ObservedItem,
  removal: ObservedExchange,
  ghost: ObservedExchange,
  isGoneLater: boolean,
): RunCheckFinding {
  const about = {
    exchange: ghost,
    earlier: removal,
    at: '/response/status',
    expected: '404 or 410',
    actual: `${ghost.status ?? 0} from GET ${ghost.path}`,
    spec: operationOf(history.api, removal)?.pointer,
  } as const;
  if (isGoneLater) {
    const message = `${item.template} was removed, and was gone only some time later (eventual)`;
    return { ...about, severity: 'warning', message };
  }
  const before = itemReadingsOf(history, item).filter(({ exchange }) => exchange.respondedAt < removal.sentAt);
  const isOther =
    before.length > 0 && !before.some(({ body }) => ghost.body !== undefined && equalJson(body, ghost.body));
  if (!isOther) return { ...about, message: `${item.template} was removed, and is still there` };
  const message = `${item.template} was removed, and something else than before is still there`;
  const hint = 'If removing only marks it as removed, let the contract expect what a read gives.';
  return { ...about, severity: 'warning', message, hint };
}
