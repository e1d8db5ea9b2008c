import { problem, type Problem } from '../checks/problem';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import type { Binding, Restriction } from '../resources/resource-model';
import type { Call } from './call';
import { coerceKey } from './key';
import type { Draft } from './draft';
import { fillTemplate } from '../resources/collection-name';
import { keyOfMember, type Resource } from './resource';
import type { Key } from './order';

/** A member whose value follows from the path of the request. */
export interface FixedMember {
  readonly member: string;
  readonly value: Key;
}

/** Which items of a resource a request can mean. */
export interface Scope {
  /** Name of the collection in the state: `/books`, `/shelves/7/books`. */
  readonly collection: string;
  /** Values of the variables of the resource's path. */
  readonly values: readonly Key[];
  /** What items of other places differ in; they are not found here. */
  readonly restrictions: readonly FixedMember[];
  /** What a new item gets from the path. */
  readonly members: readonly FixedMember[];
}

/** @returns the scope of a call, or 404 where an item that the path names on its way does not exist */
export type ScopeReader = (call: Call, draft: Draft) => Scope | Problem;

/** Works out once how the paths of an operation are read. Where they decide nothing, every call has the same scope. */
export function planScope(binding: Binding, resource: Resource, resources: readonly Resource[]): ScopeReader {
  const steps = [
    ...resource.scope.map(({ parent, member }, index) => ({
      parameter: binding.scopeParameters[index],
      parent,
      member,
    })),
    ...binding.restrictions,
  ].map((step) => ({ ...step, parent: resources.find(({ path }) => path === step.parent) }));
  if (steps.length === 0) {
    const scope: Scope = { collection: resource.path, values: [], restrictions: [], members: [] };
    return () => scope;
  }
  const depth = resource.scope.length;
  return (call, draft) => {
    const values: Key[] = [];
    for (const { parameter = '', parent } of steps) {
      const value = readKey(call, parameter, parent);
      if (value === undefined) return notThere(parameter, call.parameters.path.get(parameter), parent, values);
      if (parent !== undefined && !exists(parent, values, value, draft))
        return notThere(parameter, value, parent, values);
      values.push(value);
    }
    const restrictions = binding.restrictions.map((restriction, index) =>
      fixedMember(resource, restriction, values[depth + index] ?? ''),
    );
    const members = resource.scope.flatMap(({ member }, index) =>
      member === undefined ? [] : [fixedMember(resource, { member }, values[index] ?? '')],
    );
    const own = values.slice(0, depth);
    return {
      collection: fillTemplate(resource.path, own),
      values: own,
      restrictions,
      members: [...members, ...restrictions],
    };
  };
}

function readKey({ parameters }: Call, parameter: string, parent: Resource | undefined): Key | undefined {
  const value = parameters.path.get(parameter);
  return parent === undefined ? coerceKey(value, 'any') : parent.toKey(value);
}

/** A parent that lies in a scope itself shares the beginning of its path with what is in it. */
function exists(parent: Resource, before: readonly Key[], key: Key, draft: Draft): boolean {
  const depth = parent.scope.length;
  if (depth > before.length) return true;
  return draft.get(fillTemplate(parent.path, before.slice(0, depth)), key) !== undefined;
}

function fixedMember(resource: Resource, { member }: Pick<Restriction, 'member'>, value: Key): FixedMember {
  return { member, value: keyOfMember(resource, member, value) };
}

/** 404 for an item that the path names. */
export function notThere(
  parameter: string,
  value: JsonValue | undefined,
  parent: Resource | undefined,
  above: readonly Key[],
): Problem {
  const shown = value === undefined ? parameter : `${parameter} ${stringifyJson(value)}`;
  const where = parent === undefined ? '' : ` in ${fillTemplate(parent.path, above.slice(0, parent.scope.length))}`;
  return problem('resource_not_found', `There is no item with ${shown}${where}`);
}
