import { SpecError } from '../../errors/harness-error';
import type { SourceFinding } from '../../errors/source-finding';
import { schemaPlaces } from './schema-places';
import type { Lint } from './lint';

/** Every schema can be used to judge: one that cannot would let everything pass. */
export const schemaCompiles: Lint = {
  id: 'schema-compiles',
  source: 'OAS 3.0.3 §4.7.24 Schema Object',
  run({ document, registry }) {
    const findings = new Map<string, SourceFinding>();
    for (const { schema, directions } of schemaPlaces(document)) {
      for (const direction of directions) {
        try {
          registry.validator(schema.pointer, direction);
        } catch (error) {
          if (!(error instanceof SpecError)) throw error;
          for (const finding of error.findings) findings.set(finding.pointer, finding);
        }
      }
    }
    return [...findings.values()];
  },
};
