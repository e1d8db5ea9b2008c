import type { Problem } from '../../core/http/problem';
import { setProperty } from '../../core/json/json-value';
import type { Key } from '../../lists/sort-values';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { type PathTemplate, variablesOf } from '../../openapi/view/path-template';
import type { Binding } from '../../resources/model/binding';
import { fillTemplate } from '../../resources/model/resource';
import { isRequestable } from '../fitting/key-generator';
import { NO_CREATION_HINTS } from '../fitting/new-item-hints';
import type { SampleSchema } from '../fitting/schema-fitting';
import { planServerValues } from '../fitting/server-values';
import type { Draft } from '../state/draft';
import type { Item, ItemDraft } from '../state/item';
import { findItem } from '../state/item-lookup';
import { returnsFile } from '../../openapi/view/operation-bodies';
import { type ItemPath, type ItemPaths, nearestItem } from '../state/item-paths';
import { arrange, violationsOf } from '../state/item-representation';
import { keyOfProperty, type Resource } from '../state/prepared-resource';
import { belongsTo, type Call, missingParentProblem, type ParentLookup, planScope } from './call';

/** @param isStrict - nothing comes to be by being named */
export function createParentLookup(api: ApiModel, sample: SampleSchema, isStrict: boolean): ParentLookup {
  return {
    find(parent, before, value, call, draft) {
      const { scope } = parent;
      // A parent that lies in a scope itself shares the beginning of its path with what is in it.
      if (scope.length > before.length) return parent.toKey(value);
      const values = before.slice(0, scope.length);
      const collection = fillTemplate(parent.path, values);
      const found = findItem(parent, collection, value, draft);
      if (found !== undefined) return found.key;
      const key = parent.toKey(value);
      if (key === undefined || isStrict || call.isStrict || !mayComeToBe(parent, key, call)) return undefined;
      const item = minimalItem(api, parent, values, key, sample);
      if (item !== undefined) draft.put(collection, key, item);
      const then = item === undefined ? 'it is taken as there' : 'it is there from now on';
      const why = parent.isMade ? 'and whoever asks signs in with it' : 'and no operation makes one';
      const message = `${collection} had no item ${JSON.stringify(String(key))}, ${why}: ${then}`;
      call.warnings.add('parent_named', message);
      return key;
    },
  };
}

function mayComeToBe(parent: Resource, key: Key, { principal }: Call): boolean {
  return (!parent.isMade || principal.userName === String(key)) && isRequestable(parent, key);
}

/** An item with what its place says and what every item must have; `undefined` where no valid one can be generated. */
function minimalItem(
  api: ApiModel,
  resource: Resource,
  values: readonly Key[],
  key: Key,
  sample: SampleSchema,
): ReturnType<typeof arrange> | undefined {
  const bare: ItemDraft = { [resource.keyMember]: keyOfProperty(resource, resource.keyMember, key) };
  for (const [index, { property }] of resource.scope.entries()) {
    const value = values[index];
    if (property !== undefined && value !== undefined)
      setProperty(bare, property, keyOfProperty(resource, property, value));
  }
  const making = planServerValues(api, resource, sample, NO_CREATION_HINTS);
  making.addDefaults(bare);
  making.complete(bare, undefined);
  const made = sample(resource.schema);
  const whole = typeof made === 'object' && made !== null ? { ...(made as ItemDraft), ...bare } : bare;
  return [bare, whole]
    .map((draft) => arrange(resource, draft))
    .find((item) => violationsOf(resource, item).length === 0);
}

/** The item that the path of an operation names on its way: `/users/{id}` of `/users/{id}/avatar`. */
export interface ParentItem {
  readonly path: string;
  /** Path of its collection. */
  readonly resource: string;
  /** How the item itself is found, with the names that the operation has for the variables. */
  readonly binding: Binding;
  /** @returns 404 where there is no such item */
  missing(call: Call, draft: Draft): Problem | undefined;
  item(call: Call, draft: Draft): LocatedItem | undefined;
}

export interface LocatedItem {
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
export function planParentItem(
  operation: Operation,
  own: Binding | undefined,
  places: ItemPaths,
  resources: readonly Resource[],
  template: PathTemplate | undefined,
  parents: ParentLookup,
): ParentItem | undefined {
  // A file that is all that is read of an item is gone with it.
  const isFile = own === undefined && returnsFile(operation);
  const found = template && ((isFile ? places.get(template.shape) : undefined) ?? nearestItem(template, places));
  if (template === undefined || found === undefined || checksParent(own, found.binding.resource.path)) return undefined;
  const resource = resources.find(({ path }) => path === found.binding.resource.path);
  const binding = withVariableNames(found, template);
  const { keyParameter } = binding;
  const named = [...binding.scopeParameters, ...binding.restrictions.map(({ parameter }) => parameter), keyParameter];
  const declared = new Set(operation.parameters.flatMap(({ in: place, name }) => (place === 'path' ? [name] : [])));
  // A variable that is not declared has no value.
  if (resource === undefined || keyParameter === undefined || !named.every((name) => declared.has(name ?? '')))
    return undefined;
  const scopeOf = planScope(binding, resource, resources, parents);
  const itemOf = (call: Call, draft: Draft): LocatedItem | undefined => {
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
      return isThere ? undefined : missingParentProblem(keyParameter, value, resource, scope.values);
    },
  };
}

function checksParent(own: Binding | undefined, path: string): boolean {
  if (own === undefined) return false;
  return (
    own.resource.path === path || [...own.resource.scope, ...own.restrictions].some(({ parent }) => parent === path)
  );
}

/** The binding of an item with the names that another operation has for the variables of its path. */
function withVariableNames({ template, binding }: ItemPath, { segments }: PathTemplate): Binding {
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
