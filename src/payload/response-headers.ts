import { isHeaderName } from '../core/http/headers';
import { isJsonMediaType } from '../core/http/media-type';
import { joinPointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import { stringifyJson, plainText } from '../core/json/stringify-json';
import { resolveSchema } from '../openapi/read/references';
import { valueAt } from '../openapi/read/source-document';
import type { ResponseHeader, ResponseSpec, Schema } from '../openapi/model/operation';
import type { ApiModel } from '../openapi/model/api-model';
import { samplerOf } from './sampler/sampler';

/** A header that a response declares, with a value for it. */
export interface DeclaredHeader {
  /** Lower case, to look for it. */
  readonly key: string;
  readonly name: string;
  readonly value: string;
  readonly isRequired: boolean;
  /** What gave the value; `usual`: a text with the grammar of the field, because the schema says nothing of it. */
  readonly from: 'example' | 'schema' | 'usual';
  /** Of the Header Object. */
  readonly pointer: string;
}

/** Others say these: what frames the message, what follows from the response, and what only a real service knows. */
const SET_ELSEWHERE =
  /^(?:content-(?:type|length|encoding)|transfer-encoding|connection|date|server|set-cookie|cache-control|vary|access-control-.*|deprecation|sunset)$/;

/** Values that no sample of a text would have the grammar of. */
const SAMPLE_VALUES: Readonly<Record<string, string>> = {
  etag: '"sample"',
  link: '<https://example.com/>; rel="self"',
  location: 'https://example.com/',
  'retry-after': '1',
  'last-modified': 'Wed, 01 Jan 2025 00:00:00 GMT',
  expires: 'Thu, 01 Jan 2026 00:00:00 GMT',
  'content-disposition': 'attachment; filename="sample"',
  'www-authenticate': 'Bearer realm="sample"',
  allow: 'GET',
  'content-language': 'en',
};

const DECLARED = new WeakMap<ResponseSpec, readonly DeclaredHeader[]>();

/** The declared headers of a response with a value each: an example, a default, or a sample. Worked out once. */
export function declaredHeaders(api: ApiModel, response: ResponseSpec): readonly DeclaredHeader[] {
  let headers = DECLARED.get(response);
  if (headers === undefined) {
    headers = [...response.headers].flatMap(([key, header]): DeclaredHeader[] => {
      const found = SET_ELSEWHERE.test(key) || !isHeaderName(key) ? undefined : valueOf(api, key, header);
      const { name, required: isRequired, pointer } = header;
      return found === undefined ? [] : [{ key, name, isRequired, pointer, ...found }];
    });
    DECLARED.set(response, headers);
  }
  return headers;
}

/** Adds those declared headers that a list of names and values lacks. */
export function addDeclaredHeaders(
  headers: string[],
  declared: readonly DeclaredHeader[],
  onlyRequired: boolean,
): void {
  for (const { key, name, value, isRequired } of declared) {
    if (onlyRequired && !isRequired) continue;
    const isSet = headers.some((text, index) => index % 2 === 0 && text.toLowerCase() === key);
    if (!isSet) headers.push(name, value);
  }
}

type Value = Pick<DeclaredHeader, 'value' | 'from'>;

function valueOf(api: ApiModel, key: string, header: ResponseHeader): Value | undefined {
  const definition = valueAt(api.document, header.pointer) ?? null;
  if (!isJsonObject(definition)) return { value: SAMPLE_VALUES[key] ?? 'sample', from: 'usual' };
  const { schema, shown, write } = contentOf(api, header, definition) ?? {
    schema: header.schema,
    shown: exampleIn(definition),
    write: (value: JsonValue) => styledText(value, definition['explode'] === true),
  };
  const example = shown ?? schema?.value['example'];
  if (example !== undefined) return sendable('example', write(example));
  const usual = SAMPLE_VALUES[key];
  if (schema === undefined || usual !== undefined) return { value: usual ?? 'sample', from: 'usual' };
  const sample = samplerOf(api).sample(schema, { seed: key, direction: 'response' });
  return sample.kind === 'made' ? sendable('schema', write(sample.value)) : undefined;
}

/** What a header shows, and how a value of it is written. */
interface HeaderContent {
  readonly schema: Schema | undefined;
  readonly shown: JsonValue | undefined;
  readonly write: (value: JsonValue) => string | undefined;
}

/** `content` of a Header Object, in the place of its `schema` and `style` (OAS 3.0.3 §4.7.12.1). */
function contentOf(api: ApiModel, { pointer }: ResponseHeader, definition: JsonObject): HeaderContent | undefined {
  const content = definition['content'];
  const [mediaType, entry] = isJsonObject(content) ? (Object.entries(content)[0] ?? []) : [];
  if (mediaType === undefined || !isJsonObject(entry)) return undefined;
  const place = joinPointer(joinPointer(joinPointer(pointer, 'content'), mediaType), 'schema');
  const target = resolveSchema(api.document, { value: entry['schema'] ?? null, pointer: place });
  return {
    schema: target === undefined ? undefined : api.schemaAt(target.pointer),
    shown: exampleIn(entry),
    write: isJsonMediaType(mediaType) ? stringifyJson : plainText,
  };
}

/** A text that a field value can hold (RFC 9110 §5.5). */
function sendable(from: DeclaredHeader['from'], text: string | undefined): Value | undefined {
  return text !== undefined && /^[\t\x20-\x7e]*$/.test(text) ? { value: text.trim(), from } : undefined;
}

/** The first example of a Header Object, or of an entry of its `content`. */
function exampleIn({ example, examples }: JsonObject): JsonValue | undefined {
  if (example !== undefined) return example;
  const [first] = isJsonObject(examples) ? Object.values(examples) : [];
  return isJsonObject(first) ? first['value'] : undefined;
}

/** Style `simple` (OAS 3.0.3 §4.7.12.2); `undefined` for null, which it has no text for. */
function styledText(value: JsonValue, isExploded: boolean): string | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return value.map(plainText).join(',');
  if (!isJsonObject(value)) return plainText(value);
  const separator = isExploded ? '=' : ',';
  return Object.entries(value)
    .map(([name, property]) => `${name}${separator}${plainText(property)}`)
    .join(',');
}
