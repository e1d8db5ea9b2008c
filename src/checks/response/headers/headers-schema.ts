import type { CheckFinding } from '../../../core/errors/finding';
import { headerValues } from '../../../core/http/headers';
import { joinPointer } from '../../../core/json/json-pointer';
import { JsonSyntaxError } from '../../../core/json/json-syntax-error';
import type { JsonValue } from '../../../core/json/json-value';
import { parseJson } from '../../../core/json/parse-json';
import { previewText } from '../../../core/json/stringify-json';
import type { ApiModel } from '../../../openapi/model/api-model';
import type { ResponseHeader, Schema } from '../../../openapi/model/operation';
import { decodeParameter } from '../../../openapi/parameters/decode-parameter';
import { type StyledParameter, textShape } from '../../../openapi/parameters/text-shape';
import { resolveSchema } from '../../../openapi/read/references';
import { valueAt } from '../../../openapi/read/source-document';
import { isSchemaObject, type SchemaObject } from '../../../schema/schema-object';
import type { ObservedResponse, ResponseCheck } from '../../response-check';

/** A header as it can be checked: its schema, and what its text may mean, the likeliest first. */
interface DecodedHeader {
  readonly schema: Schema;
  readonly candidates: readonly JsonValue[];
}

/**
 * Reads the text of a header by what the description says of it: style `simple` with `explode` (OAS 3.0.3 §4.7.12,
 * §4.7.21), or a `content` entry that is JSON. Numbers keep every digit.
 *
 * @returns `undefined` when the description gives nothing to check it by; no readings when it should be JSON and is not
 */
function decodeHeader(api: ApiModel, header: ResponseHeader, text: string): DecodedHeader | undefined {
  const definition = valueAt(api.document, header.pointer);
  if (!isSchemaObject(definition)) return undefined;
  if (header.schema === undefined) return decodeContentValue(api, header, definition, text);
  const { schema } = header;
  return { schema, candidates: decodeStyled(api, schema, text.trim(), definition['explode'] === true) };
}

function decodeStyled(api: ApiModel, schema: Schema, text: string, isExploded: boolean): JsonValue[] {
  const { type } = schema.value;
  if (type === 'object') return [decodeObject(api, schema, text, isExploded)];
  const typed = (as: SchemaObject): JsonValue[] => {
    const decoded = decodeParameter(simplePlace(api, { ...schema, value: as }), [text]);
    return decoded.kind === 'value' ? [decoded.value] : [];
  };
  if (typeof type === 'string') return typed(schema.value);
  // The type stands in a part of the schema, or nowhere: any reading that is right will do.
  return ['string', 'number', 'boolean'].flatMap((candidate) => typed({ ...schema.value, type: candidate }));
}

function simplePlace(api: ApiModel, schema: Schema): StyledParameter {
  const shape = textShape(api.document, schema);
  return { name: '', in: 'header', style: 'simple', explode: false, contentType: undefined, shape };
}

/** `R,100,G,200`, or with `explode` `R=100,G=200`. */
function decodeObject(api: ApiModel, schema: Schema, text: string, isExploded: boolean): JsonValue {
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
    const [reading] = decodeStyled(api, { ...schema, value: property.schema, pointer: property.pointer }, value, false);
    return [name, reading ?? value];
  });
  return Object.fromEntries(members);
}

function decodeContentValue(
  api: ApiModel,
  header: ResponseHeader,
  definition: SchemaObject,
  text: string,
): DecodedHeader | undefined {
  const content = definition['content'];
  const [mediaType] = isSchemaObject(content) ? Object.keys(content) : [];
  if (mediaType === undefined || !/\bjson$/.test(mediaType)) return undefined;
  const entry = joinPointer(joinPointer(header.pointer, 'content'), mediaType);
  const place = { value: valueAt(api.document, `${entry}/schema`) ?? null, pointer: `${entry}/schema` };
  const target = resolveSchema(api.document, place);
  const schema = target === undefined ? undefined : api.schemaAt(target.pointer);
  if (schema === undefined) return undefined;
  try {
    return { schema, candidates: [parseJson(text)] };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return { schema, candidates: [] };
  }
}

/**
 * The headers that the response documents are valid against their schemas, and those that it requires are there. One
 * that it shows and does not require may be missing: who needs it says so in a contract.
 */
export const headersSchema: ResponseCheck = {
  id: 'headers-schema',
  area: 'schema',
  source: 'OAS 3.0.3 §4.7.17 Response Object, §4.7.21 Header Object; RFC 9110 §5.3; RFC 6265 §3',
  basis: 'description',
  supersededBy: {
    checks: ['allow', 'deprecation', 'etag', 'link', 'location', 'retry-after', 'sunset', 'www-authenticate'],
  },
  run(observed) {
    const headers = [...(observed.documented?.headers.values() ?? [])];
    const validated = headers.flatMap((header) => checkHeader(observed, header) ?? []);
    return validated.length === 0 ? undefined : validated.flat();
  },
};

/** What is wrong with one header, in a list of its own; `undefined` when there was nothing to check. */
function checkHeader(
  observed: ObservedResponse,
  header: ResponseHeader,
): readonly [readonly CheckFinding[]] | undefined {
  const { headers, method } = observed;
  const lines = headerValues(headers, header.name);
  const at = `/response/headers/${header.name.toLowerCase()}`;
  const about = { at, spec: header.pointer } as const;
  if (lines.length === 0) {
    if (!header.required) return undefined;
    // To HEAD, what is only known once there is a body may be left out (RFC 9110 §9.3.2).
    const severity = method === 'HEAD' ? 'warning' : 'error';
    const message = `The header ${header.name} is missing`;
    return [[{ ...about, severity, message, expected: 'the header', actual: 'no header' }]];
  }
  // The lines of Set-Cookie cannot be joined: a cookie may have commas of its own.
  const values = header.name.toLowerCase() === 'set-cookie' ? lines : [lines.join(', ')];
  const faults = values.map((value) => ({ value, fault: violationOf(observed, header, value) }));
  if (faults.every(({ fault }) => fault === undefined)) return undefined;
  return [
    faults.flatMap(({ value, fault = '' }) => {
      if (fault === '') return [];
      const severity = isWeakenedTag(observed, header, value) ? 'warning' : 'error';
      const message = `The header ${header.name} ${fault}`;
      return [
        { ...about, severity, message, expected: fault.replace(/^must (?:be )?/, ''), actual: previewText(value) },
      ];
    }),
  ];
}

/** `undefined` when there is nothing to check the value by; `''` when it is right. */
function violationOf({ api }: ObservedResponse, header: ResponseHeader, value: string): string | undefined {
  const read = decodeHeader(api, header, value);
  if (read === undefined) return undefined;
  const validate = read.schema.validate('response');
  const violations = read.candidates.map((reading: JsonValue) => validate(reading));
  if (violations.some((found) => found.length === 0)) return '';
  return violations[0]?.[0]?.message ?? 'must be JSON';
}

/** A proxy that compresses takes the strength from a tag (RFC 9110 §8.8.1): no fault of the service. */
function isWeakenedTag(observed: ObservedResponse, header: ResponseHeader, value: string): boolean {
  const isTag = header.name.toLowerCase() === 'etag' && value.startsWith('W/');
  return isTag && violationOf(observed, header, value.slice('W/'.length)) === '';
}
