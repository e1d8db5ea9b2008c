import type { Problem } from '../checks/problem';
import type { Operation } from '../openapi/model';
import { shapeOf, variablesOf, type PathTemplate } from '../resources/path-template';
import type { Behaviour, Binding, ResourceModel } from '../resources/resource-model';
import { belongsTo } from './behaviours/target';
import type { Call } from './call';
import type { Draft } from './draft';
import { findItem } from './find-item';
import type { Item } from './item';
import type { Parents } from './parents';
import type { Resource } from './resource';
import { notThere, planScope } from './scope';
import { CONTENT } from './uploaded';

/** The item that the path of an operation names on its way: `/users/{id}` of `/users/{id}/avatar`. */
export interface Above {
  /** Path template of the item. */
  readonly path: string;
  /** Path of its collection. */
  readonly resource: string;
  /** Are the files that its items are made of kept with them? */
  readonly keepsFiles: boolean;
  /** How the item itself is found, with the names that the operation has for the variables. */
  readonly binding: Binding;
  /** @returns 404 where there is no such item */
  missing(call: Call, draft: Draft): Problem | undefined;
  /** The item itself, where there is one. */
  item(call: Call, draft: Draft): Item | undefined;
}

/** The templates that name one item each, by shape, with an operation that does. */
export type ItemPlaces = ReadonlyMap<string, ItemPlace>;

interface ItemPlace {
  readonly template: PathTemplate;
  readonly binding: Binding;
}

const ON_ITEM: ReadonlySet<Behaviour> = new Set(['read', 'replace', 'update', 'upsert', 'remove']);

export function itemPlaces(model: ResourceModel): ItemPlaces {
  const places = new Map<string, ItemPlace>();
  for (const binding of model.bindings.values()) {
    if (!ON_ITEM.has(binding.behaviour) || binding.keyParameter === undefined) continue;
    const template = model.templateOf(binding.operation);
    const last = template?.segments.at(-1);
    if (template === undefined || last?.kind !== 'variable' || last.name !== binding.keyParameter) continue;
    if (!places.has(template.shape)) places.set(template.shape, { template, binding });
  }
  return places;
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
  const found = template === undefined ? undefined : nearest(template, places);
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
  const itemOf = (call: Call, draft: Draft): Item | undefined => {
    const scope = scopeOf(call, draft);
    const found =
      'code' in scope ? undefined : findItem(resource, scope.collection, call.parameters.path.get(keyParameter), draft);
    return found !== undefined && !('code' in scope) && belongsTo(scope, found.item) ? found.item : undefined;
  };
  return {
    item: itemOf,
    path: found.template.path,
    resource: resource.path,
    keepsFiles: resource.hidden.has(CONTENT),
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

/** The longest beginning of a template that names an item. */
function nearest({ segments }: PathTemplate, places: ItemPlaces): ItemPlace | undefined {
  for (let length = segments.length - 1; length > 0; length--) {
    const place = places.get(shapeOf(segments.slice(0, length)));
    if (place !== undefined) return place;
  }
  return undefined;
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
