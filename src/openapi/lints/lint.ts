import type { SourceFinding } from '../../errors/source-finding';
import type { SchemaRegistry } from '../schema-registry';
import type { SourceDocument } from '../source-document';
import type { VisitedObject } from '../visit-objects';
import type { RawOperation } from '../walk';

export interface LintContext {
  readonly document: SourceDocument;
  readonly registry: SchemaRegistry;
  /** Every object of the document, found in one walk for all rules. */
  readonly objects: readonly VisitedObject[];
  readonly operations: readonly RawOperation[];
  /** Is there time for one schema or example more? Rules that take long ask before each. */
  hasTime(): boolean;
  /** Says that a rule left so many schemas or examples for want of time. */
  leave(count: number): void;
}

/** One rule about a description that JSON Schema cannot state. */
export interface Lint {
  /** Stable id, shown with each finding and explained in `docs/errors.md`. */
  readonly id: string;
  /** Where the rule comes from. */
  readonly source: string;
  run(context: LintContext): SourceFinding[];
}
