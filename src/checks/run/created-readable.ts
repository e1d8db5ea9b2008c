import type { Finding } from '../../core/errors/finding';
import { historyOf, type History } from './history';
import { createdItem, type ObservedItem } from './item';
import {
  isAfter,
  isExpected,
  isSuccess,
  type ObservedExchange,
  type RunCheck,
  runFinding,
  type RunFinding,
} from '../run-check';

/** What was created can be read, until somebody removes it. */
export const createdReadable: RunCheck = {
  id: 'created-readable',
  source: 'RFC 9110 §15.3.2; WFC 907',
  run(exchanges, api) {
    const history = historyOf(exchanges, api);
    const said = new Set<string>();
    return exchanges.flatMap((creation): RunFinding[] => {
      const item = createdItem(api, creation);
      if (item === undefined) return [];
      const reads = history.readsAfter(item, creation);
      const mayBeRemoved = (read: ObservedExchange): boolean => isRemoved(history, item, creation, read);
      const lost = reads.find((read) => read.status === 404 && !isExpected(read) && !mayBeRemoved(read));
      if (lost === undefined || said.has(item.path)) return [];
      said.add(item.path);
      const isFoundLater = reads.some((read) => isAfter(read, lost) && isSuccess(read) && !mayBeRemoved(read));
      const finding = describe(item, lost, api.operationById(creation.operation ?? '')?.pointer, isFoundLater);
      return [runFinding(exchanges, lost, creation, finding)];
    });
  },
};

/** May a write of the run have removed it? A creation of something else and a change do not remove. */
function isRemoved(history: History, item: ObservedItem, creation: ObservedExchange, read: ObservedExchange): boolean {
  return history.writesBetween(item, creation, read).some(({ method, status }) => {
    return method === 'DELETE' || (method === 'POST' && status !== 201);
  });
}

function describe(
  item: ObservedItem,
  lost: ObservedExchange,
  spec: string | undefined,
  isFoundLater: boolean,
): Finding {
  const message = isFoundLater
    ? `${item.template} was created, and could be read only some time later (eventual)`
    : `${item.template} was created, and cannot be read`;
  return {
    check: 'created-readable',
    severity: isFoundLater ? 'warning' : 'error',
    at: '/response/status',
    message,
    expected: '200',
    actual: `${lost.status ?? 0} from GET ${lost.path}`,
    spec,
  };
}
