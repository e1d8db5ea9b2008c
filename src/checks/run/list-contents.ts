import { compareNumbers, isJsonNumber, numberFromLexeme } from '../../core/json/exact-number';
import { joinPointer } from '../../core/json/json-pointer';
import { equalJson, type JsonValue, valueAlong } from '../../core/json/json-value';
import { previewValue, scalarText } from '../../core/json/stringify-json';
import { foldedName, wordsOf } from '../../core/text/inflection';
import { isRfc3339Date, parseRfc3339 } from '../../core/time/date-time';
import type { BodyShape } from '../../lists/body-shape';
import type { ListFilter } from '../../lists/list-model';
import { countedBy } from '../../lists/page-properties';
import { endsWithNone } from '../../lists/page-words';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Parameter, Property } from '../../openapi/model/operation';
import { typesOf, viewOf } from '../../openapi/view/schema-view';
import type { Binding } from '../../resources/model/binding';
import { type RunCheckFinding, templateOf } from '../observed-exchange';
import { boundsOf, countsFrom, limitOf, type ListRead, numberSent, type Query, queryKey } from './list-reads';

/** What one response shows alone, whoever else writes: its length, its order, what is in it, and where it leads. */
export function contentFindings(api: ApiModel, read: ListRead): RunCheckFinding[] {
  const checks = [
    tooLong,
    repeatedItem,
    smallTotal,
    leadsBeyond,
    wrongPageCount,
    wrongOrder,
    wrongItems,
    sameWay,
    otherWay,
  ];
  return checks.flatMap((check) => {
    const fault = check(api, read);
    return fault === undefined ? [] : [faultOf(api, read, fault)];
  });
}

interface Fault extends Omit<Partial<RunCheckFinding>, 'message'> {
  /** As it goes on behind the operation. */
  readonly what: string;
}

export function faultOf(api: ApiModel, read: ListRead, { what, ...fault }: Fault): RunCheckFinding {
  const { exchange } = read;
  const message = `GET ${templateOf(api, exchange)} ${what}`;
  return { exchange, earlier: exchange, at: placeInBody(read), message, ...fault };
}

/** Where the list stands in the body, or something in each of its items. */
function placeInBody({ binding: { response } }: ListRead, within: readonly string[] = []): string {
  const entry = within.length === 0 ? [] : ['*', ...(response?.entryPath ?? []), ...within];
  return [...(response?.path ?? []), ...entry].reduce<string>(joinPointer, '/response/body');
}

function tooLong(_: ApiModel, { binding, sent, items }: ListRead): Fault | undefined {
  const parameter = limitOf(binding);
  const limit = numberSent(sent, parameter);
  // In the place of less than the least a service may take that.
  if (limit === undefined || limit < Math.max(1, boundsOf(parameter).least ?? 1) || items.length <= limit)
    return undefined;
  const actual = `${items.length} items`;
  return {
    what: 'shows more items than its limit',
    expected: `at most ${limit} items`,
    actual,
    spec: parameter?.pointer,
  };
}

function repeatedItem(_: ApiModel, { keys = [], items }: ListRead): Fault | undefined {
  const first = new Map<string, number>();
  const again = keys.findIndex((key, index) => {
    const before = first.get(key) ?? index;
    first.set(key, before);
    return before < index && equalJson(items[before] ?? null, items[index] ?? null);
  });
  if (again < 0) return undefined;
  return { what: 'shows one item twice on a page', expected: 'each item once', actual: `${keys[again] ?? ''} twice` };
}

function smallTotal(_: ApiModel, { total, start, items, isNumbered, isCounted, limit }: ListRead): Fault | undefined {
  const isBehind = isNumbered && isCounted && items.length > 0 && items.length === limit;
  const shown = items.length + (isBehind ? (start ?? 0) : 0);
  if (total === undefined || total >= shown) return undefined;
  return {
    what: 'tells a total that is less than what it shows',
    expected: `at least ${shown}`,
    actual: String(total),
  };
}

