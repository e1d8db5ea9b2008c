import { memberOf, setMember } from '../json/member';
import { effectsOfPresence } from '../resources/action-effect';
import { lastLiteral, parseTemplate } from '../resources/path-template';
import { stampedBy } from '../resources/verbs';
import type { Call, Outcome } from './call';
import type { MockContext } from './context';
import type { Draft } from './draft';
import type { ItemDraft } from './item';
import { itemAbove, putMembers, type ItemAbove } from './item-above';
import type { OperationPlan } from './operation-plan';

/**
 * Shows in an item that something was put below it, or taken away, of which all that is kept is whether it is there: `PUT
 * /things/{id}/merge` makes `merged` true, with the time in `merged_at`, which goes with it.
 */
export function showPresence(
  context: MockContext,
  plan: OperationPlan,
  call: Call,
  draft: Draft,
  outcome: Outcome,
): void {
  const { isMembership, kind } = plan.behaviour?.resource ?? {};
  const isThere = THERE.get(outcome.kind);
  if (isMembership !== true || kind !== 'singleton' || isThere === undefined) return;
  const above = itemAbove(context, plan, call, draft);
  if (above === undefined) return;
  const { resource, kept } = above;
  const word = lastLiteral(parseTemplate(call.operation.path)?.segments ?? []);
  const sets = effectsOfPresence(word, isThere, resource.properties);
  const members: ItemDraft = Object.fromEntries(sets.map(({ member, value }) => [member, value]));
  if (sets.every(({ member, value }) => memberOf(kept.item, member) === value)) return;
  const nowMs = isThere ? context.clock.now() : undefined;
  for (const member of stampedBy(word, resource.properties)) showTime(above, member, nowMs, members);
  putMembers(above, members, draft);
}

/** @param nowMs - `undefined` where there is no such time any more */
function showTime({ making }: ItemAbove, member: string, nowMs: number | undefined, members: ItemDraft): void {
  if (nowMs !== undefined) making.stamp(members, member, nowMs);
  else setMember(members, member, making.takes(member, null) ? null : undefined);
}

/** Is something there after that? */
const THERE: ReadonlyMap<Outcome['kind'], boolean> = new Map([
  ['created', true],
  ['changed', true],
  ['removed', false],
]);
