import { equalJson, type JsonValue, ownProperty } from '../core/json/json-value';
import type { Change } from '../mock/state/state';
import type { Item } from '../mock/state/item';
import type { Operation } from '../openapi/model/operation';
import { parseCollectionName } from '../resources/model/resource';
import type { EventPlan, EventTrigger } from './event-triggers';

/** An event that happened. */
export interface Occurrence {
  readonly plan: EventPlan;
  /** As it is now; as it was, where it was removed; `undefined` where nothing is stored. */
  readonly item: Item | undefined;
  /** The thing that it happened to, for the order of what is sent: `/orders 7`. */
  readonly subject: string;
}

/** What a request that succeeded did. */
export interface Deed {
  readonly operation: Operation;
  readonly changes: readonly Change[];
  /** Does the operation act on what is stored? One that changes nothing then has done nothing. */
  readonly isModelled: boolean;
}

/** The events that a request caused, in the order of its changes. */
export function occurrencesOf(plans: readonly EventPlan[], { operation, changes, isModelled }: Deed): Occurrence[] {
  // What is not stored happens all the same.
  if (!isModelled)
    return plans
      .filter(({ trigger }) => trigger?.by === operation)
      .map((plan) => ({ plan, item: undefined, subject: operation.id }));
  const resources = plans.flatMap(({ trigger }) => (trigger === undefined ? [] : [trigger.resource]));
  return changes.flatMap((change) => {
    if (change.isMove === true) return [];
    const place = parseCollectionName(resources, change.collection);
    const subject = subjectOf(change);
    return plans
      .filter(({ trigger }) => {
        if (trigger === undefined || place?.resource.path !== trigger.resource.path) return false;
        return (trigger.by === undefined || trigger.by === operation) && hasHappened(trigger, change);
      })
      .map((plan) => ({ plan, item: change.after ?? change.before, subject }));
  });
}

/** What it happened to, as a text. */
export function subjectOf({ collection, key }: Change): string {
  return `${collection} ${String(key)}`;
}

function hasHappened({ on, property, value }: EventTrigger, { before, after }: Change): boolean {
  if (property !== undefined) return after !== undefined && cameToBe(property, value, before, after);
  if (before === undefined) return on === 'created' && after !== undefined;
  return on === (after === undefined ? 'removed' : 'changed');
}

function cameToBe(property: string, value: JsonValue | undefined, before: Item | undefined, after: Item): boolean {
  const was = before && ownProperty(before, property);
  const is = ownProperty(after, property);
  const isSame = was === undefined || is === undefined ? was === is : equalJson(was, is);
  if (isSame) return false;
  return value === undefined ? before !== undefined : is !== undefined && equalJson(is, value);
}
