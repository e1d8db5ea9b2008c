/** What an operation does with things that items say to be there, `{ added_at, thing: {…} }`, by a list of their names. */
export interface HeldThings {
  /** Member of the items that is the thing. */
  readonly member: string;
  /** Member of the thing by which it is named. */
  readonly by: string;
  /** Query parameter and member of the body that hold the names, where there are such. */
  readonly query: string | undefined;
  readonly body: string | undefined;
  /** `replace` puts there what is named, and nothing else stays; `check` tells of each whether it is there. */
  readonly does: 'add' | 'replace' | 'remove' | 'check';
}
