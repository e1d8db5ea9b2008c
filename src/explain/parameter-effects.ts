import type { ListFilter } from '../lists/list-model';
import type { ListPlan } from '../mock/lists/list-plan';
import { documentsHeader } from '../mock/plans/documented-responses';
import type { OperationPlan, PlannedBehaviour } from '../mock/plans/operation-plan';
import type { Rules } from '../mock/rules/rules';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, Parameter } from '../openapi/model/operation';
import { locationText } from './data-origins';
import { BEHAVIOURS } from '../resources/model/binding';

/** What a parameter does. `none`: it is checked by its schema and changes nothing else. */
type ParameterRole =
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
  | 'key property'
  | 'none';

/** A parameter outside the path, and what the mock makes of it. */
export interface ParameterExplanation {
  readonly name: string;
  readonly in: string;
  readonly role: ParameterRole;
  /** What it does, or why it does nothing. */
  readonly effect: string;
  /** Why it does nothing without the names in it, under which an overview counts it. */
  readonly group?: string | undefined;
  readonly place: string | undefined;
}

type Effect = Pick<ParameterExplanation, 'role' | 'effect' | 'group'>;

/** In the order of the description; properties of an exploded object, which are sent by themselves, take its place. */
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
      return { name, in: location, ...effectOf(plan, parameter, rules), place: locationText(api.document, pointer) };
    });
}

function effectOf(
  { operation, behaviour, idempotencyHeader }: OperationPlan,
  parameter: Parameter,
  rules: Rules | undefined,
): Effect {
  if (isOperationSelector(operation, parameter))
    return { role: 'operation', effect: 'distinguishes this operation from others of its path' };
  if (parameter.in === 'header' && parameter.key === 'prefer')
    return { role: 'preference', effect: preferenceText(behaviour) };
  if (behaviour === undefined) return none('there is no state behind it: the response does not depend on it');
  if (parameter.in === 'header') return headerEffect(behaviour, operation, parameter.key, idempotencyHeader);
  if (parameter.in !== 'query') return none('judged by its schema alone');
  if (BEHAVIOURS[behaviour.kind].selectsMany !== true) return namesEffect(behaviour, parameter);
  return rules?.filters !== undefined && Object.hasOwn(rules.filters, parameter.name)
    ? { role: 'filter', effect: 'only items that the rules find in its value' }
    : listEffect(behaviour, parameter);
}

const PROJECTION: Effect = {
  role: 'projection',
  effect: 'leaves of the items only the properties that it names and those that are required',
};

/** A write that puts things into a collection by their names may have those in the query. */
function namesEffect({ binding, resource, list }: PlannedBehaviour, { name }: Parameter): Effect {
  if (list.parameters.fields?.name === name) return PROJECTION;
  const { linkedItems, itemChoice } = binding;
  const member = itemChoice?.by === 'query' ? itemChoice.members.get(name) : undefined;
  if (member !== undefined) return { role: 'filter', effect: `the item whose ${member} is the value` };
  if (resource.keyPropertyParameter === name)
    return { role: 'key property', effect: 'the property whose value the path names the item by' };
  if (linkedItems?.query !== name) return none('only lists look at query parameters');
  return { role: 'filter', effect: `the items whose ${linkedItems.by} it names` };
}

/** RFC 7240, and the words of Prism. */
function preferenceText(behaviour: PlannedBehaviour | undefined): string {
  const chosen = 'code, example, dynamic and seed choose the response';
  return behaviour === undefined ? chosen : `${chosen}; handling=strict and return=minimal act as well`;
}

function isOperationSelector({ selectors }: Operation, { in: location, name }: Parameter): boolean {
  return selectors.some((part) => part.in === location && part.name.toLowerCase() === name.toLowerCase());
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
    return { role: 'condition', effect: '"*" rejects with 412 where the item exists' };
  if (key === 'idempotency-key' && isReplayed)
    return { role: 'replay', effect: 'the same key gives the same response again, and nothing is done twice' };
  return none('judged by its schema alone');
}

/** What the list does with a query parameter, as its plan says. */
function listEffect({ kind, list }: PlannedBehaviour, parameter: Parameter): Effect {
  const { search, filters, conditions, expressions, ignored } = list.parameters;
  const filter = filters.find((each) => each.parameter === parameter);
  if (filter !== undefined) return { role: 'filter', effect: filterText(filter) };
  if (conditions.some((each) => each.parameter === parameter))
    return { role: 'filter', effect: 'only items of which its conditions hold' };
  const expression = expressions.find((each) => each.parameter === parameter);
  if (expression !== undefined)
    return {
      role: 'filter',
      effect: `only items for which its expression holds, in the language of ${expression.language}`,
    };
  if (parameter === search) return { role: 'search', effect: 'only items with this text in one of their properties' };
  const unused = ignored.find((each) => each.parameter === parameter);
  if (unused !== undefined) return { ...none(unused.reason), group: unused.group };
  if (kind !== 'list') return none(`a ${kind} has neither pages nor an order`);
  const [, effect] = pageEffects(list).find(([each]) => each === parameter) ?? [];
  return effect ?? none('judged by its schema alone');
}

function pageEffects({ parameters, defaultLimit }: ListPlan): (readonly [Parameter | undefined, Effect])[] {
  const { limit, cursor, after, before, from, offset, page, sort, direction, fields } = parameters;
  const sorts = 'orders by the properties that it names; "-name", "name desc" and "name,desc" downwards';
  return [
    [limit, { role: 'page-size', effect: `items of a page; ${defaultLimit} where it is left out` }],
    [page?.parameter, { role: 'page', effect: `number of the page, from ${page?.first ?? 1}` }],
    [offset, { role: 'offset', effect: 'so many items come before the page' }],
    [cursor, { role: 'cursor', effect: 'where the page begins; the response before says where' }],
    [after, { role: 'cursor', effect: 'the key of the last item of the page before: the page begins behind it' }],
    [before, { role: 'cursor', effect: 'the key of the first item of the page behind: the page ends before it' }],
    [from, { role: 'cursor', effect: 'the key of the item with which the page begins' }],
    [sort, { role: 'sort', effect: sorts }],
    [direction, { role: 'direction', effect: 'upwards or downwards' }],
    [fields, PROJECTION],
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
  part: 'has the value within',
  unless: 'is not true, if the value is true',
  include: 'is not true, if the value is false',
  not: 'is the opposite of the value',
};

function filterText({ property, innerPath, operator, bounds }: ListFilter): string {
  const range = bounds && `is within the bounds ${[...bounds.operators.keys()].join(', ')} of the object`;
  const value = bounds?.isOnly === true ? undefined : OPERATORS[operator];
  const compared = [value, range].filter((text) => text !== undefined).join(', or ');
  return `only items whose ${[property, ...innerPath].join('.')} ${compared}`;
}
