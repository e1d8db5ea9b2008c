import type { HttpResponse } from '../../src/core/http/message';
import type { JsonObject, JsonValue } from '../../src/core/json/json-value';
import { parseJson } from '../../src/core/json/parse-json';
import { stringifyJson } from '../../src/core/json/stringify-json';
import type { Operation, ResponseSpec } from '../../src/openapi/model/operation';
import type { ApiModel } from '../../src/openapi/model/api-model';
import { headerOf, jsonOf, textOf, type PlainRequest } from './fresh-mock';

/** Statuses of the protocol, which every operation may give (petstore.md §13). */
const PROTOCOL = new Set([405, 406, 408, 413, 414, 415, 417, 428, 431, 429, 503]);
/** What an answer outside any operation may be: faults of the message, of the path and of the key. */
const OUTSIDE = new Set([400, 401, 404, ...PROTOCOL]);
const LINK = /^<[^<>"\s]*>(?:; [a-z]+="[^"]*")+(?:, <[^<>"\s]*>(?:; [a-z]+="[^"]*")+)*$/;

/** The operation that a request is for, found without the mock's own router. */
export function operationOf(api: ApiModel, { method, target }: PlainRequest): Operation | undefined {
  const path = target.replace(/^https?:\/\/[^/?]*/i, '').split('?')[0] ?? '';
  let segments: string[];
  try {
    segments = path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
  const fits = (template: string): boolean => {
    const parts = template.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, index) => (part.startsWith('{') ? segments[index] !== '' : part === segments[index]))
    );
  };
  const wanted = method === 'HEAD' ? 'GET' : method;
  return api.operations.find((operation) => operation.method === wanted && fits(operation.path));
}

/** Everything that is wrong with a response as an answer to a request; empty when nothing is. */
export function faultsOf(api: ApiModel, request: PlainRequest, response: HttpResponse): string[] {
  const operation = operationOf(api, request);
  const spec = operation?.responses.get(String(response.status));
  return [
    ...faultsOfStatus(request, response, operation, spec),
    ...faultsOfHeaderLines(response),
    ...faultsOfHeaders(response, spec),
    ...faultsOfBody(request, response, spec),
    ...ownHeaders(response),
  ];
}

function faultsOfStatus(
  request: PlainRequest,
  { status }: HttpResponse,
  operation: Operation | undefined,
  spec: ResponseSpec | undefined,
): string[] {
  if (status >= 500) return [`${status} is the mock's own fault`];
  const isOptions = request.method === 'OPTIONS' && status === 204;
  if (isOptions || spec !== undefined || (operation === undefined ? OUTSIDE : PROTOCOL).has(status)) return [];
  return [`${status} is not documented`];
}

function faultsOfHeaderLines(response: HttpResponse): string[] {
  const faults: string[] = [];
  for (const [index, text] of response.headers.entries()) {
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) faults.push(`no header can be ${JSON.stringify(text)}`);
    if (index % 2 === 0 && response.headers.indexOf(text) !== index) faults.push(`${text} is there twice`);
  }
  const link = headerOf(response, 'Link');
  if (link !== undefined && !LINK.test(link)) faults.push(`Link is ${link}`);
  return faults;
}

function ownHeaders(response: HttpResponse): string[] {
  const needed: Readonly<Record<number, string>> = {
    201: 'Location',
    304: 'ETag',
    401: 'WWW-Authenticate',
    405: 'Allow',
  };
  const name = needed[response.status];
  return name === undefined || headerOf(response, name) !== undefined ? [] : [`${response.status} has no ${name}`];
}

function faultsOfHeaders(response: HttpResponse, spec: ResponseSpec | undefined): string[] {
  return [...(spec?.headers.values() ?? [])].flatMap(({ name, schema }) => {
    const text = headerOf(response, name);
    if (text === undefined || schema === undefined) return [];
    const value = schema.value['type'] === 'integer' ? parseJson(text) : text;
    return schema
      .validate('response')(value)
      .map(({ message }) => `${name}: ${text} ${message}`);
  });
}

