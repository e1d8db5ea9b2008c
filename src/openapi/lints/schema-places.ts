import type { Direction } from '../../json-schema/schema';
import { resolveObject, type LocatedObject } from '../references';
import type { SourceDocument } from '../source-document';
import type { VisitedObject } from '../visit-objects';
import { objectMember } from '../walk';

/** A schema that values are judged by. */
export interface SchemaPlace {
  /** Where the schema stands after references. */
  readonly schema: LocatedObject;
  readonly directions: readonly Direction[];
}

const BOTH: readonly Direction[] = ['request', 'response'];

/** Every schema that judges whole values: components, and those of parameters, headers and bodies, used or not. */
export function schemaPlaces(document: SourceDocument, objects: readonly VisitedObject[]): SchemaPlace[] {
  const places = new Map<string, SchemaPlace>();
  for (const visited of objects) {
    const schema = judgingSchema(visited, document);
    if (schema === undefined) continue;
    const known = places.get(schema.pointer);
    if (known === undefined) places.set(schema.pointer, { schema, directions: visited.directions });
    else if (visited.directions.some((way) => !known.directions.includes(way))) {
      places.set(schema.pointer, { schema, directions: BOTH });
    }
  }
  return [...places.values()];
}

function judgingSchema({ kind, at, within }: VisitedObject, document: SourceDocument): LocatedObject | undefined {
  if (kind === 'schema') return within === 'components' ? resolveObject(document, at) : undefined;
  return judgesValues(kind) ? objectMember(document, at, 'schema') : undefined;
}

/** Does an object of this kind have a `schema` that judges what it describes? */
export function judgesValues(kind: VisitedObject['kind']): boolean {
  return kind === 'mediaType' || kind === 'parameter' || kind === 'header';
}
