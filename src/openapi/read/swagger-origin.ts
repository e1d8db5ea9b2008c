import { joinPointer, parsePointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { isSchemaObject } from '../../schema/schema-object';

/** Where the sections of the components of OpenAPI 3.0 stand in a document of Swagger 2.0. */
const SECTIONS: Readonly<Record<string, string>> = {
  schemas: 'definitions',
  parameters: 'parameters',
  requestBodies: 'parameters',
  responses: 'responses',
  securitySchemes: 'securityDefinitions',
};

/**
 * Where that was written in a document of Swagger 2.0 which stands at a pointer of the OpenAPI 3.0 document that was made
 * of it: the nearest part around it that both have.
 *
 * @param original - root of the document of Swagger 2.0
 */
export function swaggerPointer(original: JsonValue, pointer: string): string {
  let segments = parsePointer(pointer);
  const [first, section = ''] = segments;
  if (first === 'components') {
    const name = Object.hasOwn(SECTIONS, section) ? SECTIONS[section] : undefined;
    if (name === undefined) return '';
    segments = [name, ...segments.slice(2)];
  }
  let value: JsonValue | undefined = original;
  let found = '';
  for (let index = 0; index < segments.length; index += 1) {
    const segment = segments[index] ?? '';
    const next = childOf(value, segment);
    if (next !== undefined) {
      value = next;
      found = joinPointer(found, segment);
    } else if (segment === 'content') {
      // `content` and a media type were put between a response and its schema.
      index += 1;
    } else if (segment !== 'schema') {
      // A parameter that had a type of its own has a schema now; everything else that is new has no place.
      break;
    }
  }
  return found;
}

function childOf(value: JsonValue | undefined, segment: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(segment)];
  return isSchemaObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}
