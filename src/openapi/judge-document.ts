import { counted } from '../errors/counted';
import type { SourceFinding } from '../errors/source-finding';
import { LINTS } from './lints';
import type { LintContext } from './lints/lint';
import type { SchemaRegistry } from './schema-registry';
import type { SourceDocument } from './source-document';
import { visitedObjects, type VisitedObject } from './visit-objects';
import { rawOperations } from './walk';

/**
 * Every rule that JSON Schema cannot state, applied to a document.
 *
 * @param objects - every object of the document, where somebody walked through it already
 * @param budgetMs - how long the rules may take that compile schemas, each of them; what they do not come to is told
 */
export function judgeDocument(
  document: SourceDocument,
  registry: SchemaRegistry,
  budgetMs = Infinity,
  objects: readonly VisitedObject[] = visitedObjects(document),
): SourceFinding[] {
  const left = new Map<string, number>();
  const shared = { document, registry, objects, operations: rawOperations(document) };
  const findings = LINTS.flatMap((lint) => {
    const end = performance.now() + budgetMs;
    const context: LintContext = {
      ...shared,
      hasTime: () => performance.now() < end,
      leave: (count) => left.set(lint.id, count),
    };
    return lint.run(context);
  });
  if (left.size > 0) findings.push(judgedInPart(document, left));
  return findings;
}

function judgedInPart(document: SourceDocument, left: ReadonlyMap<string, number>): SourceFinding {
  const schemas = left.get('schema-compiles') ?? 0;
  const examples = left.get('example-valid') ?? 0;
  const parts = [
    ...(schemas > 0 ? [counted(schemas, 'schema')] : []),
    ...(examples > 0 ? [counted(examples, 'example')] : []),
  ];
  // Of the whole, not of its first line: a place would send the reader to look for something there.
  return {
    rule: 'judged-in-part',
    severity: 'warning',
    file: document.file,
    pointer: '',
    message: `${parts.join(' and ')} were not judged at the start, which would have taken too long`,
    hint: 'standin check judges all of them. A schema is compiled when it is needed, and one at fault lets nothing pass.',
  };
}
