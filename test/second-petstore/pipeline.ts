import type { IncomingMessage } from 'node:http';
import { entityTag, optionsAnswer, type Answer } from './answer';
import { badParameter, Failure } from './failure';
import { fingerprint, readJson, type Json, type JsonMap } from './json-text';
import type { Page } from './listing';
import { findResource, rowOf, ROUTES, type Operation, type Resource, type Route } from './operations';
import { pathId, readQuery, splitTarget } from './query';
import {
  apiKeyOf,
  needJsonAccepted,
  needJsonContent,
  needNoEncoding,
  type Preferences,
  preferencesOf,
  tagMatches,
  valuesOf,
} from './request-headers';
import { checkBody } from './shapes';
import type { Shop } from './shop';

const LARGEST_BODY = 1024 * 1024;
const LONGEST_TARGET = 8 * 1024;
const REMEMBERED_FOR = 24 * 3600 * 1000;
const SUNSET = Date.UTC(2030, 11, 5);

export interface Deployment {
  readonly shop: Shop;
  readonly keys: ReadonlySet<string>;
  /** Without the optional extras. */
  readonly plain: boolean;
  readonly now: () => number;
  readonly remembered: Map<string, { readonly payload: string; readonly until: number; readonly answer: Answer }>;
}

interface Exchange {
  readonly deployment: Deployment;
  readonly request: IncomingMessage;
  readonly route: Route;
  readonly operation: Operation;
  readonly target: { readonly path: string; readonly query: string };
  readonly base: string;
}

