import {
  isAfter,
  isExpected,
  isSafe,
  isSuccess,
  type ObservedExchange,
  operationOf,
  type RunCheckFinding,
} from '../observed-exchange';
import { type History, itemReadingsOf, type RunCheck } from './history';
import { createdItem, isSuccessful, type ObservedItem, pathOfShown, returnsItem, shownItem } from './observed-item';
import { responseProperties } from './sent-values';
import { equalJson, pickProperties } from '../../core/json/json-value';
import { isUpdateTimeName } from '../../openapi/naming/property-names';
import { isMarkedDeleted, isRemovalMark } from '../../openapi/naming/states';

/** What was removed is gone: nothing answers at its path any more, unless it was made again. */
export const deletedGone: RunCheck = {
  id: 'deleted-gone',
  isPerItem: true,
  area: 'state',
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
        (read) =>
          returnsItem(api, read) &&
          !isExpected(read) &&
          !isToldToStay(history, removal, read) &&
          !isMadeAgain(history, item, removal, read),
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

/** Is it in the state which the texts of its removal say that it is kept in? */
function isToldToStay({ api }: History, removal: ObservedExchange, { body }: ObservedExchange): boolean {
  return isMarkedDeleted(body, operationOf(api, removal)) && !isMarkedDeleted(body);
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
  const mark = markOf(history, ghost);
  const isUnmarked = mark !== undefined && !isMarkedDeleted(ghost.body, operationOf(history.api, removal));
  if (isUnmarked && before.some(({ exchange }) => isSameButForTimes(history, exchange, ghost))) {
    const message = `${item.template} was removed, and is still there as it was, without "${mark}"`;
    return { ...about, expected: `404, 410, or "${mark}"`, message };
  }
  if (!isOther) return { ...about, message: `${item.template} was removed, and is still there` };
  const message = `${item.template} was removed, and something else than before is still there`;
  const hint = 'If removing only marks it as removed, let the contract expect what a read gives.';
  return { ...about, severity: 'warning', message, hint };
}

/** The property by which items say that they were removed: `deletedAt`, or a state with a word for it. */
function markOf({ api }: History, read: ObservedExchange): string | undefined {
  const properties = responseProperties(api, read, pathOfShown(api, read));
  return [...(properties?.values() ?? [])].find(({ name, schema }) => isRemovalMark(name, schema))?.name;
}

/** Is an item the same, but for when it was changed? */
function isSameButForTimes({ api }: History, one: ObservedExchange, other: ObservedExchange): boolean {
  const [before, after] = [one, other].map((each) =>
    pickProperties(shownItem(api, each) ?? {}, (name) => !isUpdateTimeName(name)),
  );
  return before !== undefined && after !== undefined && Object.keys(before).length > 1 && equalJson(before, after);
}

/** What was created can be read, until somebody removes it. */
export const createdReadable: RunCheck = {
  id: 'created-readable',
  isPerItem: true,
  area: 'state',
  source: 'RFC 9110 §15.3.2; WFC 907',
  run(history) {
    const { exchanges, api } = history;
    const said = new Set<string>();
    return exchanges.flatMap((creation): RunCheckFinding[] => {
      const item = createdItem(api, creation);
      if (item === undefined || history.isRepetition(creation)) return [];
      const reads = history.readsAfter(item, creation);
      const mayBeRemoved = (read: ObservedExchange): boolean => isRemoved(history, item, creation, read);
      const lost = reads.find((read) => read.status === 404 && !isExpected(read) && !mayBeRemoved(read));
      if (lost === undefined || said.has(item.path)) return [];
      said.add(item.path);
      const isFoundLater = reads.some((read) => isAfter(read, lost) && isSuccess(read) && !mayBeRemoved(read));
      const how = isFoundLater ? 'could be read only some time later (eventual)' : 'cannot be read';
      return [
        {
          exchange: lost,
          earlier: creation,
          severity: isFoundLater ? 'warning' : 'error',
          at: '/response/status',
          message: `${item.template} was created, and ${how}`,
          expected: '200',
          actual: `${lost.status ?? 0} from GET ${lost.path}`,
          spec: operationOf(api, creation)?.pointer,
        },
      ];
    });
  },
};

/** May a write of the run have removed it? A creation of something else and a change do not remove. */
function isRemoved(history: History, item: ObservedItem, creation: ObservedExchange, read: ObservedExchange): boolean {
  return history.writesBetween(item, creation, read).some(({ method, status }) => {
    return method === 'DELETE' || (method === 'POST' && status !== 201);
  });
}
