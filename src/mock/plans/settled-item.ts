import { isJsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { wordsOf } from '../../core/text/inflection';
import { once } from '../../core/text/memoize';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Property } from '../../openapi/model/operation';
import { isStateName, stateObjects, stateWordsOf, successWordAmong, withFlags } from '../../openapi/naming/states';
import { viewOf, typesOf } from '../../openapi/view/schema-view';
import type { Binding } from '../../resources/model/binding';
import { atEnd } from './task-resources';
import type { Item, ItemDraft } from '../state/item';
import type { Resource } from '../state/prepared-resource';
import type { ServerValues } from '../fitting/server-values';

/**
 * Returns a new item as it is read after its creation: a state that clients wait for has passed, so that whoever polls it
 * finds it ready.
 *
 * @returns `undefined` for an item that waits for nothing
 */
export type SettleItem = (item: Item, making: ServerValues, nowMs: number) => ItemDraft | undefined;

/** First words of states that pass without anybody doing anything. */
const PASSING =
  /^(?:initiali[sz]|creating|provision|starting|building|preparing|queued?|enqueued?|processing|(?:in)?progress|deploying|installing|importing|allocating|booting|launching|configuring)/;
/** Words for work that has ended well, and for what can be used, the likeliest first. */
const READY = [
  /^(?:passed|sent|built|installed|imported)$/,
  /^ready$/,
  /^(?:available|active|online|live|healthy|operational)$/,
  /^(?:running|deployed|provisioned|created|initiali[sz]ed|started|verified|up)$/,
];
const FAILED = /fail|error/i;
/** Truth values for which clients wait: `ready`, `is_available`. */
const READY_FLAG = /^(?:ready|initiali[sz]ed|provisioned|available|online|finished|done|completed?)$/;
const STARTS = /^(?:starts?|started|begins?)(?:at|on|date|time)?$/;

/** @param bindings - of the resource, whose requests say which properties are for clients to set */
export function planSettledItem(api: ApiModel, resource: Resource, bindings: () => readonly Binding[]): SettleItem {
  const properties = once(() => {
    const all = bindings();
    const sent = new Set(
      all.flatMap(({ request }) =>
        request?.item === undefined
          ? []
          : [...api.propertiesOf(request.item).values()].filter(({ readOnly }) => !readOnly).map(({ name }) => name),
      ),
    );
    const acted = new Set(all.flatMap(({ action }) => (action?.assignments ?? []).map(({ property }) => property)));
    return [...resource.properties.values()]
      .filter(({ name }) => !sent.has(name))
      .map((property) => ({ property, isActedOn: acted.has(property.name) }));
  });
  return (item, making, nowMs) => {
    const changed = properties().flatMap(({ property, isActedOn }): [string, JsonValue][] => {
      const before = ownProperty(item, property.name);
      const hasBegun = () => !isActedOn && hasStarted(item, nowMs);
      const after = before === undefined ? undefined : settledValue(api, property, before, { isActedOn, hasBegun });
      return after === undefined || !making.accepts(property.name, after) ? [] : [[property.name, after]];
    });
    if (changed.length === 0) return undefined;
    const ended = properties().flatMap(({ property }): [string, JsonValue][] => {
      const value = atEnd(property, ownProperty(item, property.name), nowMs);
      return value === undefined || !making.accepts(property.name, value) ? [] : [[property.name, value]];
    });
    return { ...item, ...Object.fromEntries(ended), ...Object.fromEntries(changed) };
  };
}

/** What else decides whether a state passes. */
interface Circumstances {
  /** Does an operation change the property, so that `pending` may wait for it? */
  readonly isActedOn: boolean;
  /** Has the time come at which the item starts? */
  readonly hasBegun: () => boolean;
}

function settledValue(
  api: ApiModel,
  property: Property,
  before: JsonValue,
  circumstances: Circumstances,
): JsonValue | undefined {
  const view = viewOf(api);
  if (before === false) return isReadyFlag(property) ? true : undefined;
  if (typeof before === 'string')
    return isStateName(property.name) ? readyWord(stateWordsOf(view, property), before, circumstances) : undefined;
  if (!isJsonObject(before)) return undefined;
  for (const part of stateObjects(new Map([[property.name, property]]), view)) {
    for (const inner of part.properties.values()) {
      const word = ownProperty(before, inner.name);
      const ready =
        typeof word === 'string' && isStateName(inner.name)
          ? readyWord(stateWordsOf(view, inner), word, circumstances)
          : undefined;
      if (ready !== undefined) return { ...before, ...withFlags(part, inner.name, ready) };
    }
    const [flag] = [...part.properties.values()].filter(
      (each) => ownProperty(before, each.name) === false && isReadyFlag(each),
    );
    if (flag !== undefined) return { ...before, [flag.name]: true };
  }
  return undefined;
}

function isReadyFlag({ name, schema }: Property): boolean {
  const meant = wordsOf(name).filter((word) => word !== 'is');
  return typesOf(schema).includes('boolean') && READY_FLAG.test(meant.join(''));
}

/** Is a good end all that `pending` can come to? */
function onlyEnds(words: readonly string[]): boolean {
  return words.length === 2 && successWordAmong(words) !== undefined;
}

/**
 * The word after one that passes. `pending` passes where the work may fail, where a good end is all that is left, or at the
 * time at which the item starts.
 */
function readyWord(words: readonly string[], word: string, { isActedOn, hasBegun }: Circumstances): string | undefined {
  const plain = wordsOf(word).join('');
  const isPending = plain === 'pending';
  const passes = isPending
    ? hasBegun() || (!isActedOn && (words.some((each) => FAILED.test(each)) || onlyEnds(words)))
    : PASSING.test(plain);
  if (!passes) return undefined;
  const ready = READY.map((pattern) => words.find((each) => pattern.test(wordsOf(each).join(''))));
  return successWordAmong(words) ?? ready.find((each) => each !== undefined);
}

function hasStarted(item: Item, nowMs: number): boolean {
  return Object.entries(item).some(
    ([name, value]) => STARTS.test(wordsOf(name).join('')) && typeof value === 'string' && Date.parse(value) <= nowMs,
  );
}
