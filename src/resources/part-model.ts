import type { Schema } from '../openapi/model';

/** What an operation does with a list that an item has as a member, and that its path names too: `/things/{id}/labels`. */
export interface Part {
  readonly member: string;
  /** `remove` without a name and without a body removes all. */
  readonly does: 'list' | 'add' | 'replace' | 'remove';
  /** Schema of an entry as it is answered; `undefined` where none is. */
  readonly row: Schema | undefined;
  /** Member by which entries are known; `undefined` for entries that are no objects. */
  readonly key: string | undefined;
  /** Variable of the path that names one entry. */
  readonly parameter: string | undefined;
  /** Path of the collection that keeps such entries; `undefined` where none does. */
  readonly kept?: string | undefined;
}
