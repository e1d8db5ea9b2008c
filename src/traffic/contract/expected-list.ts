import { headerValues } from '../../core/http/headers';
import { type JsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { Parameter } from '../../openapi/model/operation';
import type { Call } from '../flow/call';
import { isKeyAlike, keyPath, shownItems, type ShownItem } from '../flow/producers';
import { expectedItem } from './expected-item';
import type { OwnThing, OwnThings } from './own-things';
import { wrapped } from './preparing-steps';
import { rewrite, type StepContext } from './step-context';

/**
 * What a list holds that others write to as well: the own item is in it, or not in it any more, and each item passes the
 * filter. `undefined` where nothing is certain.
 */
export function expectedList(context: StepContext, call: Call, things: OwnThings): JsonObject | undefined {
  const shape = call.binding?.response;
  if (shape?.form !== 'list') return undefined;
  const items = shownItems(call);
  const page = pageOf(context, call, things, items.length);
  const within = (entry: JsonObject): JsonObject => wrapped(shape.entryPath ?? [], entry);
  const entry = entryOf(context, call, page, items);
  const hidden = hiddenBy(context, call, page, items);
  const matcher: Record<string, JsonValue> = entry === undefined ? {} : containing(within(entry), page.pageSize);
  if (hidden !== undefined) Object.assign(matcher, { $not: { $contains: within(hidden) } });
  const each = filterOf(context, call, items);
  if (Object.keys(each).length > 0) Object.assign(matcher, { $each: within(each), $minItems: 0 });
  if (Object.keys(matcher).length > 0) return wrapped(shape.path, matcher);
  return page.isEmpty ? wrapped(shape.path, { $length: 0 }) : undefined;
}

/** The own item that the page must show, with what is known of it. */
function entryOf(
  context: StepContext,
  call: Call,
  { listed, mustShow }: ListPage,
  items: readonly ShownItem[],
): JsonObject | undefined {
  const present = listed.findLast((thing) => !thing.isRemoved && mustShow(thing) && isShown(items, thing));
  const shown = items.find(({ key }) => key === present?.key);
  if (present === undefined || shown === undefined) return undefined;
  const entry = { ...keyOf(context, call, present, items), ...expectedItem(context, call, present, shown, true) };
  return Object.keys(entry).length === 0 ? undefined : entry;
}

/** The key of the own item that the page must not show. */
function hiddenBy(
  context: StepContext,
  call: Call,
  { listed, mustHide }: ListPage,
  items: readonly ShownItem[],
): JsonObject | undefined {
  const absent = listed.findLast((thing) => !isShown(items, thing) && (thing.isRemoved || mustHide(thing)));
  const key = absent === undefined ? {} : keyOf(context, call, absent, items);
  return Object.keys(key).length === 0 ? undefined : key;
}

function isShown(items: readonly ShownItem[], { key }: OwnThing): boolean {
  return items.some((item) => item.key === key);
}

function keyOf(
  { plan }: StepContext,
  { binding }: Call,
  thing: OwnThing,
  items: readonly ShownItem[],
): Record<string, JsonValue> {
  const key = plan.keyPlaceholder(thing.resource, thing.key);
  const [property, ...inner] = binding === undefined ? [] : keyPath(binding.resource);
  if (key === undefined || property === undefined) return {};
  if (items.some(({ item }) => !isKeyAlike(thing.madeBy, item[property]))) return {};
  return { [property]: inner.reduceRight<JsonValue>((value, each) => ({ [each]: value }), key) };
}

/** What the page of a list says of the things that are not on it, and on which page a thing is. */
interface ListPage {
  /** Own things that the list may have. */
  readonly listed: readonly OwnThing[];
  /** Is a thing that this page showed on it anywhere? */
  readonly mustShow: (thing: OwnThing) => boolean;
  /** Is a thing that this page did not show on it nowhere? */
  readonly mustHide: (thing: OwnThing) => boolean;
  /** Is nothing in the list, and nobody else puts something into it? */
  readonly isEmpty: boolean;
  /** How many items of others leave no room for the own one; `undefined` where there are none, or no pages. */
  readonly pageSize: number | undefined;
}

function pageOf(context: StepContext, call: Call, things: OwnThings, shown: number): ListPage {
  const size = limitOf(call);
  const isPart = isBehindFirst(call) || hasNext(call) || (size !== undefined && shown >= size);
  const isOwn = listsOwnAlone(context, call, things);
  // In a list of own things it is as it was where their order is by what was sent.
  const listed = things.listedBy(call);
  const isSorted = (thing: OwnThing): boolean => isOwn && hasPlaceAmong(listed, thing, sortedBy(call));
  return {
    listed,
    mustShow: (thing) => !isPart || isSorted(thing) || (!isOwn && !isBehindFirst(call)),
    mustHide: (thing) => isFilteredOut(call, thing) || (isPart && isSorted(thing)),
    isEmpty: isOwn && shown === 0 && !isBehindFirst(call),
    pageSize: isOwn || size === undefined ? undefined : size,
  };
}

/** Properties of an item are not those that the list is filtered by. */
function isFilteredOut(call: Call, { known }: OwnThing): boolean {
  return filters(call).some(({ property, value }) => {
    const own = known.get(property)?.recorded;
    return own !== undefined && !isScalarSame(own, value);
  });
}

/** Is all that is listed below, or filtered by, a thing or a name that the run has for itself? */
function listsOwnAlone({ plan, runNames }: StepContext, call: Call, things: OwnThings): boolean {
  const keys = new Set(things.all().map(({ resource, key }) => plan.keyPlaceholder(resource, key)));
  const isOwn = (place: 'path' | 'query', name: string): boolean => {
    const placeholder = plan.placeholderOf(call, place, name);
    return placeholder !== undefined && keys.has(placeholder);
  };
  return (
    filters(call).some(
      ({ parameter, value }) => isOwn('query', parameter.name) || (typeof value === 'string' && runNames.has(value)),
    ) || call.parameters.some(({ parameter }) => parameter.in === 'path' && isOwn('path', parameter.name))
  );
}

/** The property that a list is asked to be ordered by; `undefined` where it is not, or in another way. */
function sortedBy({ binding, parameters }: Call): string | undefined {
  const sort = binding?.parameters.sort;
  const value = sort === undefined ? undefined : parameters.find(({ parameter }) => parameter === sort)?.value;
  return typeof value === 'string' ? value.replace(/^[-+]/, '').split(/[,:\s]/)[0] : undefined;
}

/** Has a thing a value that puts it before or behind each other one, whatever stands behind names in another run? */
function hasPlaceAmong(listed: readonly OwnThing[], thing: OwnThing, property: string | undefined): boolean {
  const textOf = ({ known }: OwnThing): string | undefined => {
    const value = property === undefined ? undefined : known.get(property)?.recorded;
    return value === undefined || typeof value === 'object' ? undefined : scalarText(value);
  };
  const own = textOf(thing);
  if (own === undefined) return false;
  return listed.every((other) => {
    const text = textOf(other);
    return other === thing || (text !== undefined && !text.startsWith(own) && !own.startsWith(text));
  });
}

/** The own item is in the list, unless its page is full of others. */
function containing(entry: JsonObject, pageSize: number | undefined): Record<string, JsonValue> {
  return { $contains: entry, ...(pageSize === undefined ? {} : { $unlessItems: pageSize }) };
}

/** How long a page is at most, where the operation says how one asks for that. */
function limitOf({ binding, parameters }: Call): number | undefined {
  const limit = binding?.parameters.limit ?? binding?.parameters.unusedLimit;
  if (limit === undefined) return undefined;
  const sent = parameters.find(({ parameter }) => parameter === limit)?.value;
  const size = Number(sent ?? limit.defaultValue ?? USUAL_PAGE);
  return Number.isInteger(size) && size > 0 ? size : undefined;
}

/** Nobody has shorter pages where nothing is said. */
const USUAL_PAGE = 20;

/** Does the page begin somewhere in the list? */
function isBehindFirst({ binding, parameters }: Call): boolean {
  const paging = binding?.parameters;
  const begins = [paging?.cursor, paging?.offset, paging?.page?.parameter];
  return parameters.some(({ parameter, value }) => {
    if (!begins.includes(parameter)) return false;
    const first = parameter === paging?.page?.parameter ? paging.page.first : 0;
    return scalarText(typeof value === 'object' ? null : value) !== String(first);
  });
}

/** Does the response name a page behind it (RFC 8288)? */
function hasNext({ exchange }: Call): boolean {
  return headerValues(exchange.response?.headers ?? [], 'link').some((line) => /rel="?next/i.test(line));
}

interface Filter {
  readonly parameter: Parameter;
  readonly property: string;
  readonly value: JsonValue;
}

/** Properties that a query compares with one value, and the value. */
function filters({ parameters, binding }: Call): Filter[] {
  const known = binding?.parameters.filters ?? [];
  return known.flatMap(({ parameter, property, operator, innerPath }): Filter[] => {
    const value = parameters.find((sent) => sent.parameter === parameter)?.value;
    const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
    const isScalar = typeof only === 'string' || typeof only === 'number' || typeof only === 'boolean';
    return isScalar && operator === 'equal' && innerPath.length === 0 ? [{ parameter, property, value: only }] : [];
  });
}

function isScalarSame(shown: JsonValue | undefined, asked: JsonValue): boolean {
  const isScalar = shown !== undefined && (typeof shown !== 'object' || shown === null);
  return isScalar && scalarText(shown) === scalarText(asked);
}

/** What every item has that a filter leaves, as far as all that were shown have it. */
function filterOf(context: StepContext, call: Call, items: readonly ShownItem[]): Record<string, JsonValue> {
  const written: Record<string, JsonValue> = {};
  for (const { parameter, property, value } of filters(call)) {
    if (items.length === 0 || !items.every(({ item }) => isScalarSame(item[property], value))) continue;
    const placeholder = context.plan.placeholderOf(call, 'query', parameter.name);
    setProperty(written, property, placeholder ?? rewrite(context, items[0]?.item[property] ?? null));
  }
  return written;
}
