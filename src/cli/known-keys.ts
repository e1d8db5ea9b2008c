import type { ServerParts } from '../adapters/create-mock-server';
import type { JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import type { OperationPlan, PlannedBehaviour } from '../mock/operation-plan';
import type { Key } from '../mock/order';
import type { Resource } from '../mock/resource';
import { collectionOf } from '../mock/state';
import { fillTemplate } from '../resources/collection-name';
import { firstCollection, type FirstCollection } from './explain-rows';
import type { Route } from './find-route';
import { valueFor } from './made-value';

/** Values of path parameters that lead to a row. */
export function knownKeys(
  parts: ServerParts,
  route: Pick<Route, 'plan' | 'variables'>,
): ReadonlyMap<string, JsonValue> {
  const keys = new Map<string, JsonValue>();
  const meant = placeOf(parts, route.plan);
  if (meant === undefined) return keys;
  const { binding } = meant;
  const { values, name, key } = collectionFor(parts, route, meant);
  for (const [index, parameter] of binding.scopeParameters.entries()) put(keys, parameter, values[index]);
  if (key !== undefined) {
    put(keys, binding.keyParameter, key);
    const row = collectionOf(parts.mock.initial, name)?.get(key) ?? {};
    for (const { parameter, member } of binding.restrictions) put(keys, parameter, row[member]);
  }
  // A list below an item that its rows do not name: any item of the parent does.
  for (const { parameter, parent } of binding.restrictions) put(keys, parameter, firstKey(parts, parent));
  return keys;
}

/**
 * Values that a path needs to lead to a row, other than those that it has: of its last variable alone where that is
 * enough, else of all.
 */
export function existingKeys(parts: ServerParts, route: Route): { name: string; value: string }[] {
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
type Place = Pick<PlannedBehaviour, 'resource' | 'binding'>;

function placeOf({ mock }: ServerParts, { behaviour, above }: OperationPlan): Place | undefined {
  if (behaviour !== undefined || above === undefined) return behaviour;
  const resource = mock.context.resources.get(above.resource);
  return resource === undefined ? undefined : { resource, binding: above.binding };
}

/** The collection that a path with some variables left means: one with rows, below the items that were named. */
function collectionFor(
  parts: ServerParts,
  { plan, variables }: Pick<Route, 'plan' | 'variables'>,
  { resource, binding }: Place,
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
    else values.push(firstKeyBelow(parts, parent, values) ?? madeKey(parts, plan, binding.scopeParameters[index]));
  }
  const name = fillTemplate(path, values);
  return { name, values, key: firstRow(parts, name) };
}

function firstKeyBelow(parts: ServerParts, parent: Resource | undefined, values: readonly Key[]): Key | undefined {
  if (parent === undefined) return undefined;
  return firstRow(parts, fillTemplate(parent.path, values.slice(0, parent.scope.length)));
}

function firstRow({ mock }: ServerParts, name: string): Key | undefined {
  const [first] = collectionOf(mock.initial, name)?.entries() ?? [];
  return first?.[0];
}

/** Of what nothing keeps, anything will do. */
function madeKey(parts: ServerParts, { operation }: OperationPlan, name: string | undefined): Key {
  const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name);
  const made = parameter === undefined ? undefined : valueFor(parts, parameter);
  return typeof made === 'number' || typeof made === 'string' ? made : 'x';
}

/** The key of a row that a resource has. @param path - of the resource */
export function firstKey(parts: ServerParts, path: string | undefined): Key | undefined {
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
