import { isJsonMediaType } from '../http/media-type';
import { JsonSyntaxError } from '../json/json-syntax-error';
import type { JsonValue } from '../json/json-value';
import { parseJson } from '../json/parse-json';
import type { Example } from './model';
import { oasVersionOf } from './oas-version';
import { resolveObject, type Located, type LocatedObject } from './references';
import type { SourceDocument } from './source-document';
import { member, members } from './walk';

/**
 * `example` and `examples` of a Media Type, Parameter or Header Object.
 *
 * @param mediaType - of what the examples show; left out for parameters and headers
 */
export function readExamples(document: SourceDocument, owner: Located, mediaType?: string): Example[] {
  const single = member(owner, 'example');
  const isLater = oasVersionOf(document) === '3.2';
  const named = members(member(owner, 'examples')).flatMap(({ name, ...located }): Example[] => {
    const example = resolveObject(document, located);
    if (example === undefined) return [];
    const value = member(example, 'value');
    const found = value === undefined && isLater ? laterExample(example, mediaType) : value;
    return found === undefined ? [] : [{ name, ...found }];
  });
  return single === undefined ? named : [{ name: undefined, value: single.value, pointer: single.pointer }, ...named];
}

/**
 * The Example Object of OAS 3.2.0 §4.19: `dataValue` is what the schema judges, `serializedValue` the text that is sent.
 * Where there is only the text, the value is read out of it. That of a parameter is a piece of a URL, and left alone.
 */
function laterExample(example: LocatedObject, mediaType: string | undefined): Omit<Example, 'name'> | undefined {
  const data = member(example, 'dataValue');
  const text = member(example, 'serializedValue');
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