/** A page that shows the last of its total, and leads on: where words say that it does not, it is wrong. */
function leadsBeyond(api: ApiModel, { binding, saysMore, wayOn, ...page }: ListRead): Fault | undefined {
  const { total, start = -1, isCounted, items } = page;
  const { response } = binding;
  const isAtEnd = start >= 0 && isCounted && items.length > 0 && start + items.length === total;
  if (!saysMore || !isAtEnd || response === undefined || mayCountPage(response)) return undefined;
  return {
    what: 'leads on behind the last item of its total',
    severity: saysNoneAtEnd(api, binding) ? 'error' : 'warning',
    expected: `nothing behind ${total} items`,
    actual: wayOn?.text ?? 'that there is more',
  };
}

/** Do words say that nothing leads on from the last page? */
export function saysNoneAtEnd(api: ApiModel, { operation, response }: Binding): boolean {
  const general = valueAlong(api.document.root, ['info', 'description']);
  return response !== undefined && endsWithNone(viewOf(api), response, operation, general);
}

/** A count without a word about it may be that of the page. */
function mayCountPage({ pageProperties }: BodyShape): boolean {
  const totals = pageProperties.filter(({ role }) => role === 'total');
  return totals.some(({ path }) => countedBy(wordsOf(path.at(-1) ?? '').join('')) === 'count');
}

function namesLastPage({ response }: Binding): boolean {
  const told = response?.pageProperties.filter(({ role }) => role === 'page-count') ?? [];
  return told.some(({ path }) => wordsOf(path.at(-1) ?? '').includes('last'));
}

function wrongPageCount(_: ApiModel, { binding, total, pageCount, limit, hasWholeLimit }: ListRead): Fault | undefined {
  if (total === undefined || pageCount === undefined || limit === undefined || limit === 0) return undefined;
  const expected = Math.ceil(total / limit);
  // An empty list may be one page, and where pages are counted from 0 the number of the last one is less than theirs.
  const mayBeLast = countsFrom(binding.parameters.page?.parameter) !== 1 || namesLastPage(binding);
  const least = mayBeLast ? expected - 1 : expected;
  if (!hasWholeLimit || (pageCount >= least && pageCount <= Math.max(1, expected))) return undefined;
  const actual = String(pageCount);
  return { what: 'tells another number of pages than its total and limit do', expected: String(expected), actual };
}

/** A property by which a list is ordered, as its value stands in an item. */
interface Order {
  readonly path: readonly string[];
  readonly descending: boolean;
  readonly parameter: Parameter;
}

function wrongOrder(_: ApiModel, read: ListRead): Fault | undefined {
  const order = orderOf(read.binding, read.asked);
  if (order === undefined) return undefined;
  const values = read.items.map((item) => valueAlong(item, order.path));
  const at = values.findIndex((value, index) => {
    const compared = index === 0 ? undefined : compareSurely(values[index - 1], value);
    return compared !== undefined && (order.descending ? compared < 0 : compared > 0);
  });
  if (at < 0) return undefined;
  return {
    at: placeInBody(read, order.path),
    what: `is not in the order of "${order.parameter.name}"`,
    expected: order.descending ? 'each value before one that is less' : 'each value before one that is more',
    actual: `${previewValue(values[at - 1])} before ${previewValue(values[at])}`,
    spec: order.parameter.pointer,
  };
}

