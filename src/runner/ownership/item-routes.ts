import { isJsonNumber, toCanonical, toLexeme } from '../../core/json/exact-number';
import { type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { jsonContent } from '../../openapi/view/responses';
import { isSpecificName } from './path-names';
import { parseTarget } from '../../core/http/request-target';
import type { Operation } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Route, RouteMatch } from '../../openapi/model/operation-selection';
import { inferResourceModel } from '../../resources/infer-resource-model';
import type { Binding } from '../../resources/model/binding';

/** A path that the items of a collection stand at: it ends in the variable that names the item. */
export interface ItemRoute {
  readonly route: Route;
  /** Name of that variable. */
  readonly variable: string;
  /** Where each other variable of the path gets its value from, by its name. */
  readonly others: ReadonlyMap<string, ValueSource>;
  /** Property of an item that holds its key, where the description tells; it may as well be another one. */
  readonly keyProperty: string | undefined;
}

/** The variable of the creation's own path with the same value, or else the property of the item that shows it. */
interface ValueSource {
  readonly variable: string | undefined;
  readonly property: string | undefined;
}

const ROUTES = new WeakMap<Operation, readonly ItemRoute[]>();

/**
 * Where what an operation creates will stand: at `/books/{bookId}` for POST on `/books`, and at every other path under
 * which the description has the same items, such as `/issues/{id}` for POST on `/projects/{project}/issues`. The
 * resource model says which these are.
 *
 * @returns the one first by which it can be removed, else read; none when nothing can be found or removed again
 */
export function itemRoutesOf(api: ApiModel, operation: Operation): readonly ItemRoute[] {
  let routes = ROUTES.get(operation);
  if (routes === undefined) {
    const below = routeBelow(api, operation);
    const found = [
      ...(below === undefined ? [] : [below]),
      ...routesElsewhere(api, operation),
      ...routesNamedInResponse(api, operation),
    ];
    const distinct = [...new Map(found.map((item) => [item.route.path, item])).values()];
    routes = distinct.sort((left, right) => preferenceOf(right) - preferenceOf(left));
    ROUTES.set(operation, routes);
  }
  return routes;
}

export function itemRouteOf(api: ApiModel, operation: Operation): ItemRoute | undefined {
  return itemRoutesOf(api, operation)[0];
}

function preferenceOf({ route: { operations } }: ItemRoute): number {
  return (operations.has('DELETE') ? 2 : 0) + (operations.has('GET') ? 1 : 0);
}

function routeBelow(api: ApiModel, operation: Operation): ItemRoute | undefined {
  const { path } = operation;
  for (const route of api.routes.routes) {
    const above = path.replace(/\/$/, '');
    const rest = route.path.startsWith(`${above}/`) ? route.path.slice(above.length + 1) : '';
    const [, variable] = /^\{([^{}/]+)\}\/?$/.exec(rest) ?? [];
    if (variable === undefined) continue;
    return itemRoute(route, variable, keyPropertyOf(bindingOf(api, operation)));
  }
  return undefined;
}

/** @param sourceFor - left out: the other variables have the same names in the path of the creation */
function itemRoute(
  route: Route,
  variable: string,
  keyProperty: string | undefined,
  sourceFor: (name: string) => ValueSource = (name) => ({ variable: name, property: undefined }),
): ItemRoute {
  const others = route.variables.filter((name) => name !== variable);
  return { route, variable, others: new Map(others.map((name) => [name, sourceFor(name)])), keyProperty };
}

/** By the operations that name one item of the same collection by its key. */
function routesElsewhere(api: ApiModel, operation: Operation): ItemRoute[] {
  const creation = bindingOf(api, operation);
  if (creation === undefined || !CREATING.has(creation.behaviour)) return [];
  return [...inferResourceModel(api).bindings.values()].flatMap((binding) => {
    const { resource, behaviour, keyParameter: variable, operation: other } = binding;
    const isItem = resource === creation.resource && ON_ITEM.has(behaviour) && variable !== undefined;
    if (!isItem || lastVariable(other) !== variable || other.written !== other.path) return [];
    const route = api.routes.routes.find(({ path }) => path === other.path);
    return route === undefined
      ? []
      : [itemRoute(route, variable, keyPropertyOf(creation), (name) => sourceOf(creation, binding, name))];
  });
}

/**
 * Where the response to a POST has nothing but one property, and that is named as the variable of another path, it is the key
 * there: `{ silenceID }` and `/silence/{silenceID}`.
 */
function routesNamedInResponse(api: ApiModel, operation: Operation): ItemRoute[] {
  if (operation.method !== 'POST') return [];
  const responses = [...operation.responses].filter(([status]) => status.startsWith('2'));
  const names = responses.flatMap(([, response]) => {
    const schema = jsonContent(response)?.schema;
    return schema === undefined ? [] : [...api.propertiesOf(schema).keys()];
  });
  const [variable] = names;
  if (variable === undefined || names.length > 1 || !isSpecificName(variable)) return [];
  const routes = api.routes.routes.filter((route) => lastVariable(route) === variable);
  return routes.map((route) => itemRoute(route, variable, undefined));
}

const CREATING: ReadonlySet<string> = new Set(['create', 'create-many']);
const ON_ITEM: ReadonlySet<string> = new Set(['read', 'replace', 'update', 'upsert', 'remove']);

