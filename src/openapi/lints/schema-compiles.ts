import { SpecError } from '../../errors/harness-error';
import type { SourceFinding } from '../../errors/source-finding';
import { schemaPlaces } from './schema-places';
import type { Lint } from './lint';

/** Every schema can be used to judge: one that cannot would let everything pass. */
export const schemaCompiles: Lint = {
  id: 'schema-compiles',
  source: 'OAS 3.0.3 §4.7.24 Schema Object',
  run(context) {
    const { document, objects, registry } = context;
    const findings = new Map<string, SourceFinding>();
    // Compiling stops at the first fault; these are all that can be told of one schema object alone.
    for (const { kind, at } of context.hasTime() ? objects : []) {
      if (kind !== 'schema') continue;
      for (const finding of registry.ownFaults(at)) findings.set(finding.pointer, finding);
    }
    const own = [...findings.keys()];
    const places = schemaPlaces(document, objects);
    for (const [index, { schema, directions }] of places.entries()) {
      if (!context.hasTime()) {
        context.leave(places.length - index);
        break;
      }
      try {
        // The way a value travels changes only what is required of it: what compiles for one way does for the other.
        registry.requireCompiles(schema.pointer, directions.at(-1) ?? 'response');
      } catch (error) {
        if (!(error instanceof SpecError)) throw error;
        for (const finding of error.findings) if (!isToldOf(finding, own)) findings.set(finding.pointer, finding);
      }
    }
    return [...findings.values()];
  },
};

/** Is a keyword named already that is why the schema does not compile? */
function isToldOf({ pointer }: SourceFinding, own: readonly string[]): boolean {
  return own.some((each) => each.startsWith(`${pointer}/`));
}
