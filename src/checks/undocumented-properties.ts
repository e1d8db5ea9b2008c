import { joinPointer } from '../core/json/json-pointer';
import type { JsonValue } from '../core/json/json-value';
import { previewText, previewValue } from '../core/json/stringify-json';
import type { ApiModel } from '../openapi/model/api-model';
import type { Schema } from '../openapi/model/operation';
import { objectsIn } from '../openapi/view/schema-shape';

/** A property that its schema does not name. */
interface UndocumentedProperty {
  /** JSON pointer into the body. */
  readonly pointer: string;
  readonly message: string;
  /** The names that are documented, shortened. */
  readonly expected: string;
  /** Its value, shortened. */
  readonly actual: string;
  /** JSON pointer to the schema of the body. */
  readonly spec: string;
}

/**
 * The properties of a body that nobody documented, each once, whichever item of a list has them; not those of free
 * objects, nor where `additionalProperties` says something of them: then it is the schema that speaks.
 */
export function undocumentedIn(api: ApiModel, schema: Schema, body: JsonValue): UndocumentedProperty[] {
  const found = new Map<string, UndocumentedProperty>();
  for (const { pointer: owner, value, shape } of objectsIn(api, [schema], body)) {
    if (shape.properties.size === 0 || shape.constrainsOthers) continue;
    for (const [name, property] of Object.entries(value)) {
      const pointer = joinPointer(owner, name);
      if (shape.properties.has(name) || found.has(pointer)) continue;
      found.set(pointer, {
        pointer,
        message: `The property "${name}" is not documented`,
        expected: previewText([...shape.properties.keys()].join(', ')),
        actual: previewValue(property),
        spec: schema.pointer,
      });
    }
  }
  return [...found.values()];
}
