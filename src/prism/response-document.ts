import { ExactNumber } from '../core/json/exact-number';
import { getAtPointer, joinPointer } from '../core/json/json-pointer';
import type { JsonValue } from '../core/json/json-value';
import { isSchemaObject, type SchemaObject } from '../schema/schema-object';
import type { Schema } from '../openapi/model/operation';
import type { ApiModel } from '../openapi/model/api-model';
import { localPointer, referenceOf, schemasAt } from '../openapi/read/references';

/** A description of one response and no more: an OpenAPI document of plain data that names nothing outside itself. */
export interface ResponseDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: object;
  readonly components: { readonly schemas: Readonly<Record<string, PlainObject>> };
}

type Plain = null | boolean | string | number | readonly Plain[] | PlainObject;
interface PlainObject {
  readonly [name: string]: Plain;
}

/**
 * Makes the document that Prism generates a body from: `GET /` answers 200 with `schema`.
 *
 * Whatever else an operation has would cost time or do harm. Prism calls what stands under `callbacks`, and its parser
 * follows every `$ref`, also one to a file or to the network and one that is data in an example. So only schemas are
 * copied, and of them only what decides about values.
 */
export function responseDocument(api: ApiModel, schema: Schema): ResponseDocument {
  const copier = new SchemaCopier(api);
  const root = copier.refer(schema.pointer);
  const response = { description: '', content: { 'application/json': { schema: root } } };
  return {
    openapi: '3.0.3',
    info: { title: api.title, version: api.version },
    paths: { '/': { get: { responses: { '200': response } } } },
    components: { schemas: copier.schemas },
  };
}

/** Keywords whose value is not a schema and holds none. Everything that is not listed here or below is left behind. */
const VALUE_KEYWORDS = new Set([
  'type',
  'format',
  'nullable',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'x-faker',
]);

/** @returns `undefined` to leave the keyword behind */
type KeywordCopier = (value: JsonValue, pointer: string, schema: SchemaObject) => Plain | undefined;

class SchemaCopier {
  readonly schemas: Record<string, PlainObject> = {};
  private readonly names = new Map<string, string>();
  /** Pointers of the schemas that the copying is inside of. */
  private readonly open = new Set<string>();
  private readonly api: ApiModel;

  /** The keywords that need more than a copy of their value. */
  private readonly copiers = new Map<string, KeywordCopier>([
    ['properties', (value, pointer, { required }) => this.copyProperties(value, pointer, required)],
    [
      'required',
      (value, _pointer, schema) =>
        Array.isArray(value) ? value.filter((name) => !this.isWriteOnly(schema, name)).map(toPlain) : undefined,
    ],
    ['allOf', (value, pointer) => this.copyList(value, pointer)],
    ['anyOf', (value, pointer) => this.copyList(value, pointer)],
    ['oneOf', (value, pointer) => this.copyList(value, pointer)],
    ['not', (value, pointer) => this.copy(value, pointer)],
    ['items', (value, pointer) => this.copyNested(value, pointer)],
    [
      'additionalProperties',
      (value, pointer) => (typeof value === 'boolean' ? value : this.copyNested(value, pointer)),
    ],
    ['const', copyData],
    ['enum', (value) => (Array.isArray(value) ? value.filter((one) => !holdsReference(one)).map(toPlain) : undefined)],
  ]);

  constructor(api: ApiModel) {
    this.api = api;
  }

