import type { ServerParts } from '../adapters/create-mock-server';
import { createInProcessTransport } from '../adapters/in-process-transport';
import { ConfigError } from '../errors/harness-error';
import { similarName } from '../errors/similar-name';
import type { ApiModel, Operation } from '../openapi/model';
import { templateShape } from '../openapi/route-table';
import { operationOf, withQueryVariables } from '../openapi/operation-choice';
import type { OperationPlan } from '../mock/operation-plan';
import { explainOperation, placeOf, type Reason } from './explanation';

/** Why one request gets its answer. */
export interface RequestExplanation {
  readonly standin: 'request-explanation/1';
  readonly request: string;
  readonly operation: string;
  readonly route: Reason;
  /** Templates that the path fits as well, and that lost. */
  readonly runnersUp: readonly string[];
  readonly parameters: readonly string[];
  readonly security: string;
  readonly behaviour: string;
  readonly reasons: readonly Reason[];
  readonly collection: string | undefined;
  readonly key: string | undefined;
  readonly notModelled: readonly string[];
  /** Statuses that the operation documents beside the one that is answered. */
  readonly otherStatuses: readonly string[];
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  /** Why it was refused, where it was. */
  readonly refused: string | undefined;
}

const SHOWN_BODY = 600;

/**
 * Sends a request to a fresh mock of this process, and tells what led to the answer.
 *
 * @throws ConfigError for a path that matches nothing, with the nearest ones
 */
export async function explainRequest(
  parts: ServerParts,
  method: string,
  target: string,
  body: string | undefined,
): Promise<RequestExplanation> {
  const { api, mock } = parts;
  const { basePath } = mock.context;
  const below = basePath !== '' && target.startsWith(`${basePath}/`) ? target.slice(basePath.length) : target;
  const sent = requestFor(api, method, below);
  const { path, query } = sent;
  const { plan, pathParameters } = findPlan(parts, method, sent);
  const { operation } = plan;
  const { answer, reasons, notModelled } = explainOperation(api, plan);
  const response = await send(parts, method, `${basePath}${sent.target}`, sent.headers, body);
  const text = typeof response.body === 'string' ? response.body : new TextDecoder().decode(response.body);
  const binding = plan.behaviour?.binding;
  return {
    standin: 'request-explanation/1',
    request: `${method} ${basePath}${sent.target}`,
    operation: operation.id,
    route: { text: `${method} ${operation.written}`, place: placeOf(api, operation.pointer) },
    runnersUp: runnersUp(api, path, operation.path),
    parameters: [
      ...Object.entries(pathParameters)
        .filter(([name]) =>
          operation.parameters.some((parameter) => parameter.in === 'path' && parameter.name === name),
        )
        .map(([name, value]) => `${name} = ${value} (path)`),
      ...[...new URLSearchParams(query)].map(([name, value]) => queryText(operation, name, value)),
    ],
    security: securityText(operation),
    behaviour: answer,
    reasons,
    collection: binding?.resource.path,
    key: pathParameters[binding?.keyParameter ?? ''],
    notModelled,
    otherStatuses: [...operation.responses.keys()].filter((status) => status !== String(response.status)),
    status: response.status,
    headers: pairs(response.headers),
    body: text.length > SHOWN_BODY ? `${text.slice(0, SHOWN_BODY)}…` : text,
    refused: response.status < 400 ? undefined : refusedBy(text),
  };
}

/** What goes over the wire for a target that may be a template of the description. */
interface Sent {
  readonly target: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A fragment is never sent (RFC 9110 §4.2.5); what the template of an operation says there is sent where it belongs. */
function requestFor(api: ApiModel, method: string, below: string): Sent {
  const [target = ''] = below.split('#');
  const [path = '', ...queries] = target.split('?');
  const meant = api.operations.find((operation) => operation.method === method && operation.written === below);
  const told = below === target ? [] : (meant?.telling ?? []);
  const headers = told.flatMap(({ in: place, name, value = '' }) =>
    place === 'header' ? [[name.toLowerCase(), value]] : [],
  );
  const pairs = told.flatMap(({ in: place, name, value }) =>
    place === 'query' && value !== undefined ? [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`] : [],
  );
  const query = [...queries, ...pairs].join('&');
  const whole = query === '' ? path : `${path}?${query}`;
  return { target: whole, path, query, headers: Object.fromEntries(headers) as Record<string, string> };
}

/** The operation that a path and method lead to. */
function findPlan(
  { api, mock }: ServerParts,
  method: string,
  { path, query, headers }: Sent,
): { plan: OperationPlan; pathParameters: Readonly<Record<string, string>> } {
  const match = api.routes.match(path);
  if (match === undefined) throw unmatched(api, path);
  const operation = operationOf(match.route, method === 'HEAD' ? 'GET' : method, query, headers);
  const plan = operation === undefined ? undefined : mock.context.plans.get(operation);
  if (operation !== undefined && plan !== undefined)
    return { plan, pathParameters: withQueryVariables(match, operation, query).pathParameters };
  throw new ConfigError('CONFIG_INVALID', `${match.route.path} has no ${method}: it answers 405`, {
    hint: `There are ${match.route.allow}.`,
  });
}

async function send(
  { mock }: ServerParts,
  method: string,
  target: string,
  told: Readonly<Record<string, string>>,
  body: string | undefined,
): ReturnType<ReturnType<typeof createInProcessTransport>['send']> {
  const headers = { ...told, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  return createInProcessTransport(mock.engine).send({
    method,
    target,
    headers,
    rawHeaders: Object.entries(headers).flat(),
    body: new TextEncoder().encode(body ?? ''),
  });
}

function unmatched(api: ApiModel, path: string): ConfigError {
  const paths = [...new Set(api.operations.map((operation) => operation.path))];
  const firstOf = (each: string): string => each.split('/')[1] ?? '';
  const first = similarName(firstOf(path), paths.map(firstOf)) ?? firstOf(path);
  const near = similarName(path, paths) ?? paths.findLast((each) => firstOf(each) === first);
  return new ConfigError('CONFIG_INVALID', `Nothing in the description matches ${path}`, {
    hint:
      near === undefined
        ? `There are ${paths.slice(0, 8).join(', ')}${paths.length > 8 ? ', …' : ''}.`
        : `Did you mean ${near}?`,
  });
}

/** Other templates with as many segments that the path fits. */
function runnersUp({ routes }: ApiModel, path: string, winner: string): string[] {
  const segments = path.split('/');
  return routes.routes
    .map((route) => route.path)
    .filter((template) => {
      const parts = template.split('/');
      // What differs in the names of its variables alone is the same path.
      if (templateShape(template) === templateShape(winner) || parts.length !== segments.length) return false;
      return parts.every((part, index) => part.includes('{') || part === segments[index]);
    });
}

function queryText({ parameters }: Operation, name: string, value: string): string {
  const isDeclared = parameters.some(
    (parameter) => parameter.in === 'query' && parameter.name === name.replace(/\[\]$/, ''),
  );
  return `${name} = ${value} (query${isDeclared ? '' : ', not declared: it has no effect'})`;
}

function securityText({ security }: Operation): string {
  if (security.length === 0) return 'none';
  return security
    .map((names) => (names.length === 0 ? 'nothing' : names.map(({ name }) => name).join(' and ')))
    .join(', or ');
}

function pairs(raw: readonly string[]): string[] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${raw[index + 1] ?? ''}`] : []));
}

/** The message of an error body, wherever the description wants it. */
function refusedBy(text: string): string {
  return /"(?:detail|message|title|error)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? 'the body tells why';
}
