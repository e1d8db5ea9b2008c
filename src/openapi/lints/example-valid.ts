import { SpecError } from '../../errors/harness-error';
import type { SourceFinding } from '../../errors/source-finding';
import { findingAt } from '../source-document';
import type { Lint, LintContext } from './lint';
import { schemaPlaces, type SchemaPlace } from './schema-places';

/** An example is valid against the schema beside it. */
export const exampleValid: Lint = {
  id: 'example-valid',
  source: 'OAS 3.0.3 §4.7.19 Example Object',
  run(context) {
    return schemaPlaces(context.document).flatMap((place) => checkPlace(place, context));
  },
};

function checkPlace({ schema, directions, examples }: SchemaPlace, context: LintContext): SourceFinding[] {
  return examples.flatMap((example) =>
    directions.flatMap((direction) => {
      try {
        const violations = context.registry.validator(schema.pointer, direction)(example.value);
        return violations.map((violation) =>
          findingAt(context.document, `${example.pointer}${violation.pointer}`, {
            rule: 'example-valid',
            message: `The example ${violation.message}`,
            expected: `a value that the schema at ${schema.pointer} allows`,
          }),
        );
      } catch (error) {
        // `schema-compiles` speaks of it.
        if (error instanceof SpecError) return [];
        throw error;
      }
    }),
  );
}
