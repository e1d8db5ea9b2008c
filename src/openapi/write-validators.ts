import { moduleOf } from '../json-schema/ready-validators';
import { schemaPlaces } from './lints/schema-places';
import { SchemaRegistry } from './schema-registry';
import type { SourceDocument } from './source-document';
import { visitedObjects } from './visit-objects';

/** The validators of everything that a valid description judges, as the text of a module that needs no ajv. */
export function writeValidators(document: SourceDocument): string {
  const registry = new SchemaRegistry(document, { isKept: true });
  return moduleOf(registry.codeOf(schemaPlaces(document, visitedObjects(document))));
}
