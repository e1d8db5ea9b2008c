import { equalJson } from '../json/equal-json';
import type { PlacedItem } from './above';
import type { Call } from './call';
import { arrange, violationsOf } from './conform';
import type { MockContext } from './context';
import type { Draft } from './draft';
import type { ItemDraft } from './item';
import type { MakingPlan } from './making-plan';
import type { OperationPlan } from './operation-plan';
import type { Resource } from './resource';

/** The item that the path of an operation names on its way, which what is done there changes. */
export interface ItemAbove {
  readonly resource: Resource;
  readonly making: MakingPlan;
  readonly kept: PlacedItem;
}

/** @returns `undefined` where the path names none, or there is none */
export function itemAbove(context: MockContext, plan: OperationPlan, call: Call, draft: Draft): ItemAbove | undefined {
  const about = plan.about();
  const behaviour = about === undefined ? undefined : context.plans.get(about.binding.operation).behaviour;
  const kept = about?.item(call, draft);
  return behaviour === undefined || kept === undefined
    ? undefined
    : { resource: behaviour.resource, making: behaviour.making, kept };
}

/** May the item have these members in place of those that it has? */
export function takes({ resource, kept }: ItemAbove, members: ItemDraft): boolean {
  return violationsOf(resource, arrange(resource, { ...kept.item, ...members })).length === 0;
}

/** Stores the item with other members; one that its schema does not take stays as it is. */
export function putMembers({ resource, kept }: ItemAbove, members: ItemDraft, draft: Draft): void {
  const { collection, key, item } = kept;
  const after = arrange(resource, { ...item, ...members });
  if (violationsOf(resource, after).length === 0 && !equalJson(after, item)) draft.put(collection, key, after);
}
