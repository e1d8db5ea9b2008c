import type { Direction } from '../../schema/schema-object';
import { validatorModuleText } from '../../schema/validator';
import { type VisitedObject, visitedObjects } from '../read/object-grammar';
import { fieldOf, type LocatedObject, resolveSchema } from '../read/references';
import type { SourceDocument } from '../read/source-document';
import { SchemaRegistry, type ValidatedSchema } from '../schemas/schema-registry';

const BOTH: readonly Direction[] = ['request', 'response'];

/** Every schema that checks whole values: components, and those of parameters, headers and bodies, used or not. */
export function validatedSchemas(document: SourceDocument, objects: readonly VisitedObject[]): ValidatedSchema[] {
  const places = new Map<string, ValidatedSchema>();
  for (const visited of objects) {
    const schema = valueSchema(visited, document);
    if (schema === undefined) continue;
    const known = places.get(schema.pointer);
    if (known === undefined) places.set(schema.pointer, { schema, directions: visited.directions });
    else if (visited.directions.some((way) => !known.directions.includes(way))) {
      places.set(schema.pointer, { schema, directions: BOTH });
    }
  }
  return [...places.values()];
}

function valueSchema({ kind, at, within }: VisitedObject, document: SourceDocument): LocatedObject | undefined {
  if (kind === 'schema') return within === 'components' ? resolveSchema(document, at) : undefined;
  const schema = hasValueSchema(kind) ? fieldOf(at, 'schema') : undefined;
  return schema && resolveSchema(document, schema);
}

/** Does an object of this kind have a `schema` that checks what it describes? */
export function hasValueSchema(kind: VisitedObject['kind']): boolean {
  return kind === 'mediaType' || kind === 'parameter' || kind === 'header';
}

/** The validators of everything that a valid description checks, as the text of a module that needs no ajv. */
export function writeValidators(document: SourceDocument): string {
  const registry = new SchemaRegistry(document, { writesCode: true });
  return validatorModuleText(registry.codeOf(validatedSchemas(document, visitedObjects(document))));
}