function faultsOfBody(request: PlainRequest, response: HttpResponse, spec: ResponseSpec | undefined): string[] {
  const { status, body } = response;
  const isBodiless = request.method === 'HEAD' || status === 204 || status === 304;
  if (isBodiless) return body === undefined ? [] : [`${status} has a body`];
  if (body === undefined) return isMinimal(response) ? [] : [`${status} has no body`];
  const value = jsonOf(response);
  const violations = spec?.content[0]?.schema?.validate('response')(value) ?? [];
  return [
    ...faultsOfContent(response),
    ...violations.map(({ pointer, message }) => `the body at "${pointer}" ${message}`),
    ...(status < 400 ? [] : faultsOfError(value, status)),
  ];
}

/** Was the body left out because the client asked for that? */
function isMinimal(response: HttpResponse): boolean {
  return headerOf(response, 'Preference-Applied')?.includes('return=minimal') === true;
}

function faultsOfContent(response: HttpResponse): string[] {
  const type = headerOf(response, 'Content-Type');
  const length = String(Buffer.byteLength(textOf(response)));
  const isMeasured = (headerOf(response, 'Content-Length') ?? length) === length;
  return [
    ...(type === 'application/json' ? [] : [`Content-Type is ${String(type)}`]),
    ...(isMeasured ? [] : ['Content-Length is wrong']),
  ];
}

function faultsOfError(value: JsonValue, status: number): string[] {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const { code, message, status: inside } = Object.fromEntries(members) as Record<string, JsonValue>;
  const isError =
    members.map(([name]) => name).join() === 'code,message,status' &&
    typeof code === 'string' &&
    /^[a-z][a-z0-9_]*$/.test(code) &&
    typeof message === 'string' &&
    message.length > 0 &&
    message.length < 2000 &&
    inside === status;
  return isError ? [] : [`${JSON.stringify(members)} is no Error of ${status}`];
}

/**
 * What must hold between any two requests (petstore.md §5), read from the exported state and written without a look at
 * the rules of the Petstore.
 */
export function brokenByState(stateText: string): string[] {
  const { collections } = parseJson(stateText) as { readonly collections: Readonly<Record<string, JsonObject[]>> };
  const all = (path: string): JsonObject[] => collections[path] ?? [];
  const shown = (id: JsonValue | undefined): string => stringifyJson(id ?? null);
  const pets = new Map(all('/pets').map((pet) => [pet['id'], pet]));
  const stock = new Map(all('/inventory').map((item) => [item['petId'], item]));
  const categories = new Set(all('/categories').map(({ id }) => id));
  const open = all('/store/orders').filter(({ petId, complete }) => petId !== undefined && complete !== true);
  const broken: string[] = [];
  const claim = (holds: boolean, text: string): void => {
    if (!holds) broken.push(text);
  };
  claim(pets.size === all('/pets').length && stock.size === all('/inventory').length, 'a key is there twice');
  claim(pets.size === stock.size, 'pets and inventory items are not the same number');
  for (const [id, { status, categoryId }] of pets) {
    const quantity = Number(stock.get(id)?.['quantity'] ?? -1);
    claim(stock.get(id)?.['status'] === status, `pet ${shown(id)} has another status than its stock`);
    claim(quantity >= 0, `pet ${shown(id)} has a stock of ${quantity}`);
    claim(status !== 'available' || quantity > 0, `pet ${shown(id)} is available with a stock of ${quantity}`);
    claim(status !== 'sold' || quantity === 0, `pet ${shown(id)} is sold with a stock of ${quantity}`);
    claim(status !== 'sold' || !open.some(({ petId }) => petId === id), `pet ${shown(id)} is sold with an open order`);
    claim(categories.has(categoryId), `pet ${shown(id)} has no category`);
  }
  for (const { id, petId, quantity } of all('/store/orders')) {
    claim(petId === undefined || pets.has(petId), `order ${shown(id)} has no pet`);
    claim(petId === undefined || Number(quantity) >= 1, `order ${shown(id)} has no quantity`);
  }
  return broken;
}
