import { memberOf } from '../json/member';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import { singularOf } from '../resources/inflection';
import type { Property } from '../openapi/model';
import type { ListConditions, ListFilter, ListParameters, RangeOperator } from '../resources/resource-model';
import type { Call } from './call';
import { conditionTest } from './conditions';
import { coerceKey } from './key';
import type { Filter } from './list-query';
import { isAnything } from './any-value';
import { attributeAddress, propertyAt, valueAt } from './member-address';
import type { Item } from './item';
import { ABSENT, compareSortValues, type SortValue, type ToSortValue } from './order';
import type { Resource } from './resource';
import { sentValue } from './sent-value';

/** Which items are wanted: those that the filters find by an index, as far as they pass every test. */
export interface Wanted {
  readonly filters: readonly Filter[];
  readonly tests: readonly ItemTest[];
}

export type ItemTest = (item: Item) => boolean;

/** @param except - names of parameters that somebody else reads */
export type ReadFilters = (call: Call, except?: ReadonlySet<string>) => Wanted;

const ALL: Wanted = { filters: [], tests: [] };

/** Works out how the query parameters of a list choose among its items. */
export function planFilters({ filters, search, conditions }: ListParameters, resource: Resource): ReadFilters {
  if (filters.length === 0 && search === undefined && conditions.length === 0) return () => ALL;
  const texts = search === undefined ? [] : textMembers(resource);
  const assumed = filters.flatMap((filter) => assumedTest(filter, resource));
  return (call, except) => {
    if (call.parameters.query.size === 0 && assumed.length === 0) return ALL;
    const found: Filter[] = [];
    const tests: ItemTest[] = [];
    const isRead = ({ parameter }: Pick<ListFilter, 'parameter'>): boolean => except?.has(parameter.name) !== true;
    for (const filter of filters.filter(isRead)) {
      const value = sentValue(call, filter.parameter);
      if (value !== undefined && !isAnything(filter.parameter, propertyOf(filter, resource), value))
        readFilter(filter, value, resource, found, tests);
    }
    for (const { filter, test } of assumed)
      if (isRead(filter) && sentValue(call, filter.parameter) === undefined) tests.push(test);
    for (const each of conditions.filter(isRead)) tests.push(...conditionsSent(call, each, resource));
    if (search !== undefined && isRead({ parameter: search })) tests.push(...searched(sentValue(call, search), texts));
    return { filters: found, tests };
  };
}

function conditionsSent(call: Call, conditions: ListConditions, resource: Resource): ItemTest[] {
  const { parameter } = conditions;
  const value = sentValue(call, parameter);
  if (value === undefined) return [];
  const test = conditionTest(value, conditions, resource, (message) => {
    call.warnings.add('not_filtered', `Of the conditions in "${parameter.name}": ${message}`);
  });
  return test === undefined ? [] : [test];
}

function searched(words: JsonValue | undefined, members: readonly string[]): ItemTest[] {
  return typeof words === 'string' && words !== '' ? [searchTest(words, members)] : [];
}

/**
 * What a list without a word about it wants by the declared default of a filter, `state=open`. Items that say nothing of
 * it are not held back.
 */
function assumedTest(
  filter: ListFilter,
  resource: Resource,
): { readonly filter: ListFilter; readonly test: ItemTest }[] {
  const value = filter.parameter.defaultValue;
  const member = addressOf(filter, resource);
  const property = propertyOf(filter, resource);
  const shown = leftOut(filter.operator, member, value);
  if (shown !== undefined) return [{ filter, test: shown }];
  const isPlain = filter.bounds === undefined && filter.operator === 'equal';
  if (value === undefined || member === undefined || !isPlain || isAnything(filter.parameter, property, value))
    return [];
  const words = property?.schema['enum'];
  const sent = wantedValues(filter, value, property);
  // A word that no item can have is no filter.
  if (sent.length === 0 || (Array.isArray(words) && !sent.some((each) => words.includes(each)))) return [];
  const toSortValue = resource.sortValues(member);
  const wanted = new Set(sent.map((each) => toSortValue(fitting(each, property))));
  const test: ItemTest = (item) => {
    const own = valueAt(item, member);
    return own === undefined || own === null || wanted.has(toSortValue(own));
  };
  return [{ filter, test }];
}

function readFilter(
  filter: ListFilter,
  value: JsonValue,
  resource: Resource,
  filters: Filter[],
  tests: ItemTest[],
): void {
  const { operator, bounds } = filter;
  if (bounds !== undefined && isJsonObject(value)) {
    // Each bound is a filter of its own, as `created_after` would be.
    for (const [name, bound] of bounds.operators) {
      const limit = memberOf(value, name);
      if (limit !== undefined)
        readFilter({ ...filter, operator: bound, bounds: undefined }, limit, resource, filters, tests);
    }
    return;
  }
  const member = addressOf(filter, resource);
  const property = member === undefined ? undefined : propertyAt(resource, member);
  const sent = wantedValues(filter, value, property);
  if (member === undefined) {
    tests.push(innerTest(filter, sent));
    return;
  }
  const toSortValue = resource.sortValues(member);
  const values = sent.map((each) => toSortValue(fitting(each, property)));
  if (operator === 'equal') filters.push({ member, values });
  else tests.push(...testOf(operator, member, values, sent, toSortValue));
}

