import { memberOf } from '../json/member';
import type { ApiModel } from '../openapi/model';
import { Draft } from './draft';
import type { ItemDraft } from './item';
import { createKeyMaker, isAskable } from './key-maker';
import { successor, type Key } from './order';
import type { Resource } from './resource';
import type { SampleSchema } from './sample-schema';
import { emptyState, LiveState } from './state';

/**
 * Gives the rows that were made up their keys: 1, 2, 3 and so on, as the mock itself would give them out. Each fits the
 * paths that name items, so that a row which is listed can be read.
 */
export class SeedKeys {
  private readonly api: ApiModel;
  private readonly sample: SampleSchema;

  constructor(api: ApiModel, sample: SampleSchema) {
    this.api = api;
    this.sample = sample;
  }

  /**
   * @param borrowed - keys of another collection, where the key of a row is that of an item there
   * @param before - keys that are taken
   * @returns the rows that could be given a key of their own
   */
  give(
    resource: Resource,
    rows: readonly ItemDraft[],
    borrowed: readonly Key[] | undefined,
    before: readonly Key[] = [],
  ): ItemDraft[] {
    const { keyMember } = resource;
    const maker = createKeyMaker(this.api, resource, this.sample);
    const draft = new Draft(new LiveState(emptyState([])));
    const taken = new Set<Key>(before);
    // The maker looks for keys that are free.
    for (const key of before) draft.put(resource.path, key, {});
    const highest = draft.collection(resource.path).highestKey();
    if (typeof highest === 'number' || typeof highest === 'bigint') draft.setNextKey(resource.path, successor(highest));
    const given: ItemDraft[] = [];
    for (const [index, row] of rows.entries()) {
      const key =
        borrowed === undefined
          ? (exampleKey(resource, taken) ?? ownKey(resource, row, taken) ?? maker.take(resource.path, draft, 1))
          : borrowed[index];
      if (key === undefined || taken.has(key)) continue;
      taken.add(key);
      given.push({ ...row, [keyMember]: key });
      draft.put(resource.path, key, {});
    }
    return given;
  }
}

/** Readers of the description ask for what it gives as an example; below other items there is no telling of which. */
function exampleKey(resource: Resource, taken: ReadonlySet<Key>): Key | undefined {
  const shown = resource.scope.length === 0 && isText(resource) ? resource.keyExamples() : [];
  return shown.find((key) => !taken.has(key) && isHeld(resource, key) && isAskable(resource, key));
}

function isText({ key, keySchema }: Resource): boolean {
  return !key.isHidden && keySchema['type'] === 'string';
}

function isHeld({ properties, keyMember, schema }: Resource, key: Key): boolean {
  return (
    properties.has(keyMember) &&
    !schema
      .validate('response')({ [keyMember]: key })
      .some(({ pointer }) => pointer === `/${keyMember}`)
  );
}

/** What was made up for the key, where that stays. */
function ownKey(resource: Resource, row: ItemDraft, taken: ReadonlySet<Key>): Key | undefined {
  const own = speaksForItself(resource) ? resource.toKey(memberOf(row, resource.keyMember)) : undefined;
  return own !== undefined && !taken.has(own) && isAskable(resource, own) ? own : undefined;
}

/** Is the key something that people read, such as a name? Then what was made up for it stays. */
function speaksForItself({ keyMember, keySchema, key }: Resource): boolean {
  return !key.isHidden && keySchema['type'] === 'string' && !/(?:id|uuid|guid)$/i.test(keyMember);
}
