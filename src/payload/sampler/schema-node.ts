import { canonicalKey, type JsonValue } from '../../core/json/json-value';
import { parsePointer } from '../../core/json/json-pointer';
import type { Located } from '../../openapi/read/references';
import { acceptsScalar } from './scalar-check';
import { chanceOf, type Chance } from './chance';
import { flatten } from './flatten';
import { type FlatSchema, impliedTypes, type TypeName, type Union } from './flat-schema';
import { textMaker, type TextMaker } from './text-maker';
import { type PatternTest, testOfPattern } from './pattern-text';
import { plausibleFor, type Plausible } from './plausible-values';
import { followPlainReference, type SchemaReader } from './schema-reader';

/** A property that an object may have. */
export interface PropertyNode {
  readonly name: string;
  readonly salt: Chance;
  readonly isRequired: boolean;
  readonly plausible: Plausible;
  readonly node: SchemaNode;
}

/** Deeper than this nothing is nested that anybody wrote on purpose. */
export const MAX_DEPTH = 40;

/** What is asked of the value itself, for a place where a schema checks in full. */
export type ExampleValidator = (pointer: string, value: JsonValue) => boolean;

/** The nodes of one description in one direction: each worked out once, on first use. */
export class SchemaGraph {
  readonly reader: SchemaReader;
  readonly isValidExample: ExampleValidator;
  private readonly nodes = new Map<string, SchemaNode>();

  /** @param validate - asked about examples that are objects or lists */
  constructor(reader: SchemaReader, validate: ExampleValidator) {
    this.reader = reader;
    this.isValidExample = validate;
  }

  node(
    given: readonly Located[],
    resolved: ReadonlySet<string> = NONE,
    tags: ReadonlyMap<string, string> = NO_TAGS,
  ): SchemaNode {
    const places = given.map((place) => followPlainReference(place, this.reader));
    const key = [...new Set(places.map(({ pointer }) => pointer)), '', ...resolved, '', ...[...tags].flat()].join('\n');
    let node = this.nodes.get(key);
    if (node === undefined) this.nodes.set(key, (node = new SchemaNode(this, places, resolved, tags)));
    return node;
  }
}

const NONE: ReadonlySet<string> = new Set();
const NO_TAGS: ReadonlyMap<string, string> = new Map();

/** Schemas that hold for one value, and the choices that were made for it. */
export class SchemaNode {
  readonly graph: SchemaGraph;
  readonly places: readonly Located[];
  private readonly resolved: ReadonlySet<string>;
  private readonly tags: Map<string, string>;

  private knownFlat: FlatSchema | undefined;
  private knownProperties: readonly PropertyNode[] | undefined;
  private knownBranches: readonly SchemaNode[] | undefined;
  private knownTypes: readonly TypeName[] | undefined;
  private knownText: TextMaker | undefined;
  private knownExamples: readonly JsonValue[] | undefined;
  private readonly named = new Map<string, SchemaNode | undefined>();
  /** Least depth at which a value ends, and the greatest one at which it was found not to. */
  private fitsFrom = Infinity;
  private failsTo = -1;
  private isFitting = false;

  constructor(
    graph: SchemaGraph,
    places: readonly Located[],
    resolved: ReadonlySet<string>,
    tags: ReadonlyMap<string, string>,
  ) {
    this.graph = graph;
    this.places = places;
    this.resolved = resolved;
    this.tags = new Map(tags);
  }

  get flat(): FlatSchema {
    if (this.knownFlat !== undefined) return this.knownFlat;
    const flat = flatten(this.places, this.graph.reader);
    this.knownFlat = flat;
    for (const { name, mapping, owner } of flat.discriminators) this.addTag(flat, name, mapping, owner);
    return flat;
  }

  get pointer(): string {
    return this.places[0]?.pointer ?? '';
  }

  /** The first choice that is still open. */
  get union(): Union | undefined {
    return this.flat.unions.find(({ pointer }) => !this.resolved.has(pointer));
  }

  /** What the value may be once that choice is made; those that contradict themselves are left out. */
  get branches(): readonly SchemaNode[] {
    if (this.knownBranches !== undefined) return this.knownBranches;
    const { union } = this;
    if (union === undefined) return (this.knownBranches = []);
    const resolved = new Set([...this.resolved, union.pointer]);
    const nodes = union.branches.map(({ places, tag }) => {
      const { discriminator } = union;
      const isTagged = discriminator !== undefined && tag !== undefined;
      const tags = isTagged ? new Map([...this.tags, [discriminator, tag] as const]) : this.tags;
      return this.graph.node([...this.places, ...places], resolved, tags);
    });
    return (this.knownBranches = nodes.filter(({ flat }) => flat.conflict === undefined));
  }

  get properties(): readonly PropertyNode[] {
    if (this.knownProperties !== undefined) return this.knownProperties;
    const { flat } = this;
    const names = new Set([...flat.properties.keys(), ...flat.required]);
    const members = [...names].flatMap((name): PropertyNode[] => {
      const node = flat.hidden.has(name) ? undefined : this.propertyNode(name);
      if (node === undefined) return [];
      const isRequired = flat.required.has(name);
      return [{ name, node, isRequired, salt: chanceOf(name), plausible: plausibleFor(name) }];
    });
    return (this.knownProperties = members);
  }

