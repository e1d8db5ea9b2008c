import { type JsonValue, setProperty } from '../../core/json/json-value';
import { type Chance, chanceOf, derive } from './chance';
import { matchExpiry, orderTimes } from './object-times';
import { patternText } from './pattern-text';
import { type Plausible, plausibleFor } from './plausible-values';
import { acceptsScalar } from './scalar-check';
import type { PropertyNode, SchemaNode } from './schema-node';
import { WORDS } from './words';

/** A value that is to be made. */
export interface Part {
  readonly node: SchemaNode;
  readonly chance: Chance;
  /** How many levels it may have. */
  readonly depth: number;
  /** What its name tells of it. */
  readonly plausible: Plausible | undefined;
}

/** What makes the parts of an object, and says why one cannot be made. */
export interface PartMaker {
  readonly manner: SampleManner;
  make(part: Part): JsonValue | undefined;
  wants(node: SchemaNode, depth: number): boolean;
  readonly lessons: Lessons;
  fail(node: SchemaNode, keyword: string): JsonValue | undefined;
}

/** Makes an object: what is required, what the manner shows beside it, and as many properties as are asked for. */
export function fillObject(maker: PartMaker, { node, chance, depth }: Part): JsonValue | undefined {
  const whole = withDependentSchemas(node);
  if (whole !== node) return maker.make({ node: whole, chance, depth, plausible: undefined });
  const { flat } = node;
  const missing = [...flat.required].find((name) => !node.properties.some((property) => property.name === name));
  if (missing !== undefined) return maker.fail(node, 'required');
  const chosen = chooseProperties(maker, node, depth);
  const object: Record<string, JsonValue> = {};
  const isPerson = chosen.some(({ plausible }) => plausible.about === 'person');
  for (const member of chosen) {
    const plausible = isPerson && /^name$/i.test(member.name) ? plausibleFor('fullName') : member.plausible;
    const { about } = plausible;
    const salt = about === undefined ? member.salt : chanceOf(about);
    const value = makeProperty(maker, node, { ...member, plausible }, derive(chance, salt), depth - 1);
    if (value === undefined) {
      if (member.isRequired) return maker.fail(node, 'required');
      continue;
    }
    setProperty(object, member.name, value);
  }
  orderTimes(object, chosen);
  matchExpiry(object, chosen);
  return addUndeclared(maker, node, object, chance, depth);
}

function makeProperty(
  maker: PartMaker,
  node: SchemaNode,
  { name, node: child, plausible }: PropertyNode,
  chance: Chance,
  depth: number,
): JsonValue | undefined {
  const tag = node.tagFor(name);
  if (tag !== undefined && acceptsScalar(child.flat, tag)) return tag;
  return maker.make({ node: child, chance, depth, plausible });
}

function chooseProperties(maker: PartMaker, node: SchemaNode, depth: number): readonly PropertyNode[] {
  const { flat, properties } = node;
  const required = properties.filter(({ isRequired }) => isRequired);
  let left = flat.maxProperties - required.length;
  let lacking = flat.minProperties - required.length;
  const { minimal, invalid } = maker.lessons;
  const chosen = properties.filter((property) => {
    if (property.isRequired) return true;
    if (left <= 0 || flat.dependentSchemas.has(property.name)) return false;
    const isWanted = !minimal.has(node) && maker.wants(property.node, depth) && !invalid.has(property.node);
    if (!isWanted && !(lacking > 0 && property.node.fits(depth - 1))) return false;
    left -= 1;
    lacking -= 1;
    return true;
  });
  return withDependentRequired(node, chosen);
}

/** A property that brings others along is shown with all of them, or not at all (`dependentRequired`). */
function withDependentRequired(node: SchemaNode, chosen: readonly PropertyNode[]): readonly PropertyNode[] {
  const { dependent } = node.flat;
  if (dependent.size === 0) return chosen;
  const names = new Set(chosen.map(({ name }) => name));
  const lacks = ({ name }: PropertyNode): boolean => (dependent.get(name) ?? []).some((other) => !names.has(other));
  const alone = chosen.filter((property) => !property.isRequired && lacks(property));
  for (const { name } of alone) names.delete(name);
  const stored = chosen.filter(({ name }) => names.has(name));
  const company = new Set(stored.filter(lacks).flatMap(({ name }) => dependent.get(name) ?? []));
  return [...stored, ...node.properties.filter(({ name }) => company.has(name) && !names.has(name))];
}

