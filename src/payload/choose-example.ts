import { isJsonMediaType } from '../http/media-type';
import { joinPointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import type { Example, MediaTypeEntry, Schema } from '../openapi/model';

/** The example that a body is written from, and those before it that were not fit for that. */
export interface ChosenExample {
  /** `undefined` where there is none, or none that its schema allows. */
  readonly example: Example | undefined;
  /** Examples that break the schema. */
  readonly passedOver: readonly Example[];
}

/** The example of a name, else the first that is valid. */
export function chooseExample(entry: MediaTypeEntry, name?: string): ChosenExample {
  const named = name === undefined ? undefined : entry.examples.find((example) => example.name === name);
  if (named !== undefined) return { example: named, passedOver: [] };
  const all = examplesOf(entry);
  const first = all.findIndex(({ value }) => isValid(entry, value));
  return first === -1
    ? { example: undefined, passedOver: all }
    : { example: all[first], passedOver: all.slice(0, first) };
}

/** Those of the Media Type Object come first: they override the one of the schema (OAS 3.0.3 §4.7.14). */
export function examplesOf({ examples, schema }: MediaTypeEntry): Example[] {
  return [...examples, ...(schema === undefined ? [] : schemaExamples(schema))];
}

/** `example` of a Schema Object, and the `examples` of JSON Schema (Validation §9.5). */
export function schemaExamples({ value: { example, examples }, pointer }: Schema): Example[] {
  const several: JsonValue[] = Array.isArray(examples) ? examples : [];
  return [
    ...(example === undefined ? [] : [{ name: undefined, value: example, pointer: joinPointer(pointer, 'example') }]),
    ...several.map((value, index) => ({ name: undefined, value, pointer: `${pointer}/examples/${index}` })),
  ];
}

function isValid({ mediaType, schema }: MediaTypeEntry, value: JsonValue): boolean {
  // What is no JSON is shown as the text that goes over the wire, which its schema may describe as an object.
  const isWire = typeof value === 'string' && !isJsonMediaType(mediaType) && schema?.value['type'] !== 'string';
  return isWire || (schema?.validate('response')(value) ?? []).length === 0;
}
