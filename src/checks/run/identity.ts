import { isJsonObject } from '../../core/json/json-value';
import type { Property } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { previewValue } from '../../core/json/stringify-json';
import type { History, RunCheck } from './history';
import { createdItem, createdKeyProperty, itemOf, keyProperty, keyText } from './observed-item';
import { type ObservedExchange, operationOf, type RunCheckFinding } from '../observed-exchange';

/** Every creation makes something of its own, and what answers at a path is the item of that path. */
export const identity: RunCheck = {
  id: 'identity',
  isPerItem: true,
  area: 'state',
  source: 'RFC 9110 §3.1, §9.3.4, §15.3.2',
  run(history) {
    const { exchanges, api } = history;
    return [...sharedKeys(history), ...exchanges.flatMap((exchange) => wrongItem(api, exchange) ?? [])];
  },
};

/** Creations that got the path of something that was still there. */
function sharedKeys(history: History): RunCheckFinding[] {
  const { api, exchanges } = history;
  const made = new Map<string, ObservedExchange>();
  const said = new Set<string>();
  return exchanges.flatMap((creation): RunCheckFinding[] => {
    const item = createdItem(api, creation);
    if (item === undefined || isClientChosenKey(api, creation, item.key)) return [];
    // Each caller may have a space of its own, in which keys are counted.
    const place = `${creation.auth} ${item.path}`;
    const earlier = made.get(place);
    made.set(place, creation);
    if (earlier === undefined || history.isRepetition(creation)) return [];
    // After a removal, also one that was rejected or never answered, the key may be free again.
    const isFree = history
      .exchangesOf(item)
      .some(({ method, sentAt }) => method === 'DELETE' && sentAt < creation.respondedAt);
    if (isFree || said.has(item.path)) return [];
    said.add(item.path);
    return [
      {
        exchange: creation,
        earlier,
        at: '/response/body',
        message: `Two creations both got one ${item.template}`,
        expected: 'a key of its own for each',
        actual: item.key,
      },
    ];
  });
}

/** Was the key the client's choice? */
function isClientChosenKey(api: ApiModel, exchange: ObservedExchange, key: string): boolean {
  const { requestBody, status } = exchange;
  const operation = operationOf(api, exchange);
  if (operation === undefined || status === undefined || !isJsonObject(requestBody)) return false;
  const property = createdKeyProperty(api, operation, status);
  return property !== undefined && keyText(requestBody[property.name]) === key;
}

/** A read or a change of an item got another one. */
function wrongItem(api: ApiModel, exchange: ObservedExchange): RunCheckFinding | undefined {
  const { method, body } = exchange;
  const item = itemOf(api, exchange);
  const property = item === undefined ? undefined : ownKeyProperty(api, exchange);
  if (item === undefined || property === undefined || !isJsonObject(body)) return undefined;
  const key = keyText(body[property.name]) ?? '';
  // The same number may be written in several ways.
  if (!WHOLE_NUMBER.test(item.key) || !WHOLE_NUMBER.test(key) || BigInt(key) === BigInt(item.key)) return undefined;
  return {
    exchange,
    earlier: exchange,
    at: `/response/body/${property.name}`,
    message: `${method} ${item.template} returned another item`,
    identity: { rule: `${method} ${item.template} was answered with another item` },
    expected: item.key,
    actual: previewValue(body[property.name]),
    spec: property.pointer,
    hint: method === 'GET' ? 'Did the response to another request come here?' : 'A change does not change the key.',
  };
}

const WHOLE_NUMBER = /^\d{1,400}$/;

/** The property that repeats the key of the path: a number, because a text may be an alias, such as `me`. */
function ownKeyProperty(api: ApiModel, exchange: ObservedExchange): Property | undefined {
  const { method, status } = exchange;
  const operation = operationOf(api, exchange);
  if (operation === undefined || status !== 200 || !['GET', 'PUT', 'PATCH'].includes(method)) return undefined;
  const property = keyProperty(api, operation.path, operation, status);
  return property?.schema['type'] === 'integer' && isOfCollection(operation.path, property.name) ? property : undefined;
}

/**
 * Is a property the key of what stands at a path? `id` is that of /books/{bookId}, and not of /users/{account_id}, where
 * a thing is found by the key of another one.
 */
function isOfCollection(path: string, property: string): boolean {
  const [, collection = '', variable = ''] = /([^/{}]*)\/\{([^{}]*)\}\/?$/.exec(path) ?? [];
  const stem = normalizedName(variable.replace(/id$/i, ''));
  if (property === variable || stem === '') return true;
  const [things, kind] = [normalizedName(collection), stem.replace(/y$/, '')];
  return things.startsWith(kind) || (things.length > 1 && kind.endsWith(things.replace(/(?:ies|s)$/, '')));
}

function normalizedName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}
