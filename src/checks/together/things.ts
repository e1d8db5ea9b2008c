import { headerValue } from '../../core/http/headers';
import { isJsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Binding } from '../../resources/model/binding';
import type { SchemaObject } from '../../schema/schema-object';
import { isAfter, isSafe, isSuccess, type ObservedExchange } from '../observed-exchange';
import { History } from '../run/history';
import { itemOf, keyText, type ObservedItem, bindingOf } from '../run/observed-item';
import { isSameValue } from '../run/sent-values';
import { type ThingAction, type ThingEvent, type ThingOutcome, type Values } from './thing-model';

/** A thing that requests were about, and all that were, in the order in which they were sent. */
export interface ObservedThing {
  readonly item: ObservedItem;
  readonly events: readonly ExchangeEvent[];
  readonly schemaOf: (name: string) => SchemaObject | undefined;
}

/** A request about a thing, with its exchange. */
export interface ExchangeEvent extends ThingEvent {
  readonly exchange: ObservedExchange;
}

/** The things that the exchanges of a contract name or made, each with all that is known to have been done to it. */
export function observedThings(api: ApiModel, exchanges: readonly ObservedExchange[]): ObservedThing[] {
  const history = new History(exchanges, api);
  const items = new Map<string, ObservedItem>();
  for (const exchange of exchanges) {
    const item = history.itemOf(exchange);
    if (item !== undefined) items.set(item.path, item);
  }
  return [...items.values()].map((item): ObservedThing => {
    const schemaOf = schemasOf(api, history.exchangesOf(item));
    const events = exchanges.flatMap((exchange) => eventOf(history, item, exchange) ?? []);
    return { item, events: withoutUnwritten(events, schemaOf), schemaOf };
  });
}

/** Were requests about the thing under way at the same time, one of them to change it? */
export function isContended({ events }: ObservedThing): boolean {
  const own = events.filter(({ action }) => action !== 'other');
  return own.some(
    ({ exchange: one }) =>
      !isSafe(one) && own.some(({ exchange: other }) => other !== one && !isAfter(one, other) && !isAfter(other, one)),
  );
}

/** Does an exchange read or change the thing, or may it have changed it? */
function concerns(history: History, item: ObservedItem, exchange: ObservedExchange): boolean {
  const isOwn = history.itemOf(exchange)?.path === item.path;
  return isSafe(exchange) ? isOwn && isPlainRead(exchange) : isOwn || history.mayTouch(exchange, item);
}

function eventOf(history: History, item: ObservedItem, exchange: ObservedExchange): ExchangeEvent | undefined {
  if (!concerns(history, item, exchange)) return undefined;
  const { sentAt, respondedAt, requestHeaders, headers, status } = exchange;
  const binding = bindingOf(history.api, exchange);
  const isOwn = history.itemOf(exchange)?.path === item.path;
  const action = isOwn ? actionOf(history.api, exchange) : 'other';
  const tag = headerValue(headers, 'etag');
  const sent = action === 'read' ? NOTHING : sentValues(binding, exchange);
  return {
    exchange,
    sentAt,
    // What was never answered may still be under way.
    respondedAt: status === undefined ? Infinity : respondedAt,
    action,
    outcome: outcomeOf(exchange),
    sent,
    shown: shownValues(binding, exchange),
    namesKey: keyText(sent.get(binding?.resource.key.name ?? '')) === item.key,
    isNew: status === 201,
    condition: headerValue(requestHeaders, 'if-match'),
    tag: tag?.startsWith('"') === true ? tag : undefined,
  };
}

const NOTHING: Values = new Map();

/** Is the whole thing asked for, as who made it sees it? */
function isPlainRead({ method, query, auth }: ObservedExchange): boolean {
  return method === 'GET' && query === '' && auth === 'valid';
}

function actionOf(api: ApiModel, exchange: ObservedExchange): ThingAction {
  const { method, query } = exchange;
  // What a query makes of a change nobody knows: a trial, a part, a removal of more.
  if (query !== '') return 'other';
  switch (method) {
    case 'GET':
      return 'read';
    case 'PUT':
      return 'replace';
    case 'PATCH':
      return isJsonObject(exchange.requestBody) ? 'merge' : 'other';
    case 'DELETE':
      return 'remove';
    case 'POST':
      return itemOf(api, exchange) === undefined ? 'create' : 'other';
    default:
      return 'other';
  }
}

function outcomeOf(exchange: ObservedExchange): ThingOutcome {
  const { status } = exchange;
  if (status === undefined || status >= 500 || status === 408 || status === 202) return 'unknown';
  if (isSuccess(exchange)) return 'done';
  if (status === 404 || status === 410) return 'absent';
  return status === 412 ? 'unmet' : 'refused';
}

/** What a write asks for: what is not the client's to set says nothing. */
function sentValues(binding: Binding | undefined, { requestBody }: ObservedExchange): Values {
  const item = valueAlong(requestBody, binding?.request?.path ?? []);
  const properties = binding?.resource.properties;
  return valuesOf(item, (name) => {
    const property = properties?.get(name);
    return property?.readOnly !== true && property?.writeOnly !== true;
  });
}

function shownValues(binding: Binding | undefined, exchange: ObservedExchange): Values {
  if (!isSuccess(exchange)) return NOTHING;
  return valuesOf(valueAlong(exchange.body, binding?.response?.path ?? []), () => true);
}

function valuesOf(item: JsonValue | undefined, isTaken: (name: string) => boolean): Values {
  return isJsonObject(item) ? new Map(Object.entries(item).filter(([name]) => isTaken(name))) : NOTHING;
}

function schemasOf(api: ApiModel, exchanges: readonly ObservedExchange[]): ObservedThing['schemaOf'] {
  const bindings = exchanges.flatMap((exchange) => bindingOf(api, exchange) ?? []);
  return (name) => {
    for (const { resource } of bindings) {
      const schema = resource.properties.get(name)?.schema;
      if (schema !== undefined) return schema;
    }
    return undefined;
  };
}

/**
 * Reads without the values that nobody wrote: the service makes something else of what it gets, and what that is nobody
 * knows.
 */
function withoutUnwritten(events: readonly ExchangeEvent[], schemaOf: ObservedThing['schemaOf']): ExchangeEvent[] {
  const isWritten = ([name, value]: readonly [string, JsonValue]): boolean =>
    events.some(({ sent }) => {
      const written = sent.get(name);
      return written !== undefined && isSameValue(written, value, schemaOf(name));
    });
  return events.map((event) => ({ ...event, shown: new Map([...event.shown].filter(isWritten)) }));
}