  get text(): TextMaker {
    return (this.knownText ??= textMaker(this.flat));
  }

  /** What the discriminator says of this value, by the name of its property. */
  tagFor(name: string): string | undefined {
    return this.tags.get(name);
  }

  /** The examples and the default that are valid, in their order. */
  get examples(): readonly JsonValue[] {
    return (this.knownExamples ??= this.flat.examples
      .filter(({ value, pointer }) => {
        if (value !== null && typeof value === 'object') return this.graph.isValidExample(pointer, value);
        return acceptsScalar(this.flat, value);
      })
      .map(({ value }) => value));
  }

  /** What `enum` and `const` leave, less what `not` takes away. */
  get values(): readonly JsonValue[] | undefined {
    const { values, excluded } = this.flat;
    if (values === undefined || excluded.length === 0) return values;
    const keys = new Set(excluded.map(canonicalKey));
    return values.filter((value) => !keys.has(canonicalKey(value)));
  }

  /** The schemas of a property; `undefined` when there may be no such property. */
  propertyNode(name: string): SchemaNode | undefined {
    if (!this.named.has(name)) this.named.set(name, this.findProperty(name));
    return this.named.get(name);
  }

  /** The schemas of the item at an index; beyond the tuple, of any item. */
  itemNode(index: number): SchemaNode {
    const { prefixItems, items } = this.flat;
    return this.graph.node(prefixItems[index] ?? items);
  }

  /** Whether a value can be finished within so many levels. */
  fits(depth: number): boolean {
    if (depth >= this.fitsFrom) return true;
    if (depth <= this.failsTo || this.isFitting) return false;
    this.isFitting = true;
    const fits = this.finishes(depth);
    this.isFitting = false;
    if (fits) this.fitsFrom = Math.min(this.fitsFrom, depth);
    else this.failsTo = Math.max(this.failsTo, depth);
    return fits;
  }

  /** The types that a value may have; those that the other keywords speak of, where `type` is missing. */
  get types(): readonly TypeName[] {
    return (this.knownTypes ??= this.flat.types === undefined ? impliedTypes(this.flat) : [...this.flat.types]);
  }

  private finishes(depth: number): boolean {
    const { flat } = this;
    if (flat.conflict !== undefined) return false;
    if (this.values !== undefined) return this.values.length > 0;
    if (flat.types?.has('null') === true || this.examples.length > 0) return true;
    if (this.union !== undefined) return this.branches.some((branch) => branch.fits(depth));
    const { types } = this;
    if (types.length === 0) return true;
    return types.some((type) => {
      if (type === 'array') return this.arrayFinishes(depth);
      return type !== 'object' || this.objectFinishes(depth);
    });
  }

  private arrayFinishes(depth: number): boolean {
    const { flat } = this;
    if (flat.minItems === 0) return true;
    if (depth === 0 || !flat.contains.every(({ place }) => this.graph.node([place]).fits(depth - 1))) return false;
    const different = Math.min(flat.minItems, flat.prefixItems.length + 1);
    for (let index = 0; index < different; index++) if (!this.itemNode(index).fits(depth - 1)) return false;
    return true;
  }

  private objectFinishes(depth: number): boolean {
    const required = this.properties.filter(({ isRequired }) => isRequired);
    const { flat } = this;
    if (required.length < flat.required.size || required.length > flat.maxProperties) return false;
    if (required.length === 0 && flat.minProperties === 0) return true;
    return depth > 0 && required.every(({ node }) => node.fits(depth - 1));
  }

  private findProperty(name: string): SchemaNode | undefined {
    const { flat } = this;
    const isClosed = ({ names, patterns }: { names: ReadonlySet<string>; patterns: readonly PatternTest[] }): boolean =>
      !names.has(name) && !patterns.some((pattern) => pattern.test(name));
    if (flat.closures.some(isClosed)) return undefined;
    const places = [...(flat.properties.get(name) ?? [])];
    for (const { pattern, place } of flat.patternProperties) {
      if (testOfPattern(pattern)?.test(name) === true) places.push(place);
    }
    if (places.length === 0) places.push(...flat.additional);
    return places.some(({ value }) => value === false) ? undefined : this.graph.node(places);
  }

  /** A discriminator beside no union speaks of the schemas that are built on its own by `allOf`. */
  private addTag(flat: FlatSchema, name: string, mapping: ReadonlyMap<string, string>, owner: string): void {
    if (this.tags.has(name)) return;
    for (const [value, target] of mapping) {
      if (target !== owner && flat.pointers.has(target)) {
        this.tags.set(name, value);
        return;
      }
    }
    const pointer = `${owner}/discriminator/mapping`;
    if (mapping.size > 0 && this.pointer === owner && !this.resolved.has(pointer)) {
      const branches = [...mapping].map(([tag, target]) => ({
        places: [this.graph.reader.follow({ pointer: '', value: { $ref: `#${encodeURI(target)}` } })],
        tag,
      }));
      flat.unions.push({ pointer, keyword: 'discriminator', branches, discriminator: name });
      return;
    }
    const own = parsePointer(this.pointer);
    if (own.length === 3 && own[1] === 'schemas') this.tags.set(name, own[2] ?? '');
  }
}
