import { problem, type Problem } from '../checks/problem';
import type { JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import type { Binding, Restriction } from '../resources/resource-model';
import type { Call } from './call';
import { coerceKey } from './key';
import type { Draft } from './draft';
import { ownItem } from './find-item';
import { fillTemplate } from '../resources/collection-name';
import { memberOf } from '../json/member';
import type { Parents } from './parents';
import { keyOfMember, SINGLE_KEY, type Resource } from './resource';
import type { Key } from './order';

/** A member whose value follows from the path of the request. */
export interface FixedMember {
  readonly member: string;
  readonly value: Key;
  /** Where items show it that belong there by what they hold; that goes before {@link member}. */
  readonly shownIn?: ShownIn | undefined;
}

/** A member that holds keys of other items, or those items, one or a list. */
export interface ShownIn {
  readonly member: string;
  /** Member by which those are known. */
  readonly key: string;
  /** Are there several? */
  readonly isList: boolean;
}

/** Which items of a resource a request can mean. */
export interface Scope {
  /** Name of the collection in the state: `/books`, `/shelves/7/books`. Of many, their common path. */
  readonly collection: string;
  /** Are all collections of the resource meant whose names begin with {@link values}? */
  readonly isAcross: boolean;
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
export function planScope(
  binding: Binding,
  resource: Resource,
  resources: readonly Resource[],
  parents: Parents,
): ScopeReader {
  // Across collections, only the outer variables have values.
  const given = resource.scope.slice(0, binding.isAcross ? binding.scopeParameters.length : resource.scope.length);
  const steps = [
    ...given.map(({ parent, member }, index) => ({ parameter: binding.scopeParameters[index], parent, member })),
    ...binding.restrictions,
  ].map((step) => ({ ...step, parent: resources.find(({ path }) => path === step.parent) }));
  if (steps.length === 0) {
    const scope: Scope = {
      collection: resource.path,
      isAcross: binding.isAcross,
      values: [],
      restrictions: [],
      members: [],
    };
    return () => scope;
  }
  const depth = given.length;
  const shown = binding.restrictions.map((restriction) => planShown(restriction, resource, resources));
  return (call, draft) => {
    const values: Key[] = [];
    for (const { parameter = '', parent } of steps) {
      const sent = call.parameters.path.get(parameter);
      const own = callerKey(binding, parameter, resources, draft) ?? coerceKey(sent, 'any');
      const value = parent === undefined ? own : parents.find(parent, values, own, call, draft);
      if (value === undefined) return notThere(parameter, sent, parent, values);
      values.push(value);
    }
    const restrictions = binding.restrictions.map((restriction, index) =>
      fixedMember(resource, restriction, values[depth + index] ?? '', shown[index]),
    );
    const members = given.flatMap(({ member }, index) =>
      member === undefined ? [] : [fixedMember(resource, { member }, values[index] ?? '')],
    );
    const own = values.slice(0, depth);
    return {
      collection: fillTemplate(resource.path, own),
      isAcross: binding.isAcross,
      values: own,
      restrictions,
      members: [...members, ...restrictions],
    };
  };
}

/** Key of whoever asks where nothing is known of them. */
export const NOBODY = 'me';

/** What the record of whoever asks says, which is the same for everybody: the mock has one. */
function callerKey(
  { elsewhere }: Binding,
  parameter: string,
  resources: readonly Resource[],
  draft: Draft,
): Key | undefined {
  const place = elsewhere.get(parameter);
  if (place?.in !== 'caller') return undefined;
  const record = resources.find(({ path, kind }) => path === place.record && kind === 'singleton');
  const keeper = resources.find(({ selfPaths }) => selfPaths.has(place.record));
  const kept = keeper === undefined ? undefined : ownItem(keeper, keeper.path, draft)?.item;
  const item = record === undefined ? kept : draft.get(record.path, SINGLE_KEY);
  return coerceKey(item === undefined ? undefined : memberOf(item, place.name), 'any') ?? NOBODY;
}

function fixedMember(
  resource: Resource,
  { member }: Pick<Restriction, 'member'>,
  value: Key,
  shownIn?: ShownIn,
): FixedMember {
  return { member, value: keyOfMember(resource, member, value), shownIn };
}

function planShown(
  { shownIn, parent }: Restriction,
  { references }: Resource,
  resources: readonly Resource[],
): ShownIn | undefined {
  const form = references.find(({ member }) => member === shownIn)?.form;
  const key = resources.find(({ path }) => path === parent)?.keyMember;
  if (shownIn === undefined || form === undefined || key === undefined) return undefined;
  return { member: shownIn, key, isList: form !== 'embedded' };
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
