import type { UploadedFile } from '../../checks/request/body-validation';
import type { ParameterValues } from '../../checks/request/parameter-values';
import type { Warnings } from '../../checks/request/warnings';
import type { RequestHead } from '../../core/http/message';
import { type Problem, problem } from '../../core/http/problem';
import { equalJson, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { scalarText, stringifyJson } from '../../core/json/stringify-json';
import type { Key } from '../../lists/sort-values';
import type { Operation, Parameter, Property } from '../../openapi/model/operation';
import type { Binding, Restriction } from '../../resources/model/binding';
import { fillTemplate, type Relationship } from '../../resources/model/resource';
import type { Principal } from '../../security/authentication';
import type { Draft } from '../state/draft';
import { coerceKey, type Item } from '../state/item';
import { ownItem } from '../state/item-lookup';
import { linkedKeys } from '../state/linkage';
import type { ListQuery, Page } from '../state/list-query';
import { isRooted, keyOf, keyOfProperty, type Resource, SINGLE_KEY } from '../state/prepared-resource';

/** A request that passed every check that needs no state. */
export interface Call {
  readonly operation: Operation;
  readonly head: RequestHead;
  readonly principal: Principal;
  readonly parameters: ParameterValues;
  /** The parsed body; `undefined` when there was none. */
  readonly body: JsonValue | undefined;
  /** The file that was sent as a part of it. */
  readonly file: UploadedFile | undefined;
  /** Media type of the body, as the description writes it; `undefined` when none is declared. */
  readonly mediaType: string | undefined;
  /** Properties that the body's schema declares. */
  readonly bodyProperties: ReadonlyMap<string, Property>;
  /** `Prefer: handling=strict` (RFC 7240 §4.4). */
  readonly isStrict: boolean;
  /** `Prefer: return=minimal` (RFC 7240 §4.2). */
  readonly isMinimal: boolean;
  /** Scheme, host and base path, to make links absolute. */
  readonly baseUrl: string;
  /** Raw query without the question mark. */
  readonly query: string;
  /** Gets what the client should know of a request that is not rejected. */
  readonly warnings: Warnings;
}

export interface ItemOutcome {
  readonly kind: 'found' | 'created' | 'changed' | 'removed';
  readonly scope: Scope;
  readonly item: Item;
}

export interface ListOutcome {
  readonly kind: 'listed';
  readonly scope: Scope;
  readonly query: ListQuery;
  readonly page: Page;
  /** Was an order asked for that its items can have? */
  readonly isSorted: boolean;
  /** Properties that were asked for; `undefined` for all of them. */
  readonly fields: readonly string[] | undefined;
}

/** What a behaviour did, before it is written as a response. */
export type Outcome =
  | ItemOutcome
  | ListOutcome
  | { readonly kind: 'not-modified'; readonly item: Item }
  /** Several items were made or removed at once. */
  | { readonly kind: 'many'; readonly items: readonly Item[] }
  | { readonly kind: 'counted'; readonly counts: JsonObject }
  /** Something that is no item of the resource. */
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'rejected'; readonly problem: Problem };

export function rejected(problem: Problem): Outcome {
  return { kind: 'rejected', problem };
}

/** What was sent for a query parameter, or for a property of one that is an object; `undefined` for nothing. */
export function sentValue(
  { parameters: { query } }: Call,
  { name, explodedFrom }: Pick<Parameter, 'name' | 'explodedFrom'>,
): JsonValue | undefined {
  if (explodedFrom === undefined) return query.get(name);
  const value = query.get(explodedFrom.name);
  return isJsonObject(value) ? ownProperty(value, explodedFrom.property) : undefined;
}

/** A property whose value follows from the path of the request. */
export interface FixedProperty {
  readonly member: string;
  readonly value: Key;
  /** Where items show it that belong there by what they hold; that goes before {@link member}. */
  readonly shownIn?: ShownIn | undefined;
  /** Was an item put below the other one by its key, `PUT /groups/{group}/users/{user}`, so that it is found below that one, too? */
  readonly isLinked?: ((item: Item) => boolean) | undefined;
}

