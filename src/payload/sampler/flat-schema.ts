import type { PatternTest } from './pattern-text';
import type { JsonValue } from '../../core/json/json-value';
import type { Located } from '../../openapi/read/references';

export type TypeName = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** One way to satisfy a `oneOf`, an `anyOf` or an `if`. */
export interface Branch {
  /** Schemas that hold beside those around the union. */
  readonly places: readonly Located[];
  /** What the discriminator says when this branch is taken. */
  readonly tag: string | undefined;
}

/** A choice that a schema leaves. */
export interface Union {
  /** Of the keyword, to know it by. */
  readonly pointer: string;
  readonly keyword: string;
  readonly branches: readonly Branch[];
  /** Property that tells the branches apart (OAS 3.0.3 §4.7.25). */
  readonly discriminator: string | undefined;
}

/** An object schema that lists its properties and takes no others. */
interface Closure {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly PatternTest[];
}

/** Several schemas that hold for one value, as one: what each keyword asks for in the end. */
export class FlatSchema {
  /** Undefined: any type. An empty set: there is no such value. */
  types: ReadonlySet<TypeName> | undefined;
  /** What `enum` and `const` leave. */
  values: readonly JsonValue[] | undefined;
  /** Values that `not` takes away. */
  readonly excluded: JsonValue[] = [];
  /** Shown by the description, the `default` last. */
  readonly examples: { readonly value: JsonValue; readonly pointer: string }[] = [];
  minimum: JsonValue | undefined;
  maximum: JsonValue | undefined;
  exclusiveMinimum: JsonValue | undefined;
  exclusiveMaximum: JsonValue | undefined;
  readonly multiples: JsonValue[] = [];
  readonly formats = new Set<string>();
  /** What descriptions say in words: no value is held against them. */
  readonly describedFormats = new Set<string>();
  /** The word that the description says a text always is; no value is held against it. */
  literal: string | undefined;
  /** Words of which the description says that a text is one of them; no value is held against them. */
  readonly toldWords: string[] = [];
  /** Does a time that is a number count milliseconds? */
  isInMilliseconds = false;
  readonly patterns: string[] = [];
  minLength = 0;
  maxLength = Infinity;
  /** Schemas of each declared property, in document order. */
  readonly properties = new Map<string, Located[]>();
  readonly required = new Set<string>();
  /** Properties that do not travel in this direction, or that `not` forbids. */
  readonly hidden = new Set<string>();
  readonly patternProperties: { readonly pattern: string; readonly place: Located }[] = [];
  /** Schemas of the properties that nothing declares. */
  readonly additional: Located[] = [];
  readonly closures: Closure[] = [];
  readonly propertyNames: Located[] = [];
  /** Property to the properties that it brings along. */
  readonly dependent = new Map<string, readonly string[]>();
  /** Property to what holds for the object that has it. */
  readonly dependentSchemas = new Map<string, Located>();
  minProperties = 0;
  maxProperties = Infinity;
  readonly items: Located[] = [];
  readonly prefixItems: Located[][] = [];
  readonly contains: { readonly place: Located; readonly count: number }[] = [];
  minItems = 0;
  maxItems = Infinity;
  uniqueItems = false;
  readonly unions: Union[] = [];
  readonly discriminators: { readonly name: string; readonly mapping: ReadonlyMap<string, string>; owner: string }[] =
    [];
  /** Pointers of the schemas that were laid together. */
  readonly pointers = new Set<string>();
  /** The first keyword that makes the whole impossible. */
  conflict: { readonly pointer: string; readonly keyword: string } | undefined;
}

/** The type that a schema without `type` speaks of; none when it says nothing of any. */
export function impliedTypes(flat: FlatSchema): readonly TypeName[] {
  if (hasObjectKeywords(flat)) return ['object'];
  if (flat.items.length + flat.prefixItems.length + flat.contains.length + flat.minItems > 0) return ['array'];
  if (flat.patterns.length > 0 || flat.minLength > 0 || flat.maxLength < Infinity) return ['string'];
  if (hasNumberKeywords(flat)) return ['number'];
  const [format] = flat.formats;
  if (format === undefined) return [];
  return [/^int/.test(format) ? 'integer' : /^(?:float|double)$/.test(format) ? 'number' : 'string'];
}

function hasObjectKeywords(flat: FlatSchema): boolean {
  const named = flat.properties.size + flat.required.size + flat.patternProperties.length + flat.propertyNames.length;
  return named + flat.additional.length + flat.closures.length + flat.minProperties > 0;
}

function hasNumberKeywords({ multiples, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: FlatSchema): boolean {
  const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...multiples];
  return limits.some((limit) => limit !== undefined);
}