function readBody(request: IncomingMessage): Promise<Buffer> {
  const tooLarge = new Failure(413, 'body_too_large', `More than ${LARGEST_BODY} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > LARGEST_BODY) throw tooLarge;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LARGEST_BODY) reject(tooLarge);
      else chunks.push(chunk);
    });
    request.on('end', () => {
      resolve(Buffer.concat(chunks));
    });
    request.on('error', reject);
  });
}

const methodOf = (request: IncomingMessage): string => (request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET'));

function offered(route: Route, plain: boolean): Record<string, Operation> {
  const operations = Object.entries(route.methods).filter(([, operation]) => !plain || operation.plain);
  return Object.fromEntries(operations);
}

function allowOf(methods: readonly string[]): string {
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].toSorted().join(', ');
}

/** From the request line to an operation, or to an answer that needs none. */
export async function handle(request: IncomingMessage, deployment: Deployment): Promise<Answer> {
  const { url = '/' } = request;
  if (url.length > LONGEST_TARGET) throw new Failure(414, 'uri_too_long', 'The address is too long.');
  if (valuesOf(request, 'host').length !== 1) throw new Failure(400, 'bad_request', 'One Host field, please.');
  const target = splitTarget(url);
  const route = ROUTES.find(({ path }) => path.test(target.path));
  const operations = route ? offered(route, deployment.plain) : {};
  const methods = Object.keys(operations);
  if (!route || methods.length === 0) throw new Failure(404, 'route_not_found', 'Nothing lives at this address.');
  const allow = allowOf(methods);
  if (request.method === 'OPTIONS') return optionsAnswer(request, allow);
  const operation = operations[methodOf(request)];
  if (!operation) throw new Failure(405, 'method_not_allowed', 'That cannot be done here.', { Allow: allow });
  const base = `http://${request.headers.host ?? ''}`;
  return operate({ deployment, request, route, operation, target, base });
}

/** The checks in the order in which their faults win, then the effect. */
async function operate(exchange: Exchange): Promise<Answer> {
  const { request, operation, deployment } = exchange;
  const key = apiKeyOf(request, deployment.keys);
  const notice = lifecycleHeaders(exchange);
  if (notice && deployment.now() >= SUNSET) {
    throw new Failure(410, 'operation_sunset', 'This has ended.', { Link: notice['Link'] ?? '' });
  }
  try {
    needJsonAccepted(request);
    const sent = operation.body ? await readWithHeaders(request) : Buffer.alloc(0);
    const answer = perform(exchange, key, sent);
    return notice ? { ...answer, headers: { ...notice, ...answer.headers } } : answer;
  } catch (failure) {
    if (!notice || !(failure instanceof Failure)) throw failure;
    throw new Failure(failure.status, failure.code, failure.message, { ...notice, ...failure.headers });
  }
}

function perform(exchange: Exchange, key: string, sent: Buffer): Answer {
  const { request, operation, deployment, target } = exchange;
  const wishes = deployment.plain ? { minimal: false, strict: false } : preferencesOf(request);
  const id = idOf(exchange);
  const query = readQuery(target.query, operation.query ?? {}, wishes.strict);
  const retryKey = operation.create && !deployment.plain ? retryKeyOf(request) : undefined;
  const body = bodyOf(operation, sent, wishes);
  const now = (): Answer => withPreferences(effect(exchange, id, query, body), exchange, wishes);
  return retryKey === undefined ? now() : once(exchange, `${key} ${retryKey}`, fingerprint(body), now);
}

async function readWithHeaders(request: IncomingMessage): Promise<Buffer> {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
  if (length !== '0' || coding !== undefined) {
    needNoEncoding(request);
    needJsonContent(request);
  }
  return readBody(request);
}

function bodyOf(operation: Operation, sent: Buffer, wishes: Preferences): JsonMap {
  if (!operation.body) return new Map<string, Json>();
  if (sent.length === 0) throw new Failure(400, 'missing_body', 'A body has to be there.');
  return checkBody(readJson(sent), operation.body, wishes.strict);
}

function idOf({ route, target }: Exchange): bigint {
  const segment = route.path.exec(target.path)?.[1];
  return route.id === undefined || segment === undefined ? 0n : pathId(route.id, segment);
}

function retryKeyOf(request: IncomingMessage): string | undefined {
  const values = valuesOf(request, 'idempotency-key');
  if (values.length === 0) return undefined;
  const [value = ''] = values;
  if (values.length > 1 || value === '' || value.length > 255) {
    throw badParameter('Idempotency-Key', 'is not one value of 1 to 255 characters');
  }
  return value;
}

/** Only what succeeded is remembered, so that a refused request can be repeated. */
function once({ deployment, operation }: Exchange, key: string, payload: string, perform: () => Answer): Answer {
  const name = `${operation.name} ${key}`;
  const known = deployment.remembered.get(name);
  if (known && known.until > deployment.now()) {
    if (known.payload === payload) return known.answer;
    throw new Failure(422, 'idempotency_key_reused', 'This Idempotency-Key came with another payload before.');
  }
  const answer = perform();
  deployment.remembered.set(name, { payload, until: deployment.now() + REMEMBERED_FOR, answer });
  return answer;
}

function effect(exchange: Exchange, id: bigint, query: ReadonlyMap<string, unknown>, body: JsonMap): Answer {
  const { operation, deployment } = exchange;
  const { shop } = deployment;
  const input = { shop, query, body };
  if (operation.list) return listAnswer(exchange, operation.list(input));
  if (operation.create) return createdAnswer(exchange, operation.create(input));
  const resource = findResource(shop, exchange.route.collection, id);
  if (!resource) throw new Failure(404, 'resource_not_found', `There is nothing with the id ${id}.`);
  return operation.read ? readAnswer(exchange, resource) : changeAnswer(exchange, resource, input);
}

function listAnswer({ deployment, target, base }: Exchange, page: Page): Answer {
  if (deployment.plain) return { status: 200, headers: {}, body: page.rows };
  const links = page.links.map(({ rel, cursor }) => {
    const query = new URLSearchParams(target.query);
    query.delete('cursor');
    if (cursor !== undefined) query.set('cursor', cursor);
    const text = query.toString();
    return `<${base}${target.path}${text === '' ? '' : `?${text}`}>; rel="${rel}"`;
  });
  return { status: 200, headers: { 'X-Total-Count': String(page.total), Link: links.join(', ') }, body: page.rows };
}

function createdAnswer({ deployment, route, target, base }: Exchange, resource: Resource): Answer {
  const body = rowOf(route.collection, resource);
  const location = `${base}${target.path}/${resource.id}`;
  if (!deployment.plain) return { status: 201, headers: { Location: location, ETag: entityTag(body) }, body };
  // A plain deployment has no address for a single category.
  return { status: 201, headers: route.collection === 'pets' ? { Location: location } : {}, body };
}

function readAnswer({ deployment, request, route }: Exchange, resource: Resource): Answer {
  const body = rowOf(route.collection, resource);
  if (deployment.plain) return { status: 200, headers: {}, body };
  const tag = entityTag(body);
  const known = valuesOf(request, 'if-none-match');
  const fresh = known.length > 0 && tagMatches(known.join(', '), tag, 'weak');
  return fresh ? { status: 304, headers: { ETag: tag } } : { status: 200, headers: { ETag: tag }, body };
}

function needPreconditions({ deployment, request, route }: Exchange, resource: Resource): void {
  const wanted = valuesOf(request, 'if-match');
  if (deployment.plain || wanted.length === 0) return;
  if (!tagMatches(wanted.join(', '), entityTag(rowOf(route.collection, resource)), 'strong')) {
    throw new Failure(412, 'precondition_failed', 'It has changed since.');
  }
}

function changeAnswer(
  exchange: Exchange,
  resource: Resource,
  input: Parameters<NonNullable<Operation['list']>>[0],
): Answer {
  const { operation, deployment, route } = exchange;
  needPreconditions(exchange, resource);
  if (operation.remove) {
    operation.remove(resource as never, input);
    return { status: 204, headers: {} };
  }
  operation.change?.(resource as never, input);
  const body = rowOf(route.collection, resource);
  const tagged = operation.tagged && !deployment.plain;
  return { status: 200, headers: tagged ? { ETag: entityTag(body) } : {}, body };
}

function withPreferences(answer: Answer, { operation }: Exchange, wishes: Preferences): Answer {
  const leaveOut = wishes.minimal && operation.body !== undefined;
  const applied = [...(leaveOut ? ['return=minimal'] : []), ...(wishes.strict ? ['handling=strict'] : [])];
  if (applied.length === 0) return answer;
  const preference = { 'Preference-Applied': applied.join(', ') };
  const { status, headers } = answer;
  if (!leaveOut) return { ...answer, headers: { ...headers, ...preference } };
  if (status === 201) return { status, headers: { ...headers, ...preference, 'Content-Length': '0' } };
  return { status: 204, headers: preference };
}

/** What tells callers of the deprecated read that it ends, and what replaces it. */
function lifecycleHeaders({ deployment, operation, target, base }: Exchange): Record<string, string> | undefined {
  const id = /([0-9]+)$/.exec(target.path)?.[1];
  if (operation.name !== 'getPet' || deployment.plain || id === undefined) return undefined;
  const links = [
    `<${base}/pets?id=${id}>; rel="successor-version"`,
    `<${base}/docs#getPet>; rel="deprecation"; type="text/html"`,
    `<${base}/docs#sunset>; rel="sunset"`,
  ];
  return {
    Deprecation: '@1767225600',
    Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
    Link: links.join(', '),
  };
}