/** Does something say that a name alone is the ascending order, since there is a mark for the other one? */
const MARKS = /^-|\bdesc|\bascending\b|\bminus\b|\bhyphen\b|`-/i;

function orderOf({ parameters, resource }: Binding, asked: Query): Order | undefined {
  const { sort } = parameters;
  const text = sort === undefined ? undefined : asked.get(sort.name)?.join(',');
  if (sort === undefined || text === undefined) return undefined;
  const { name, said } = readSort(text);
  const direction = said ?? assumedDirection(parameters, asked);
  const path = pathOf(resource, name);
  if (path === undefined || direction === undefined || !DIRECTION.test(direction)) return undefined;
  return { path, descending: /^(?:-|desc)/i.test(direction), parameter: sort };
}

/** The first name by which is ordered, and the direction where it is said beside it: `-name`, `name:desc`, `name,desc`. */
function readSort(text: string): { readonly name: string; readonly said: string | undefined } {
  const [first = '', second = ''] = text.split(',');
  const [, sign = '', name = '', word = ''] = /^([+-]?)(.*?)(?:[\s:._|]+(asc|desc)\w*)?$/i.exec(first.trim()) ?? [];
  const behind = /^(?:asc|desc)$/i.test(second.trim()) ? second.trim() : '';
  // A plus that was not encoded is a space.
  return { name, said: [word, behind, sign, first.startsWith(' ') ? '+' : ''].find((each) => each !== '') };
}

function pathOf({ properties, attributes }: Binding['resource'], name: string): string[] | undefined {
  const property = propertyNamed(properties, name);
  const attribute = property === undefined ? propertyNamed(attributes, name) : undefined;
  // Words of an enum may have an order of their own: low, medium, high.
  if ((property ?? attribute)?.schema['enum'] !== undefined) return undefined;
  if (attribute !== undefined) return ['attributes', attribute.name];
  return property && [property.name];
}

const DIRECTION = /^(?:[+-]|asc|desc)/i;

/** The direction of a name alone: what a parameter of its own says, or where there is a mark for the other one the ascending. */
function assumedDirection({ sort, direction }: Binding['parameters'], asked: Query): string | undefined {
  const preset = direction?.defaultValue;
  if (direction !== undefined)
    return asked.get(direction.name)?.[0] ?? (typeof preset === 'string' ? preset : undefined);
  const { schema, items, description = '' } = sort ?? {};
  const words = [schema?.value['enum'], items?.['enum']].flatMap((each) => (Array.isArray(each) ? each : []));
  return [...words, description].some((text) => typeof text === 'string' && MARKS.test(text)) ? 'asc' : undefined;
}

function propertyNamed(properties: ReadonlyMap<string, Property>, name: string): Property | undefined {
  return properties.get(name) ?? [...properties.values()].find((each) => foldedName(each.name) === foldedName(name));
}

/** Which of two values comes first, below zero the one; `undefined` where that depends on who compares them. */
function compareSurely(one: JsonValue | undefined, other: JsonValue | undefined): number | undefined {
  if (isJsonNumber(one) && isJsonNumber(other)) return compareNumbers(one, other);
  if (typeof one !== 'string' || typeof other !== 'string') return undefined;
  const [before, after] = [parseRfc3339(one), parseRfc3339(other)];
  if (before !== undefined && after !== undefined) return before - after;
  return isRfc3339Date(one) && isRfc3339Date(other)
    ? Number(one > other) - Number(one < other)
    : compareTexts(one, other);
}

/** What no collation looks at first: `The Hobbit` may stand under H. */
const ARTICLE = /^(?:the|an?)\s/i;

/** Two letters that are one in some languages, at the place where two texts part, and letters that others do not tell apart. */
const AS_ONE = /aa|ch|ll|dz/i;
const ALIKE = /^(?:vw|wv|iy|yi)$/i;

/** A beginning comes before what goes on from it; letters of one case, and single digits, are in one order nearly everywhere. */
function compareTexts(one: string, other: string): number | undefined {
  if (ARTICLE.test(one) || ARTICLE.test(other)) return undefined;
  if (one.startsWith(other) || other.startsWith(one)) return one.length - other.length;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const letters = `${one[at] ?? ''}${other[at] ?? ''}`;
  if ([one, other].every((text) => isLoneDigit(text, at))) return letters.charCodeAt(0) - letters.charCodeAt(1);
  const isOne = [one, other].some((text) => AS_ONE.test(text.slice(Math.max(0, at - 1), at + 2)));
  if (!/^(?:[a-z]{2}|[A-Z]{2})$/.test(letters) || isOne || ALIKE.test(letters)) return undefined;
  return letters.charCodeAt(0) - letters.charCodeAt(1);
}

function isLoneDigit(text: string, at: number): boolean {
  return /^\D?\d\D?$/.test(text.slice(Math.max(0, at - 1), at + 2)) && /\d/.test(text[at] ?? '');
}

function wrongItems(api: ApiModel, read: ListRead): Fault | undefined {
  for (const filter of read.binding.parameters.filters) {
    const path = [filter.property, ...filter.innerPath];
    const wanted = valuesOf(api, read, filter);
    const stray =
      wanted === undefined ? undefined : read.items.find((item) => !hasOneOf(valueAlong(item, path), wanted));
    if (wanted === undefined || stray === undefined) continue;
    return {
      at: placeInBody(read, path),
      what: `shows an item with another value than it was asked for by "${filter.parameter.name}"`,
      expected: wanted.join(' or '),
      actual: previewValue(valueAlong(stray, path)),
      spec: filter.parameter.pointer,
    };
  }
  return undefined;
}

/** A number as it is written in JSON, without an exponent. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** An item that does not show the property says nothing. */
function hasOneOf(value: JsonValue | undefined, wanted: readonly string[]): boolean {
  if (value === undefined || (typeof value === 'object' && value !== null && !isJsonNumber(value))) return true;
  return wanted.some((text) => {
    if (isJsonNumber(value)) return !NUMBER.test(text) || compareNumbers(value, numberFromLexeme(text)) === 0;
    return value !== null && scalarText(value).toLowerCase() === text.toLowerCase();
  });
}

/** Words with which a filter means more than one value. */
const NOT_EQUAL =
  /\b(?:at least|at most|minimum|maximum|min|max|up to|(?:greater|less|more|fewer|higher|lower) than|or (?:more|less|above|below)|between|range|near|about|prefix|contains?|search|like|regexp?|pattern|wildcards?|partial)\b/i;

/** The values of which each item has to have one; `undefined` where a filter was not sent, or may mean something else. */
function valuesOf(api: ApiModel, { binding, asked }: ListRead, filter: ListFilter): readonly string[] | undefined {
  const { parameter } = filter;
  const texts = asked.get(parameter.name);
  const own = meansEqual(filter) && texts !== undefined ? comparedProperty(binding, filter) : undefined;
  const schema = own && viewOf(api).schemaOf(own)?.value;
  if (texts === undefined || own === undefined || schema === undefined) return undefined;
  const values = texts.flatMap((text) => text.split(','));
  const isEach = values.every((text) => isOneValue(binding, own, schema, text));
  return isEach && !groupsWords(parameter, schema) ? values : undefined;
}

function meansEqual({ parameter, operator, bounds }: ListFilter): boolean {
  return operator === 'equal' && bounds === undefined && !NOT_EQUAL.test(parameter.description ?? '');
}

/** Can a list not be asked for each word that the property may have? Then one that it can be asked for may stand for others. */
function groupsWords({ schema, items }: Parameter, { enum: words }: Property['schema']): boolean {
  const asked = schema?.value['enum'] ?? items?.['enum'];
  return Array.isArray(asked) && Array.isArray(words) && words.some((word) => word !== null && !asked.includes(word));
}

/** Is a text a value that the property may have, and nothing that stands for several? */
function isOneValue(binding: Binding, own: Property, schema: Property['schema'], text: string): boolean {
  const { enum: words } = schema;
  if (!Array.isArray(words)) return isExact(binding, own, schema) && isOfType(schema, text);
  return words.some((word) => word !== null && scalarText(word).toLowerCase() === text.toLowerCase());
}

function comparedProperty(
  { resource: { properties, attributes } }: Binding,
  { property, innerPath: [inner, ...deeper] }: ListFilter,
): Property | undefined {
  if (inner === undefined) return properties.get(property);
  return property === 'attributes' && deeper.length === 0 ? attributes.get(inner) : undefined;
}

/** A value that nobody searches for a part of: a key, a flag or a number. */
function isExact({ resource: { key, references } }: Binding, { name }: Property, schema: Property['schema']): boolean {
  const isKey = name === key.name || references.some((each) => each.property === name && each.form === 'key');
  return isKey || schema['format'] === 'uuid' || /^(?:boolean|integer|number)$/.test(typesOf(schema).join());
}

/** `true` is a boolean, `1` may be one, and `any` is none. */
function isOfType(schema: Property['schema'], text: string): boolean {
  const types = typesOf(schema);
  if (types.includes('boolean')) return /^(?:true|false)$/.test(text);
  if (types.includes('string')) return text !== '' && !/^(?:all|any|none|me|self|null|\*)$|[*%!<>]/i.test(text);
  return NUMBER.test(text);
}

/** A way on that leads to the page it stands on, or before it. */
function sameWay(_: ApiModel, { binding, sent, wayOn, items }: ListRead): Fault | undefined {
  if (wayOn === undefined || items.length === 0) return undefined;
  const { offset, page } = binding.parameters;
  const leadsBack = [offset, page?.parameter].some((parameter) => {
    const next = numberSent(wayOn.query, parameter);
    const own = numberSent(sent, parameter) ?? countsFrom(parameter);
    return next !== undefined && own !== undefined && next <= own;
  });
  const limit = limitOf(binding);
  if (!leadsBack && queryKey(wayOn.query, [limit]) !== queryKey(sent, [limit])) return undefined;
  return {
    at: wayOn.at,
    what: 'leads on to the same page',
    expected: 'what leads to the next page',
    actual: wayOn.text,
  };
}

/** A link to the next page that asks for something else: another filter, order or limit. */
function otherWay(_: ApiModel, read: ListRead): Fault | undefined {
  const { binding, sent, wayOn } = read;
  const { sort, direction, search, filters } = binding.parameters;
  const kept = [sort, direction, search, limitOf(binding), ...filters.map(({ parameter }) => parameter)];
  const changed = kept.find(
    (each) => each !== undefined && wayOn?.isLink === true && isChanged(read, each, wayOn.query),
  );
  if (wayOn === undefined || changed === undefined) return undefined;
  return {
    at: wayOn.at,
    what: `links to a next page with another value of "${changed.name}"`,
    expected: sent.get(changed.name)?.join() ?? '',
    actual: wayOn.query.get(changed.name)?.join() ?? 'none',
    spec: changed.pointer,
  };
}

function isChanged({ binding, sent, items }: ListRead, parameter: Parameter, next: Query): boolean {
  const { offset, page } = binding.parameters;
  const own = sent.get(parameter.name);
  const isLimit = parameter === limitOf(binding);
  const { name, defaultValue } = parameter;
  if (own === undefined) return false;
  if (!next.has(name)) {
    // It may be in the cursor, or be what is assumed without it.
    const isNumbered = [offset, page?.parameter].some((each) => each !== undefined && next.has(each.name));
    return isNumbered && !(isLimit && defaultValue === undefined) && !isSameText(own, [scalarText(defaultValue ?? '')]);
  }
  const texts = next.get(name) ?? [];
  const limit = Number(texts[0]);
  // A service may cut a limit to what it allows.
  const isCut = isLimit && limit < Number(own[0]) && items.length <= limit;
  return !isCut && !isSameText(own, texts);
}

/** In whatever case and order, as a list in one text or in several. */
function isSameText(one: readonly string[], other: readonly string[]): boolean {
  const [left, right] = [one, other].map((texts) =>
    texts
      .join()
      .split(',')
      .map((text) => text.trim().toLowerCase())
      .sort(),
  );
  return left?.join() === right?.join();
}
