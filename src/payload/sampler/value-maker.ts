import { canonicalKey, type JsonValue } from '../../core/json/json-value';
import { isJsonNumber } from '../../core/json/exact-number';
import { acceptsScalar } from './scalar-check';
import { integerBelow, derive, pick, type Chance } from './chance';
import type { TypeName } from './flat-schema';
import { expiry, formatMaker } from './format-text';
import { makeNumber } from './number-maker';
import { sameShape, withOtherDigits } from './text-shapes';
import { fillObject, type Lessons, noLessons, type Part, type SampleManner } from './object-maker';
import { isExpiryName, type Plausible } from './plausible-values';
import type { SchemaNode } from './schema-node';

/** Why no value was made. */
export interface Obstacle {
  /** JSON pointer of the schema. */
  readonly pointer: string;
  readonly keyword: string;
}

/** Work that one sample may cost, in values tried: a bound that is the same on every machine. */
const MAX_STEPS = 50_000;
/** From this many values on, nothing is added that may be left out. */
const MANY_STEPS = 1500;
/** Optional properties end here, whatever they are. */
const USUAL_DEPTH = 7;

/** Makes one value. Its parts share the bounds on work and depth. */
export class ValueMaker {
  readonly manner: SampleManner;
  readonly lessons: Lessons;
  obstacle: Obstacle | undefined;
  private steps = 0;
  /** How many values of a node are being made right now: more than none means a circle. */
  private readonly open: Map<SchemaNode, number>;

  constructor(manner: SampleManner, lessons = noLessons(), open = new Map<SchemaNode, number>()) {
    this.manner = manner;
    this.lessons = lessons;
    this.open = open;
  }

  /** @returns `undefined` when none can be made; {@link obstacle} says why */
  make(part: Part): JsonValue | undefined {
    const { node, chance } = part;
    this.steps += 1;
    if (this.steps > MAX_STEPS) return this.fail(node, 'maxSteps');
    const { flat } = node;
    if (flat.conflict !== undefined) {
      this.obstacle ??= flat.conflict;
      return undefined;
    }
    if (flat.values !== undefined) return this.oneOfValues(node, chance);
    if (flat.literal !== undefined && acceptsScalar(flat, flat.literal)) return flat.literal;
    const shown = this.toldWord(node, chance) ?? this.exampleValue(part);
    if (shown !== undefined) return shown;
    const open = this.openOf(node);
    this.open.set(node, open + 1);
    const value = node.union === undefined ? this.makeType(part) : this.makeBranch(part);
    this.open.set(node, open);
    return value;
  }

  /** Whether a part that may be left out is to be shown. */
  wants(node: SchemaNode, depth: number): boolean {
    return (
      this.manner.isRich &&
      this.steps < MANY_STEPS &&
      depth > 0 &&
      this.openOf(node) === 0 &&
      node.fits(Math.min(depth, USUAL_DEPTH))
    );
  }

  fail(node: SchemaNode, keyword: string): JsonValue | undefined {
    this.obstacle ??= { pointer: node.pointer, keyword };
    return undefined;
  }

  private openOf(node: SchemaNode): number {
    return this.open.get(node) ?? 0;
  }

  /** A maker for a part, in another manner. */
  private copy(manner: Partial<SampleManner>): ValueMaker {
    return new ValueMaker({ ...this.manner, ...manner }, this.lessons, this.open);
  }

  private oneOfValues(node: SchemaNode, chance: Chance): JsonValue | undefined {
    const values = (node.values ?? []).filter((value) => {
      return value === null || typeof value === 'object' || acceptsScalar(node.flat, value);
    });
    // `null` is listed to allow it; it is not a value to show.
    const telling = values.filter((value) => value !== null);
    const choices = telling.length > 0 ? telling : values;
    if (choices.length === 0) return this.fail(node, 'enum');
    const shown = this.manner.isVaried ? undefined : node.examples[0];
    return shown ?? (this.manner.isVaried ? pick(chance, choices) : choices[0]);
  }

