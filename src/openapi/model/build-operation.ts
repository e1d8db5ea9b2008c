import { bodyKind } from '../../core/http/media-type';
import type { JsonValue } from '../../core/json/json-value';
import type { SchemaObject } from '../../schema/schema-object';
import { readLifecycle } from './lifecycle';
import type {
  Encoding,
  Link,
  MediaTypeEntry,
  Operation,
  Parameter,
  ParameterLocation,
  RequestBody,
  ResponseHeader,
  ResponseSpec,
  Schema,
} from './operation';
import { oasVersionOf, type SourceDocument } from '../read/source-document';
import { readExamples } from './examples';
import {
  fieldOf,
  fieldsOf,
  itemsOf,
  type Located,
  type LocatedObject,
  objectField,
  type RawOperation,
  rawParameters,
  resolveObject,
  resolveSchema,
  schemasAt,
} from '../read/references';
import { readRequirements } from './security-schemes';
import { splitTemplate, operationSelectors } from './operation-selection';
import { textShape } from '../parameters/text-shape';

/** What building needs beside the operation: the document and a way to its schemas. */
export interface BuildContext {
  readonly document: SourceDocument;
  schema(located: LocatedObject): Schema;
  /** The id of the operation that a link at a JSON pointer means by `operationRef`. */
  operationReferred(reference: string, from: string): string | undefined;
}

/** OAS 3.0.3 §4.7.12.1: header parameters of these names are ignored; other rules speak for them. */
const IGNORED_HEADERS = new Set(['accept', 'content-type', 'authorization']);

export function buildOperation(raw: RawOperation, id: string, context: BuildContext): Operation {
  const { operation, path: written, method } = raw;
  const value = operation.value;
  const template = splitTemplate(written);
  const parameters = rawParameters(context.document, raw)
    .map((parameter) => buildParameter(parameter, context))
    .filter(({ in: location, name }) => location !== 'header' || !IGNORED_HEADERS.has(name.toLowerCase()));
  return {
    id,
    method,
    path: template.path,
    written,
    query: template.query,
    selectors: operationSelectors(template, parameters),
    pointer: operation.pointer,
    summary: textOf(value, 'summary') ?? '',
    description: textOf(value, 'description') ?? '',
    tags: Array.isArray(value['tags']) ? value['tags'].filter((tag) => typeof tag === 'string') : [],
    lifecycle: readLifecycle(value),
    parameters,
    requestBody: ignoresBody(raw, context) ? undefined : buildRequestBody(raw, context),
    ignoredBody: ignoresBody(raw, context) && raw.method === 'DELETE' ? buildRequestBody(raw, context) : undefined,
    responses: buildResponses(raw, context),
    security: readRequirements(context.document, operation),
  };
}

function buildParameter(located: LocatedObject, context: BuildContext): Parameter {
  const { value, pointer } = located;
  const location = value['in'] as ParameterLocation;
  const style = textOf(value, 'style') ?? defaultStyle(location);
  const name = textOf(value, 'name') ?? '';
  // OAS 3.0.3 §4.7.12: `content` has one entry, and it takes the place of `schema` and `style`.
  const [content] = buildContent(located, context);
  const schema = content === undefined ? schemaProperty(located, context) : content.schema;
  const explode = value['explode'];
  return {
    name,
    in: location,
    required: value['required'] === true,
    description:
      textOf(value, 'description') ?? (schema === undefined ? undefined : textOf(schema.value, 'description')),
    style,
    explode: typeof explode === 'boolean' ? explode : EXPLODED_STYLES.has(style),
    pointer,
    schema,
    ...(content === undefined ? styled(located, context) : inContent(content)),
    allowEmptyValue: location === 'query' && value['allowEmptyValue'] === true,
    defaultValue: schema?.value['default'],
    items: itemSchema(located, context),
    key: location === 'header' ? name.toLowerCase() : name,
  };
}

type TextRules = Pick<Parameter, 'shape' | 'contentType' | 'encodings'>;

function styled(located: LocatedObject, { document }: BuildContext): TextRules {
  const shape = textShape(document, fieldOf(located, 'schema'));
  return { shape, contentType: undefined, encodings: NO_ENCODINGS };
}

function inContent({ shape, mediaType, encodings }: MediaTypeEntry): TextRules {
  return { shape, contentType: mediaType, encodings };
}

/** Those whose `explode` is true when nothing is said (OAS 3.2.0 §4.12.3). */
const EXPLODED_STYLES: ReadonlySet<string> = new Set(['form', 'cookie']);

/** OAS 3.0.3 §4.7.12.2. */
export function defaultStyle(location: ParameterLocation): string {
  return location === 'query' || location === 'cookie' ? 'form' : 'simple';
}

const NO_ENCODINGS: ReadonlyMap<string, Encoding> = new Map();

function itemSchema(parameter: Located, { document }: BuildContext): SchemaObject | undefined {
  const schema = fieldOf(parameter, 'schema');
  const own = schema === undefined ? [] : schemasAt(document, schema);
  // A list that may be null is written as a choice.
  const choices = own.flatMap((each) => ['anyOf', 'oneOf'].flatMap((keyword) => itemsOf(fieldOf(each, keyword))));
  const lists = [own, ...choices.map((branch) => schemasAt(document, branch))];
  const [found, ...others] = lists.flatMap((list) => list.flatMap((each) => fieldOf(each, 'items') ?? []).slice(0, 1));
  if (found === undefined || others.length > 0) return undefined;
  const said = schemasAt(document, found).toReversed();
  return said.length === 0 ? undefined : (Object.assign({}, ...said.map(({ value }) => value)) as SchemaObject);
}