function keyPropertyOf(binding: Binding | undefined): string | undefined {
  const key = binding?.resource.key;
  return key === undefined || key.isHidden ? undefined : key.name;
}

/** What fills a variable of an item's path before its key. */
function sourceOf(creation: Binding, item: Binding, name: string): ValueSource {
  const place = item.scopeParameters.indexOf(name);
  const scope = item.resource.scope[place];
  if (scope !== undefined) return { variable: creation.scopeParameters[place], property: scope.property };
  const property = item.restrictions.find(({ parameter }) => parameter === name)?.property;
  const same = creation.restrictions.find((restriction) => restriction.property === property);
  const isShown = property !== undefined && !property.startsWith('$');
  return { variable: same?.parameter, property: isShown ? property : undefined };
}

/** What the resource model says of an operation. */
export function bindingOf(api: ApiModel, operation: Operation): Binding | undefined {
  return inferResourceModel(api).bindings.get(operation);
}

/**
 * The path of an item.
 *
 * @param path - that the creation was sent to, below the base URL
 * @param shown - the item, as far as a response showed it
 * @returns `undefined` where a variable has no value, or the path is one of another operation: `/labels/all` is not a label
 */
export function fillItemRoute(
  api: ApiModel,
  { route, variable, others }: ItemRoute,
  path: string,
  key: string,
  shown: JsonObject,
): string | undefined {
  const given = routeOf(api, path)?.pathParameters ?? {};
  let item = route.path;
  for (const name of route.variables) {
    const value = name === variable ? key : valueOf(others.get(name), given, shown);
    // What is not a segment of its own would name the collection, or what is above it.
    if (value === undefined || ['', '.', '..'].includes(value)) return undefined;
    item = item.replace(`{${name}}`, () => encodeURIComponent(value));
  }
  return routeOf(api, item)?.route.path === route.path ? item : undefined;
}

function valueOf(
  source: ValueSource | undefined,
  given: Readonly<Record<string, string>>,
  shown: JsonObject,
): string | undefined {
  const { variable, property } = source ?? {};
  const named = variable === undefined ? undefined : given[variable];
  return named ?? (property === undefined ? undefined : keyText(ownProperty(shown, property)));
}

/** The variable that the template of a path ends in. */
export function lastVariable({ path }: Pick<Route, 'path'>): string | undefined {
  return /\/\{([^{}/]+)\}\/?$/.exec(path)?.[1];
}

/** A value as it stands in a path; `undefined` for what is not a key. */
export function keyText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return value !== undefined && isJsonNumber(value) ? toLexeme(toCanonical(value)) : undefined;
}

/**
 * Does an operation create something at an address of its own? A POST that documents a 201, or on a path that has
 * items below it (RFC 9110 §9.3.3) or elsewhere.
 */
export function isCreation(api: ApiModel, operation: Operation | undefined): boolean {
  if (operation?.method !== 'POST') return false;
  return operation.responses.has('201') || itemRouteOf(api, operation) !== undefined;
}

/** The route of a path, its query left out. @param path - below the base URL */
export function routeOf({ routes }: ApiModel, path: string): RouteMatch | undefined {
  const target = parseTarget(path);
  return target === undefined ? undefined : routes.match(target.path);
}

/**
 * The route of an item that an operation makes: that of its own path, for a POST one of {@link itemRoutesOf}.
 *
 * @param from - where the creation was sent
 * @param item - below the base URL
 * @returns `undefined` when the path is one of another operation, or names something below another parent
 */
export function routeOfItem(api: ApiModel, operation: Operation, from: string, item: string): Route | undefined {
  const match = routeOf(api, item);
  if (match === undefined) return undefined;
  if (operation.method !== 'POST') return match.route.path === operation.path ? match.route : undefined;
  const given = routeOf(api, from)?.pathParameters ?? {};
  const isItem = itemRoutesOf(api, operation).some(
    ({ route, others }) =>
      route.path === match.route.path &&
      [...others].every(([name, { variable }]) => {
        const value = variable === undefined ? undefined : given[variable];
        return value === undefined || value === match.pathParameters[name];
      }),
  );
  return isItem ? match.route : undefined;
}

/** What lists the items that an operation makes, and where: at its own path, or where the resource model has it. */
export function listFor(
  api: ApiModel,
  operation: Operation,
  from: string,
): { readonly operation: Operation; readonly path: string } | undefined {
  const match = routeOf(api, from);
  const here = match?.route.operations.get('GET');
  if (here !== undefined) return { operation: here, path: from };
  const creation = bindingOf(api, operation);
  if (creation === undefined || match === undefined) return undefined;
  for (const binding of inferResourceModel(api).bindings.values()) {
    if (binding.resource !== creation.resource || binding.behaviour !== 'list') continue;
    const path = filledPath(creation, binding, match.pathParameters);
    if (path !== undefined && routeOf(api, path)?.route.path === binding.operation.path) {
      return { operation: binding.operation, path };
    }
  }
  return undefined;
}

function filledPath(creation: Binding, list: Binding, given: Readonly<Record<string, string>>): string | undefined {
  let path = list.operation.path;
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    const { variable } = sourceOf(creation, list, name);
    const value = variable === undefined ? undefined : given[variable];
    if (value === undefined) return undefined;
    path = path.replace(`{${name}}`, () => encodeURIComponent(value));
  }
  return path;
}
