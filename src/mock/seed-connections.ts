import { memberOf } from '../json/member';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { Binding, MemberReference } from '../resources/resource-model';
import { arrange, violationsOf } from './conform';
import { keeperOf, shownByHolder } from './holder';
import type { Item } from './item';
import type { Key } from './order';
import { keyOfMember, type Resource } from './resource';

/** What a row is connected with. */
export interface Connections {
  /** Those of the row's resource. */
  readonly bindings: readonly Binding[];
  /** Values of the variables of the collection's path. */
  readonly scope: readonly Key[];
  /** Number of the row, from 0: rows in turn refer to the items of a collection in turn. */
  readonly index: number;
  /** Rows of another resource, as seen from this one. */
  readonly rowsOf: (path: string) => readonly { readonly key: Key; readonly item: Item }[];
}

/** A row whose members name items that exist: foreign keys, embedded items, what its path says. */
export function connectRow(resource: Resource, row: Item, connections: Connections): Item {
  let item = row;
  // What the path says comes last: it is the one truth about where the row lies.
  for (const [member, value] of [
    ...fromReferences(resource, row, connections),
    ...fromScope(resource, row, connections),
  ]) {
    const next = value === undefined ? without(item, member) : { ...item, [member]: value };
    const arranged = arrange(resource, next);
    // A member that the schema wants otherwise stays as it was made up.
    if (violationsOf(resource, arranged).length === 0) item = arranged;
  }
  return item;
}

type Change = readonly [member: string, value: JsonValue | undefined];

function fromScope(resource: Resource, row: Item, connections: Connections): Change[] {
  const { scope, bindings, index, rowsOf } = connections;
  const own = resource.scope.flatMap(({ member }, at): Change[] => {
    const value = scope[at];
    return member === undefined || value === undefined ? [] : [[member, keyOfMember(resource, member, value)]];
  });
  const restricted = new Map(
    bindings
      .flatMap((binding) => binding.restrictions)
      .flatMap(({ member, parent }): Change[] => {
        const rows = parent === undefined ? [] : rowsOf(parent);
        const key = rows[index % Math.max(1, rows.length)]?.key;
        return key === undefined ? [] : [[member, keyOfMember(resource, member, key)]];
      }),
  );
  return [...own, ...heldIn(resource, row, connections), ...restricted];
}

/** What shows where the row lies, where it was made up or given: what is there with another key is corrected. */
function heldIn(resource: Resource, row: Item, { scope, rowsOf }: Connections): Change[] {
  return resource.scope.flatMap((variable, at): Change[] => {
    const { holder } = variable;
    const value = scope[at];
    const held = holder === undefined ? undefined : memberOf(row, holder.member);
    if (holder === undefined || value === undefined || !isJsonObject(held)) return [];
    const keeper = keeperOf(resource, variable);
    const kept = keeper === undefined ? undefined : rowsOf(keeper).find(({ key }) => String(key) === String(value));
    return shownByHolder(holder, held, value, kept?.item).map((shown) => [holder.member, shown]);
  });
}

function fromReferences(resource: Resource, row: Item, connections: Connections): Change[] {
  return resource.references.flatMap((reference): Change[] => {
    if (reference.member === resource.keyMember || memberOf(row, reference.member) === undefined) return [];
    return [[reference.member, referredTo(resource, reference, connections)]];
  });
}

/** @returns `undefined` where nothing is there to refer to: the member is left out, if it may be */
function referredTo(
  resource: Resource,
  { member, to, form }: MemberReference,
  { index, rowsOf }: Connections,
): JsonValue | undefined {
  const rows = rowsOf(to);
  const chosen = rows[index % Math.max(1, rows.length)];
  switch (form) {
    case 'key':
      return chosen === undefined ? undefined : keyOfMember(resource, member, chosen.key);
    case 'keys':
      return rows.slice(0, 2).map(({ key }) => key);
    case 'embedded':
      return chosen?.item;
    case 'embedded-list':
      return rows.slice(0, 2).map(({ item }) => item);
  }
}

function without(item: Item, member: string): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => name !== member));
}
