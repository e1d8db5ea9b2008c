import { headerValue } from '../../core/http/headers';
import { isJsonNumber, toCanonical, toLexeme } from '../../core/json/exact-number';
import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import { commonErrorContent, findResponse, jsonContent } from '../../openapi/view/responses';
import type { Operation, Property } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { inferResourceModel } from '../../resources/infer-resource-model';
import type { Binding } from '../../resources/model/binding';
import { isErrorInSuccess } from '../response-check';
import { isReference } from '../response/headers/location';
import { isSuccess, type ObservedExchange, operationOf } from '../observed-exchange';

/** A single resource, told by where it is. */
export interface ObservedItem {
  /** As in {@link ObservedExchange.path}. */
  readonly path: string;
  /** The last segment of the path, decoded. */
  readonly key: string;
  /** The path template of the description, `/books/{bookId}`: what is the same in every run, for messages. */
  readonly template: string;
}

const LAST_VARIABLE = /\/\{([^{}/]+)\}\/?$/;

/** The item that a request names by its path; `undefined` for a collection and for a part of an item. */
export function itemOf(api: ApiModel, exchange: ObservedExchange): ObservedItem | undefined {
  const operation = operationOf(api, exchange);
  // `DELETE /tags/{arn}#tagKeys` speaks of a part of what stands there.
  if (operation === undefined || operation.selectors.some(({ in: place }) => place === 'query')) return undefined;
  return LAST_VARIABLE.test(operation.path) ? itemAt(exchange.path, operation.path) : undefined;
}

/** The item below which the path of an operation ends, `/loans/{id}` of `/loans/{id}/return`, where it can be read. */
export function itemAbove(api: ApiModel, exchange: ObservedExchange): ObservedItem | undefined {
  const template = /^(.*\})((?:\/[^{}/]+)+)\/?$/.exec(operationOf(api, exchange)?.path ?? '');
  const isRead = api.operations.some(({ method, path }) => method === 'GET' && path === template?.[1]);
  if (template?.[1] === undefined || template[2] === undefined || !isRead) return undefined;
  const depth = template[2].split('/').length - 1;
  return itemAt(exchange.path.replace(/\/$/, '').split('/').slice(0, -depth).join('/'), template[1]);
}

/**
 * The item that a 201 to a POST speaks of: below the collection, with the key in the body; else where Location leads,
 * if that is below it (RFC 9110 §15.3.2).
 */
export function createdItem(api: ApiModel, exchange: ObservedExchange): ObservedItem | undefined {
  const { method, status, path, body, headers } = exchange;
  const operation = operationOf(api, exchange);
  if (method !== 'POST' || status !== 201 || operation === undefined) return undefined;
  const property = createdKeyProperty(api, operation, status);
  const key = property === undefined || !isJsonObject(body) ? undefined : keyText(body[property.name]);
  const template = itemTemplate(api, operation) ?? `${operation.path}/…`;
  const end = template.endsWith('/') ? '/' : '';
  if (key !== undefined) return { path: `${path.replace(/\/$/, '')}/${encodeURIComponent(key)}${end}`, key, template };
  return itemAtLocation(path, headerValue(headers, 'location'), template);
}

/** What is not below the collection may be anything: an entry of a queue, a page for people. */
function itemAtLocation(collection: string, location: string | undefined, template: string): ObservedItem | undefined {
  const base = `http://localhost${collection}`;
  if (location === undefined || !isReference(location) || !URL.canParse(location, base)) return undefined;
  const { pathname } = new URL(location, base);
  return pathname.startsWith(`${collection.replace(/\/$/, '')}/`) ? itemAt(pathname, template) : undefined;
}

/** The property in which the response to a creation holds the key of what was made. */
export function createdKeyProperty(api: ApiModel, operation: Operation, status: number): Property | undefined {
  const template = itemTemplate(api, operation);
  return template === undefined ? undefined : keyProperty(api, template, operation, status);
}

/**
 * The property in which the response to an operation holds the key of its item: the one that is named like the variable at
 * the end of the path template, else `id`.
 */
export function keyProperty(
  api: ApiModel,
  template: string,
  operation: Operation,
  status: number,
): Property | undefined {
  const variable = LAST_VARIABLE.exec(template)?.[1];
  const schema = jsonContent(findResponse(operation, status))?.schema;
  if (variable === undefined || schema === undefined) return undefined;
  const properties = api.propertiesOf(schema);
  // `id` is the key of /users/{userId}, and maybe not that of /users/{name}.
  return properties.get(variable) ?? (/id$/i.test(variable) ? properties.get('id') : undefined);
}

/** Did the response say that what was asked for is done, and not with an error object under a 2xx? */
export function isSuccessful(api: ApiModel, exchange: ObservedExchange): boolean {
  const { status, body } = exchange;
  if (status === undefined || !isSuccess(exchange)) return false;
  if (body === undefined) return true;
  const operation = operationOf(api, exchange);
  const documented = operation === undefined ? undefined : findResponse(operation, status);
  const json = { kind: 'json', value: body } as const;
  return !isErrorInSuccess({ api, status, body: json, documented, commonError: commonErrorContent(api) });
}

/** Does a response show an item? What a response without an object may be, other checks say. */
export function returnsItem(api: ApiModel, exchange: ObservedExchange): boolean {
  return isJsonObject(exchange.body) && isSuccessful(api, exchange);
}

/** Properties that lead to the item in the response to an operation; none where the body is the item, or nobody knows. */
export function pathOfShown(api: ApiModel, exchange: ObservedExchange): readonly string[] {
  const shape = bindingOf(api, exchange)?.response;
  return shape?.form === 'item' && shape.layout === 'plain' ? shape.path : [];
}

/** The item that a response shows, without what is around it. */
export function shownItem(api: ApiModel, exchange: ObservedExchange): JsonObject | undefined {
  const item = valueAlong(exchange.body, pathOfShown(api, exchange));
  return isJsonObject(item) ? item : undefined;
}

/** What the operation of an exchange does with which kind of thing, as far as the description tells. */
export function bindingOf(api: ApiModel, exchange: ObservedExchange): Binding | undefined {
  const operation = operationOf(api, exchange);
  return operation === undefined ? undefined : inferResourceModel(api).bindings.get(operation);
}

/** A key as it stands in a path; `undefined` for what can be none. */
export function keyText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return isJsonNumber(value) ? toLexeme(toCanonical(value)) : undefined;
}

/** Path template of the items of a collection; `undefined` where the description has no operation on one. */
function itemTemplate(api: ApiModel, collection: Operation): string | undefined {
  return api.operations.find((other) => isItemOf(other, collection))?.path;
}

function isItemOf(other: Operation, collection: Operation): boolean {
  const above = collection.path.replace(/\/$/, '');
  return other.path.startsWith(`${above}/`) && LAST_VARIABLE.exec(other.path)?.index === above.length;
}

function itemAt(path: string, template: string): ObservedItem | undefined {
  const segment = path.replace(/\/$/, '').split('/').at(-1) ?? '';
  try {
    return segment === '' ? undefined : { path, key: decodeURIComponent(segment), template };
  } catch {
    return undefined;
  }
}
