import type { SourceFinding } from '../../errors/source-finding';
import type { SchemaRegistry } from '../schema-registry';
import type { SourceDocument } from '../source-document';

export interface LintContext {
  readonly document: SourceDocument;
  readonly registry: SchemaRegistry;
}

/** One rule about a description that JSON Schema cannot state. */
export interface Lint {
  /** Stable id, shown with each finding and explained in `docs/errors.md`. */
  readonly id: string;
  /** Where the rule comes from. */
  readonly source: string;
  run(context: LintContext): SourceFinding[];
}
