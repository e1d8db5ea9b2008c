import { isHeaderName } from '../core/http/headers';
import { isJsonObject, type JsonValue } from '../core/json/json-value';
import { stringifyJson } from '../core/json/stringify-json';
import { valueAt } from '../openapi/read/source-document';
import type { ResponseHeader, ResponseSpec } from '../openapi/model/operation';
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

function valueOf(api: ApiModel, key: string, { pointer, schema }: ResponseHeader): Value | undefined {
  const shown = exampleOf(valueAt(api.document, pointer) ?? null);
  if (shown !== undefined) return value('example', fieldText(shown));
  if (schema !== undefined && schema.value['example'] === undefined && SAMPLE_VALUES[key] === undefined) {
    const sample = samplerOf(api).sample(schema, { seed: key, direction: 'response' });
    return value('schema', sample.kind === 'made' ? fieldText(sample.value) : undefined);
  }
  const example = schema?.value['example'];
  return example === undefined ? value('usual', SAMPLE_VALUES[key] ?? 'sample') : value('example', fieldText(example));
}

function value(from: DeclaredHeader['from'], text: string | undefined): Value | undefined {
  return text === undefined ? undefined : { value: text, from };
}

function exampleOf(header: JsonValue): JsonValue | undefined {
  if (!isJsonObject(header)) return undefined;
  if (header['example'] !== undefined) return header['example'];
  const [first] = isJsonObject(header['examples']) ? Object.values(header['examples']) : [];
  return isJsonObject(first) ? first['value'] : undefined;
}

/** Style `simple` (OAS 3.0.3 §4.7.12.2); `undefined` for what no field value can hold (RFC 9110 §5.5). */
function fieldText(value: JsonValue): string | undefined {
  const text = Array.isArray(value)
    ? value.map(plainText).join(',')
    : isJsonObject(value)
      ? Object.entries(value)
          .flatMap(([name, property]) => [name, plainText(property)])
          .join(',')
      : plainText(value);
  return /^[\t\x20-\x7e]*$/.test(text) ? text.trim() : undefined;
}

function plainText(value: JsonValue): string {
  return typeof value === 'string' ? value : stringifyJson(value);
}
