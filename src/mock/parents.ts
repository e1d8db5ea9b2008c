import { setMember } from '../json/member';
import type { JsonValue } from '../json/json-value';
import type { ApiModel } from '../openapi/model';
import { fillTemplate } from '../resources/collection-name';
import type { Call } from './call';
import { arrange, violationsOf } from './conform';
import type { Draft } from './draft';
import { findItem } from './find-item';
import type { ItemDraft } from './item';
import { planMaking } from './making-plan';
import { isAskable } from './key-maker';
import { NOTHING_SAID } from './new-item/creation';
import { keyOfMember, type Resource } from './resource';
import type { SampleSchema } from './sample-schema';
import type { Key } from './order';

/** Finds the items that paths name on their way to others. */
export interface Parents {
  /**
   * The key of the item that a value names. One that no operation can make comes to be when it is first named: nobody
   * could ever reach what lies below it otherwise. So does one that has the user name of whoever asks: an account is
   * there before anybody can sign in with it.
   *
   * @param before - values of the variables before it
   * @returns `undefined` where there is no such item
   */
  find(
    parent: Resource,
    before: readonly Key[],
    value: JsonValue | undefined,
    call: Call,
    draft: Draft,
  ): Key | undefined;
}

/** @param isStrict - nothing comes to be by being named */
export function openParents(api: ApiModel, sample: SampleSchema, isStrict: boolean): Parents {
  return {
    find(parent, before, value, call, draft) {
      const { scope } = parent;
      // A parent that lies in a scope itself shares the beginning of its path with what is in it.
      if (scope.length > before.length) return parent.toKey(value);
      const values = before.slice(0, scope.length);
      const collection = fillTemplate(parent.path, values);
      const found = findItem(parent, collection, value, draft);
      if (found !== undefined) return found.key;
      const key = parent.toKey(value);
      if (key === undefined || isStrict || call.isStrict || !mayComeToBe(parent, key, call)) return undefined;
      const item = bareItem(api, parent, values, key, sample);
      if (item !== undefined) draft.put(collection, key, item);
      const then = item === undefined ? 'it is taken as there' : 'it is there from now on';
      const why = parent.isMade ? 'and whoever asks signs in with it' : 'and no operation makes one';
      const message = `${collection} had no item ${JSON.stringify(String(key))}, ${why}: ${then}`;
      call.warnings.add('parent_named', message);
      return key;
    },
  };
}

function mayComeToBe(parent: Resource, key: Key, { principal }: Call): boolean {
  return (!parent.isMade || principal.userName === String(key)) && isAskable(parent, key);
}

/** An item with what its place says and what every item must have; `undefined` where no valid one can be made up. */
function bareItem(
  api: ApiModel,
  resource: Resource,
  values: readonly Key[],
  key: Key,
  sample: SampleSchema,
): ReturnType<typeof arrange> | undefined {
  const bare: ItemDraft = { [resource.keyMember]: keyOfMember(resource, resource.keyMember, key) };
  for (const [index, { member }] of resource.scope.entries()) {
    const value = values[index];
    if (member !== undefined && value !== undefined) setMember(bare, member, keyOfMember(resource, member, value));
  }
  const making = planMaking(api, resource, sample, NOTHING_SAID);
  making.addDefaults(bare);
  making.complete(bare, undefined);
  const made = sample(resource.schema);
  const whole = typeof made === 'object' && made !== null ? { ...(made as ItemDraft), ...bare } : bare;
  return [bare, whole]
    .map((draft) => arrange(resource, draft))
    .find((item) => violationsOf(resource, item).length === 0);
}
