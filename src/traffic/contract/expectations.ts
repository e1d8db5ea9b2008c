import { joinPointer } from '../../core/json/json-pointer';
import { scalarText } from '../../core/json/stringify-json';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { isSameValue } from '../../checks/run/sent-values';
import { codeProperty, commonErrorContent, documentedErrors } from '../../openapi/view/responses';
import type { ApiModel } from '../../openapi/model/api-model';
import { type Call, isSuccess } from '../flow/call';
import { keyPath, shownItems, type ShownItem } from '../flow/producers';
import type { OwnThing, OwnThings } from './own-things';
import { wrapped } from './preparing-steps';
import { rewrite, type StepContext } from './step-request';

/** Values of responses that a second recording has as well, by place: what may be expected literally. */
export type Agreed = (call: Call, pointer: string) => boolean;

/** What a step expects: the status, and what holds on any deployment; the schema is checked anyway. */
export function expectationOf(
  context: StepContext,
  call: Call,
  things: OwnThings,
  made: OwnThing | undefined,
  agreed: Agreed,
): JsonObject {
  const { status = 0 } = call;
  if (!isSuccess(call)) {
    const code = errorCode(context.api, call, agreed);
    return { status, ...(code === undefined ? {} : { code }) };
  }
  const body =
    call.binding?.behaviour === 'list'
      ? listBody(context, call, things)
      : itemBody(context, call, made ?? things.named(call), made !== undefined, agreed);
  return { status, ...(body === undefined ? {} : { body }) };
}

/** The code of an error, where the description knows it or two recordings have it. */
function errorCode(api: ApiModel, call: Call, agreed: Agreed): string | undefined {
  const { operation, responseBody, status = 0 } = call;
  const contents = documentedErrors(operation, status, commonErrorContent(api));
  for (const content of contents) {
    const name = codeProperty(api, content.schema);
    const code = name !== undefined && isJsonObject(responseBody) ? ownProperty(responseBody, name) : undefined;
    if (name === undefined || typeof code !== 'string') continue;
    const isDocumented = contents.some((each) =>
      each.examples.some(({ value }) => isJsonObject(value) && value[name] === code),
    );
    const isListed = [...(operation?.responses.values() ?? [])].some(({ description }) =>
      RegExp(`\\b${escaped(code)}\\b`).test(description),
    );
    if (isDocumented || isListed || agreed(call, `/${name}`)) return code;
  }
  return undefined;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function itemBody(
  context: StepContext,
  call: Call,
  thing: OwnThing | undefined,
  isNew: boolean,
  agreed: Agreed,
): JsonObject | undefined {
  const [shown] = shownItems(call);
  const path = call.binding?.response?.path;
  if (shown === undefined || path === undefined || call.binding?.response?.form !== 'item') return undefined;
  const expected =
    thing === undefined
      ? { ...keyOfShown(context, call, shown), ...echoOf(context, call, shown) }
      : expectedItem(context, call, thing, shown, !isNew);
  if (thing !== undefined) addAgreed(context, call, shown, expected, agreed);
  return Object.keys(expected).length === 0 ? undefined : wrapped(path, expected);
}

/** Of an own thing also what two recordings have alike. */
function addAgreed(
  context: StepContext,
  call: Call,
  { item, pointer }: ShownItem,
  expected: Record<string, JsonValue>,
  agreed: Agreed,
): void {
  const key = call.binding === undefined ? undefined : keyPath(call.binding.resource)[0];
  for (const [name, value] of Object.entries(item)) {
    const isPlain = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
    if (!isPlain || name === key || Object.hasOwn(expected, name) || looksVolatile(name, value)) continue;
    if (agreed(call, joinPointer(pointer, name))) setProperty(expected, name, rewrite(context, value));
  }
}

/** Times and keys differ each time, whatever two recordings had. */
function looksVolatile(name: string, value: JsonValue): boolean {
  return (
    /(?:^id|Id|_id|At|_at|date|time|token|etag|version|url|href|uri)$/i.test(name) ||
    (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value))
  );
}

/** What an own thing has: its key, and what was sent of it. */
function expectedItem(
  context: StepContext,
  { binding }: Call,
  thing: OwnThing,
  { item }: ShownItem,
  withKey: boolean,
): Record<string, JsonValue> {
  const expected: Record<string, JsonValue> = {};
  const key = context.plan.keyPlaceholder(thing.resource, thing.key);
  const [property, ...inner] = binding === undefined ? [] : keyPath(binding.resource);
  if (withKey && key !== undefined && property !== undefined && Object.hasOwn(item, property))
    setProperty(
      expected,
      property,
      inner.length === 0
        ? key
        : (wrapped(inner, {})[property] ?? inner.reduceRight<JsonValue>((value, name) => ({ [name]: value }), key)),
    );
  for (const [name, { recorded, written }] of thing.known) {
    if (Object.hasOwn(item, name) && isSameValue(recorded, item[name]) && name !== property)
      setProperty(expected, name, written);
  }
  return expected;
}

/** The key of what was there before, where the request named it. */
function keyOfShown({ plan }: StepContext, { binding }: Call, { item, key }: ShownItem): JsonObject {
  const path = binding?.keyParameter === undefined ? [] : keyPath(binding.resource);
  const [property] = path;
  const placeholder =
    binding === undefined || key === undefined ? undefined : plan.keyPlaceholder(binding.resource.path, key);
  if (property === undefined || placeholder === undefined || path.length > 1 || !Object.hasOwn(item, property))
    return {};
  return { [property]: placeholder };
}

