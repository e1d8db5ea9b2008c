import type { Problem } from '../../checks/problem';
import type { ItemTest } from '../list-filters';
import { DraftRuleStore } from '../rule-store';
import { sentValue } from '../sent-value';
import { problemOf, refuse } from './apply-rule';
import type { Task } from './task';

/** What rules say of the parameters of a list. */
export interface RuledFilters {
  /** Names of the parameters that rules read. */
  readonly parameters: ReadonlySet<string>;
  /** All of them must hold. */
  readonly tests: readonly ItemTest[];
}

const LISTING: ReadonlySet<string> = new Set(['list', 'count', 'clear']);

/** Asks the rules which items a request wants. @returns why it is refused, or `undefined` where no rule says anything */
export function ruledFilters({ call, plan, scope, draft, resources, rules }: Task): RuledFilters | Problem | undefined {
  const filters = rules?.filters;
  if (filters === undefined || !LISTING.has(plan.kind)) return undefined;
  const { operation } = call;
  const ruled = operation.parameters.filter((each) => each.in === 'query' && Object.hasOwn(filters, each.name));
  if (ruled.length === 0) return undefined;
  const store = new DraftRuleStore(draft, resources, rules?.references);
  const { id } = operation;
  const query = Object.freeze(Object.fromEntries(call.parameters.query));
  const event = { operation: id, collection: scope.collection, query, store, refuse };
  const tests: ItemTest[] = [];
  for (const parameter of ruled) {
    try {
      const test = filters[parameter.name]?.({ ...event, value: sentValue(call, parameter) });
      if (test !== undefined) tests.push(test);
    } catch (error) {
      return problemOf(error);
    }
  }
  return { parameters: new Set(ruled.map(({ name }) => name)), tests };
}
