import { isInteger, isJsonNumber } from '../../core/json/exact-number';
import { getAtPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { nameWithin, singularWords } from '../../core/text/inflection';
import { ANNOTATIONS, isSchemaObject, type SchemaObject, stringItems } from '../../schema/schema-object';
import type { Parameter, Property, Schema } from '../model/operation';
import type { ApiModel } from '../model/api-model';
import { parameterExamples } from './parameter-examples';
import { fieldOf, itemsOf, type Located, type LocatedObject, resolveParts, schemasAt } from '../read/references';

const NO_PROPERTIES: ReadonlyMap<string, Property> = new Map();

/** Keywords that tell nothing of a value. */
const SILENT: ReadonlySet<string> = new Set([...ANNOTATIONS, 'example', 'examples', 'nullable']);

const VIEWS = new WeakMap<ApiModel, SchemaView>();

/** The one view of the schemas of a description. */
export function viewOf(api: ApiModel): SchemaView {
  let view = VIEWS.get(api);
  if (view === undefined) VIEWS.set(api, (view = new SchemaView(api)));
  return view;
}

/**
 * What schemas say of values, through references, `allOf` and what only wraps another: told by their words alone, nothing
 * is compiled, and each is read once. Whether one takes a value it says itself, {@link Schema.accepts}.
 */
export class SchemaView {
  private readonly api: ApiModel;
  /** By pointer; `null` where nothing is. */
  private readonly reached = new Map<string, Schema | null>();
  private readonly itemsAt = new Map<string, Schema | null>();
  private readonly propertiesAt = new Map<string, ReadonlyMap<string, Property>>();

  private readonly memoized = new Map<string, unknown>();

  constructor(api: ApiModel) {
    this.api = api;
  }

  /** What is worked out of schemas, worked out once for each key: several rules ask the same of one operation. */
  memoize<Found>(key: string, find: () => Found): Found {
    if (this.memoized.has(key)) return this.memoized.get(key) as Found;
    const found = find();
    this.memoized.set(key, found);
    return found;
  }

  /** Returns the examples of a parameter, and of its schema. */
  parameterExamples(parameter: Parameter): JsonValue[] {
    return parameterExamples(this.api, parameter);
  }

  /**
   * The schema behind references, and behind an `allOf`, `anyOf` or `oneOf` that only wraps one. One that says something of
   * the parts of a value beside its reference is not passed over.
   */
  at(located: Located): Schema | undefined {
    const known = this.reached.get(located.pointer);
    if (known !== undefined) return known ?? undefined;
    // A circle leads nowhere.
    this.reached.set(located.pointer, null);
    const target = resolveParts(this.api.document, located);
    const wrapped = target === undefined ? undefined : onlyBranch(target);
    const found = wrapped === undefined ? target && this.api.schemaOf(target) : this.at(wrapped);
    this.reached.set(located.pointer, found ?? null);
    return found;
  }

  /** The same for a schema that was reached already. */
  unwrap(schema: Schema | undefined): Schema | undefined {
    return schema === undefined ? undefined : this.at({ value: schema.value, pointer: schema.pointer });
  }

  /** Schema of the items of a list; `undefined` for what is not a list. */
  items(schema: Schema): Schema | undefined {
    const known = this.itemsAt.get(schema.pointer);
    if (known !== undefined) return known ?? undefined;
    this.itemsAt.set(schema.pointer, null);
    const found =
      this.ownItems(schema) ??
      this.branches(schema, ['allOf']).flatMap((branch) => this.items(branch) ?? [])[0] ??
      this.itemsOfChoice(schema);
    this.itemsAt.set(schema.pointer, found ?? null);
    return found;
  }

  /** Of a choice between lists, the items of which least must be there: the others have more in some cases. */
  private itemsOfChoice(schema: Schema): Schema | undefined {
    const lists = this.branches(schema, ['oneOf', 'anyOf']).map((branch) => this.items(branch));
    const needs = (items: Schema): number =>
      [...this.properties(items).values()].filter((each) => each.required).length;
    const known = lists.filter((items) => items !== undefined);
    if (known.length === 0 || known.length < lists.length) return undefined;
    return known.reduce((least, items) => (needs(items) < needs(least) ? items : least));
  }

  private ownItems(schema: Schema): Schema | undefined {
    const parts = schemasAt(this.api.document, schema);
    const types = parts.flatMap(({ value }) => typesOf(value));
    if (!(types.includes('array') || types.length === 0)) return undefined;
    return this.ofFirst(parts, 'items');
  }

  /** The schema under a keyword, of the first part that has one there. */
  private ofFirst(parts: readonly LocatedObject[], keyword: string): Schema | undefined {
    const [first] = parts.flatMap((part) => fieldOf(part, keyword) ?? []).filter(({ value }) => isSchemaObject(value));
    return first && this.at(first);
  }

  /** Schema of every property of a map; `undefined` where properties have names of their own. */
  mapValues(schema: Schema): Schema | undefined {
    if (this.properties(schema).size > 0) return undefined;
    return this.ofFirst(schemasAt(this.api.document, schema), 'additionalProperties');
  }

  schemaOf(property: Property): Schema | undefined {
    return this.at({ value: property.schema, pointer: property.pointer });
  }

  /**
   * Properties of an object through `allOf`, `oneOf` and `anyOf`. What not all branches of a choice require, the item
   * may lack.
   */
  properties(schema: Schema): ReadonlyMap<string, Property> {
    const known = this.propertiesAt.get(schema.pointer);
    if (known !== undefined) return known;
    // A circle is entered once.
    this.propertiesAt.set(schema.pointer, NO_PROPERTIES);
    const own = this.api.propertiesOf(schema);
    const branches = this.alternatives(schema);
    let members = own;
    if (branches.length > 0) {
      const merged = new Map<string, Property>(own);
      for (const branch of branches) {
        for (const [name, property] of this.properties(branch)) {
          const everywhere = branches.every((other) => this.properties(other).get(name)?.required === true);
          if (!merged.has(name)) merged.set(name, { ...property, required: everywhere });
        }
      }
      members = merged;
    }
    this.propertiesAt.set(schema.pointer, members);
    return members;
  }

  /** Is this the schema of an object with properties of its own? */
  isObject(schema: Schema): boolean {
    if (this.properties(schema).size > 0) return true;
    const types = typesOf(schema.value);
    return types.includes('object') && !types.includes('array');
  }

  /** Is nothing told of what it is the schema of, but for words to people? */
  isUnconstrained({ value }: Schema): boolean {
    return Object.keys(value).every((keyword) => keyword.startsWith('x-') || SILENT.has(keyword));
  }

  /** What nothing is declared of: its properties are for the client to choose. */
  acceptsAnyObject(schema: Schema): boolean {
    if (this.isUnconstrained(schema)) return true;
    return this.isObject(schema) && this.properties(schema).size === 0 && this.mapValues(schema) === undefined;
  }

  /** The schema that properties lead to. */
  along(schema: Schema, path: readonly string[]): Schema | undefined {
    let at: Schema | undefined = schema;
    for (const name of path) {
      const property: Property | undefined = at && this.properties(at).get(name);
      at = property && this.schemaOf(property);
    }
    return at;
  }

  /** The texts that a property is restricted to; none where it is not. */
  enumTexts(property: Property): string[] {
    return stringItems(this.schemaOf(property)?.value['enum']);
  }

  /**
   * Are the two the same schema, or of one family: does the smaller one share most of its properties?
   *
   * @param thing - what the path calls what they show: the `name` of a pool is its `pool_name`
   */
  areSimilar(left: Schema, right: Schema, thing?: string): boolean {
    return this.share(left, right, thing) >= 0.5;
  }

  /** Are they views of one thing: has one nearly all properties of the other, and does neither say that it is of another kind? */
  areSameType(left: Schema, right: Schema): boolean {
    return this.share(left, right) >= 0.8 && !this.haveDifferentConstants(left, right);
  }

  /** `object: { enum: [thing] }` here and `{ enum: [part] }` there: a property whose one value is another in each. */
  private haveDifferentConstants(left: Schema, right: Schema): boolean {
    if (left.pointer === right.pointer) return false;
    const theirs = this.properties(right);
    return [...this.properties(left).values()].some((property) => {
      const other = theirs.get(property.name);
      const [own, their] = [this.constantText(property), other === undefined ? undefined : this.constantText(other)];
      return own !== undefined && their !== undefined && own !== their;
    });
  }

  /** The one text that a property can be (JSON Schema Validation §6.1.2, §6.1.3). */
  private constantText(property: Property): string | undefined {
    const { enum: values, const: value } = this.schemaOf(property)?.value ?? {};
    const only = Array.isArray(values) && values.length === 1 ? values[0] : value;
    return typeof only === 'string' ? only : undefined;
  }

  /** How much of the smaller one is in the other; one property in common says nothing of larger ones. */
  private share(left: Schema, right: Schema, thing?: string): number {
    if (left.pointer === right.pointer) return 1;
    const noun = thing === undefined ? undefined : singularWords(thing);
    const [ours, theirs] = [left, right].map((each) => [...this.properties(each).keys()]);
    const namesIn = (names: readonly string[] = []): Set<string> =>
      new Set(noun === undefined ? names : names.map((name) => nameWithin(name, noun) || name));
    const [own, their] = [namesIn(ours), namesIn(theirs)];
    const least = Math.min(own.size, their.size);
    const shared = [...own].filter((name) => their.has(name)).length;
    return least === 0 || (shared === 1 && least > 1) ? 0 : shared / least;
  }

  /**
   * The words that a property of plain text may have where the description lists them in a schema of its own that nothing
   * refers to: `ThingStatus` for `status` of `Thing`.
   */
  enumOfNamedSchema({ name, pointer }: Property): string[] {
    const [, place = '', thing = ''] =
      /^(\/components\/schemas|\/definitions)\/([^/]+)\/properties\/[^/]+$/.exec(pointer) ?? [];
    const wanted = `${thing}${name}`.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
    if (thing === '') return [];
    return this.memoize(`words beside ${wanted}`, () => {
      const schemas = getAtPointer(this.api.document.root, place);
      const found = Object.entries(isSchemaObject(schemas) ? schemas : {}).find(
        ([each]) => each.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase() === wanted,
      )?.[1];
      return isSchemaObject(found) ? stringItems(found['enum']) : [];
    });
  }

  /** Branches of a choice, those of the parts of an `allOf` too. */
  alternatives(schema: Schema): Schema[] {
    const parts = this.branches(schema, ['allOf']);
    return [
      ...this.branches(schema, ['oneOf', 'anyOf']),
      ...parts.flatMap((part) => this.branches(part, ['oneOf', 'anyOf'])),
    ];
  }

  private branches(schema: Schema, keywords: readonly string[]): Schema[] {
    const parts = schemasAt(this.api.document, schema);
    return keywords.flatMap((keyword) =>
      parts.flatMap((part) => itemsOf(fieldOf(part, keyword)).flatMap((branch) => this.at(branch) ?? [])),
    );
  }
}

/** The one schema that another only wraps, to add a description or null to it. */
function onlyBranch(schema: LocatedObject): Located | undefined {
  const { value } = schema;
  // What must be there is said of the whole.
  if (['properties', 'items', '$ref', 'required'].some((keyword) => value[keyword] !== undefined)) return undefined;
  for (const keyword of ['allOf', 'oneOf', 'anyOf']) {
    if (!Array.isArray(value[keyword])) continue;
    const [only, ...others] = itemsOf(fieldOf(schema, keyword)).filter((branch) => !isNull(branch.value));
    return others.length === 0 ? only : undefined;
  }
  return undefined;
}

/** A branch that only lets null be: `{ type: null }`, or `{ nullable: true }`, which some generators write. */
function isNull(branch: JsonValue): boolean {
  if (!isSchemaObject(branch)) return false;
  const [only, ...more] = Object.keys(branch);
  return branch['type'] === 'null' || (only === 'nullable' && more.length === 0 && branch['nullable'] === true);
}

/** Types that a schema names, in OpenAPI 3.0 or 3.1; null is none of them. Without one, that of its example. */
export function typesOf(schema: SchemaObject): string[] {
  const type = schema['type'];
  if (type === undefined) return schema['example'] === undefined ? typesOfBranches(schema) : typeOfExample(schema);
  const named: readonly JsonValue[] = Array.isArray(type) ? type : [type];
  return named.filter((name): name is string => typeof name === 'string' && name !== 'null');
}

function typeOfExample({ example }: SchemaObject): string[] {
  if (isJsonNumber(example)) return [isInteger(example) ? 'integer' : 'number'];
  return typeof example === 'string' || typeof example === 'boolean' ? [typeof example] : [];
}

/** Those of a choice all of whose branches name theirs, such as `anyOf: [{ type: string }, { type: 'null' }]`. */
function typesOfBranches({ anyOf, oneOf }: SchemaObject): string[] {
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches)) return [];
  const isNamed = branches.every((branch) => isSchemaObject(branch) && branch['type'] !== undefined);
  return isNamed ? [...new Set(branches.flatMap((branch) => (isSchemaObject(branch) ? typesOf(branch) : [])))] : [];
}

/** Is a property neither an object nor a list, as far as its own words tell? */
export function isScalar({ schema }: Property): boolean {
  const isOfParts = typesOf(schema).some((type) => type === 'object' || type === 'array');
  return !isOfParts && schema['properties'] === undefined && schema['$ref'] === undefined;
}
