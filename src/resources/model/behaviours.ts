import type { Behaviour } from './binding';

/** What is known of a behaviour without any description. What it does is in `mock/behaviours/registry.ts`. */
interface BehaviourTraits {
  /** Status of a success where the description leaves the choice. */
  readonly usualStatus: number;
  /** Status for `Prefer: return=minimal` (RFC 7240 §4.2): that of a success, or 204 where it is documented. */
  readonly minimalStatus?: 'success' | 204;
  /** Are items created by it? */
  readonly creates?: true;
  /** Does it act on all items that its parameters select? */
  readonly selectsMany?: true;
  /** Does its body have whole items, and not what changes of one? */
  readonly takesWholeItems?: true;
}

export const BEHAVIOURS: Readonly<Record<Behaviour, BehaviourTraits>> = {
  list: { usualStatus: 200, selectsMany: true },
  create: { usualStatus: 201, minimalStatus: 'success', creates: true, takesWholeItems: true },
  'create-many': { usualStatus: 201, creates: true, takesWholeItems: true },
  read: { usualStatus: 200 },
  replace: { usualStatus: 200, minimalStatus: 204, takesWholeItems: true },
  update: { usualStatus: 200, minimalStatus: 204 },
  upsert: { usualStatus: 200, minimalStatus: 204, creates: true, takesWholeItems: true },
  remove: { usualStatus: 204 },
  clear: { usualStatus: 204, selectsMany: true },
  act: { usualStatus: 200 },
  part: { usualStatus: 200 },
  hold: { usualStatus: 200 },
  count: { usualStatus: 200, selectsMany: true },
};
