import { parsePointer } from '../../json/json-pointer';
import type { JsonValue } from '../../json/json-value';
import type { ProblemDetail } from '../../checks/problem';
import { acceptsScalar } from '../sampler/accepts';
import { chanceOf } from '../sampler/chance';
import type { Member, SchemaNode } from '../sampler/schema-node';
import { ValueMaker } from '../sampler/value-maker';
import type { ErrorCause } from './error-cause';
import { fieldOf, leafWriter, pointerOf, type Beside, type Write } from './error-leaf';
import { isReason, memberRole, type MemberRole } from './error-role';

/** Deeper than this no service nests what went wrong. */
const MAX_DEPTH = 5;
const NOTHING_BESIDE: Beside = { hasMessage: false, hasCode: false, hasNumericCode: false, hasPlace: false };

/** Writes a cause into the shape of a schema. Worked out once for each schema. */
export interface ErrorPlan {
  /**
   * @param isFull - whether members are written that may be left out
   * @returns `undefined` where no value of the schema says anything
   */
  write(cause: ErrorCause, isFull: boolean): JsonValue | undefined;
}

/** Works out which member of an error body says what. */
export function planError(node: SchemaNode): ErrorPlan {
  const write = planValue(node, undefined, false, 0) ?? (isOpen(node) ? (): undefined => undefined : constant(node));
  return { write: (cause, isFull) => write({ cause, detail: undefined, isFull }) };
}

/** Does a schema leave the whole body open? Then it is for the caller to say what a cause looks like. */
function isOpen(node: SchemaNode): boolean {
  const { types, members, values, union, shown } = node;
  const isBare = types.length === 0 || (types.join() === 'object' && members.length === 0);
  return isBare && values === undefined && union === undefined && shown.length === 0;
}

/** How to say a cause in a value; `undefined` when it is not known to be there for one. */
function planValue(
  node: SchemaNode,
  role: MemberRole | undefined,
  isEntry: boolean,
  depth: number,
  beside = NOTHING_BESIDE,
): Write | undefined {
  if (depth > MAX_DEPTH || node.flat.conflict !== undefined) return undefined;
  if (node.values === undefined && node.union !== undefined) return planUnion(node, role, isEntry, depth, beside);
  const { types } = node;
  if (types.includes('array')) return planList(node, role, isEntry, depth, beside) ?? planSegments(role);
  if (types.includes('object')) return planObject(node, role, isEntry, depth);
  const known = role ?? roleOfWhole(node, depth);
  return known === undefined ? undefined : leafWriter(node, known, beside);
}

/** A text that is the whole body is the message; of a whole that is open nobody said that it is a text. */
function roleOfWhole({ types }: SchemaNode, depth: number): MemberRole | undefined {
  return depth === 0 && types.length > 0 ? 'message' : undefined;
}

/** Of several shapes, the one that says most. */
function planUnion(
  node: SchemaNode,
  role: MemberRole | undefined,
  isEntry: boolean,
  depth: number,
  beside: Beside,
): Write | undefined {
  const scored = node.branches
    .filter((branch) => branch.fits(MAX_DEPTH))
    .map((branch) => ({ branch, score: scoreOf(branch, isEntry) }))
    .sort((left, right) => right.score - left.score);
  for (const { branch } of scored) {
    const write = planValue(branch, role, isEntry, depth, beside);
    if (write !== undefined) return write;
  }
  return undefined;
}

function scoreOf(node: SchemaNode, isEntry: boolean): number {
  if (node.union !== undefined && node.values === undefined) {
    return Math.max(0, ...node.branches.map((branch) => scoreOf(branch, isEntry)));
  }
  return (
    node.members.filter(({ name }) => memberRole(name, isEntry) !== undefined).length +
    (node.types.includes('null') ? 0 : 0.1)
  );
}

function planObject(
  node: SchemaNode,
  role: MemberRole | undefined,
  isEntry: boolean,
  depth: number,
): Write | undefined {
  if (node.members.length === 0) return role === 'list' ? planMap(node) : undefined;
  const roles = rolesOf(node.members, isEntry);
  const plans = node.members.flatMap((member): { member: Member; write: Write }[] => {
    const write = planMember(member, roles.get(member), isEntry, depth, besideOf(roles, member));
    if (write !== undefined) return [{ member, write: member.isRequired ? orElse(write, member.node) : write }];
    return member.isRequired ? [{ member, write: constant(member.node) }] : [];
  });
  if (plans.length === 0) return undefined;
  return (told) => {
    const object: Record<string, JsonValue> = {};
    for (const { member, write } of plans) {
      if (!member.isRequired && !told.isFull) continue;
      const value = write(told);
      if (value !== undefined && member.name !== '__proto__') object[member.name] = value;
    }
    return object;
  };
}

