import { problem, type Problem } from '../../core/http/problem';
import { equalJson, isJsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { singularOf } from '../../core/text/inflection';
import type { Parameter, Property } from '../../openapi/model/operation';
import { isStateName } from '../../openapi/naming/states';
import { typesOf } from '../../openapi/view/schema-view';
import { isSearchExpression, namesOtherLanguage } from '../../lists/filter-language';
import type { ListConditions, ListExpression, ListFilter, ListParameters, RangeOperator } from '../../lists/list-model';
import { FilterSyntaxError } from '../../lists/parse-filter';
import { type Call, sentValue } from '../calls/call';
import { conditionTest, isWithin } from './condition-filters';
import { expressionTest } from './expression-filters';
import { attributeAddress, coerceKey, type Item, propertyAt, valueAt } from '../state/item';
import {
  ABSENT,
  compareSortValues,
  type PropertyFilter,
  type SortValue,
  type ToSortValue,
} from '../../lists/sort-values';
import { isWildcardValue } from '../fitting/new-item-hints';
import type { Resource } from '../state/prepared-resource';

/** Which items are wanted: those that the filters find by an index, as far as they pass every test. */
export interface ItemSelection {
  readonly filters: readonly PropertyFilter[];
  readonly tests: readonly ItemTest[];
  /** The rejection of an expression that breaks its grammar. */
  readonly problem?: Problem | undefined;
}

export type ItemTest = (item: Item) => boolean;

/** @param except - names of parameters that somebody else reads */
export type ReadFilters = (call: Call, except?: ReadonlySet<string>) => ItemSelection;

const ALL: ItemSelection = { filters: [], tests: [] };

/** Works out how the query parameters of a list choose among its items. */
export function planFilters(parameters: ListParameters, resource: Resource): ReadFilters {
  const { filters, search, conditions, expressions } = parameters;
  const unmodelled = parameters.ignored.filter(({ isFilter }) => isFilter === true);
  const choosing = [filters, conditions, expressions, unmodelled, search === undefined ? [] : [search]];
  if (choosing.every(({ length }) => length === 0)) return () => ALL;
  const texts = search === undefined ? [] : textProperties(resource);
  const assumed = filters.flatMap((filter) => defaultFilterTest(filter, resource));
  return (call, except) => {
    if (call.parameters.query.size === 0 && assumed.length === 0) return ALL;
    const found: PropertyFilter[] = [];
    const tests: ItemTest[] = [];
    const isRead = ({ parameter }: Pick<ListFilter, 'parameter'>): boolean => except?.has(parameter.name) !== true;
    for (const filter of filters.filter(isRead)) {
      const value = sentValue(call, filter.parameter);
      if (value !== undefined && !isWildcardValue(filter.parameter, propertyOf(filter, resource), value))
        readFilter(filter, value, resource, found, tests);
    }
    for (const { filter, test } of assumed)
      if (isRead(filter) && sentValue(call, filter.parameter) === undefined) tests.push(test);
    for (const each of conditions.filter(isRead)) tests.push(...conditionTests(call, each, resource));
    if (search !== undefined && isRead({ parameter: search }))
      tests.push(...searchTests(call, search, texts, resource));
    tellUnmodelled(call, unmodelled.filter(isRead));
    const read = expressions.filter(isRead).map((each) => readExpression(call, each, resource));
    tests.push(...read.flatMap((each) => (typeof each === 'function' ? [each] : [])));
    return { filters: found, tests, problem: read.find((each) => typeof each === 'object') };
  };
}

function conditionTests(call: Call, conditions: ListConditions, resource: Resource): ItemTest[] {
  const { parameter } = conditions;
  const value = sentValue(call, parameter);
  if (value === undefined) return [];
  const test = conditionTest(value, conditions, resource, (message) => {
    call.warnings.add('not_filtered', `Of the conditions in "${parameter.name}": ${message}`);
  });
  return test === undefined ? [] : [test];
}

/** What a filter does not choose by is said of each request that sends it. */
function tellUnmodelled(call: Call, ignored: ListParameters['ignored']): void {
  for (const { parameter, reason } of ignored) {
    const value = sentValue(call, parameter);
    if (value === undefined || value === null || value === '' || equalJson(value, [])) continue;
    if (parameter.defaultValue !== undefined && equalJson(value, parameter.defaultValue)) continue;
    call.warnings.add('not_filtered', `"${parameter.name}" excludes no item: ${reason}`);
  }
}

/** Returns the test of an expression, or the rejection where it breaks its grammar and a 400 is documented. */
function readExpression(call: Call, expression: ListExpression, resource: Resource): ItemTest | Problem | undefined {
  const { parameter, language } = expression;
  const text = sentValue(call, parameter);
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const tell = (message: string): void => {
    call.warnings.add('not_filtered', `Of the filter in "${parameter.name}": ${message}`);
  };
  const test = expressionTest(text, expression, resource, tell);
  if (!(test instanceof FilterSyntaxError)) return test;
  const { method, responses } = call.operation;
  const message = `The query parameter "${parameter.name}" is not a filter of ${language}: ${test.message}`;
  // Nothing is removed by a filter that cannot be evaluated.
  const isRefusable = language !== 'function calls' && (responses.has('400') || responses.has('4XX'));
  if (method === 'DELETE' || (test.kind === 'malformed' && isRefusable)) return problem('invalid_parameter', message);
  tell(`${test.message}, so that it excludes no item`);
  return undefined;
}

/** A search for words; what is an expression of a language that is not evaluated excludes no item. */
function searchTests(call: Call, search: Parameter, texts: readonly string[], { properties }: Resource): ItemTest[] {
  const words = sentValue(call, search);
  if (typeof words !== 'string' || words === '') return [];
  if (!isSearchExpression(words, namesOtherLanguage(search), (name) => properties.has(name)))
    return [searchTest(words, texts)];
  const message = `"${search.name}" excludes no item: expressions of its search language are not evaluated`;
  call.warnings.add('not_filtered', message);
  return [];
}

/**
 * What a list without a word about it wants by the declared default of a filter, `state=open`. Items that say nothing of
 * it are not held back, and a text that may be any is no filter by default: `none` is a word for nobody's.
 */
function defaultFilterTest(
  filter: ListFilter,
  resource: Resource,
): { readonly filter: ListFilter; readonly test: ItemTest }[] {
  const value = filter.parameter.defaultValue;
  const member = addressOf(filter, resource);
  const property = propertyOf(filter, resource);
  const shown = exclusionTest(filter.operator, member, value);
  if (shown !== undefined) return [{ filter, test: shown }];
  const isPlain = filter.bounds === undefined && filter.operator === 'equal';
  if (value === undefined || member === undefined || !isPlain || isWildcardValue(filter.parameter, property, value))
    return [];
  const sent = filterValues(filter, value, property);
  if (!isWordOfItems(filter, property, sent)) return [];
  const toSortValue = resource.sortValues(member);
  const wanted = new Set(sent.map((each) => toSortValue(coerceToProperty(each, property))));
  const test: ItemTest = (item) => {
    const own = valueAt(item, member);
    return own === undefined || own === null || wanted.has(toSortValue(own));
  };
  return [{ filter, test }];
}

/** Is one of them a word that items can have, and no text that may be any? */
function isWordOfItems(
  { property: name, parameter }: ListFilter,
  property: Property | undefined,
  values: readonly JsonValue[],
): boolean {
  const words = property?.schema['enum'];
  if (Array.isArray(words)) return values.some((each) => words.includes(each));
  const isListed = Array.isArray(parameter.schema?.value['enum']) || isStateName(name);
  return values.some((each) => isListed || typeof each !== 'string');
}

function readFilter(
  filter: ListFilter,
  value: JsonValue,
  resource: Resource,
  filters: PropertyFilter[],
  tests: ItemTest[],
): void {
  const { operator, bounds } = filter;
  if (bounds !== undefined && isJsonObject(value)) {
    // Each bound is a filter of its own, as `created_after` would be.
    for (const [name, bound] of bounds.operators) {
      const limit = ownProperty(value, name);
      if (limit !== undefined)
        readFilter({ ...filter, operator: bound, bounds: undefined }, limit, resource, filters, tests);
    }
    return;
  }
  const member = addressOf(filter, resource);
  const property = member === undefined ? undefined : propertyAt(resource, member);
  const sent = filterValues(filter, value, property);
  if (member === undefined) {
    tests.push(innerTest(filter, sent));
    return;
  }
  const toSortValue = resource.sortValues(member);
  const values = sent.map((each) => toSortValue(coerceToProperty(each, property)));
  if (operator === 'equal') filters.push({ property: member, values });
  else tests.push(...testOf(operator, member, values, sent, toSortValue));
}

function testOf(
  operator: Exclude<ListFilter['operator'], 'equal'>,
  property: string,
  values: readonly SortValue[],
  sent: readonly JsonValue[],
  toSortValue: ToSortValue,
): ItemTest[] {
  switch (operator) {
    case 'contains':
      return [containsTest(property, values)];
    case 'prefix':
    case 'part':
      return [textTest(operator, property, sent)];
    case 'unless':
    case 'include':
    case 'not':
      return [exclusionTest(operator, property, values[0])].filter((test) => test !== undefined);
    default:
      return [rangeTest(property, operator, values[0] ?? ABSENT, toSortValue)];
  }
}

/** `exclude_archived=true` and `include_archived=false` leave out what is archived; their opposites leave out nothing. */
function exclusionTest(
  operator: ListFilter['operator'],
  property: string | undefined,
  value: JsonValue | SortValue | undefined,
): ItemTest | undefined {
  if (operator === 'not' && property !== undefined && typeof value === 'boolean')
    return (item) => (valueAt(item, property) === true) !== value;
  const isMeant = (operator === 'unless' && value === true) || (operator === 'include' && value === false);
  return isMeant && property !== undefined ? (item) => valueAt(item, property) !== true : undefined;
}

function propertyOf(filter: ListFilter, resource: Resource): Property | undefined {
  const property = addressOf(filter, resource);
  return property === undefined ? undefined : propertyAt(resource, property);
}

/** The one value that a filter compares; `undefined` where it looks inside objects for it. */
function addressOf({ property, innerPath }: ListFilter, { attributes }: Resource): string | undefined {
  const [inner, ...more] = innerPath;
  if (inner === undefined) return property;
  return property === 'attributes' && more.length === 0 && attributes.has(inner) ? attributeAddress(inner) : undefined;
}

/**
 * A text with commas stands for several values where the property can only be one of some words, and where the parameter is
 * called by the plural of its name, `ids` of the `id`.
 */
function filterValues(
  { parameter: { name }, property: member }: ListFilter,
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

/** A value as the property would hold it: parameters are often declared as texts. */
function coerceToProperty(value: JsonValue, property: Property | undefined): JsonValue {
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

function containsTest(property: string, values: readonly SortValue[]): ItemTest {
  const wanted = new Set(values);
  return (item) => {
    const list = valueAt(item, property);
    // What is described as a list may be one value, or a text of several.
    const values: readonly JsonValue[] = Array.isArray(list)
      ? list
      : typeof list === 'string'
        ? list.split(/,\s*/)
        : [];
    return values.some((value) => wanted.has(plainValue(value)));
  };
}

/** Looks inside an object, or the objects of a list, for a value that is written the same. */
function innerTest({ property, innerPath }: ListFilter, sent: readonly JsonValue[]): ItemTest {
  const wanted = new Set(sent.map(scalarText));
  const has = (value: JsonValue | undefined, depth: number): boolean => {
    if (Array.isArray(value)) return value.some((each) => has(each, depth));
    const name = innerPath[depth];
    if (name !== undefined && isJsonObject(value)) return has(ownProperty(value, name), depth + 1);
    // Where an object may stand as well, a text or number is the key of it.
    return value !== undefined && value !== null && !isJsonObject(value) && wanted.has(scalarText(value));
  };
  return (item) => has(ownProperty(item, property), 0);
}

function plainValue(value: JsonValue): SortValue {
  return typeof value === 'object' && value !== null ? ABSENT : value;
}

function textTest(operator: 'prefix' | 'part', property: string, values: readonly JsonValue[]): ItemTest {
  const wanted = values.map((value) => scalarText(value).toLowerCase());
  return (item) => {
    const value = valueAt(item, property);
    if (typeof value !== 'string') return false;
    const text = value.toLowerCase();
    return wanted.some((part) => (operator === 'prefix' ? text.startsWith(part) : text.includes(part)));
  };
}

/** Items without the property are in no range; values of another kind are not compared. */
function rangeTest(property: string, operator: RangeOperator, limit: SortValue, toSortValue: ToSortValue): ItemTest {
  return (item) => {
    const value = toSortValue(valueAt(item, property));
    if (value === ABSENT || value === null || kindOf(value) !== kindOf(limit)) return false;
    return isWithin(operator, compareSortValues(value, limit));
  };
}

function kindOf(value: SortValue): string {
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** Properties whose text a search looks through. */
function textProperties({ properties, attributes, hidden }: Resource): string[] {
  return [
    ...[...properties.values()].filter(isText).flatMap(({ name }) => (hidden.has(name) ? [] : [name])),
    ...[...attributes.values()].filter(isText).map(({ name }) => attributeAddress(name)),
  ];
}

function isText({ schema }: Property): boolean {
  return typesOf(schema).includes('string');
}

/** Does a text property hold the words, in whatever case? */
function searchTest(words: string, properties: readonly string[]): ItemTest {
  const wanted = words.toLowerCase();
  return (item) =>
    properties.some((property) => {
      const value = valueAt(item, property);
      return typeof value === 'string' && value.toLowerCase().includes(wanted);
    });
}
