import { compareNumbers, isJsonNumber } from '../../core/json/exact-number';
import { isJsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import { scalarText, stringifyJson } from '../../core/json/stringify-json';
import { once } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Parameter, Schema } from '../../openapi/model/operation';
import { isTypeOf } from '../../lists/conventions/json-api';
import type { KeyAnchor } from '../../lists/conventions/list-convention';
import { LIST_CONVENTIONS } from '../../lists/registry';
import { leadsOnlyBack } from '../../lists/way-on';
import type { Binding } from '../../resources/model/binding';
import type { ListParameters } from '../../lists/list-model';
import { examplesIn, parameterExamples } from '../../openapi/view/parameter-examples';
import { successes } from '../../openapi/view/operation-bodies';
import { typesOf, viewOf } from '../../openapi/view/schema-view';
import { type Call, sentValue } from '../calls/call';
import { assumedValue, isAssumed, withAssumedPaging } from './assumed-paging';
import { planFilters, type ReadFilters } from './item-filters';
import { isTurned, type ListQuery, readSort, type SortKey } from '../state/list-query';
import type { Resource } from '../state/prepared-resource';

interface Paging {
  /** Items of a page where the request does not say; `Infinity` where there are no pages. */
  readonly defaultLimit: number;
  /** @returns how many items a page has; `Infinity` where nothing limits it */
  limit(call: Call): number;
  /** @returns how many items come before the page, by offset or page number */
  skip(call: Call, limit: number): number;
}

/** How the query of a list is read. Worked out once for each operation. */
export interface ListPlan extends Paging {
  readonly parameters: ListParameters;
  readonly filters: ReadFilters;
  /** @returns the wanted order; empty for the order of the keys */
  sort(call: Call): readonly SortKey[];
  /** The order where none is asked for, where the description tells one. */
  readonly defaultOrder: (call: Call) => DefaultOrder | undefined;
  cursor(call: Call): string | undefined;
  /** Can a cursor be told and sent back, where nothing else leads on? One made of a long key may be longer than its schema. */
  admitsCursor(cursor: () => string): boolean;
  /** @returns the values that name an item before or behind the page, with their parameters */
  anchors(call: Call): readonly SentAnchor[];
  /**
   * Does a value that is no cursor and no key still mean the first page? An empty text and 0 do, as do the defaults and
   * examples of the description, which generated clients send.
   */
  isStart(parameter: Parameter, value: JsonValue): boolean;
  /** @returns the properties that were asked for; `undefined` for all of them */
  fields(call: Call): readonly string[] | undefined;
}

type DefaultOrder = SortKey & Pick<ListQuery, 'isByCreation'>;

/** The key of an item, as it was sent, and where the page stands to it. */
export interface SentAnchor {
  readonly anchor: KeyAnchor;
  readonly parameter: Parameter;
  readonly value: JsonValue;
}

/** Items of a page when the description names no default. */
const DEFAULT_LIMIT = 100;

const ANCHORS = ['after', 'before', 'from'] as const;

/** How many items come before a page, as the conventions have it that go before others first. */
const SKIPS = LIST_CONVENTIONS.flatMap(({ skip }) => skip ?? []);

