import { setMember } from '../../json/member';
import type { JsonValue } from '../../json/json-value';
import { acceptsScalar } from './accepts';
import { chanceOf, derive, type Chance } from './chance';
import { orderTimes } from './order-of-times';
import { patternText } from './pattern-text';
import { plausibleFor } from './plausible';
import type { Member, SchemaNode } from './schema-node';
import type { ValueMaker } from './value-maker';
import { WORDS } from './words';

/** Makes an object: what is required, what the manner shows beside it, and as many members as are asked for. */
export function fillObject(maker: ValueMaker, node: SchemaNode, chance: Chance, depth: number): JsonValue | undefined {
  const whole = withDependents(node);
  if (whole !== node) return maker.make(whole, chance, depth, undefined);
  const { flat } = node;
  const missing = [...flat.required].find((name) => !node.members.some((member) => member.name === name));
  if (missing !== undefined) return maker.fail(node, 'required');
  const chosen = chooseMembers(maker, node, depth);
  const object: Record<string, JsonValue> = {};
  const isPerson = chosen.some(({ plausible }) => plausible.about === 'person');
  for (const member of chosen) {
    const plausible = isPerson && /^name$/i.test(member.name) ? plausibleFor('fullName') : member.plausible;
    const { about } = plausible;
    const salt = about === undefined ? member.salt : chanceOf(about);
    const value = makeMember(maker, node, { ...member, plausible }, derive(chance, salt), depth - 1);
    if (value === undefined) {
      if (member.isRequired) return maker.fail(node, 'required');
      continue;
    }
    setMember(object, member.name, value);
  }
  orderTimes(object, chosen);
  return addUndeclared(maker, node, object, chance, depth);
}

function makeMember(
  maker: ValueMaker,
  node: SchemaNode,
  { name, node: child, plausible }: Member,
  chance: Chance,
  depth: number,
): JsonValue | undefined {
  const tag = node.tagFor(name);
  if (tag !== undefined && acceptsScalar(child.flat, tag)) return tag;
  return maker.make(child, chance, depth, plausible);
}

function chooseMembers(maker: ValueMaker, node: SchemaNode, depth: number): readonly Member[] {
  const { flat, members } = node;
  const required = members.filter(({ isRequired }) => isRequired);
  let left = flat.maxProperties - required.length;
  let lacking = flat.minProperties - required.length;
  const isBare = node.isBare;
  const chosen = members.filter((member) => {
    if (member.isRequired) return true;
    if (left <= 0 || flat.dependentSchemas.has(member.name)) return false;
    const isWanted = !isBare && maker.wants(member.node, depth) && !member.node.isBad;
    if (!isWanted && !(lacking > 0 && member.node.fits(depth - 1))) return false;
    left -= 1;
    lacking -= 1;
    return true;
  });
  return withCompany(node, chosen);
}

/** A member that brings others along is shown with all of them, or not at all (`dependentRequired`). */
function withCompany(node: SchemaNode, chosen: readonly Member[]): readonly Member[] {
  const { dependent } = node.flat;
  if (dependent.size === 0) return chosen;
  const names = new Set(chosen.map(({ name }) => name));
  const lacks = ({ name }: Member): boolean => (dependent.get(name) ?? []).some((other) => !names.has(other));
  const alone = chosen.filter((member) => !member.isRequired && lacks(member));
  for (const { name } of alone) names.delete(name);
  const kept = chosen.filter(({ name }) => names.has(name));
  const company = new Set(kept.filter(lacks).flatMap(({ name }) => dependent.get(name) ?? []));
  return [...kept, ...node.members.filter(({ name }) => company.has(name) && !names.has(name))];
}

/** The node together with what its required members bring along (`dependentSchemas`). */
function withDependents(node: SchemaNode): SchemaNode {
  const { required, dependentSchemas, pointers } = node.flat;
  if (dependentSchemas.size === 0) return node;
  const added = [...dependentSchemas].filter(([name, place]) => required.has(name) && !pointers.has(place.pointer));
  return added.length === 0 ? node : node.graph.node([...node.places, ...added.map(([, place]) => place)]);
}

/** Members that nothing declares: as many as must be, and a few to show what a map holds. */
function addUndeclared(
  maker: ValueMaker,
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
    const member = name === undefined || Object.hasOwn(object, name) ? undefined : node.memberNode(name);
    if (name === undefined || member === undefined) continue;
    if (count >= minProperties && !maker.wants(member, depth)) break;
    const value = maker.make(member, derive(chance, chanceOf(name)), depth - 1, plausibleFor(name));
    if (value === undefined) continue;
    setMember(object, name, value);
    count += 1;
  }
  return count < minProperties ? maker.fail(node, 'minProperties') : object;
}

function entriesShown({ manner }: ValueMaker, { flat, isBare }: SchemaNode): number {
  const isMap = flat.properties.size === 0 && flat.additional.length + flat.patternProperties.length > 0;
  return isMap && manner.isRich && !isBare ? Math.min(2, flat.maxProperties) : 0;
}

function makeName(maker: ValueMaker, node: SchemaNode, chance: Chance, attempt: number): string | undefined {
  const { propertyNames, hidden } = node.flat;
  const name = propertyNames.length > 0 ? nameByRule(maker, node, chance, attempt) : freeName(node, chance, attempt);
  return typeof name === 'string' && !hidden.has(name) ? name : undefined;
}

function nameByRule(maker: ValueMaker, node: SchemaNode, chance: Chance, attempt: number): JsonValue | undefined {
  const names = node.graph.node([...node.flat.propertyNames, { value: { type: 'string' }, pointer: TEXT }]);
  return names.values === undefined ? maker.make(names, chance, 1, undefined) : names.values[attempt];
}

/** Stands for the pointer of a schema that is in no description: the name of a member is a text. */
const TEXT = '#text';

function freeName({ flat }: SchemaNode, chance: Chance, attempt: number): string | undefined {
  const { patternProperties, additional, closures } = flat;
  const isByPattern = attempt % 2 === 0 || additional.length === 0 || closures.length > 0;
  if (patternProperties.length > 0 && isByPattern) {
    const pattern = patternProperties[(attempt >> 1) % patternProperties.length]?.pattern ?? '';
    return patternText(pattern)?.(chance, 1, 64);
  }
  return `${WORDS[attempt % WORDS.length] ?? ''}${attempt < WORDS.length ? '' : attempt}`;
}
