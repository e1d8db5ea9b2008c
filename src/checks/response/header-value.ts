import { joinPointer } from '../../json/json-pointer';
import { JsonSyntaxError } from '../../json/json-syntax-error';
import type { JsonValue } from '../../json/json-value';
import { parseJson } from '../../json/parse-json';
import { isSchemaObject, type SchemaObject } from '../../json-schema/schema';
import { decodeParameter, type StyledPlace } from '../../openapi/parameter-style';
import type { ApiModel, ResponseHeader, Schema } from '../../openapi/model';
import { resolveObject } from '../../openapi/references';
import { textShape } from '../../openapi/text-shape';
import { valueAt } from '../../openapi/source-document';

/** A header as it can be judged: its schema, and what its text may mean, the likeliest first. */
export interface ReadHeader {
  readonly schema: Schema;
  readonly readings: readonly JsonValue[];
}

/**
 * Reads the text of a header by what the description says of it: style `simple` with `explode` (OAS 3.0.3 §4.7.12,
 * §4.7.21), or a `content` entry that is JSON. Numbers keep every digit.
 *
 * @returns `undefined` when the description gives nothing to judge it by; no readings when it should be JSON and is not
 */
export function readHeader(api: ApiModel, header: ResponseHeader, text: string): ReadHeader | undefined {
  const definition = valueAt(api.document, header.pointer);
  if (!isSchemaObject(definition)) return undefined;
  if (header.schema === undefined) return readContent(api, header, definition, text);
  const { schema } = header;
  return { schema, readings: readStyled(api, schema, text.trim(), definition['explode'] === true) };
}

function readStyled(api: ApiModel, schema: Schema, text: string, isExploded: boolean): JsonValue[] {
  const { type } = schema.value;
  if (type === 'object') return [readObject(api, schema, text, isExploded)];
  const typed = (as: SchemaObject): JsonValue[] => {
    const decoded = decodeParameter(simplePlace(api, { ...schema, value: as }), [text]);
    return decoded.kind === 'value' ? [decoded.value] : [];
  };
  if (typeof type === 'string') return typed(schema.value);
  // The type stands in a part of the schema, or nowhere: any reading that is right will do.
  return ['string', 'number', 'boolean'].flatMap((candidate) => typed({ ...schema.value, type: candidate }));
}

function simplePlace(api: ApiModel, schema: Schema): StyledPlace {
  const shape = textShape(api.document, schema);
  return { name: '', in: 'header', style: 'simple', explode: false, contentType: undefined, shape };
}

/** `R,100,G,200`, or with `explode` `R=100,G=200`. */
function readObject(api: ApiModel, schema: Schema, text: string, isExploded: boolean): JsonValue {
  const pieces = text.split(',').map((piece) => piece.trim());
  const pairs = isExploded
    ? pieces.map((piece): [string, string] => {
        const [name = '', ...rest] = piece.split('=');
        return [name, rest.join('=')];
      })
    : pieces.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, pieces[index + 1] ?? '']] : []));
  const properties = api.propertiesOf(schema);
  const members = pairs.map(([name, value]): [string, JsonValue] => {
    const property = properties.get(name);
    if (property === undefined) return [name, value];
    const [reading] = readStyled(api, { ...schema, value: property.schema, pointer: property.pointer }, value, false);
    return [name, reading ?? value];
  });
  return Object.fromEntries(members);
}

function readContent(
  api: ApiModel,
  header: ResponseHeader,
  definition: SchemaObject,
  text: string,
): ReadHeader | undefined {
  const content = definition['content'];
  const [mediaType] = isSchemaObject(content) ? Object.keys(content) : [];
  if (mediaType === undefined || !/\bjson$/.test(mediaType)) return undefined;
  const entry = joinPointer(joinPointer(header.pointer, 'content'), mediaType);
  const place = { value: valueAt(api.document, `${entry}/schema`) ?? null, pointer: `${entry}/schema` };
  const target = resolveObject(api.document, place);
  const schema = target === undefined ? undefined : api.schemaAt(target.pointer);
  if (schema === undefined) return undefined;
  try {
    return { schema, readings: [parseJson(text)] };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { schema, readings: [] };
  }
}