/** A property that holds keys of other items, or those items, one or a list. */
interface ShownIn {
  readonly member: string;
  /** Property by which those are known. */
  readonly key: string;
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
  readonly restrictions: readonly FixedProperty[];
  /** What a new item gets from the path. */
  readonly members: readonly FixedProperty[];
}

/** @returns the scope of a call, or 404 where an item that the path names on its way does not exist */
export type ScopeReader = (call: Call, draft: Draft) => Scope | Problem;

/** Works out once how the paths of an operation are read. Where they decide nothing, every call has the same scope. */
export function planScope(
  binding: Binding,
  resource: Resource,
  resources: readonly Resource[],
  parents: ParentLookup,
): ScopeReader {
  // Across collections, only the outer variables have values.
  const given = resource.scope.slice(0, binding.isAcross ? binding.scopeParameters.length : resource.scope.length);
  const steps = [
    ...given.map(({ parent, property }, index) => ({
      parameter: binding.scopeParameters[index],
      parent,
      member: property,
    })),
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
  const shown = binding.restrictions.map((restriction) => planReference(restriction, resource, resources));
  const linked = binding.restrictions.map((restriction) => planLinks(resource, restriction, resources));
  return (call, draft) => {
    const values: Key[] = [];
    for (const { parameter = '', parent } of steps) {
      const sent = call.parameters.path.get(parameter);
      const own = callerKey(binding, parameter, resources, draft) ?? coerceKey(sent, 'any');
      const value = parent === undefined ? own : parents.find(parent, values, own, call, draft);
      if (value === undefined) return missingParentProblem(parameter, sent, parent, values);
      values.push(value);
    }
    const restrictions = binding.restrictions.map((restriction, index) => {
      const value = values[depth + index] ?? '';
      const fixed = fixedProperty(resource, restriction, value, shown[index]);
      return { ...fixed, isLinked: linked[index]?.(value, draft) };
    });
    const properties = given.flatMap(({ property }, index) =>
      property === undefined ? [] : [fixedProperty(resource, { property }, values[index] ?? '')],
    );
    const own = values.slice(0, depth);
    return {
      collection: fillTemplate(resource.path, own),
      isAcross: binding.isAcross,
      values: own,
      restrictions,
      members: [...properties, ...restrictions],
    };
  };
}

/** Tells which items of a resource have something to do with one of another, although they do not say so themselves. */
type Links = (value: Key, draft: Draft) => (item: Item) => boolean;

function planLinks(
  resource: Resource,
  { parent, relationship }: Restriction,
  resources: readonly Resource[],
): Links | undefined {
  const other = resources.find(({ path }) => path === parent);
  const related = other?.relationships.find(({ name }) => name === relationship);
  if (other !== undefined && related !== undefined) return linksOfRelationship(resource, other, related);
  const links = resources.find(
    ({ itemsOf, scope }) =>
      itemsOf === parent && parent !== undefined && scope.length === 1 && scope[0]?.parent === resource.path,
  );
  if (links !== undefined) return linksInCollection(resource, links);
  const [list] = [...(other?.parentLists ?? [])].find(([, path]) => path === resource.path) ?? [];
  return other === undefined || list === undefined ? undefined : linksInList(resource, other, list);
}

/** What an item is related to says so itself, or is said so of by that item. */
function linksOfRelationship(resource: Resource, other: Resource, relationship: Relationship): Links {
  const back = resource.relationships.find(({ name }) => name === relationship.inverse);
  return (value, draft) => {
    const key = other.toKey(value);
    const keys = new Set(linkedKeys(key === undefined ? undefined : draft.get(other.path, key), relationship));
    return (item) =>
      keys.has(String(keyOf(resource, item))) || (back !== undefined && linkedKeys(item, back).includes(String(value)));
  };
}

/** Below the items of a resource, those of another one are put by their keys. */
function linksInCollection(resource: Resource, links: Resource): Links {
  return (value, draft) => {
    const other = links.toKey(value);
    return (item) => {
      const own = keyOf(resource, item);
      return (
        own !== undefined && other !== undefined && draft.get(fillTemplate(links.path, [own]), other) !== undefined
      );
    };
  };
}

/** An item of the other resource keeps the keys of those that it was put to. */
function linksInList(resource: Resource, other: Resource, list: string): Links {
  return (value, draft) => {
    const key = isRooted(other) ? other.toKey(value) : undefined;
    const held = key === undefined ? undefined : ownProperty(draft.get(other.path, key) ?? {}, list);
    const keys = new Set((Array.isArray(held) ? held : []).map((each: JsonValue) => scalarText(each)));
    return (item) => keys.has(scalarText(keyOf(resource, item) ?? null));
  };
}

/** Key of the caller where nothing is known of them. */
export const UNKNOWN_CALLER = 'me';

/** What the record of the caller says, which is the same for everybody: the mock has one. */
function callerKey(
  { outsidePath }: Binding,
  parameter: string,
  resources: readonly Resource[],
  draft: Draft,
): Key | undefined {
  const place = outsidePath.get(parameter);
  if (place?.in !== 'caller') return undefined;
  const record = resources.find(({ path, kind }) => path === place.record && kind === 'singleton');
  const keeper = resources.find(({ selfPaths }) => selfPaths.has(place.record));
  const stored = keeper === undefined ? undefined : ownItem(keeper, keeper.path, draft)?.item;
  const item = record === undefined ? stored : draft.get(record.path, SINGLE_KEY);
  return coerceKey(item === undefined ? undefined : ownProperty(item, place.name), 'any') ?? UNKNOWN_CALLER;
}

function fixedProperty(
  resource: Resource,
  { property }: Pick<Restriction, 'property'>,
  value: Key,
  shownIn?: ShownIn,
): FixedProperty {
  return { member: property, value: keyOfProperty(resource, property, value), shownIn };
}

function planReference(
  { shownIn, parent }: Restriction,
  { references }: Resource,
  resources: readonly Resource[],
): ShownIn | undefined {
  const form = references.find(({ property }) => property === shownIn)?.form;
  const key = resources.find(({ path }) => path === parent)?.keyMember;
  if (shownIn === undefined || form === undefined || key === undefined) return undefined;
  return { member: shownIn, key, isList: form !== 'embedded' };
}

export function missingParentProblem(
  parameter: string,
  value: JsonValue | undefined,
  parent: Resource | undefined,
  above: readonly Key[],
): Problem {
  const shown = value === undefined ? parameter : `${parameter} ${stringifyJson(value)}`;
  const where = parent === undefined ? '' : ` in ${fillTemplate(parent.path, above.slice(0, parent.scope.length))}`;
  return problem('resource_not_found', `There is no item with ${shown}${where}`);
}

/** Is the item one of those that the path of the request speaks of? */
export function belongsTo({ restrictions }: Scope, item: Item): boolean {
  return restrictions.every(({ member: property, value, shownIn, isLinked }) => {
    if (isLinked?.(item) === true) return true;
    const shown = shownIn === undefined ? [] : keysShown(item, shownIn);
    if (shown.length > 0) return shown.includes(String(value));
    const own = ownProperty(item, property);
    const all: readonly (JsonValue | undefined)[] = Array.isArray(own) ? own : [own];
    return all.some((each) => each !== undefined && (equalJson(each, value) || scalarText(each) === String(value)));
  });
}

function keysShown(item: Item, { member: property, key }: ShownIn): string[] {
  const held = ownProperty(item, property);
  return (Array.isArray(held) ? held : [held]).flatMap((each: JsonValue | undefined) => {
    const own = isJsonObject(each) ? ownProperty(each, key) : each;
    return own === undefined || own === null ? [] : [scalarText(own)];
  });
}

/** Finds the items that paths name on their way to others. */
export interface ParentLookup {
  /**
   * The key of the item that a value names. One that no operation can make comes to be when it is first named: nobody
   * could ever reach what lies below it otherwise. So does one that has the user name of the caller: an account is
   * there before anybody can sign in with it.
   *
   * @param before - values of the variables before it
   * @returns `undefined` where there is no such item
   */
  find(
    parent: Resource,
    before: readonly Key[],
    value: JsonValue | undefined,
    call: Call,
    draft: Draft,
  ): Key | undefined;
}
