import type { Call } from '../call';
import type { Draft } from '../draft';
import type { PlannedBehaviour } from '../operation-plan';
import type { Resource } from '../resource';
import type { Rules } from '../rules';
import type { RuledFilters } from './rule-filters';
import type { Scope } from '../scope';

/** One call of an operation that acts on stored items, and everything that it needs. */
export interface Task {
  readonly call: Call;
  readonly plan: PlannedBehaviour;
  readonly resource: Resource;
  /** Which of the items of the resource are meant. */
  readonly scope: Scope;
  readonly draft: Draft;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly rules: Rules | undefined;
  /** What they say of the parameters of a list. */
  readonly ruled?: RuledFilters | undefined;
  /** Epoch milliseconds of the mock's clock. */
  readonly nowMs: number;
  readonly requireIfMatch: boolean;
  readonly idStart: number | bigint;
  /** Names of members that were sent for the item above, which gets them. */
  readonly namesForSubject: () => readonly string[];
  /** Characters of JSON that a patch may make of an item. */
  readonly maxItemLength: number;
}