/** OAS 3.0.3 §4.7.10: where HTTP gives a body no meaning, a declared one is ignored. Later versions read it. */
function ignoresBody({ method }: RawOperation, { document }: BuildContext): boolean {
  return oasVersionOf(document) === '3.0' && ['GET', 'HEAD', 'DELETE'].includes(method);
}

function buildRequestBody({ operation }: RawOperation, context: BuildContext): RequestBody | undefined {
  const body = objectField(context.document, operation, 'requestBody');
  if (body === undefined) return undefined;
  const content = withJson(buildContent(body, context));
  return {
    required: body.value['required'] === true,
    pointer: body.pointer,
    content,
    mediaTypes: content.map((entry) => entry.mediaType),
  };
}

/**
 * Bytes are no value that the schema of an object describes. Where a body is offered in no other way, JSON is meant as
 * well, which its clients send: programs that write descriptions name bytes, or every kind of film, for whatever a
 * service takes beside it.
 */
function withJson(content: readonly MediaTypeEntry[]): readonly MediaTypeEntry[] {
  const isOfOctets = ({ mediaType }: MediaTypeEntry): boolean =>
    !mediaType.includes('*') && ['binary', 'opaque'].includes(bodyKind(mediaType));
  const [first] = content;
  if (first === undefined || !content.every(isOfOctets) || first.shape.names.length === 0) return content;
  return [...content, { ...first, mediaType: 'application/json', examples: [] }];
}

function buildContent(owner: Located, context: BuildContext): MediaTypeEntry[] {
  return fieldsOf(fieldOf(owner, 'content')).map(({ name, ...written }) => {
    // OAS 3.2.0 §4.14: it may be a reference to one of `components.mediaTypes`.
    const located = resolveObject(context.document, written) ?? written;
    return {
      mediaType: name,
      pointer: located.pointer,
      schema: schemaProperty(located, context),
      itemSchema: schemaProperty(located, context, 'itemSchema'),
      encodings: buildEncodings(located, context),
      shape: textShape(context.document, fieldOf(located, 'schema')),
      examples: readExamples(context.document, located, name),
    };
  });
}

function buildEncodings(mediaType: Located, { document }: BuildContext): ReadonlyMap<string, Encoding> {
  const declared = fieldsOf(fieldOf(mediaType, 'encoding'));
  if (declared.length === 0) return NO_ENCODINGS;
  return new Map(
    declared.map(({ name, ...located }) => {
      const value = resolveObject(document, located)?.value ?? {};
      const explode = value['explode'];
      return [
        name,
        {
          contentType: textOf(value, 'contentType'),
          style: textOf(value, 'style'),
          explode: typeof explode === 'boolean' ? explode : undefined,
        },
      ];
    }),
  );
}

function buildResponses({ operation }: RawOperation, context: BuildContext): Map<string, ResponseSpec> {
  const responses = new Map<string, ResponseSpec>();
  for (const { name: status, ...located } of fieldsOf(fieldOf(operation, 'responses'))) {
    if (status.startsWith('x-')) continue;
    const response = resolveObject(context.document, located);
    if (response === undefined) continue;
    const content = buildContent(response, context);
    responses.set(status, {
      status,
      pointer: response.pointer,
      description: textOf(response.value, 'description') ?? '',
      content,
      mediaTypes: content.map((entry) => entry.mediaType),
      headers: buildHeaders(response, context),
      links: buildLinks(response, context),
    });
  }
  return responses;
}

function buildHeaders(response: Located, context: BuildContext): Map<string, ResponseHeader> {
  const headers = new Map<string, ResponseHeader>();
  for (const { name, ...located } of fieldsOf(fieldOf(response, 'headers'))) {
    const header = resolveObject(context.document, located);
    // OAS 3.0.3 §4.7.17: a Content-Type entry is ignored.
    if (header === undefined || name.toLowerCase() === 'content-type') continue;
    const required = header.value['required'] === true;
    headers.set(name.toLowerCase(), {
      name,
      required,
      pointer: header.pointer,
      schema: schemaProperty(header, context),
    });
  }
  return headers;
}

function buildLinks(response: Located, context: BuildContext): Link[] {
  return fieldsOf(fieldOf(response, 'links')).flatMap(({ name, ...located }): Link[] => {
    const link = resolveObject(context.document, located);
    if (link === undefined) return [];
    const parameters = fieldsOf(fieldOf(link, 'parameters')).map((entry): [string, JsonValue] => [
      entry.name,
      entry.value,
    ]);
    return [{ name, operationId: linkedOperation(link, context), parameters: new Map(parameters) }];
  });
}

/** An operation without an `operationId` can be meant by `operationRef` alone. */
function linkedOperation({ value, pointer }: LocatedObject, context: BuildContext): string | undefined {
  const id = textOf(value, 'operationId');
  const reference = textOf(value, 'operationRef');
  if (id !== undefined || reference === undefined) return id;
  return context.operationReferred(reference, pointer);
}

function schemaProperty(owner: Located, context: BuildContext, name = 'schema'): Schema | undefined {
  const located = fieldOf(owner, name);
  const schema = located === undefined ? undefined : resolveSchema(context.document, located);
  return schema === undefined ? undefined : context.schema(schema);
}

function textOf(value: SchemaObject, name: string): string | undefined {
  const text = value[name];
  return typeof text === 'string' ? text : undefined;
}
