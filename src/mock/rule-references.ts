import type { Problem } from '../checks/problem';
import { stringifyJson } from '../json/stringify-json';
import { fillTemplate, placeOfName } from '../resources/collection-name';
import { parseTemplate, shapeOf } from '../resources/path-template';
import type { ResourceDescription } from '../resources/resource-model';
import type { Draft } from './draft';
import type { Key } from './order';
import type { Resource } from './resource';
import type { Reference } from './rules';

/** What references are looked up in. */
export interface ReferenceStore {
  readonly draft: Draft;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly references: readonly Reference[];
}

/**
 * Does an item say by its place in which collection the other one is looked for? `/shelves/{shelf}/loans` lies below
 * the same shelf as `/shelves/{shelf}/books`; `/loans` does not say which shelf is meant.
 */
export function liesBeside(from: ResourceDescription, to: ResourceDescription): boolean {
  const count = to.scope.length;
  const place = beginning(to, count);
  return place !== undefined && place === beginning(from, count);
}

/** The path as far as its nth variable, whatever the variables are called; `undefined` where it has fewer. */
function beginning({ path }: ResourceDescription, count: number): string | undefined {
  const segments = parseTemplate(path)?.segments ?? [];
  const ends = [0, ...segments.flatMap(({ kind }, index) => (kind === 'variable' ? [index + 1] : []))];
  const end = ends[count];
  return end === undefined ? undefined : shapeOf(segments.slice(0, end));
}

/**
 * The name of the collection that a reference leads to.
 *
 * @param values - what stands in the place of the variables of the path of the referring item
 */
export function referredCollection(
  { to }: Reference,
  resources: ReadonlyMap<string, Resource>,
  values: readonly Key[],
): string {
  return fillTemplate(to, values.slice(0, resources.get(to)?.scope.length ?? 0));
}

/** An item that others refer to stays, where the rules say so. */
export function refuseRemoval(
  { draft, resources, references }: ReferenceStore,
  resource: Resource,
  values: readonly Key[],
  key: Key,
): Problem | undefined {
  for (const { collection, member, to, refuseRemoval: code } of references) {
    const referrer = to === resource.path ? resources.get(collection) : undefined;
    if (referrer === undefined || code === undefined) continue;
    const toSortValue = referrer.sortValues(member);
    let count = 0;
    for (const name of namesBelow(referrer, values, draft, resources))
      count += draft.collection(name).countWhere(member, [toSortValue(key)], toSortValue);
    if (count === 0) continue;
    const others = count === 1 ? '1 item of' : `${count} items of`;
    const verb = count === 1 ? 'refers' : 'refer';
    const message = `${others} ${collection} still ${verb} to ${stringifyJson(key)} through ${member}`;
    return { status: 409, code, message };
  }
  return undefined;
}

/** Names of the collections of a resource; those below other values are left out. */
function namesBelow(
  resource: Resource,
  values: readonly Key[],
  draft: Draft,
  resources: ReadonlyMap<string, Resource>,
): string[] {
  const names = collectionsOf(resource, draft, resources);
  if (values.length === 0) return names;
  return names.filter((name) => {
    const own = placeOfName([resource], name)?.values ?? [];
    return values.every((value, index) => own[index] === String(value));
  });
}

/** Names of all collections of a resource: one, or one below each item of another. */
export function collectionsOf(resource: Resource, draft: Draft, resources: ReadonlyMap<string, Resource>): string[] {
  if (resource.scope.length === 0) return [resource.path];
  const all = [...resources.values()];
  const names = draft.names().filter((name) => placeOfName(all, name)?.resource === resource);
  return [...new Set([...draft.namesBegun(resource), ...names])];
}