  /** One of the words that the description lists; where all samples are alike, an example goes first. */
  private toldWord({ flat, examples }: SchemaNode, chance: Chance): JsonValue | undefined {
    const words = flat.toldWords.filter((word) => acceptsScalar(flat, word));
    if (this.manner.isVaried) return pick(chance, words);
    return this.manner.showsExamples && examples.length > 0 ? undefined : words[0];
  }

  private exampleValue({ node, chance, plausible }: Part): JsonValue | undefined {
    if (!this.manner.showsExamples || node.flat.examples.length === 0) return undefined;
    const { examples } = node;
    if (!this.manner.isVaried) return examples[0];
    const value = pick(chance, examples);
    // What has a known format or a pattern is better made anew, unless it leads somewhere.
    const isFree =
      node.flat.patterns.length === 0 &&
      ![...node.flat.formats].some((name) => formatMaker(name) !== undefined && !/^(?:ur[il]|iri)$/.test(name));
    if (typeof value !== 'string' || !isFree) return undefined;
    const varied = variedExample(value, chance, plausible);
    return varied !== undefined && acceptsScalar(node.flat, varied) ? varied : undefined;
  }

  private makeBranch(part: Part): JsonValue | undefined {
    const { node, chance, depth } = part;
    const known = node.branches.filter((branch) => branch.fits(depth));
    const good = known.filter((branch) => !this.lessons.invalid.has(branch));
    // Where none is good, as where several fit whatever is made, one is shown all the same.
    const fitting = good.length > 0 || this.manner.isValidBranch !== undefined ? good : known;
    const open = fitting.filter((branch) => this.openOf(branch) > 0 || isOnlyNull(branch));
    const best = fitting.filter((branch) => !open.includes(branch));
    const order = [...(this.manner.isVaried ? rotate(best, integerBelow(chance, best.length)) : best), ...open];
    for (const branch of order) {
      const value = this.make({ ...part, node: branch });
      if (value === undefined) continue;
      if (this.manner.isValidBranch === undefined || this.manner.isValidBranch(node, value)) return value;
      const bare = this.makeBare({ ...part, node: branch });
      if (bare !== undefined && this.manner.isValidBranch(node, bare)) {
        this.lessons.minimal.add(branch);
        return bare;
      }
      this.lessons.invalid.add(branch);
    }
    return this.fail(node, node.union?.keyword ?? 'oneOf');
  }

  private makeBare(part: Part): JsonValue | undefined {
    return this.manner.isRich ? this.copy({ isRich: false }).make(part) : undefined;
  }

  private makeType(part: Part): JsonValue | undefined {
    const { node, chance, depth, plausible } = part;
    const type = this.chooseType(node, depth, plausible);
    if (type === 'array') return this.makeArray(part);
    if (type === 'object') return fillObject(this, part);
    if (type === 'boolean') return this.manner.isVaried ? integerBelow(chance, 2) === 0 : true;
    if (type === 'null') return null;
    if (type === undefined) return this.fail(node, 'depth');
    return this.makeScalar(part, type);
  }

  private makeScalar({ node, chance, plausible }: Part, type: 'string' | 'integer' | 'number'): JsonValue | undefined {
    const value =
      type === 'string' ? node.text(chance, plausible) : makeNumber(node.flat, type === 'integer', chance, plausible);
    if (value !== undefined) return value;
    if (type !== 'string') return this.fail(node, 'minimum');
    return this.fail(node, node.flat.patterns.length > 0 ? 'pattern' : 'minLength');
  }

  /** The most telling type that can be finished; `null` only where nothing else can. */
  private chooseType(node: SchemaNode, depth: number, plausible: Plausible | undefined): TypeName | undefined {
    const types = node.types;
    if (types.length === 0) return plausible === undefined ? 'object' : 'string';
    const telling = types.filter((type) => type !== 'null');
    const isWithinReach = telling.length > 0 && (node.flat.types?.has('null') !== true || this.reaches(node, depth));
    if (!isWithinReach) return types.includes('null') ? 'null' : undefined;
    if (telling.length === 1 || !telling.some((type) => type === 'object' || type === 'array')) return telling[0];
    return telling.find((type) => type !== 'object' && type !== 'array') ?? telling[0];
  }