/** The node together with what its required properties bring along (`dependentSchemas`). */
function withDependentSchemas(node: SchemaNode): SchemaNode {
  const { required, dependentSchemas, pointers } = node.flat;
  if (dependentSchemas.size === 0) return node;
  const added = [...dependentSchemas].filter(([name, place]) => required.has(name) && !pointers.has(place.pointer));
  return added.length === 0 ? node : node.graph.node([...node.places, ...added.map(([, place]) => place)]);
}

/** Properties that nothing declares: as many as must be, and a few to show what a map holds. */
function addUndeclared(
  maker: PartMaker,
  node: SchemaNode,
  object: Record<string, JsonValue>,
  chance: Chance,
  depth: number,
): JsonValue | undefined {
  const { minProperties } = node.flat;
  const wanted = Math.max(minProperties, entriesShown(maker, node));
  let count = Object.keys(object).length;
  for (let attempt = 0; count < wanted && attempt < wanted * 4 + 8; attempt++) {
    const name = makeName(maker, node, derive(chance, attempt), attempt);
    const property = name === undefined || Object.hasOwn(object, name) ? undefined : node.propertyNode(name);
    if (name === undefined || property === undefined) continue;
    if (count >= minProperties && !maker.wants(property, depth)) break;
    const part = { chance: derive(chance, chanceOf(name)), depth: depth - 1, plausible: plausibleFor(name) };
    const value = maker.make({ node: property, ...part });
    if (value === undefined) continue;
    setProperty(object, name, value);
    count += 1;
  }
  return count < minProperties ? maker.fail(node, 'minProperties') : object;
}

function entriesShown({ manner, lessons }: PartMaker, node: SchemaNode): number {
  const { flat } = node;
  const isMap = flat.properties.size === 0 && flat.additional.length + flat.patternProperties.length > 0;
  return isMap && manner.isRich && !lessons.minimal.has(node) ? Math.min(2, flat.maxProperties) : 0;
}

function makeName(maker: PartMaker, node: SchemaNode, chance: Chance, attempt: number): string | undefined {
  const { propertyNames, hidden } = node.flat;
  const name = propertyNames.length > 0 ? nameByRule(maker, node, chance, attempt) : freeName(node, chance, attempt);
  return typeof name === 'string' && !hidden.has(name) ? name : undefined;
}

function nameByRule(maker: PartMaker, node: SchemaNode, chance: Chance, attempt: number): JsonValue | undefined {
  const names = node.graph.node([...node.flat.propertyNames, { value: { type: 'string' }, pointer: TEXT_POINTER }]);
  return names.values === undefined
    ? maker.make({ node: names, chance, depth: 1, plausible: undefined })
    : names.values[attempt];
}

/** Stands for the pointer of a schema that is in no description: the name of a property is a text. */
const TEXT_POINTER = '#text';

function freeName({ flat }: SchemaNode, chance: Chance, attempt: number): string | undefined {
  const { patternProperties, additional, closures } = flat;
  const isByPattern = attempt % 2 === 0 || additional.length === 0 || closures.length > 0;
  if (patternProperties.length > 0 && isByPattern) {
    const pattern = patternProperties[(attempt >> 1) % patternProperties.length]?.pattern ?? '';
    return patternText(pattern)?.(chance, 1, 64);
  }
  return `${WORDS[attempt % WORDS.length] ?? ''}${attempt < WORDS.length ? '' : attempt}`;
}

/** What earlier values of a description have shown of its schemas. */
export interface Lessons {
  /** Found to break their schema whenever they were tried. */
  readonly invalid: Set<SchemaNode>;
  /** Only values without what is optional were found valid. */
  readonly minimal: Set<SchemaNode>;
}

export function noLessons(): Lessons {
  return { invalid: new Set(), minimal: new Set() };
}

/** How a value is made. */
export interface SampleManner {
  /** Whether properties are shown that may be left out. */
  readonly isRich: boolean;
  /** Whether values differ from item to item where the schema leaves them open. */
  readonly isVaried: boolean;
  /** Whether examples and defaults are taken. */
  readonly showsExamples: boolean;
  /** How many items a list has when it may have any number. */
  readonly items: number;
  /** Checks a part of the value where a choice was made; asked only where the whole was found wrong before. */
  readonly isValidBranch: ((node: SchemaNode, value: JsonValue) => boolean) | undefined;
}
