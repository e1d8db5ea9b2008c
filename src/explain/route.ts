import { ConfigError } from '../core/errors/standin-error';
import type { JsonValue } from '../core/json/json-value';
import { scalarText } from '../core/json/stringify-json';
import { similarName } from '../core/text/similar-name';
import type { ExplainedMock } from './explained-mock';
import type { Key } from '../lists/sort-values';
import { matchPath } from '../mock/pipeline/request-routing';
import type { OperationPlan, PlannedBehaviour } from '../mock/plans/operation-plan';
import type { Resource } from '../mock/state/prepared-resource';
import { collectionOf } from '../mock/state/state';
import type { ApiModel } from '../openapi/model/api-model';
import type { Parameter, Schema } from '../openapi/model/operation';
import { type RouteMatch, selectOperation, withQueryVariables } from '../openapi/model/operation-selection';
import { templateShape } from '../openapi/model/route-table';
import { samplerOf } from '../payload/sampler/sampler';
import { fillTemplate } from '../resources/model/resource';
import { firstCollection, type FirstCollection } from './data-origins';

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
export function findRoute(parts: ExplainedMock, method: string, target: string): Route {
  const { api, mock } = parts;
  const { context } = mock;
  const { path, query, headers } = splitTarget(api, method, target);
  const matched = matchAnywhere(parts, method, path);
  if (matched === undefined) throw unmatched(api, path);
  const { match } = matched;
  const { allow, operations } = match.route;
  if (method === 'OPTIONS' && !operations.has('OPTIONS'))
    throw new ConfigError('CONFIG_INVALID', `OPTIONS ${match.route.path} is not an operation of the description`, {
      hint: `The mock responds by itself: 204 with Allow: ${allow}.`,
    });
  const asked = method === 'HEAD' && !operations.has('HEAD') ? 'GET' : method;
  const operation = selectOperation(match.route, asked, query, headers);
  const plan = operation === undefined ? undefined : context.plans.get(operation);
  if (operation === undefined || plan === undefined)
    throw new ConfigError('CONFIG_INVALID', `${match.route.path} has no ${method}: it gets 405`, {
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
  { mock }: ExplainedMock,
  method: string,
  below: string,
): { readonly match: RouteMatch; readonly path: string } | undefined {
  const { context } = mock;
  for (const before of ['', ...context.mounts.map(({ basePath }) => basePath)]) {
    const path = `${before}${below}`;
    const match = matchPath(context, { path, method });
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
  const told = meant === undefined || target === beforeFragment ? [] : meant.selectors;
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

/** A value that a parameter may have. @returns `undefined` where its schema allows none that could be made */
export function valueFor(parts: ExplainedMock, { schema }: Parameter): JsonValue | undefined {
  return schema === undefined ? 'x' : sampleOf(parts, schema);
}

/** The same of a schema, as a request has it. @param ordinal - another number, another value */
export function sampleOf({ api, mock }: ExplainedMock, schema: Schema, ordinal = 0): JsonValue | undefined {
  const made = samplerOf(api).sample(schema, { seed: mock.context.options.seed, direction: 'request', ordinal });
  // What several schemas of a `oneOf` allow is still the best that there is.
  return made.kind === 'made' ? made.value : made.ambiguous;
}

/** Values of path parameters that lead to an item. */
export function knownKeys(
  parts: ExplainedMock,
  route: Pick<Route, 'plan' | 'variables'>,
): ReadonlyMap<string, JsonValue> {
  const keys = new Map<string, JsonValue>();
  const meant = pathTargetOf(parts, route.plan);
  if (meant === undefined) return keys;
  const { binding } = meant;
  const { values, name, key } = collectionFor(parts, route, meant);
  for (const [index, parameter] of binding.scopeParameters.entries()) put(keys, parameter, values[index]);
  if (key !== undefined) {
    put(keys, binding.keyParameter, key);
    const item = collectionOf(parts.mock.initial, name)?.get(key) ?? {};
    for (const { parameter, property } of binding.restrictions) put(keys, parameter, item[property]);
  }
  // A list below an item that its rows do not name: any item of the parent does.
  for (const { parameter, parent } of binding.restrictions) put(keys, parameter, firstKey(parts, parent));
  return keys;
}

/**
 * Values that a path needs to lead to an item, other than those that it has: of its last variable alone where that is
 * enough, else of all.
 */
export function existingKeys(parts: ExplainedMock, route: Route): { name: string; value: string }[] {
  const { variables } = route;
  for (const opened of [variables.slice(-1), variables]) {
    const open = new Set(opened.map(({ name }) => name));
    const asked = variables.map((each) => (open.has(each.name) ? { ...each, value: `{${each.name}}` } : each));
    const known = knownKeys(parts, { ...route, variables: asked });
    const found = opened.flatMap(({ name, value: given }) => {
      const value = known.get(name);
      return value === undefined ? [] : [{ name, value: scalarText(value), given }];
    });
    if (found.length === opened.length)
      return found.flatMap(({ name, value, given }) => (value === given ? [] : [{ name, value }]));
  }
  return [];
}

/** What the path leads to: the items of the operation, else the item above it. */
type PathTarget = Pick<PlannedBehaviour, 'resource' | 'binding'>;

function pathTargetOf({ mock }: ExplainedMock, { behaviour, parentItem }: OperationPlan): PathTarget | undefined {
  if (behaviour !== undefined || parentItem === undefined) return behaviour;
  const resource = mock.context.resources.get(parentItem.resource);
  return resource === undefined ? undefined : { resource, binding: parentItem.binding };
}

/** The collection that a path with some variables left means: one with rows, below the items that were named. */
function collectionFor(
  parts: ExplainedMock,
  { plan, variables }: Pick<Route, 'plan' | 'variables'>,
  { resource, binding }: PathTarget,
): FirstCollection {
  const { scope, path } = resource;
  const given = binding.scopeParameters.map((name) => variables.find((each) => each.name === name)?.value ?? '');
  const isOpen = given.every((value) => isTemplate(value));
  const first = isOpen ? firstCollection(parts, resource) : undefined;
  if (first?.key !== undefined) return first;
  const values: Key[] = [];
  for (const [index, { parent: above }] of scope.entries()) {
    const text = given[index] ?? '';
    const parent = parts.mock.resources.find((each) => each.path === above);
    if (!isTemplate(text)) values.push(parent?.toKey(text) ?? text);
    else values.push(firstChildKey(parts, parent, values) ?? sampledKey(parts, plan, binding.scopeParameters[index]));
  }
  const name = fillTemplate(path, values);
  return { name, values, key: firstItemKey(parts, name) };
}

function firstChildKey(parts: ExplainedMock, parent: Resource | undefined, values: readonly Key[]): Key | undefined {
  if (parent === undefined) return undefined;
  return firstItemKey(parts, fillTemplate(parent.path, values.slice(0, parent.scope.length)));
}

function firstItemKey({ mock }: ExplainedMock, name: string): Key | undefined {
  const [first] = collectionOf(mock.initial, name)?.entries() ?? [];
  return first?.[0];
}

/** Of what nothing keeps, anything will do. */
function sampledKey(parts: ExplainedMock, { operation }: OperationPlan, name: string | undefined): Key {
  const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name);
  const made = parameter === undefined ? undefined : valueFor(parts, parameter);
  return typeof made === 'number' || typeof made === 'string' ? made : 'x';
}

/** The key of an item that a resource has. @param path - of the resource */
export function firstKey(parts: ExplainedMock, path: string | undefined): Key | undefined {
  const resource = parts.mock.resources.find((each) => each.path === path);
  return resource === undefined ? undefined : firstCollection(parts, resource)?.key;
}

function put(keys: Map<string, JsonValue>, name: string | undefined, value: JsonValue | bigint | undefined): void {
  if (name === undefined || value === undefined || keys.has(name)) return;
  keys.set(name, typeof value === 'bigint' ? String(value) : value);
}

function isTemplate(value: string): boolean {
  return value.startsWith('{') && value.endsWith('}');
}
