import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import { isJsonNumber, compareNumbers } from '../../core/json/exact-number';
import { isMarkedDeleted } from '../../openapi/naming/states';
import { nameOfItem, collectionOfRequest, type PairedItem, type PairedItems, shownKey } from './paired-items';
import type { Binding } from '../../resources/model/binding';
import { compareItem, type Difference } from './compare-items';
import type { AnsweredRequest, AnswerPair, AnswerReason, Side } from '../transport/reference';

/** An item of a list that the run made. */
interface Listed {
  readonly pair: PairedItem;
  readonly item: JsonObject;
  readonly index: number;
}

/** Does a response with so many items show all that there is, as far as it tells? */
export type IsWhole = (answer: AnsweredRequest, count: number) => boolean;

/**
 * Compares two lists by the items that the run made at both sides: each is in both of them or in none, in the order that
 * was asked for, and the same item. Items of others, counts, and pages that others fill say nothing.
 */
export function compareLists(
  items: PairedItems,
  binding: Binding,
  answers: AnswerPair,
  { basis }: Pick<AnswerReason, 'basis'>,
  isWhole: IsWhole,
): Difference[] {
  const { response: shape, resource, operation } = binding;
  if (shape?.form !== 'list') return [];
  const lists = {
    target: valueAlong(answers.target.body, shape.path),
    mock: valueAlong(answers.mock.body, shape.path),
  };
  if (!Array.isArray(lists.target) || !Array.isArray(lists.mock)) return [];
  const at = `/response/body${shape.path.map((name) => `/${name}`).join('')}`;
  const listed = {
    target: ownItems(items, binding, answers.target, 'target', lists.target),
    mock: ownItems(items, binding, answers.mock, 'mock', lists.mock),
  };
  const wholes = isWhole(answers.target, lists.target.length) && isWhole(answers.mock, lists.mock.length);
  const isSparse = asksForFields(binding, answers.target);
  return [
    ...(wholes ? comparePresence(binding, answers.target, listed, at, basis) : []),
    ...compareOrder(binding, answers.target, listed, at),
    ...[...listed.target.values()].flatMap(({ pair, item, index }) => {
      const other = listed.mock.get(pair)?.item;
      if (other === undefined) return [];
      const shown = { at: `${at}/${index}`, target: item, mock: other, pair, isNew: false, isSparse, operation };
      return compareItem(items, resource, shown);
    }),
  ];
}

function ownItems(
  items: PairedItems,
  binding: Binding,
  answer: AnsweredRequest,
  side: Side,
  list: readonly JsonValue[],
): Map<PairedItem, Listed> {
  const found = new Map<PairedItem, Listed>();
  const { resource, response } = binding;
  const collection = collectionOfRequest(binding, answer);
  for (const [index, entry] of list.entries()) {
    const item = valueAlong(entry, response?.entryPath ?? []);
    const key = shownKey(resource, item);
    if (key === undefined || !isJsonObject(item)) continue;
    const pair =
      collection === undefined ? items.byKey(resource.path, side, key) : items.at(side, nameOfItem(collection, key));
    if (pair?.isOwn === true && !pair.isDiverged) found.set(pair, { pair, item, index });
  }
  return found;
}

type OwnItems = Readonly<Record<Side, ReadonlyMap<PairedItem, Listed>>>;

function comparePresence(
  binding: Binding,
  request: AnsweredRequest,
  { target, mock }: OwnItems,
  at: string,
  basis: AnswerReason['basis'],
): Difference[] {
  const names = choosingNames(binding, request);
  const isFiltered = names.length > 0;
  const severity = basis === 'inferred' && !isPlainFilter(binding, names) ? 'warning' : 'error';
  const asked = isFiltered ? ' that is asked for' : '';
  const spec = binding.operation.pointer;
  // Whether an item that differs is asked for follows from the difference.
  const isTold = ({ isAltered }: PairedItem): boolean => isFiltered && isAltered;
  const missing = [...mock.keys()].filter((pair) => !target.has(pair) && !isTold(pair));
  const additional = [...target.values()].flatMap(({ pair, item }) =>
    mock.has(pair) || isMarkedDeleted(item) || isTold(pair) ? [] : [pair],
  );
  return [
    ...(missing.length === 0
      ? []
      : [
          {
            severity,
            at,
            message: `The list lacks an item of this run${asked}`,
            expected: `the item ${missing[0]?.target ?? ''}`,
            actual: 'a list without it',
            spec,
          } as const,
        ]),
    ...(additional.length === 0
      ? []
      : [
          {
            severity,
            at,
            message: `The list has an item of this run that ${isFiltered ? 'is not asked for' : 'is not there any more'}`,
            expected: `no item ${additional[0]?.target ?? ''}`,
            actual: 'it is in the list',
            spec,
          } as const,
        ]),
  ];
}