  /** A reference to the copy of the schema at a pointer, which is made on first mention, so that circles end. */
  refer(pointer: string): PlainObject {
    let name = this.names.get(pointer);
    if (name === undefined) {
      name = `schema${this.names.size}`;
      this.names.set(pointer, name);
      this.open.add(pointer);
      this.schemas[name] = this.copyNested(getAtPointer(this.api.document.root, pointer), pointer);
      this.open.delete(pointer);
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  private copy(schema: JsonValue | undefined, pointer: string): PlainObject {
    if (!isSchemaObject(schema)) return {};
    const reference = referenceOf(schema);
    if (reference !== undefined) {
      const target = localPointer(reference);
      const copied = target === undefined ? {} : this.refer(target);
      const beside = this.api.oasVersion === '3.0' ? {} : this.copy(withoutReference(schema), pointer);
      return Object.keys(beside).length === 0 ? copied : { allOf: [copied, beside] };
    }
    const copied = Object.entries(schema).flatMap(([keyword, value]): [string, Plain][] => {
      const copyValue = this.copiers.get(keyword) ?? (VALUE_KEYWORDS.has(keyword) ? copyData : undefined);
      const copy = copyValue?.(value, joinPointer(pointer, keyword), schema);
      return copy === undefined ? [] : [[keyword, copy]];
    });
    const example = schema['example'] ?? firstOf(schema['examples']);
    if (example !== undefined && this.isUsable(example, pointer)) copied.push(['example', toPlain(example)]);
    return toOpenApi30(Object.fromEntries(schema['format'] === 'byte' ? asBase64(copied) : copied));
  }

  private copyList(value: JsonValue, pointer: string): Plain | undefined {
    if (!Array.isArray(value)) return undefined;
    return value.map((property, index) => this.copy(property, joinPointer(pointer, index)));
  }

  private copyProperties(properties: JsonValue, pointer: string, required: JsonValue | undefined): Plain | undefined {
    if (!isSchemaObject(properties)) return undefined;
    const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name, member]) => !this.isWriteOnlySchema(member) && (isRequired(name) || !this.isCircular(member)))
        .map(([name, member]): [string, Plain] => [name, this.copyNested(member, joinPointer(pointer, name))]),
    );
  }

  /**
   * Is the schema, or that of its items, one that it stands in? Prism follows such a circle three times and then puts
   * `{}`, which lacks whatever is required.
   */
  private isCircular(schema: JsonValue): boolean {
    if (!isSchemaObject(schema)) return false;
    const reference = referenceOf(schema);
    if (reference !== undefined) return this.open.has(localPointer(reference) ?? '');
    return schema['items'] !== undefined && this.isCircular(schema['items']);
  }

  /** Of a schema that says nothing, Prism would give back a piece of its own book-keeping. */
  private copyNested(schema: JsonValue | undefined, pointer: string): PlainObject {
    const copy = this.copy(schema, pointer);
    return Object.keys(copy).length === 0 ? { type: 'object' } : copy;
  }

  private isWriteOnly({ properties }: SchemaObject, name: JsonValue): boolean {
    if (typeof name !== 'string' || !isSchemaObject(properties) || !Object.hasOwn(properties, name)) return false;
    return this.isWriteOnlySchema(properties[name]);
  }

  /** Prism leaves such properties out as well, but not below `allOf`, and not in its static generator. */
  private isWriteOnlySchema(schema: JsonValue | undefined): boolean {
    if (schema === undefined) return false;
    const said = schemasAt(this.api.document, { value: schema, pointer: '' });
    return said.some(({ value }) => value['writeOnly'] === true);
  }

  /** Loading does not judge the examples of every schema, and one that is wrong would spoil the whole body. */
  private isUsable(example: JsonValue, pointer: string): boolean {
    return !holdsReference(example) && this.api.schemaAt(pointer)?.accepts(example, 'response') === true;
  }
}

function withoutReference(schema: SchemaObject): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== '$ref'));
}

/**
 * Words of JSON Schema 2020-12 as those of OpenAPI 3.0, which is what Prism's generators read. Where there is none, such
 * as for `prefixItems`, the keyword is left behind; a body that breaks it is found out by its schema.
 */
function toOpenApi30(schema: PlainObject): PlainObject {
  const { type, const: constant, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  const result: Record<string, Plain> = rest;
  if (constant !== undefined) result['enum'] = [constant];
  if (Array.isArray(type)) {
    const [first] = (type as readonly Plain[]).filter((name) => name !== 'null');
    if (first !== undefined) result['type'] = first;
    if (type.includes('null')) result['nullable'] = true;
  } else if (type !== undefined) result['type'] = type;
  addBound(result, 'minimum', 'exclusiveMinimum', exclusiveMinimum);
  addBound(result, 'maximum', 'exclusiveMaximum', exclusiveMaximum);
  return result;
}

function addBound(result: Record<string, Plain>, bound: string, exclusive: string, value: Plain | undefined): void {
  if (value === undefined) return;
  result[exclusive] = typeof value === 'number' ? true : value;
  if (typeof value === 'number') result[bound] = value;
}

function firstOf(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) ? value[0] : undefined;
}

function copyData(value: JsonValue): Plain | undefined {
  return holdsReference(value) ? undefined : toPlain(value);
}

/** Of the format `byte`, Prism only knows the letters, and makes texts of any length. */
function asBase64(schema: readonly [string, Plain][]): [string, Plain][] {
  const others = schema.filter(([keyword]) => keyword !== 'format');
  return [['pattern', '^([A-Za-z0-9+/]{4}){2,6}$'], ...others];
}

/** Prism's parser would take data with a `$ref` in it for a reference, and fetch it. */
function holdsReference(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(holdsReference);
  if (!isSchemaObject(value)) return false;
  return referenceOf(value) !== undefined || Object.values(value).some(holdsReference);
}

/** Prism knows neither `bigint` nor our exact numbers, and no message to a worker may hold the latter. */
function toPlain(value: JsonValue): Plain {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof ExactNumber) return Number(value.lexeme);
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, toPlain(property)]));
}
