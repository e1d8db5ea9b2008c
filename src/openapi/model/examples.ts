import { isJsonMediaType } from '../../core/http/media-type';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import type { JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import type { Example } from './operation';
import { oasVersionOf, type SourceDocument } from '../read/source-document';
import { fieldOf, fieldsOf, type Located, type LocatedObject, resolveObject } from '../read/references';

/**
 * `example` and `examples` of a Media Type, Parameter or Header Object.
 *
 * @param mediaType - of what the examples show; left out for parameters and headers
 */
export function readExamples(document: SourceDocument, owner: Located, mediaType?: string): Example[] {
  const single = fieldOf(owner, 'example');
  const isLater = oasVersionOf(document) === '3.2';
  const named = fieldsOf(fieldOf(owner, 'examples')).flatMap(({ name, ...located }): Example[] => {
    const example = resolveObject(document, located);
    if (example === undefined) return [];
    const value = fieldOf(example, 'value');
    const found = value === undefined && isLater ? laterExample(example, mediaType) : value;
    return found === undefined ? [] : [{ name, ...found }];
  });
  return single === undefined ? named : [{ name: undefined, value: single.value, pointer: single.pointer }, ...named];
}

/**
 * The Example Object of OAS 3.2.0 §4.19: `dataValue` is what the schema checks, `serializedValue` the text that is sent.
 * Where there is only the text, the value is read out of it. That of a parameter is a piece of a URL, and left alone.
 */
function laterExample(example: LocatedObject, mediaType: string | undefined): Omit<Example, 'name'> | undefined {
  const data = fieldOf(example, 'dataValue');
  const text = fieldOf(example, 'serializedValue');
  const serialized = mediaType !== undefined && typeof text?.value === 'string' ? text.value : undefined;
  if (serialized === undefined || text === undefined || mediaType === undefined) return data;
  if (data !== undefined) return { ...data, serialized };
  return { value: valueOf(serialized, mediaType), pointer: text.pointer, serialized };
}

/** The name of a media type among the components does not tell what it is. */
function valueOf(text: string, mediaType: string): JsonValue {
  if (mediaType.includes('/') && !isJsonMediaType(mediaType)) return text;
  try {
    return parseJson(text);
  } catch (error) {
    // The schema says that it is no such value.
    if (error instanceof JsonSyntaxError) return text;
    throw error;
  }
}
