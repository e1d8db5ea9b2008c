import { jsonContent } from '../../openapi/error-schema';
import { findResponse } from '../../openapi/find-response';
import type { ApiModel, Property, Schema } from '../../openapi/model';
import { objectsOf } from '../response/walk-body';
import type { History } from './history';
import { isSuccess, type ObservedExchange } from './observed-exchange';

/** Pointers of the members that a run has seen in answers, worked out once for each run and only where it is asked. */
const SHOWN = new WeakMap<History, ReadonlySet<string>>();

/**
 * Did any answer of the run show the member, wherever in it: with a value, or as null? A service may leave out what it
 * has no use for; what it shows elsewhere it knows.
 */
export function isEverShown(history: History, { pointer }: Property): boolean {
  let shown = SHOWN.get(history);
  if (shown === undefined)
    SHOWN.set(history, (shown = new Set(history.exchanges.flatMap((each) => [...shownIn(history, each)]))));
  return shown.has(pointer);
}

function shownIn({ api }: History, exchange: ObservedExchange): Set<string> {
  const shown = new Set<string>();
  const { body } = exchange;
  const schema = body === undefined ? undefined : documentedSchema(api, exchange);
  if (schema === undefined || body === undefined) return shown;
  for (const { value, shape } of objectsOf(api, [schema], body)) {
    const schemas = Object.keys(value).flatMap((name) => shape.properties.get(name) ?? []);
    for (const { pointer } of schemas) shown.add(pointer);
  }
  return shown;
}

function documentedSchema(api: ApiModel, exchange: ObservedExchange): Schema | undefined {
  const { operation: id, status } = exchange;
  const operation = id === undefined ? undefined : api.operationById(id);
  if (operation === undefined || status === undefined || !isSuccess(exchange)) return undefined;
  return jsonContent(findResponse(operation, status))?.schema;
}
