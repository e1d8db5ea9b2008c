import type { JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { isSchemaObject } from '../../schema/schema-object';
import { fieldOf, fieldsOf, itemsOf, type Located, type LocatedObject, schemasAt } from '../read/references';
import type { SourceDocument } from '../read/source-document';

/** What a scalar can be read as; `null` has no text of its own (OAS 3.0.4 Appendix B). */
type ScalarType = 'integer' | 'number' | 'boolean' | 'string';

/**
 * What text that a schema checks is to be read as. Text has no types of its own, so that they are taken from the
 * schema: from what it says itself, what stands behind its references and in its `allOf`, and what the branches of its
 * `oneOf` and `anyOf` allow.
 */
export interface TextShape {
  /** `array` and `object` also where a scalar is possible as well; {@link scalars} tells. */
  readonly kind: 'scalar' | 'array' | 'object';
  /** In the order to try them: `string` fits any text and is last. Empty where no scalar is allowed. */
  readonly scalars: readonly ScalarType[];
  /** Are these bytes (OAS 3.0.3 "Data Types", `format: binary`; OAS 3.1.0 `contentMediaType` without an encoding)? */
  readonly isBinary: boolean;
  /** Names of the declared properties. */
  readonly names: readonly string[];
  item(index: number): TextShape;
  /** `undefined` for a property that is not declared, and that `additionalProperties` does not describe. */
  property(name: string): TextShape | undefined;
  /** That of properties that are not declared. */
  readonly others: TextShape | undefined;
}

/** Keys of what has no name of its own: clients send as many items and properties as they like. */
const ITEMS = Symbol('items');
const ADDITIONAL = Symbol('additionalProperties');
type ChildKey = string | number | typeof ITEMS | typeof ADDITIONAL;

/** The shape of text that the schema at this place checks; nothing is looked at before somebody asks. */
export function textShape(document: SourceDocument, schema: Located | undefined): TextShape {
  return new SchemaShape(document, schema === undefined ? [] : [schema]);
}

/** Its fields are private to the language, so that nobody who prints a parameter prints the document. */
class SchemaShape implements TextShape {
  readonly #document: SourceDocument;
  readonly #schemas: readonly Located[];
  private knownParts: readonly LocatedObject[] | undefined;
  private knownKind: TextShape['kind'] | undefined;
  private knownScalars: readonly ScalarType[] | undefined;
  private knownTypes: readonly string[] | undefined;
  private knownNames: ReadonlySet<string> | undefined;
  private readonly children = new Map<ChildKey, TextShape>();

  constructor(document: SourceDocument, schemas: readonly Located[]) {
    this.#document = document;
    this.#schemas = schemas;
  }

  get kind(): TextShape['kind'] {
    return (this.knownKind ??= kindOf(this.types));
  }

  get scalars(): readonly ScalarType[] {
    return (this.knownScalars ??= scalarsOf(this.types));
  }

  get isBinary(): boolean {
    return this.parts.some(
      ({ value }) =>
        value['format'] === 'binary' ||
        (value['contentMediaType'] !== undefined && value['contentEncoding'] === undefined),
    );
  }

  get names(): readonly string[] {
    return [...this.declared];
  }

  item(index: number): TextShape {
    const isTuple = this.parts.some((part) => itemsOf(fieldOf(part, 'prefixItems')).length > index);
    return this.child(isTuple ? index : ITEMS, (part) => {
      const tuple = itemsOf(fieldOf(part, 'prefixItems'))[index];
      return tuple ?? fieldOf(part, 'items');
    });
  }

  property(name: string): TextShape | undefined {
    if (this.declared.has(name)) return this.child(name, (part) => placed(fieldOf(part, 'properties'), name));
    return this.others;
  }

  get others(): TextShape | undefined {
    return this.isDescribed ? this.child(ADDITIONAL, (part) => fieldOf(part, 'additionalProperties')) : undefined;
  }

  // Kept, as all that is asked for each of the properties that a client sends.
  private get declared(): ReadonlySet<string> {
    return (this.knownNames ??= new Set(
      this.parts.flatMap((part) => fieldsOf(fieldOf(part, 'properties')).map(({ name }) => name)),
    ));
  }

  /** Is something said of properties that are not declared? */
  private get isDescribed(): boolean {
    return this.parts.some(({ value }) => {
      const additional = value['additionalProperties'];
      return additional === true || isSchemaObject(additional);
    });
  }

  private child(key: ChildKey, find: (part: LocatedObject) => Located | undefined): TextShape {
    let known = this.children.get(key);
    if (known === undefined) {
      const schemas = this.parts.flatMap((part) => find(part) ?? []);
      known = new SchemaShape(this.#document, schemas);
      this.children.set(key, known);
    }
    return known;
  }

  /** Every schema object that may have a say, references followed; a circle is entered once. */
  private get parts(): readonly LocatedObject[] {
    if (this.knownParts !== undefined) return this.knownParts;
    const found = new Map<string, LocatedObject>();
    const visit = (schema: Located): void => {
      for (const target of schemasAt(this.#document, schema)) {
        if (found.has(target.pointer)) continue;
        found.set(target.pointer, target);
        for (const keyword of ['allOf', 'oneOf', 'anyOf'])
          for (const part of itemsOf(fieldOf(target, keyword))) visit(part);
      }
    };
    for (const schema of this.#schemas) visit(schema);
    return (this.knownParts = [...found.values()]);
  }

  /** The types that the schemas allow, in their order; none when they allow any. */
  private get types(): readonly string[] {
    return (this.knownTypes ??= [
      ...new Set(this.#schemas.flatMap((schema) => typesOf(this.#document, schema, new Set()) ?? [])),
    ]);
  }
}

function kindOf(types: readonly string[]): TextShape['kind'] {
  if (types.includes('object')) return 'object';
  return types.includes('array') ? 'array' : 'scalar';
}

function scalarsOf(types: readonly string[]): readonly ScalarType[] {
  if (types.length === 0) return ['string'];
  // In the order of the description, apart from strings: those would leave nothing for the others.
  const found = types.filter((type) => type === 'integer' || type === 'number' || type === 'boolean');
  return types.includes('string') ? [...found, 'string'] : found;
}

function placed(parent: Located | undefined, name: string): Located | undefined {
  return parent === undefined ? undefined : fieldOf(parent, name);
}

/** @returns `undefined` where the schema allows every type */
function typesOf(
  document: SourceDocument,
  schema: Located,
  visited: ReadonlySet<string>,
): readonly string[] | undefined {
  for (const target of schemasAt(document, schema)) {
    const types = visited.has(target.pointer) ? undefined : typesOfOne(document, target, visited);
    if (types !== undefined) return types;
  }
  return undefined;
}

function typesOfOne(
  document: SourceDocument,
  target: LocatedObject,
  visited: ReadonlySet<string>,
): readonly string[] | undefined {
  const around = new Set([...visited, target.pointer]);
  const own = ownTypes(target.value);
  if (own !== undefined) return own;
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = itemsOf(fieldOf(target, keyword)).map((branch) => typesOf(document, branch, around));
    const stated = branches.flatMap((branch) => branch ?? []);
    if (stated.length > 0) return stated;
  }
  for (const part of itemsOf(fieldOf(target, 'allOf'))) {
    const types = typesOf(document, part, around);
    if (types !== undefined) return types;
  }
  return undefined;
}

function ownTypes(schema: LocatedObject['value']): readonly string[] | undefined {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((name) => typeof name === 'string');
  const values = Array.isArray(schema['enum']) ? schema['enum'] : 'const' in schema ? [schema['const'] ?? null] : [];
  if (values.length > 0) return values.map(typeOfValue);
  // Keywords that speak of one type alone are a word about the type.
  if (isSchemaObject(schema['properties'])) return ['object'];
  return schema['items'] === undefined && schema['prefixItems'] === undefined ? undefined : ['array'];
}

function typeOfValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isSchemaObject(value)) return 'object';
  return typeof value === 'string' || typeof value === 'boolean' ? typeof value : 'number';
}

/** A parameter's value as its schema sees it, or why it has none. */
export type DecodedParameter =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'undecodable' }
  | { readonly kind: 'repeated' }
  /** `reason` goes on after the name of the parameter. */
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Where a value stands in a request, and how it is written there (OAS 3.2.0 §4.12.2 "Parameter Object"). */
export interface StyledParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'querystring';
  readonly style: string;
  readonly explode: boolean;
  /** Key of its `content`, which takes the place of a style. */
  readonly contentType: string | undefined;
  readonly shape: TextShape;
}

const SHORT_INTEGER = /^[1-9]\d{0,14}$/;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const MOST_DIGITS = 400;

/**
 * Reads text as the first of some types whose grammar fits: numbers by that of JSON, so that there is no `0x10` and no
 * `+1`, and booleans as `true` and `false` alone (OAS 3.0.4 Appendix B leaves it to tools). Text that fits none of them
 * stays text, for the schema to reject.
 */
export function readScalar(text: string, types: readonly ScalarType[]): JsonValue {
  for (const type of types) {
    const value = type === 'string' ? text : READERS[type](text);
    if (value !== undefined) return value;
  }
  return text;
}

const READERS: Readonly<Record<Exclude<ScalarType, 'string'>, (text: string) => JsonValue | undefined>> = {
  integer(text) {
    // Most ids are short, and as exact as a number can be.
    if (SHORT_INTEGER.test(text)) return Number(text);
    return INTEGER.test(text) && text.length <= MOST_DIGITS ? parseJson(text) : undefined;
  },
  number: (text) => (NUMBER.test(text) && text.length <= MOST_DIGITS ? parseJson(text) : undefined),
  boolean: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
};
