import type { Evidence } from './resource-model';

/** A number in items that says how many there are of what lies below each: `comments_count`. */
export interface ChildCount {
  /** Members that lead to it: `comments_count`; `comments` and `total`. */
  readonly at: readonly string[];
  /** {@link ResourceDescription.path} of what is counted. */
  readonly of: string;
  /** Member by which those name the item that they belong to; `undefined` where they lie below it. */
  readonly by: string | undefined;
  /** State that those are in which are counted, `open_comments_count`; all are where it is left out. */
  readonly inState?: { readonly member: string; readonly word: string } | undefined;
  readonly evidence: Evidence;
}