  /** Whether an object or a list that may be `null` instead is worth beginning: not inside of itself. */
  private reaches(node: SchemaNode, depth: number): boolean {
    if (this.openOf(node) > 1) return false;
    const required = node.properties.filter(({ isRequired }) => isRequired);
    return required.every((property) => depth > 0 && property.node.fits(depth - 1) && this.openOf(property.node) === 0);
  }

  private makeArray({ node, chance, depth, plausible }: Part): JsonValue | undefined {
    const { flat } = node;
    const count = this.countItems(node, depth);
    if (count > MAX_STEPS) return this.fail(node, 'minItems');
    const list: JsonValue[] = [];
    const seen = new Set<string>();
    const tries = flat.uniqueItems ? count * 20 + 20 : count * 3;
    const contained = flat.contains.flatMap(({ place, count: times }) =>
      Array.from({ length: Math.min(times, count) }, () => node.graph.node([...flat.items, place])),
    );
    for (let attempt = 0; attempt < tries && list.length < count; attempt++) {
      const index = list.length;
      const item = contained[index - flat.prefixItems.length] ?? node.itemNode(index);
      // The items of a list differ, so that it can be seen which is which.
      const part = { node: item, chance: derive(chance, attempt), depth: depth - 1, plausible };
      const value = this.makeItem(part, attempt, flat.uniqueItems);
      if (value === undefined) break;
      // Nobody writes the same word twice in a list, as long as there are others.
      if (isDouble(value, seen, flat.uniqueItems, attempt < tries - count)) continue;
      list.push(value);
    }
    return list.length < flat.minItems ? this.fail(node, flat.uniqueItems ? 'uniqueItems' : 'minItems') : list;
  }

  private makeItem(part: Part, attempt: number, isUnique: boolean): JsonValue | undefined {
    if (attempt === 0 || (!isUnique && !this.manner.isRich)) return this.make(part);
    const { values } = part.node;
    if (isUnique && values !== undefined) return values[attempt % Math.max(1, values.length)];
    const varied = this.copy({ isVaried: true });
    varied.steps = this.steps;
    const value = varied.make(part);
    this.steps = varied.steps;
    this.obstacle ??= varied.obstacle;
    return value;
  }

  private countItems(node: SchemaNode, depth: number): number {
    const { flat } = node;
    const isWanted = this.wants(node.itemNode(0), depth);
    const tuple = flat.prefixItems.length;
    const closed = tuple > 0 && flat.items.length === 0 ? tuple : Math.max(tuple, this.manner.items);
    return Math.max(flat.minItems, isWanted ? Math.min(flat.maxItems, closed) : 0);
  }
}

/**
 * @returns another text in the style of an example, or the example itself where its words mean what they say; `undefined`
 *   for a text that its name tells more of
 */
function variedExample(example: string, chance: Chance, plausible: Plausible | undefined): string | undefined {
  if (plausible?.formats?.['uri'] !== undefined) return undefined;
  const isExpiry = plausible !== undefined && isExpiryName(plausible.name);
  const shaped = sameShape(example, chance, isExpiry ? expiry(chance) : undefined);
  if (shaped !== undefined) return shaped;
  const isFree = plausible === undefined || plausible.isVaried;
  if (/^\d+(?:\.\d+)?$/.test(example) || (isFree && /\d/.test(example))) return withOtherDigits(example, chance);
  return isFree ? undefined : example;
}

/** Was the value seen before, where that matters? From now on it was. */
function isDouble(value: JsonValue, seen: Set<string>, isUnique: boolean, hasTime: boolean): boolean {
  if (!isUnique && ((typeof value !== 'string' && !isJsonNumber(value)) || !hasTime)) return false;
  const key = canonicalKey(value);
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

function isOnlyNull(node: SchemaNode): boolean {
  const { types, values } = node.flat;
  return types?.size === 1 ? types.has('null') : values?.length === 1 && values[0] === null;
}

function rotate<T>(list: readonly T[], by: number): T[] {
  return [...list.slice(by), ...list.slice(0, by)];
}
