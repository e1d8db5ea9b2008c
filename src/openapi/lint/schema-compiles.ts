import { type SourceFinding, SpecError } from '../../core/errors/standin-error';
import { validatedSchemas } from './validated-schemas';
import type { Lint } from './lint';

/** Every schema can be used to check: one that cannot would let everything pass. */
export const schemaCompiles: Lint = {
  id: 'schema-compiles',
  source: 'OAS 3.0.3 §4.7.24 Schema Object',
  severity: 'error',
  yieldsTo: ['ref-resolves', 'openapi-schema'],
  run(context) {
    const { document, objects, registry } = context;
    const findings = new Map<string, SourceFinding>();
    // Compiling stops at the first fault; these are all that can be told of one schema object alone.
    for (const { kind, at } of context.hasTime() ? objects : []) {
      if (kind !== 'schema') continue;
      for (const finding of registry.keywordFindings(at)) findings.set(finding.pointer, finding);
    }
    const own = [...findings.keys()];
    const places = validatedSchemas(document, objects);
    for (const [index, { schema, directions }] of places.entries()) {
      if (!context.hasTime()) {
        context.reportSkipped(places.length - index);
        break;
      }
      try {
        // The way a value travels changes only what is required of it: what compiles for one way does for the other.
        registry.requireCompiles(schema.pointer, directions.at(-1) ?? 'response');
      } catch (error) {
        if (!(error instanceof SpecError)) throw error;
        for (const finding of error.findings) if (!isReported(finding, own)) findings.set(finding.pointer, finding);
      }
    }
    return [...findings.values()];
  },
};

/** Is a keyword named already that is why the schema does not compile? */
function isReported({ pointer }: SourceFinding, own: readonly string[]): boolean {
  return own.some((each) => each.startsWith(`${pointer}/`));
}