/** A `reason` is a code beside a message; where nothing else is one, it is the message. */
function rolesOf(members: readonly Member[], isEntry: boolean): Map<Member, MemberRole | undefined> {
  const roles = new Map(members.map((member) => [member, memberRole(member.name, isEntry)]));
  const told = new Set(roles.values());
  const reason = members.find(({ name, node }) => isReason(name) && node.values === undefined);
  if (reason !== undefined && !told.has('message') && !told.has('title')) roles.set(reason, 'message');
  return roles;
}

/** What stands beside one of the members: it does not stand beside itself. */
function besideOf(roles: ReadonlyMap<Member, MemberRole | undefined>, own: Member): Beside {
  const others = [...roles].filter(([member]) => member !== own);
  const [code] = others.find(([, role]) => role === 'code') ?? [];
  const all = new Set(others.map(([, role]) => role));
  return {
    hasMessage: all.has('message'),
    hasCode: code !== undefined,
    hasNumericCode: code?.node.types.some((type) => type === 'integer' || type === 'number') === true,
    hasPlace: all.has('pointer') || all.has('field') || all.has('source'),
  };
}

function planMember(
  { node, isRequired }: Member,
  role: MemberRole | undefined,
  isEntry: boolean,
  depth: number,
  beside: Beside,
): Write | undefined {
  const isWhole = node.types.includes('object') || node.union !== undefined || node.types.includes('array');
  // What holds other members is entered where it must be there anyway, or is named for an error.
  if (role === undefined)
    return isRequired && isWhole ? planValue(node, undefined, isEntry, depth + 1, beside) : undefined;
  return planValue(node, role, isEntry, depth + 1, beside);
}

/**
 * A list of faults: an entry for each. A problem that is no fault of a value has none, where the message beside the list
 * tells it already.
 */
function planList(
  node: SchemaNode,
  role: MemberRole | undefined,
  isEntry: boolean,
  depth: number,
  { hasMessage }: Beside,
): Write | undefined {
  const isOfFaults = role === 'list' || role === 'error' || (role === 'message' && !isEntry) || depth === 0;
  if (!isOfFaults) return undefined;
  const item = node.itemNode(0);
  const write = planValue(item, 'message', true, depth + 1);
  if (write === undefined) return undefined;
  const { minItems, maxItems } = node.flat;
  return (told) => {
    const { details } = told.cause;
    if (details.length === 0 && hasMessage && minItems === 0) return [];
    const tolds = details.length > 0 ? details.map((detail) => ({ ...told, detail })) : [told];
    const entries = tolds.slice(0, maxItems).map(write);
    const said = entries.filter((entry) => entry !== undefined);
    return said.length < minItems ? undefined : said;
  };
}

/** `["body", "address", "street"]`: where a fault is, a segment at a time. */
function planSegments(role: MemberRole | undefined): Write | undefined {
  if (role !== 'pointer' && role !== 'field') return undefined;
  return ({ detail }) => (detail === undefined ? undefined : [detail.in, ...segmentsOf(detail)]);
}

function segmentsOf({ pointer, name }: ProblemDetail): string[] {
  return pointer === undefined ? [name ?? ''] : parsePointer(pointer);
}

/** A map from field to what is wrong with it: a text, or a list of texts. */
function planMap(node: SchemaNode): Write | undefined {
  const entry = node.memberNode('field');
  if (entry === undefined) return undefined;
  const isList = entry.types.includes('array');
  return ({ cause: { details } }) => {
    if (details.length === 0) return undefined;
    const map = new Map<string, string[]>();
    for (const detail of details) {
      const field = fieldOf(detail) || pointerOf(detail) || detail.in;
      map.set(field, [...(map.get(field) ?? []), detail.message]);
    }
    const entries = [...map].map(([field, messages]): [string, JsonValue] => [
      field,
      isList ? messages : messages.join('; '),
    ]);
    return Object.fromEntries(entries);
  };
}

/** What is required and could not be said gets what the description itself shows, or a sample. */
function orElse(write: Write, node: SchemaNode): Write {
  const otherwise = constant(node);
  return (told) => write(told) ?? otherwise(told);
}

function constant(node: SchemaNode): Write {
  let value: JsonValue | undefined;
  let isMade = false;
  return () => {
    if (!isMade) value = sampleOf(node);
    isMade = true;
    return value;
  };
}

function sampleOf(node: SchemaNode): JsonValue | undefined {
  if (node.values === undefined && acceptsScalar(node.flat, null) && node.flat.types !== undefined) return null;
  const maker = new ValueMaker({ isRich: false, isVaried: false, showsExamples: true, items: 1, judge: undefined });
  return maker.make(node, chanceOf(node.pointer), MAX_DEPTH, undefined);
}
