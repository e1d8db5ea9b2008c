import type { Direction } from '../../json-schema/schema';
import { readExamples } from '../build-operation';
import type { Example } from '../model';
import { resolveObject, type LocatedObject } from '../references';
import type { SourceDocument } from '../source-document';
import { items, member, members, objectMember, rawOperations, rawParameters, rootOf } from '../walk';

/** A place that is judged by a schema, with the examples that stand beside it. */
export interface SchemaPlace {
  /** Where the schema stands after references. */
  readonly schema: LocatedObject;
  readonly directions: readonly Direction[];
  readonly examples: readonly Example[];
}

const BOTH: readonly Direction[] = ['request', 'response'];

/** Every schema of the document that some value is judged by: components, parameters, headers and bodies. */
export function schemaPlaces(document: SourceDocument): SchemaPlace[] {
  const places: SchemaPlace[] = [];
  const seen = new Set<string>();

  const add = (schema: LocatedObject, directions: readonly Direction[], examples: readonly Example[]): void => {
    const key = `${schema.pointer} ${directions.join()} ${examples.map((example) => example.pointer).join()}`;
    if (seen.has(key)) return;
    seen.add(key);
    places.push({ schema, directions, examples });
  };
  const addOwner = (owner: LocatedObject, directions: readonly Direction[]): void => {
    const schema = objectMember(document, owner, 'schema');
    if (schema !== undefined) add(schema, directions, readExamples(document, owner));
  };
  const addContent = (owner: LocatedObject | undefined, direction: Direction): void => {
    if (owner === undefined) return;
    for (const entry of members(member(owner, 'content'))) {
      const located = resolveObject(document, entry);
      if (located !== undefined) addOwner(located, [direction]);
    }
  };

  for (const entry of members(objectMember(document, componentsOf(document), 'schemas'))) {
    const schema = resolveObject(document, entry);
    if (schema !== undefined) addSchema(document, schema, add);
  }
  for (const raw of rawOperations(document)) {
    for (const parameter of rawParameters(document, raw)) addOwner(parameter, ['request']);
    addContent(objectMember(document, raw.operation, 'requestBody'), 'request');
    for (const entry of members(member(raw.operation, 'responses'))) {
      const response = resolveObject(document, entry);
      if (response === undefined) continue;
      addContent(response, 'response');
      for (const header of members(member(response, 'headers'))) {
        const located = resolveObject(document, header);
        if (located !== undefined) addOwner(located, ['response']);
      }
    }
  }
  return places;
}

/** A component schema with its own example and those of its members. */
function addSchema(
  document: SourceDocument,
  schema: LocatedObject,
  add: (schema: LocatedObject, directions: readonly Direction[], examples: readonly Example[]) => void,
): void {
  // A member that travels one way only makes a whole example true in that direction alone.
  add(schema, BOTH, []);
  const own = member(schema, 'example');
  if (own !== undefined) add(schema, ['response'], [{ name: undefined, value: own.value, pointer: own.pointer }]);
  for (const part of [schema, ...items(member(schema, 'allOf')).map((item) => resolveObject(document, item))]) {
    if (part === undefined) continue;
    for (const entry of members(member(part, 'properties'))) {
      const property = resolveObject(document, entry);
      const example = property === undefined ? undefined : member(property, 'example');
      if (property === undefined || example === undefined) continue;
      add(property, ['response'], [{ name: undefined, value: example.value, pointer: example.pointer }]);
    }
  }
}

function componentsOf(document: SourceDocument): LocatedObject {
  return objectMember(document, rootOf(document), 'components') ?? { value: {}, pointer: '/components' };
}
