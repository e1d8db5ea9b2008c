import type { Problem } from '../checks/problem';
import type { Operation } from '../openapi/model';
import { variablesOf, type PathTemplate } from '../resources/path-template';
import type { Binding } from '../resources/resource-model';
import { belongsTo } from './behaviours/target';
import type { Call } from './call';
import type { Draft } from './draft';
import { findItem } from './find-item';
import type { Item } from './item';
import { nearestItem, type ItemPlace, type ItemPlaces } from './item-places';
import type { Key } from './order';
import type { Parents } from './parents';
import type { Resource } from './resource';
import { notThere, planScope } from './scope';

/** The item that the path of an operation names on its way: `/users/{id}` of `/users/{id}/avatar`. */
export interface Above {
  /** Path template of the item. */
  readonly path: string;
  /** Path of its collection. */
  readonly resource: string;
  /** How the item itself is found, with the names that the operation has for the variables. */
  readonly binding: Binding;
  /** @returns 404 where there is no such item */
  missing(call: Call, draft: Draft): Problem | undefined;
  /** The item itself, where there is one. */
  item(call: Call, draft: Draft): PlacedItem | undefined;
}

/** An item, and where it is stored. */
export interface PlacedItem {
  readonly collection: string;
  readonly key: Key;
  readonly item: Item;
}

/**
 * Finds the nearest item above an operation, whether the operation itself is answered from state or not.
 *
 * @param own - what the operation is bound to, which looks at items above itself
 * @param template - the place that the operation is about
 * @returns `undefined` where there is none, and where the operation looks at it already
 */
export function planAbove(
  operation: Operation,
  own: Binding | undefined,
  places: ItemPlaces,
  resources: readonly Resource[],
  template: PathTemplate | undefined,
  parents: Parents,
): Above | undefined {
  const found = template === undefined ? undefined : nearestItem(template, places);
  if (template === undefined || found === undefined || looksAt(own, found.binding.resource.path)) return undefined;
  const resource = resources.find(({ path }) => path === found.binding.resource.path);
  const binding = renamed(found, template);
  const { keyParameter } = binding;
  const named = [...binding.scopeParameters, ...binding.restrictions.map(({ parameter }) => parameter), keyParameter];
  const declared = new Set(operation.parameters.flatMap(({ in: place, name }) => (place === 'path' ? [name] : [])));
  // A variable that is not declared has no value.
  if (resource === undefined || keyParameter === undefined || !named.every((name) => declared.has(name ?? '')))
    return undefined;
  const scopeOf = planScope(binding, resource, resources, parents);
  const itemOf = (call: Call, draft: Draft): PlacedItem | undefined => {
    const scope = scopeOf(call, draft);
    if ('code' in scope) return undefined;
    const found = findItem(resource, scope.collection, call.parameters.path.get(keyParameter), draft);
    return found !== undefined && belongsTo(scope, found.item) ? { ...found, collection: scope.collection } : undefined;
  };
  return {
    item: itemOf,
    path: found.template.path,
    resource: resource.path,
    binding,
    missing(call, draft) {
      const scope = scopeOf(call, draft);
      if ('code' in scope) return scope;
      const value = call.parameters.path.get(keyParameter);
      const key = parents.find(resource, scope.values, value, call, draft);
      const item = key === undefined ? undefined : draft.get(scope.collection, key);
      const isThere = key !== undefined && (item === undefined || belongsTo(scope, item));
      return isThere ? undefined : notThere(keyParameter, value, resource, scope.values);
    },
  };
}

function looksAt(own: Binding | undefined, path: string): boolean {
  if (own === undefined) return false;
  return (
    own.resource.path === path || [...own.resource.scope, ...own.restrictions].some(({ parent }) => parent === path)
  );
}

/** The binding of an item with the names that another operation has for the variables of its path. */
function renamed({ template, binding }: ItemPlace, { segments }: PathTemplate): Binding {
  const theirs = variablesOf(segments);
  const names = new Map(variablesOf(template.segments).map((name, index) => [name, theirs[index] ?? name]));
  const rename = (name: string): string => names.get(name) ?? name;
  return {
    ...binding,
    scopeParameters: binding.scopeParameters.map(rename),
    keyParameter: rename(binding.keyParameter ?? ''),
    restrictions: binding.restrictions.map((each) => ({ ...each, parameter: rename(each.parameter) })),
  };
}
