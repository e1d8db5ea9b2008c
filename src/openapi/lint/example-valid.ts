import { SpecError } from '../../core/errors/standin-error';
import { isJsonMediaType } from '../../core/http/media-type';
import { parsePointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import type { Direction } from '../../schema/schema-object';
import type { Violation } from '../../schema/validator';
import { readExamples } from '../model/examples';
import type { Example } from '../model/operation';
import { grammarOf, ownExamples, type VisitedObject } from '../read/object-grammar';
import { fieldOf, type LocatedObject, referenceOf, resolveSchema } from '../read/references';
import { oasVersionOf, type SourceDocument } from '../read/source-document';
import type { Lint, LintContext, LintFinding } from './lint';
import { hasValueSchema } from './validated-schemas';

/** An example is valid against the schema beside it. */
export const exampleValid: Lint = {
  id: 'example-valid',
  source: 'OAS 3.0.3 §4.7.19 Example Object',
  severity: 'warning',
  run(context) {
    const findings = new Map<string, LintFinding>();
    const places = examplesWithSchema(context.document, context.objects);
    for (const [index, place] of places.entries()) {
      if (!context.hasTime()) {
        context.reportSkipped(places.slice(index).reduce((count, { examples }) => count + examples.length, 0));
        break;
      }
      for (const finding of checkExamples(place, context)) {
        // An example that several places share is reported of once.
        findings.set(`${finding.pointer} ${finding.message}`, finding);
      }
    }
    return [...findings.values()];
  },
};

function checkExamples(place: SchemaExamples, context: LintContext): LintFinding[] {
  return place.examples.flatMap(({ value, pointer }) =>
    violationsOf(value, place, context).map((violation) => ({
      pointer: `${pointer}${violation.pointer}`,
      message: `The example ${violation.message}`,
      expected: `a value that the schema at ${place.schema.pointer} allows`,
    })),
  );
}

/** None when the value is valid in one direction. Later directions are not compiled when an earlier one will do. */
function violationsOf(
  value: JsonValue,
  { schema, directions }: SchemaExamples,
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

/** Examples and the schema that they promise to fit. */
interface SchemaExamples {
  readonly schema: LocatedObject;
  /** The ways that the values travel: an example may be true in one of them alone. */
  readonly directions: readonly Direction[];
  readonly examples: readonly Example[];
}

/** Every example that stands beside a schema or in one, however deep, in the document's order. */
function examplesWithSchema(document: SourceDocument, objects: readonly VisitedObject[]): SchemaExamples[] {
  const places: SchemaExamples[] = [];
  const { keepsSiblings } = grammarOf(oasVersionOf(document));
  for (const visited of objects) {
    const { kind, at, directions } = visited;
    const own = ownExamples(visited, keepsSiblings);
    if (own.length > 0) {
      places.push({
        schema: at as LocatedObject,
        directions,
        examples: own.map((example) => ({ name: undefined, ...example })),
      });
    }
    if (!hasValueSchema(kind) || referenceOf(at.value) !== undefined) continue;
    const place = fieldOf(at, 'schema');
    const schema = place && resolveSchema(document, place);
    const examples = readExamples(
      document,
      at,
      kind === 'mediaType' ? parsePointer(at.pointer).at(-1) : undefined,
    ).filter((example) => isValueOfSchema(example, visited));
    if (schema !== undefined && examples.length > 0) places.push({ schema, directions, examples });
  }
  return places;
}

/** XML, a form and the like are written out as text, which the schema of their values says nothing about. */
function isValueOfSchema({ value }: Example, { kind, at }: VisitedObject): boolean {
  if (kind !== 'mediaType' || typeof value !== 'string') return true;
  const mediaType = parsePointer(at.pointer).at(-1) ?? '';
  return isJsonMediaType(mediaType) || mediaType.startsWith('text/');
}
