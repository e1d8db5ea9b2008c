import type { History, RunCheck } from './history';
import { createdItem, type ObservedItem } from './item';
import { isAfter, isExpected, isSuccess, type ObservedExchange, operationOf, type RunCheckFinding } from '../run-check';

/** What was created can be read, until somebody removes it. */
export const createdReadable: RunCheck = {
  id: 'created-readable',
  source: 'RFC 9110 §15.3.2; WFC 907',
  run(history) {
    const { exchanges, api } = history;
    const said = new Set<string>();
    return exchanges.flatMap((creation): RunCheckFinding[] => {
      const item = createdItem(api, creation);
      if (item === undefined) return [];
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
