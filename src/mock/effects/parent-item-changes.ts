import { equalJson, ownProperty, setProperty } from '../../core/json/json-value';
import { lastLiteral, parseTemplate } from '../../openapi/view/path-template';
import { effectsOfExistence } from '../../resources/actions/action-effects';
import { timestampsOf } from '../../resources/actions/verb-effects';
import type { Call, Outcome } from '../calls/call';
import type { LocatedItem } from '../calls/parent-items';
import type { MockContext } from '../context/context';
import type { ServerValues } from '../fitting/server-values';
import type { OperationPlan } from '../plans/operation-plan';
import type { Draft } from '../state/draft';
import type { ItemDraft } from '../state/item';
import { arrange, violationsOf } from '../state/item-representation';
import type { Resource } from '../state/prepared-resource';

/** The item that the path of an operation names on its way, which what is done there changes. */
interface StoredParent {
  readonly resource: Resource;
  readonly serverValues: ServerValues;
  readonly stored: LocatedItem;
}

/** @returns `undefined` where the path names none, or there is none */
export function findStoredParent(
  context: MockContext,
  plan: OperationPlan,
  call: Call,
  draft: Draft,
): StoredParent | undefined {
  const about = plan.nearestItem();
  const behaviour = about === undefined ? undefined : context.plans.get(about.binding.operation).behaviour;
  const stored = about?.item(call, draft);
  return behaviour === undefined || stored === undefined
    ? undefined
    : { resource: behaviour.resource, serverValues: behaviour.serverValues, stored };
}

/** May the item have these properties in place of those that it has? */
export function acceptsProperties({ resource, stored }: StoredParent, properties: ItemDraft): boolean {
  return violationsOf(resource, arrange(resource, { ...stored.item, ...properties })).length === 0;
}

/** Stores the item with other properties; one that its schema does not take stays as it is. */
export function storeProperties({ resource, stored }: StoredParent, properties: ItemDraft, draft: Draft): void {
  const { collection, key, item } = stored;
  const after = arrange(resource, { ...item, ...properties });
  if (violationsOf(resource, after).length === 0 && !equalJson(after, item)) draft.put(collection, key, after);
}

/**
 * Shows in an item that something was put below it, or taken away, of which all that is stored is whether it is there: `PUT
 * /things/{id}/merge` makes `merged` true, with the time in `merged_at`, which goes with it.
 */
export function markPresence(
  context: MockContext,
  plan: OperationPlan,
  call: Call,
  draft: Draft,
  outcome: Outcome,
): void {
  const { isMembership, kind } = plan.behaviour?.resource ?? {};
  const isThere = THERE.get(outcome.kind);
  if (isMembership !== true || kind !== 'singleton' || isThere === undefined) return;
  const above = findStoredParent(context, plan, call, draft);
  if (above === undefined) return;
  const { resource, stored } = above;
  const word = lastLiteral(parseTemplate(call.operation.path)?.segments ?? []);
  const sets = effectsOfExistence(word, isThere, resource.properties);
  const properties: ItemDraft = Object.fromEntries(sets.map(({ property, value }) => [property, value]));
  if (sets.every(({ property, value }) => ownProperty(stored.item, property) === value)) return;
  const nowMs = isThere ? context.clock.now() : undefined;
  for (const member of timestampsOf(word, resource.properties)) showTime(above, member, nowMs, properties);
  storeProperties(above, properties, draft);
}

/** @param nowMs - `undefined` where there is no such time any more */
function showTime(
  { serverValues }: StoredParent,
  property: string,
  nowMs: number | undefined,
  properties: ItemDraft,
): void {
  if (nowMs !== undefined) serverValues.setTimestamp(properties, property, nowMs);
  else setProperty(properties, property, serverValues.accepts(property, null) ? null : undefined);
}

/** Is something there after that? */
const THERE: ReadonlyMap<Outcome['kind'], boolean> = new Map([
  ['created', true],
  ['changed', true],
  ['removed', false],
]);
