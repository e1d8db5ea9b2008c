import type { ListPlan } from '../mock/list-plan';
import type { OperationPlan, PlannedBehaviour } from '../mock/operation-plan';
import { documentsHeader } from '../mock/conditional-writes';
import type { Rules } from '../mock/rules';
import type { ApiModel, Operation, Parameter } from '../openapi/model';
import type { ListFilter } from '../resources/resource-model';
import { placeText } from './reason';

/** What a parameter does. `none`: it is judged by its schema and changes nothing else. */
export type ParameterRole =
  | 'page-size'
  | 'page'
  | 'offset'
  | 'cursor'
  | 'sort'
  | 'direction'
  | 'search'
  | 'projection'
  | 'filter'
  | 'condition'
  | 'replay'
  | 'preference'
  | 'operation'
  | 'none';

/** A parameter outside the path, and what the mock makes of it. */
export interface ParameterExplanation {
  readonly name: string;
  readonly in: string;
  readonly role: ParameterRole;
  /** What it does, or why it does nothing. */
  readonly effect: string;
  readonly place: string | undefined;
}

interface Effect {
  readonly role: ParameterRole;
  readonly effect: string;
}

/** In the order of the description; members of an exploded object, which are sent by themselves, take its place. */
export function explainParameters(
  api: ApiModel,
  plan: OperationPlan,
  rules: Rules | undefined,
): ParameterExplanation[] {
  const exploded = plan.behaviour?.list.parameters.exploded;
  return plan.operation.parameters
    .filter((parameter) => parameter.in !== 'path')
    .flatMap((parameter) => exploded?.get(parameter) ?? [parameter])
    .map((parameter) => {
      const { name, in: location, pointer } = parameter;
      return { name, in: location, ...effectOf(plan, parameter, rules), place: placeText(api.document, pointer) };
    });
}

function effectOf(
  { operation, behaviour, idempotencyHeader }: OperationPlan,
  parameter: Parameter,
  rules: Rules | undefined,
): Effect {
  if (tells(operation, parameter)) return { role: 'operation', effect: 'tells this operation from others of its path' };
  if (parameter.in === 'header' && parameter.key === 'prefer')
    return { role: 'preference', effect: preferenceText(behaviour) };
  if (behaviour === undefined) return none('no state stands behind: the answer does not depend on it');
  if (parameter.in === 'header') return headerEffect(behaviour, operation, parameter.key, idempotencyHeader);
  if (parameter.in !== 'query') return none('judged by its schema alone');
  if (!['list', 'count', 'clear'].includes(behaviour.kind)) return namesEffect(behaviour, parameter);
  return rules?.filters !== undefined && Object.hasOwn(rules.filters, parameter.name)
    ? { role: 'filter', effect: 'only items that the rules find in its value' }
    : listEffect(behaviour, parameter);
}

/** A write that puts things into a collection by their names may have those in the query. */
function namesEffect({ binding: { held } }: PlannedBehaviour, { name }: Parameter): Effect {
  if (held?.query !== name) return none('only lists look at query parameters');
  return { role: 'filter', effect: `the things whose ${held.by} it names` };
}

/** RFC 7240, and the words of Prism. */
function preferenceText(behaviour: PlannedBehaviour | undefined): string {
  const chosen = 'code, example, dynamic and seed choose the answer';
  return behaviour === undefined ? chosen : `${chosen}; handling=strict and return=minimal act as well`;
}

function tells({ telling }: Operation, { in: location, name }: Parameter): boolean {
  return telling.some((part) => part.in === location && part.name.toLowerCase() === name.toLowerCase());
}

function none(effect: string): Effect {
  return { role: 'none', effect };
}

const CHANGES: ReadonlySet<string> = new Set(['replace', 'update', 'upsert', 'remove', 'act']);

function headerEffect(
  { kind, takesIfMatch }: PlannedBehaviour,
  operation: Operation,
  key: string,
  isReplayed: boolean,
): Effect {
  if (key === 'if-match' && takesIfMatch && CHANGES.has(kind))
    return { role: 'condition', effect: '412 unless it names the ETag of the item as it is' };
  if (key === 'if-none-match' && documentsHeader(operation, key) && kind === 'read')
    return { role: 'condition', effect: '304 where it names the ETag of the item' };
  if (key === 'if-none-match' && kind === 'upsert')
    return { role: 'condition', effect: '"*" refuses with 412 where the item exists' };
  if (key === 'idempotency-key' && isReplayed)
    return { role: 'replay', effect: 'the same key gives the same answer again, and nothing is done twice' };
  return none('judged by its schema alone');
}

/** What the list does with a query parameter, as its plan says. */
function listEffect({ kind, list }: PlannedBehaviour, parameter: Parameter): Effect {
  const { search, filters, conditions, ignored } = list.parameters;
  const filter = filters.find((each) => each.parameter === parameter);
  if (filter !== undefined) return { role: 'filter', effect: filterText(filter) };
  if (conditions.some((each) => each.parameter === parameter))
    return { role: 'filter', effect: 'only items of which its conditions hold' };
  if (parameter === search) return { role: 'search', effect: 'only items with this text in one of their members' };
  const reason = ignored.find((each) => each.parameter === parameter)?.reason;
  if (reason !== undefined) return none(reason);
  if (kind !== 'list') return none(`a ${kind} has neither pages nor an order`);
  const [, effect] = pageEffects(list).find(([each]) => each === parameter) ?? [];
  return effect ?? none('judged by its schema alone');
}

function pageEffects({ parameters, usualLimit }: ListPlan): (readonly [Parameter | undefined, Effect])[] {
  const { limit, cursor, after, before, from, offset, page, sort, direction, fields } = parameters;
  const sorts = 'orders by the members that it names; "-name", "name desc" and "name,desc" downwards';
  return [
    [limit, { role: 'page-size', effect: `items of a page; ${usualLimit} where it is left out` }],
    [page?.parameter, { role: 'page', effect: `number of the page, from ${page?.first ?? 1}` }],
    [offset, { role: 'offset', effect: 'so many items come before the page' }],
    [cursor, { role: 'cursor', effect: 'where the page begins; the answer before says where' }],
    [after, { role: 'cursor', effect: 'the key of the last item of the page before: the page begins behind it' }],
    [before, { role: 'cursor', effect: 'the key of the first item of the page behind: the page ends before it' }],
    [from, { role: 'cursor', effect: 'the key of the item with which the page begins' }],
    [sort, { role: 'sort', effect: sorts }],
    [direction, { role: 'direction', effect: 'upwards or downwards' }],
    [
      fields,
      { role: 'projection', effect: 'cuts the items down to the members that it names and those that they must have' },
    ],
  ];
}

const OPERATORS: Readonly<Record<ListFilter['operator'], string>> = {
  equal: 'is the value',
  contains: 'has the value in it',
  'at-least': 'is the value or more',
  'at-most': 'is the value or less',
  'more-than': 'is more than the value',
  'less-than': 'is less than the value',
  prefix: 'begins with the value',
  unless: 'is not true, if the value is true',
  include: 'is not true, if the value is false',
};

function filterText({ member, within, operator, bounds }: ListFilter): string {
  const range = bounds && `is within the bounds ${[...bounds.operators.keys()].join(', ')} of the object`;
  const value = bounds?.isOnly === true ? undefined : OPERATORS[operator];
  const compared = [value, range].filter((text) => text !== undefined).join(', or ');
  return `only items whose ${[member, ...within].join('.')} ${compared}`;
}