function testOf(
  operator: Exclude<ListFilter['operator'], 'equal'>,
  member: string,
  values: readonly SortValue[],
  sent: readonly JsonValue[],
  toSortValue: ToSortValue,
): ItemTest[] {
  switch (operator) {
    case 'contains':
      return [containsTest(member, values)];
    case 'prefix':
      return [prefixTest(member, sent)];
    case 'unless':
    case 'include':
      return [leftOut(operator, member, values[0])].filter((test) => test !== undefined);
    default:
      return [rangeTest(member, operator, values[0] ?? ABSENT, toSortValue)];
  }
}

/** `exclude_archived=true` and `include_archived=false` leave out what is archived; their opposites leave out nothing. */
function leftOut(
  operator: ListFilter['operator'],
  member: string | undefined,
  value: JsonValue | SortValue | undefined,
): ItemTest | undefined {
  const isMeant = (operator === 'unless' && value === true) || (operator === 'include' && value === false);
  return isMeant && member !== undefined ? (item) => valueAt(item, member) !== true : undefined;
}

function propertyOf(filter: ListFilter, resource: Resource): Property | undefined {
  const member = addressOf(filter, resource);
  return member === undefined ? undefined : propertyAt(resource, member);
}

/** The one value that a filter compares; `undefined` where it looks inside objects for it. */
function addressOf({ member, within }: ListFilter, { attributes }: Resource): string | undefined {
  const [inner, ...more] = within;
  if (inner === undefined) return member;
  return member === 'attributes' && more.length === 0 && attributes.has(inner) ? attributeAddress(inner) : undefined;
}

/**
 * A text with commas stands for several values where the member can only be one of some words, and where the parameter is
 * called by the plural of its name, `ids` of the `id`.
 */
function wantedValues(
  { parameter: { name }, member }: ListFilter,
  value: JsonValue,
  property: Property | undefined,
): readonly JsonValue[] {
  if (Array.isArray(value)) return value;
  if (typeof value === 'string' && name !== member && singularOf(name) === member) return value.split(',');
  const words = property?.schema['enum'];
  if (typeof value !== 'string' || !Array.isArray(words) || words.includes(value)) return [value];
  const parts = value.split(',');
  return parts.every((part) => words.includes(part)) ? parts : [value];
}

/** A value as the member would hold it: parameters are often declared as texts. */
function fitting(value: JsonValue, property: Property | undefined): JsonValue {
  const type = property?.schema['type'];
  if (typeof value !== 'string') return type === 'string' && typeof value === 'number' ? String(value) : value;
  switch (type) {
    case 'integer':
    case 'number':
      return coerceKey(value, 'number') ?? value;
    case 'boolean':
      return value === 'true' || (value === 'false' ? false : value);
    default:
      return isDayOf(property, value) ? `${value}T00:00:00Z` : value;
  }
}

/** A day that is compared with instants begins at midnight. */
function isDayOf(property: Property | undefined, value: string): boolean {
  return property?.schema['format'] === 'date-time' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

function containsTest(member: string, values: readonly SortValue[]): ItemTest {
  const wanted = new Set(values);
  return (item) => {
    const list = valueAt(item, member);
    return Array.isArray(list) && list.some((value) => wanted.has(plainValue(value)));
  };
}

/** Looks inside an object, or the objects of a list, for a value that is written the same. */
function innerTest({ member, within }: ListFilter, sent: readonly JsonValue[]): ItemTest {
  const wanted = new Set(sent.map(scalarText));
  const has = (value: JsonValue | undefined, depth: number): boolean => {
    if (Array.isArray(value)) return value.some((each) => has(each, depth));
    const name = within[depth];
    if (name !== undefined && isJsonObject(value)) return has(memberOf(value, name), depth + 1);
    // Where an object may stand as well, a text or number is the key of it.
    return value !== undefined && value !== null && !isJsonObject(value) && wanted.has(scalarText(value));
  };
  return (item) => has(memberOf(item, member), 0);
}

function plainValue(value: JsonValue): SortValue {
  return typeof value === 'object' && value !== null ? ABSENT : value;
}

function prefixTest(member: string, values: readonly JsonValue[]): ItemTest {
  const starts = values.map((value) => scalarText(value).toLowerCase());
  return (item) => {
    const value = valueAt(item, member);
    return typeof value === 'string' && starts.some((start) => value.toLowerCase().startsWith(start));
  };
}

/** Items without the member are in no range; values of another kind are not compared. */
function rangeTest(member: string, operator: RangeOperator, limit: SortValue, toSortValue: ToSortValue): ItemTest {
  return (item) => {
    const value = toSortValue(valueAt(item, member));
    if (value === ABSENT || value === null || kindOf(value) !== kindOf(limit)) return false;
    const order = compareSortValues(value, limit);
    switch (operator) {
      case 'at-least':
        return order >= 0;
      case 'at-most':
        return order <= 0;
      case 'more-than':
        return order > 0;
      case 'less-than':
        return order < 0;
    }
  };
}

function kindOf(value: SortValue): string {
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** Members whose text a search looks through. */
function textMembers({ properties, attributes, hidden }: Resource): string[] {
  return [
    ...[...properties.values()].filter(isText).flatMap(({ name }) => (hidden.has(name) ? [] : [name])),
    ...[...attributes.values()].filter(isText).map(({ name }) => attributeAddress(name)),
  ];
}

function isText({ schema: { type } }: Property): boolean {
  return type === 'string' || (Array.isArray(type) && type.includes('string'));
}

/** Does a text member hold the words, in whatever case? */
function searchTest(words: string, members: readonly string[]): ItemTest {
  const wanted = words.toLowerCase();
  return (item) =>
    members.some((member) => {
      const value = valueAt(item, member);
      return typeof value === 'string' && value.toLowerCase().includes(wanted);
    });
}
