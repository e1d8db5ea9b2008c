import type { JsonValue } from '../json/json-value';

/** What `POST /things/{id}/verb` does to the item. */
export interface Action {
  readonly verb: string;
  /**
   * Members that get a value of their own, where it is said or where the verb names one of their values: `cancel` and
   * `status: cancelled`.
   */
  readonly sets: readonly SetMember[];
  /** Members that get the time at which it happens: `publish` and `publishedAt`. */
  readonly stamps: readonly string[];
  /**
   * Another item comes of it: a `copy` of the item, or an `other` one that is what was sent, such as a reply;
   * `undefined` where the item itself changes.
   */
  readonly makes?: 'copy' | 'other' | undefined;
  /** Are members of the body merged into the item? */
  readonly mergesBody: boolean;
}

/** A member, and what an action makes of it. */
export interface SetMember {
  readonly member: string;
  readonly value: JsonValue;
  /** Is the value an object whose members are set, while the others of that member stay? */
  readonly isMerged?: true;
}
