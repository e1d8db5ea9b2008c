import { isSafe, isSuccess, type ObservedExchange } from '../../checks/observed-exchange';
import { exchangesOf, orderOf } from '../../checks/together/no-order';
import { isContended, observedThings, type ObservedThing } from '../../checks/together/things';
import type { Step } from '../../formats/contract/contract';
import type { ExchangeOutcome } from '../exchange/exchange';
import type { Interaction } from '../exchange/interaction';
import { callOperation, undefinedOnError } from '../exchange/operation-call';
import type { Run } from '../exchange/run-state';
import { routeOf } from '../ownership/item-routes';
import type { LocatedFinding } from '../result/run-result';
import type { LockStep } from './lock-step';

/** Steps that were sent at the same time, or one alone; each list in the same order. */
export interface SentGroup {
  readonly steps: readonly Step[];
  readonly interactions: readonly Interaction[];
  readonly outcomes: readonly ExchangeOutcome[];
}

/**
 * Sends steps to the mock that the target has answered, in an order that explains the answers where they were sent at the
 * same time: the mock does one after the other. Where only a later read would show which write was the last one, the target
 * is asked for it.
 *
 * @param earlier - what the contract sent before
 * @returns the differences of each step
 */
export async function followGroup(
  lockStep: LockStep,
  run: Run,
  { steps, interactions, outcomes }: SentGroup,
  earlier: readonly ObservedExchange[],
): Promise<readonly (readonly LocatedFinding[])[]> {
  const order = outcomes.length > 1 ? await explainingOrder(run, outcomes, earlier) : [0];
  if (order === undefined) lockStep.lose('requests at the same time were answered as in no order of them');
  const found: (readonly LocatedFinding[])[] = outcomes.map(() => []);
  for (const index of order ?? outcomes.keys())
    found[index] = await lockStep.follow(
      steps[index] as Step,
      interactions[index] as Interaction,
      outcomes[index] as ExchangeOutcome,
    );
  return found;
}

/** @returns indexes of the outcomes; `undefined` where no order explains what is known */
async function explainingOrder(
  run: Run,
  outcomes: readonly ExchangeOutcome[],
  earlier: readonly ObservedExchange[],
): Promise<readonly number[] | undefined> {
  const all = run.log.exchanges();
  const group = outcomes.map(({ position }) => (position === undefined ? undefined : all[position]));
  const known = [...earlier, ...group.filter((each) => each !== undefined)];
  const reads = await readContended(run, observedThings(run.api, known), group);
  const things = observedThings(run.api, [...known, ...reads]).filter(isContended);
  const chains: ObservedExchange[][] = [];
  for (const thing of things) {
    const search = orderOf(thing, true);
    if (search.kind !== 'explained') return undefined;
    chains.push(search.order.map(({ exchange }) => exchange).filter((each) => group.includes(each)));
  }
  return mergedOrder(group, chains);
}

/** Reads what several requests of the group wrote, once. */
async function readContended(
  run: Run,
  things: readonly ObservedThing[],
  group: readonly (ObservedExchange | undefined)[],
): Promise<ObservedExchange[]> {
  const reads: ObservedExchange[] = [];
  for (const thing of things) {
    const writes = exchangesOf(thing).filter((each) => group.includes(each) && !isSafe(each) && isSuccess(each));
    const path = thing.item.path.slice(run.basePath.length);
    const read = routeOf(run.api, path)?.route.operations.get('GET');
    if (writes.length < 2 || read === undefined) continue;
    await undefinedOnError(() => callOperation(run, read, path));
    const sent = run.log.exchanges().findLast((each) => each.method === 'GET' && each.path === thing.item.path);
    if (sent !== undefined) reads.push(sent);
  }
  return reads;
}

/**
 * One order of all: of each thing as it was found, and what was done before what was refused, which may have been refused
 * because of it.
 */
function mergedOrder(
  group: readonly (ObservedExchange | undefined)[],
  chains: readonly (readonly ObservedExchange[])[],
): number[] {
  const left = new Set(group.keys());
  const order: number[] = [];
  const isNext = (index: number): boolean =>
    chains.every((chain) => {
      const place = chain.findIndex((each) => each === group[index]);
      return chain.slice(0, Math.max(0, place)).every((each) => !left.has(group.indexOf(each)));
    });
  const isDone = (index: number): boolean => {
    const exchange = group[index];
    return exchange !== undefined && isSuccess(exchange);
  };
  while (left.size > 0) {
    const possible = [...left].filter(isNext);
    const next = possible.find(isDone) ?? possible[0] ?? [...left][0];
    if (next === undefined) break;
    left.delete(next);
    order.push(next);
  }
  return order;
}
