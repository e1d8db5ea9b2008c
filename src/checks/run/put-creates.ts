import { isAfter, isExpected, type ObservedExchange, operationOf, type RunCheckFinding } from '../observed-exchange';
import type { History, RunCheck } from './history';
import { isSuccessful } from './observed-item';

/** A PUT that makes what was not there says so with 201. */
export const putCreates: RunCheck = {
  id: 'put-creates',
  area: 'status',
  source: 'RFC 9110 §9.3.4',
  run(history) {
    return history.exchanges.flatMap((put): RunCheckFinding[] => {
      const item = history.itemOf(put);
      const missing = item && missingBefore(history, put);
      if (item === undefined || missing === undefined || !saysChanged(history, put)) return [];
      return [
        {
          exchange: put,
          earlier: missing,
          at: '/response/status',
          message: `PUT ${item.template} made what was not there, and says that it was`,
          expected: '201',
          actual: String(put.status ?? 0),
        },
      ];
    });
  },
};

/** Is the status one for what was there, where the description knows 201 as well? */
function saysChanged({ api }: History, put: ObservedExchange): boolean {
  const isKnown = isExpected(put) && put.expected?.statuses.includes(201) === false;
  const isChange = put.status === 200 || put.status === 204;
  return isChange && !isKnown && operationOf(api, put)?.responses.has('201') === true && isSuccessful(api, put);
}

/** The last read of the item by the same caller, which found nothing, if the run has written nothing of it since. */
function missingBefore(history: History, put: ObservedExchange): ObservedExchange | undefined {
  const item = put.method === 'PUT' ? history.itemOf(put) : undefined;
  const read =
    item &&
    history
      .exchangesOf(item)
      .findLast((each) => each.method === 'GET' && each.auth === put.auth && each.query === '' && isAfter(put, each));
  if (item === undefined || read === undefined || (read.status !== 404 && read.status !== 410)) return undefined;
  return history.writesBetween(item, read, put).length > 0 ? undefined : read;
}
