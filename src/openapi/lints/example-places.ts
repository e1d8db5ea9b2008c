import { isJsonMediaType } from '../../http/media-type';
import { parsePointer } from '../../json/json-pointer';
import type { Direction } from '../../json-schema/schema';
import type { Example } from '../model';
import { oasVersionOf } from '../oas-version';
import { grammarOf } from '../object-grammar';
import { referenceOf, type LocatedObject } from '../references';
import type { SourceDocument } from '../source-document';
import { readExamples } from '../read-examples';
import { ownExamples, type VisitedObject } from '../visit-objects';
import { objectMember } from '../walk';
import { judgesValues } from './schema-places';

/** Examples and the schema that they promise to fit. */
export interface ExamplePlace {
  readonly schema: LocatedObject;
  /** The ways that the values travel: an example may be true in one of them alone. */
  readonly directions: readonly Direction[];
  readonly examples: readonly Example[];
}

/** Every example that stands beside a schema or in one, however deep, in the document's order. */
export function examplePlaces(document: SourceDocument, objects: readonly VisitedObject[]): ExamplePlace[] {
  const places: ExamplePlace[] = [];
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
    if (!judgesValues(kind) || referenceOf(at.value) !== undefined) continue;
    const schema = objectMember(document, at, 'schema');
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
