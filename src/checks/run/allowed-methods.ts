import { headerValues } from '../../core/http/headers';
import { addToList } from '../../core/text/memoize';
import { isSuccess, type ObservedExchange, type RunCheckFinding, templateOf } from '../observed-exchange';
import type { RunCheck } from './history';

/** An Allow has the methods that the same path was seen to take. */
export const allowComplete: RunCheck = {
  id: 'allow-complete',
  area: 'http',
  scope: 'service',
  source: 'RFC 9110 §9.3.7, §10.2.1',
  run({ exchanges, api }) {
    const byPath = new Map<string, ObservedExchange[]>();
    for (const each of exchanges) addToList(byPath, `${each.auth} ${each.path}`, each);
    return exchanges.flatMap((told): RunCheckFinding[] => {
      const methods = methodsTold(told);
      const others = methods === undefined ? [] : (byPath.get(`${told.auth} ${told.path}`) ?? []);
      const taken = others.find(
        (each) => isTaken(each) && methods?.has(each.method) === false && !isGone(others, told, each),
      );
      if (methods === undefined || taken === undefined) return [];
      const message = `Allow of ${told.method} ${templateOf(api, taken)} lacks ${taken.method}, which the path takes`;
      const expected = `${taken.method} among the methods`;
      const at = '/response/headers/allow';
      return [{ exchange: told, earlier: taken, at, message, expected, actual: [...methods].join(', ') }];
    });
  },
};

/** The methods of the Allow of a 405, and of an OPTIONS that succeeded; `undefined` without one. */
function methodsTold(exchange: ObservedExchange): ReadonlySet<string> | undefined {
  const { method, status, headers } = exchange;
  if (status !== 405 && !(method === 'OPTIONS' && isSuccess(exchange))) return undefined;
  const values = headerValues(headers, 'allow');
  return values.length === 0
    ? undefined
    : new Set(values.flatMap((value) => value.split(',')).map((each) => each.trim()));
}

/** Did the path take the method? HEAD goes without saying where there is GET. */
function isTaken(exchange: ObservedExchange): boolean {
  return isSuccess(exchange) && exchange.method !== 'OPTIONS' && exchange.method !== 'HEAD';
}

/** Was what stands there removed in between? Then other methods may be there. */
function isGone(others: readonly ObservedExchange[], told: ObservedExchange, taken: ObservedExchange): boolean {
  const [first, last] = told.sentAt < taken.sentAt ? [told, taken] : [taken, told];
  return others.some(
    (each) =>
      each.method === 'DELETE' && each !== last && each.respondedAt >= first.sentAt && each.sentAt <= last.respondedAt,
  );
}
