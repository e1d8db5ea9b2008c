import type { Operation, Property, Schema } from '../openapi/model';
import type { ToSortValue } from './order';

/** What an operation does with the items of a resource. */
export type BehaviourKind = 'list' | 'create' | 'read' | 'replace' | 'update' | 'remove';

/** A collection of items that operations of the description share. */
export interface Resource {
  /** Path template of the collection; names it everywhere: in fixtures, in rules, in the state. */
  readonly path: string;
  /** Path template of one item, when the description has one. */
  readonly itemPath: string | undefined;
  /** Path parameter of {@link itemPath} that holds the key. */
  readonly keyParameter: string | undefined;
  /** Member that identifies an item. */
  readonly keyMember: string;
  /** The shape in which items are read; they are stored in it. */
  readonly schema: Schema;
  readonly properties: ReadonlyMap<string, Property>;
  /** How to compare the values of a member. */
  sortValues(member: string): ToSortValue;
  readonly operations: ReadonlyMap<Operation, BehaviourKind>;
}