/** What a call sent and the response shows again, of something that was there before. */
function echoOf(context: StepContext, call: Call, { item }: ShownItem): Record<string, JsonValue> {
  const { binding, requestBody } = call;
  const root = binding?.request?.path ?? [];
  const sent = root.reduce<JsonValue | undefined>(
    (at, name) => (isJsonObject(at) ? ownProperty(at, name) : undefined),
    requestBody,
  );
  const expected: Record<string, JsonValue> = {};
  if (!isJsonObject(sent)) return expected;
  const prefix = root.map((name) => `/${name}`).join('');
  for (const [name, value] of Object.entries(sent)) {
    if (value === null || !Object.hasOwn(item, name) || !isSameValue(value, item[name])) continue;
    setProperty(
      expected,
      name,
      context.plan.placeholderOf(call, 'body', `${prefix}/${name}`) ?? rewrite(context, value),
    );
  }
  return expected;
}

/** Of a list that others write to as well: the own item is in it, or not in it any more, and each item passes the filter. */
function listBody(context: StepContext, call: Call, things: OwnThings): JsonObject | undefined {
  const shape = call.binding?.response;
  if (shape?.form !== 'list') return undefined;
  const items = shownItems(call);
  const listed = things.listedBy(call);
  const present = listed.findLast((thing) => !thing.isRemoved && items.some(({ key }) => key === thing.key));
  const absent = listed.findLast(
    (thing) => !items.some(({ key }) => key === thing.key) && (thing.isRemoved || isFiltered(call)),
  );
  const matcher: Record<string, JsonValue> = {};
  const entry = (thing: OwnThing, shown: ShownItem | undefined): JsonObject => {
    const key = context.plan.keyPlaceholder(thing.resource, thing.key);
    const [property, ...inner] = call.binding === undefined ? [] : keyPath(call.binding.resource);
    const name =
      key === undefined || property === undefined
        ? {}
        : { [property]: inner.reduceRight<JsonValue>((value, each) => ({ [each]: value }), key) };
    const item = shown === undefined ? name : { ...name, ...expectedItem(context, call, thing, shown, true) };
    return wrapped(shape.entryPath ?? [], item);
  };
  const shown = items.find(({ key }) => key === present?.key);
  if (present !== undefined && shown !== undefined) Object.assign(matcher, containing(entry(present, shown), call));
  if (absent !== undefined && Object.keys(entry(absent, undefined)).length > 0) {
    const none = { $contains: entry(absent, undefined) };
    if (matcher['$not'] === undefined) matcher['$not'] = none;
  }
  const each = filterOf(call, items);
  if (each !== undefined) Object.assign(matcher, { $each: wrapped(shape.entryPath ?? [], each), $minItems: 0 });
  if (Object.keys(matcher).length === 0) return undefined;
  return shape.path.reduceRight<JsonObject>((value, name) => ({ [name]: value }), matcher);
}

/** The own item is in the list, unless its page is full of others. */
function containing(entry: JsonObject, call: Call): JsonObject {
  const limit = limitOf(call);
  if (limit === undefined || isFiltered(call) || Object.keys(entry).length === 0) return { $contains: entry };
  const [property] = Object.keys(entry);
  const other = property === undefined ? entry : { [property]: { $not: entry[property] ?? null } };
  return { $not: { $length: { $max: limit - 1 }, $minItems: 0, $each: other } };
}

/** How long a page is at most, where the operation says how one asks for that. */
function limitOf({ binding, parameters }: Call): number | undefined {
  const limit = binding?.parameters.limit;
  if (limit === undefined) return undefined;
  const sent = parameters.find(({ parameter }) => parameter === limit)?.value;
  const size = Number(sent ?? limit.defaultValue ?? USUAL_PAGE);
  return Number.isInteger(size) && size > 0 ? size : undefined;
}

/** Nobody has shorter pages where nothing is said. */
const USUAL_PAGE = 20;

/** Properties that a query compares with one value, and the value. */
function filters({ parameters, binding }: Call): [string, JsonValue][] {
  const known = binding?.parameters.filters ?? [];
  return known.flatMap(({ parameter, property, operator, innerPath }): [string, JsonValue][] => {
    const value = parameters.find((sent) => sent.parameter === parameter)?.value;
    const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
    const isScalar = typeof only === 'string' || typeof only === 'number' || typeof only === 'boolean';
    return isScalar && operator === 'equal' && innerPath.length === 0 ? [[property, only]] : [];
  });
}

function isFiltered(call: Call): boolean {
  return filters(call).length > 0;
}

function isScalarSame(shown: JsonValue | undefined, asked: JsonValue): boolean {
  const isScalar = shown !== undefined && (typeof shown !== 'object' || shown === null);
  return isScalar && scalarText(shown) === scalarText(asked);
}

function filterOf(call: Call, items: readonly ShownItem[]): JsonObject | undefined {
  const holding = filters(call).filter(
    ([name, value]) => items.length > 0 && items.every(({ item }) => isScalarSame(item[name], value)),
  );
  const literals = holding.filter(([, value]) => typeof value !== 'string' || !value.startsWith('~'));
  return literals.length === 0
    ? undefined
    : Object.fromEntries(literals.map(([name]) => [name, items[0]?.item[name] ?? null]));
}
