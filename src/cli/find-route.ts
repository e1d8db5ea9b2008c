import type { ServerParts } from '../adapters/create-mock-server';
import { ConfigError } from '../errors/harness-error';
import { similarName } from '../errors/similar-name';
import { matchPath } from '../mock/match-path';
import type { OperationPlan } from '../mock/operation-plan';
import type { ApiModel } from '../openapi/model';
import { operationOf, withQueryVariables } from '../openapi/operation-choice';
import { templateShape, type RouteMatch } from '../openapi/route-table';

/** Where a request is routed to. */
export interface Route {
  readonly plan: OperationPlan;
  readonly match: RouteMatch;
  /** With the base path. */
  readonly path: string;
  readonly query: string;
  /** What the template of the operation says in headers. */
  readonly headers: Readonly<Record<string, string>>;
  readonly variables: readonly { readonly name: string; readonly value: string }[];
  /** Templates that the path fits as well, and that lost. */
  readonly runnersUp: readonly string[];
}

/**
 * The operation that a method and target lead to.
 *
 * @param target - with the base path or without it; a template of the description stands for what it says
 * @throws ConfigError for what nothing matches, with what is near
 */
export function findRoute(parts: ServerParts, method: string, target: string): Route {
  const { api, mock } = parts;
  const { context } = mock;
  const { path, query, headers } = splitTarget(api, method, target);
  const matched = matchAnywhere(parts, path);
  if (matched === undefined) throw unmatched(api, path);
  const { match } = matched;
  const { allow, operations } = match.route;
  if (method === 'OPTIONS' && !operations.has('OPTIONS'))
    throw new ConfigError('CONFIG_INVALID', `OPTIONS ${match.route.path} is no operation of the description`, {
      hint: `The mock answers it by itself: 204 with Allow: ${allow}.`,
    });
  const asked = method === 'HEAD' && !operations.has('HEAD') ? 'GET' : method;
  const operation = operationOf(match.route, asked, query, headers);
  const plan = operation === undefined ? undefined : context.plans.get(operation);
  if (operation === undefined || plan === undefined)
    throw new ConfigError('CONFIG_INVALID', `${match.route.path} has no ${method}: it answers 405`, {
      hint: `There are ${allow}.`,
    });
  const found = withQueryVariables(match, operation, query);
  return {
    plan,
    match: found,
    path: matched.path,
    query,
    headers,
    variables: Object.entries(found.pathParameters)
      .filter(([name]) => operation.parameters.some((each) => each.in === 'path' && each.name === name))
      .map(([name, value]) => ({ name, value })),
    runnersUp: runnersUp(context.mounts.find(({ basePath }) => basePath === match.basePath)?.routes.routes ?? [], {
      path: matched.path.slice(match.basePath.length),
      winner: operation.path,
    }),
  };
}

/** As it is, else below one of the base paths. */
function matchAnywhere(
  { mock }: ServerParts,
  below: string,
): { readonly match: RouteMatch; readonly path: string } | undefined {
  const { context } = mock;
  for (const before of ['', ...context.mounts.map(({ basePath }) => basePath)]) {
    const path = `${before}${below}`;
    const match = matchPath(context, path);
    if (!('code' in match)) return { match, path };
  }
  return undefined;
}

/** A fragment is never sent (RFC 9110 §4.2.5); what the template of an operation says there is sent where it belongs. */
function splitTarget(
  api: ApiModel,
  method: string,
  target: string,
): { readonly path: string; readonly query: string; readonly headers: Readonly<Record<string, string>> } {
  const [beforeFragment = ''] = target.split('#');
  const [path = '', ...queries] = beforeFragment.split('?');
  const meant = api.operations.find((operation) => operation.method === method && target.endsWith(operation.written));
  const told = meant === undefined || target === beforeFragment ? [] : meant.telling;
  const headers = told.flatMap(({ in: place, name, value = '' }) =>
    place === 'header' ? [[name.toLowerCase(), value] as const] : [],
  );
  const pairs = told.flatMap(({ in: place, name, value }) =>
    place === 'query' && value !== undefined ? [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`] : [],
  );
  return { path, query: [...queries, ...pairs].join('&'), headers: Object.fromEntries(headers) };
}

function unmatched(api: ApiModel, path: string): ConfigError {
  const paths = [...new Set(api.operations.map((operation) => operation.path))];
  const firstOf = (each: string): string => each.split('/')[1] ?? '';
  const first = similarName(firstOf(path), paths.map(firstOf)) ?? firstOf(path);
  // With its own values in place of the variables, a path is held against what is written alone.
  const filled = new Map(paths.map((template) => [filledLike(template, path), template]));
  const likely = similarName(path, [...filled.keys()]);
  const near =
    likely === undefined
      ? (similarName(path, paths) ?? paths.findLast((each) => firstOf(each) === first))
      : filled.get(likely);
  return new ConfigError('CONFIG_INVALID', `Nothing in the description matches ${path}`, {
    hint:
      near === undefined
        ? `There are ${paths.slice(0, 8).join(', ')}${paths.length > 8 ? ', …' : ''}.`
        : `Did you mean ${near}?`,
  });
}

function filledLike(template: string, path: string): string {
  const segments = path.split('/');
  return template
    .split('/')
    .map((part, index) => (part.startsWith('{') && part.endsWith('}') ? (segments[index] ?? part) : part))
    .join('/');
}

/** Other templates with as many segments that the path fits. */
function runnersUp(
  routes: readonly { readonly path: string }[],
  { path, winner }: { readonly path: string; readonly winner: string },
): string[] {
  const segments = path.split('/');
  return routes
    .map((route) => route.path)
    .filter((template) => {
      const parts = template.split('/');
      // What differs in the names of its variables alone is the same path.
      if (templateShape(template) === templateShape(winner) || parts.length !== segments.length) return false;
      return parts.every((part, index) => part.includes('{') || part === segments[index]);
    });
}