export function planList(api: ApiModel, binding: Binding, resource: Resource): ListPlan {
  const parameters = withAssumedPaging(binding);
  const { cursor } = parameters;
  const told = once(() => cursorExamples(api, binding));
  const places = once(() => cursorPlaces(api, binding));
  const anchors = ANCHORS.flatMap((anchor) => {
    const parameter = parameters[anchor];
    return parameter === undefined ? [] : [{ anchor, parameter }];
  });
  return {
    parameters,
    ...planPaging(
      parameters,
      binding.response?.pageProperties.some(({ role }) => role === 'next-cursor'),
    ),
    filters: planFilters(parameters, resource),
    sort: planSort(parameters, resource),
    defaultOrder: planDefaultOrder(parameters, resource),
    cursor(call) {
      const text = valueSent(call, cursor);
      return text === undefined ? undefined : scalarText(text);
    },
    admitsCursor: (next) => places().length === 0 || places().every((place) => place.accepts(next(), 'request')),
    anchors: (call) =>
      anchors.flatMap(({ anchor, parameter }) => {
        const value = valueSent(call, parameter);
        return value === undefined ? [] : [{ anchor, parameter, value }];
      }),
    isStart(parameter, value) {
      const text = scalarText(value);
      if ((text === '' || text === '0') && !rejectsCursors(binding.operation)) return true;
      const own = [parameter.defaultValue, ...parameterExamples(api, parameter), ...told()];
      return own.some((each) => each !== undefined && scalarText(each) === text);
    },
    fields: planFields(parameters, resource),
  };
}

/** Schemas that bound the cursors of a list on which nothing else leads on. */
function cursorPlaces(api: ApiModel, { parameters, response }: Binding): readonly Schema[] {
  const { cursor, page, offset, after, before, from } = parameters;
  if ([page, offset, after, before, from].some((each) => each !== undefined)) return [];
  const view = viewOf(api);
  const shown = (response?.pageProperties ?? []).flatMap(({ role, path }) =>
    response === undefined || role !== 'next-cursor' ? [] : [view.along(response.body, path)],
  );
  return [view.unwrap(cursor?.schema), ...shown].flatMap((place) =>
    place?.value['maxLength'] === undefined && place?.value['pattern'] === undefined ? [] : [place],
  );
}

/** Does the description show what becomes of a cursor that is none, in an example of an error? */
function rejectsCursors({ responses }: Binding['operation']): boolean {
  const errors = [...responses].filter(([status]) => /^4/.test(status)).flatMap(([, { content }]) => content);
  return errors.some(({ examples }) => examples.some(({ value }) => /cursor/i.test(stringifyJson(value))));
}

/** Returns the cursors that the documented responses show: examples of the property, and what example bodies have there. */
function cursorExamples(api: ApiModel, { operation, response }: Binding): JsonValue[] {
  if (response === undefined) return [];
  const bodies = successes(operation).flatMap(({ content }) => content.flatMap(({ examples }) => examples));
  return response.pageProperties.flatMap(({ role, path }) => {
    if (role !== 'next-cursor' && role !== 'next-key') return [];
    const schema = viewOf(api).along(response.body, path);
    const shown = bodies.flatMap(({ value }) => valueAlong(value, path) ?? []);
    return [...(schema === undefined ? [] : examplesIn(schema.value)), ...shown];
  });
}

/** Where the request says nothing of the order, it is that of the defaults of the parameters. */
function planSort({ sort, direction, documentedOrder }: ListParameters, resource: Resource): ListPlan['sort'] {
  // What is told of the order is told of the direction, see `planDefaultOrder`.
  const isTold = documentedOrder !== undefined && defaultOf(sort) === undefined;
  const byDefault = isTold ? [] : readSort(resource, sort, defaultOf(sort), defaultOf(direction));
  return (call) => {
    const [names, turn] = [valueSent(call, sort), valueSent(call, direction)];
    if (names === undefined && (turn === undefined || isTold)) return byDefault;
    return readSort(resource, sort, names ?? defaultOf(sort), turn ?? defaultOf(direction));
  };
}

function planFields({ fields }: ListParameters, resource: Resource): ListPlan['fields'] {
  if (fields === undefined) return () => undefined;
  return (call) => {
    const value = valueSent(call, fields);
    // `fields[books]=title` is one parameter as well, with `style: deepObject`.
    const names = isJsonObject(value)
      ? Object.entries(value).flatMap(([type, texts]) => (isTypeOf(type, resource) ? textsOf(texts) : []))
      : fieldsOf(value);
    return names.length === 0 || names.includes('*') ? undefined : names;
  };
}