/** Names in the query that are not of the page, the order or the shape: they choose items. */
function choosingNames({ parameters }: Binding, { query }: AnsweredRequest): string[] {
  const { unusedLimit, limit = unusedLimit } = parameters;
  const { cursor, after, before, from, offset, page, sort, direction, fields } = parameters;
  const others = [limit, cursor, after, before, from, offset, page?.parameter, sort, direction, fields];
  const names = new Set(others.flatMap((parameter) => parameter?.name ?? []));
  return [...query.keys()].filter((name) => !names.has(name));
}

/** Is all that is asked for that a property of the same name has a value? Then the description says what that means. */
function isPlainFilter({ parameters, resource }: Binding, names: readonly string[]): boolean {
  const plain = parameters.filters.filter(
    ({ parameter, property, operator, innerPath }) =>
      operator === 'equal' &&
      innerPath.length === 0 &&
      parameter.name === property &&
      resource.properties.has(property),
  );
  return names.every((name) => plain.some(({ parameter }) => parameter.name === name));
}

/** Does a request ask for some of the properties alone? */
export function asksForFields({ parameters: { fields } }: Binding, { query }: AnsweredRequest): boolean {
  return fields !== undefined && query.has(fields.name);
}

/** The order that was asked for; items that are equal in it may come in any. */
function compareOrder(
  { parameters, resource }: Binding,
  { query }: AnsweredRequest,
  { target, mock }: OwnItems,
  at: string,
): Difference[] {
  const { sort } = parameters;
  const asked = sort === undefined ? undefined : query.get(sort.name);
  const property = /^[-+]?([\w.-]+?)(?:[:. ](?:asc|desc))?$/i.exec(asked ?? '')?.[1];
  if (sort === undefined || property === undefined || !resource.properties.has(property)) return [];
  const both = [...mock.values()].flatMap((here) => {
    const there = target.get(here.pair);
    return there === undefined ? [] : [{ here, there }];
  });
  const wrong = both.findIndex((first, index) => {
    const second = both[index + 1];
    return second !== undefined && first.there.index > second.there.index && !isTie(property, first, second);
  });
  const [first, second] = wrong < 0 ? [] : both.slice(wrong);
  if (first === undefined || second === undefined) return [];
  return [
    {
      severity: 'error',
      at,
      message: `The items are not in the order that "${sort.name}" asks for`,
      expected: `the item ${first.there.pair.target} before the item ${second.there.pair.target}`,
      actual: 'the other way round',
      spec: sort.pointer,
    },
  ];
}

type AtBoth = Readonly<Record<'here' | 'there', Listed>>;

/** Are two items equal in what they are sorted by, at either side? */
function isTie(property: string, first: AtBoth, second: AtBoth): boolean {
  return (['here', 'there'] as const).some((side) =>
    isEqualInOrder(first[side].item[property], second[side].item[property]),
  );
}

/** The order of texts is that of some alphabet: only what differs in all of them counts. */
function isEqualInOrder(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (isJsonNumber(one) && isJsonNumber(other)) return compareNumbers(one, other) === 0;
  if (typeof one !== 'string' || typeof other !== 'string') return true;
  const plain = one < other ? -1 : 1;
  return one === other || Math.sign(one.localeCompare(other, 'en', { sensitivity: 'base' })) !== plain;
}
