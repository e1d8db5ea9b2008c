import { SpecError } from '../../errors/harness-error';
import type { SourceFinding } from '../../errors/source-finding';
import type { JsonValue } from '../../json/json-value';
import type { Violation } from '../../json-schema/violation';
import { findingAt } from '../source-document';
import { examplePlaces, type ExamplePlace } from './example-places';
import type { Lint, LintContext } from './lint';

/** An example is valid against the schema beside it. */
export const exampleValid: Lint = {
  id: 'example-valid',
  source: 'OAS 3.0.3 §4.7.19 Example Object',
  run(context) {
    const findings = new Map<string, SourceFinding>();
    const places = examplePlaces(context.document, context.objects);
    for (const [index, place] of places.entries()) {
      if (!context.hasTime()) {
        context.leave(places.slice(index).reduce((count, { examples }) => count + examples.length, 0));
        break;
      }
      for (const finding of checkPlace(place, context)) {
        // An example that several places share is told of once.
        findings.set(`${finding.pointer} ${finding.message}`, finding);
      }
    }
    return [...findings.values()];
  },
};

function checkPlace(place: ExamplePlace, context: LintContext): SourceFinding[] {
  return place.examples.flatMap(({ value, pointer }) =>
    violationsOf(value, place, context).map((violation) =>
      findingAt(context.document, `${pointer}${violation.pointer}`, {
        rule: 'example-valid',
        message: `The example ${violation.message}`,
        expected: `a value that the schema at ${place.schema.pointer} allows`,
      }),
    ),
  );
}

/** None when the value is valid in one direction. Later directions are not compiled when an earlier one will do. */
function violationsOf(
  value: JsonValue,
  { schema, directions }: ExamplePlace,
  { registry }: LintContext,
): readonly Violation[] {
  let violations: readonly Violation[] = [];
  try {
    for (const direction of directions.toReversed()) {
      violations = registry.validator(schema.pointer, direction)(value);
      if (violations.length === 0) break;
    }
    return violations;
  } catch (error) {
    // `schema-compiles` speaks of it.
    if (error instanceof SpecError) return [];
    throw error;
  }
}