/** The order that is told, the other way round where the request says only that. */
function planDefaultOrder(
  { documentedOrder, direction }: ListParameters,
  { keyMember: keyProperty, keySchema }: Resource,
): ListPlan['defaultOrder'] {
  if (documentedOrder === undefined) return () => undefined;
  const { property = keyProperty, descending } = documentedOrder;
  // Numbers are in the order of their making by themselves.
  const isByCreation = typesOf(keySchema).every((type) => type === 'string');
  return (call) => {
    const turn = withDefault(call, direction);
    return { property, descending: typeof turn === 'string' ? isTurned(turn) : descending, isByCreation };
  };
}

/** @param tellsCursor - do pages tell of a cursor? Where nothing takes it, a size alone would lead to the first page for ever */
export function planPaging(parameters: ListParameters, tellsCursor = false): Paging {
  const { limit, page, cursor, after, before, from, offset } = parameters;
  const isPaged = limit !== undefined || page !== undefined;
  const onlyBack = leadsOnlyBack({ page, cursor, after, before, from, offset });
  // What is declared nowhere cuts nothing until it is sent.
  const isOpen = isAssumed(page?.parameter);
  const asking = [page?.parameter, tellsCursor ? undefined : limit];
  const asks = (call: Call): boolean => asking.some((each) => valueSent(call, each) !== undefined);
  const isCut = (call: Call): boolean =>
    isPaged && !(onlyBack && valueSent(call, before) === undefined) && (!isOpen || asks(call));
  return {
    defaultLimit: isPaged && !onlyBack && !isOpen ? limitOf(limit, undefined) : Infinity,
    limit: (call) => (isCut(call) ? limitOf(limit, valueSent(call, limit)) : Infinity),
    skip(call, size) {
      const sent = (parameter: Parameter): number | undefined => numberOf(withDefault(call, parameter));
      for (const skip of SKIPS) {
        const before = skip(parameters, sent, size);
        if (before !== undefined) return before;
      }
      return 0;
    },
  };
}

function valueSent(call: Call, parameter: Parameter | undefined): JsonValue | undefined {
  if (parameter === undefined) return undefined;
  return isAssumed(parameter) ? assumedValue(call, parameter) : (sentValue(call, parameter) ?? undefined);
}

function withDefault(call: Call, parameter: Parameter | undefined): JsonValue | undefined {
  return valueSent(call, parameter) ?? defaultOf(parameter);
}

function defaultOf(parameter: Parameter | undefined): JsonValue | undefined {
  return parameter?.schema?.value['default'];
}

function limitOf(parameter: Parameter | undefined, sent: JsonValue | undefined): number {
  const schema = parameter?.schema?.value ?? {};
  const wanted = sent ?? schema['default'] ?? DEFAULT_LIMIT;
  const highest = schema['maximum'];
  const limit = isJsonNumber(highest) && isJsonNumber(wanted) && compareNumbers(wanted, highest) > 0 ? highest : wanted;
  const number = Number(limit);
  return Number.isFinite(number) && number >= 0 ? number : DEFAULT_LIMIT;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  const number = typeof value === 'string' || isJsonNumber(value) ? Number(value) : NaN;
  return Number.isFinite(number) ? Math.trunc(number) : undefined;
}

/** `id,name`; and around them what they are properties of: `nextPage,things(id,name)`, `things/id`. */
function fieldsOf(value: JsonValue | undefined): string[] {
  const texts: readonly JsonValue[] = Array.isArray(value) ? value : [value ?? ''];
  const inner = texts.flatMap((text) => [
    ...(typeof text === 'string' ? text : '').matchAll(/\w+(?:\/(\w+)|\(([^()]*)\))/g),
  ]);
  return inner.length === 0 ? textsOf(value) : inner.flatMap(([, one, several]) => textsOf(one ?? several));
}

function textsOf(value: JsonValue | undefined): string[] {
  const values: readonly JsonValue[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return values.flatMap((each) => (typeof each === 'string' ? each.split(',') : [])).filter((text) => text !== '');
}
