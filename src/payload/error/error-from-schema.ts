import { parsePointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import type { ProblemDetail } from '../../core/http/problem';
import { once } from '../../core/text/memoize';
import { acceptsScalar } from '../sampler/scalar-check';
import { chanceOf } from '../sampler/chance';
import type { PropertyNode, SchemaNode } from '../sampler/schema-node';
import { ValueMaker } from '../sampler/value-maker';
import { type ErrorCause, errorPropertyRole, type ErrorPropertyRole, isReasonName } from './error-roles';
import { fieldOf, scalarWriter, pointerOf, type SiblingProperties, type ValueWriter } from './error-values';

/** Deeper than this no service nests what went wrong. */
const MAX_DEPTH = 5;
const NO_SIBLINGS: SiblingProperties = { hasMessage: false, hasCode: false, hasNumericCode: false, hasLocation: false };

/** Writes a cause into the shape of a schema. Worked out once for each schema. */
export interface ErrorPlan {
  /**
   * @param isFull - whether properties are written that may be left out
   * @returns `undefined` where no value of the schema says anything
   */
  write(cause: ErrorCause, isFull: boolean): JsonValue | undefined;
}

/** Works out which property of an error body says what. */
export function planError(node: SchemaNode): ErrorPlan {
  const write =
    planValue(node, { role: undefined, isEntry: false, depth: 0, beside: NO_SIBLINGS }) ??
    (isOpen(node) ? (): undefined => undefined : sampleWriter(node));
  return { write: (cause, includesOptional) => write({ cause, detail: undefined, includesOptional }) };
}

/** Does a schema leave the whole body open? Then it is for the caller to say what a cause looks like. */
function isOpen(node: SchemaNode): boolean {
  const { types, properties, values, union, examples } = node;
  const isBare = types.length === 0 || (types.join() === 'object' && properties.length === 0);
  return isBare && values === undefined && union === undefined && examples.length === 0;
}

/** Where a value stands in an error. */
interface Position {
  readonly role: ErrorPropertyRole | undefined;
  /** Within one of several faults? */
  readonly isEntry: boolean;
  readonly depth: number;
  readonly beside: SiblingProperties;
}

/** How to say a cause in a value; `undefined` when it is not known to be there for one. */
function planValue(node: SchemaNode, at: Position): ValueWriter | undefined {
  const { role, depth, beside } = at;
  if (depth > MAX_DEPTH || node.flat.conflict !== undefined) return undefined;
  if (node.values === undefined && node.union !== undefined) return planUnion(node, at);
  const { types } = node;
  if (types.includes('array')) return planList(node, at) ?? planSegments(role);
  if (types.includes('object')) return planObject(node, at);
  const known = role ?? roleOfWholeBody(node, depth);
  return known === undefined ? undefined : scalarWriter(node, known, beside);
}

/** A text that is the whole body is the message; of a whole that is open nobody said that it is a text. */
function roleOfWholeBody({ types }: SchemaNode, depth: number): ErrorPropertyRole | undefined {
  return depth === 0 && types.length > 0 ? 'message' : undefined;
}

/** Of several shapes, the one that says most. */
function planUnion(node: SchemaNode, at: Position): ValueWriter | undefined {
  const scored = node.branches
    .filter((branch) => branch.fits(MAX_DEPTH))
    .map((branch) => ({ branch, score: scoreOf(branch, at.isEntry) }))
    .sort((left, right) => right.score - left.score);
  for (const { branch } of scored) {
    const write = planValue(branch, at);
    if (write !== undefined) return write;
  }
  return undefined;
}

function scoreOf(node: SchemaNode, isEntry: boolean): number {
  if (node.union !== undefined && node.values === undefined) {
    return Math.max(0, ...node.branches.map((branch) => scoreOf(branch, isEntry)));
  }
  return (
    node.properties.filter(({ name }) => errorPropertyRole(name, isEntry) !== undefined).length +
    (node.types.includes('null') ? 0 : 0.1)
  );
}

function planObject(node: SchemaNode, { role: own, isEntry, depth }: Position): ValueWriter | undefined {
  if (node.properties.length === 0) return own === 'list' ? planMap(node) : undefined;
  const roles = rolesOf(node.properties, isEntry);
  const plans = node.properties.flatMap((property): { member: PropertyNode; write: ValueWriter }[] => {
    const beside = siblingPropertiesOf(roles, property);
    const write = planProperty(property, { role: roles.get(property), isEntry, depth: depth + 1, beside });
    if (write !== undefined)
      return [{ member: property, write: property.isRequired ? withFallback(write, property.node) : write }];
    return property.isRequired ? [{ member: property, write: sampleWriter(property.node) }] : [];
  });
  if (plans.length === 0) return undefined;
  return (told) => {
    const object: Record<string, JsonValue> = {};
    for (const { member, write } of plans) {
      if (!member.isRequired && !told.includesOptional) continue;
      const value = write(told);
      if (value !== undefined && member.name !== '__proto__') object[member.name] = value;
    }
    return object;
  };
}

/** A `reason` is a code beside a message; where nothing else is one, it is the message. */
function rolesOf(
  properties: readonly PropertyNode[],
  isEntry: boolean,
): Map<PropertyNode, ErrorPropertyRole | undefined> {
  const roles = new Map(properties.map((property) => [property, errorPropertyRole(property.name, isEntry)]));
  const told = new Set(roles.values());
  const reason = properties.find(({ name, node }) => isReasonName(name) && node.values === undefined);
  if (reason !== undefined && !told.has('message') && !told.has('title')) roles.set(reason, 'message');
  return roles;
}

/** What stands beside one of the properties: it does not stand beside itself. */
function siblingPropertiesOf(
  roles: ReadonlyMap<PropertyNode, ErrorPropertyRole | undefined>,
  own: PropertyNode,
): SiblingProperties {
  const others = [...roles].filter(([property]) => property !== own);
  const [code] = others.find(([, role]) => role === 'code') ?? [];
  const all = new Set(others.map(([, role]) => role));
  return {
    hasMessage: all.has('message'),
    hasCode: code !== undefined,
    hasNumericCode: code?.node.types.some((type) => type === 'integer' || type === 'number') === true,
    hasLocation: all.has('pointer') || all.has('field') || all.has('source'),
  };
}

function planProperty({ node, isRequired }: PropertyNode, at: Position): ValueWriter | undefined {
  const isWhole = node.types.includes('object') || node.union !== undefined || node.types.includes('array');
  // What holds other properties is entered where it must be there anyway, or is named for an error.
  return at.role !== undefined || (isRequired && isWhole) ? planValue(node, at) : undefined;
}

/**
 * A list of faults: an entry for each. A problem that is no fault of a value has none, where the message beside the list
 * tells it already.
 */
function planList(node: SchemaNode, { role, isEntry, depth, beside }: Position): ValueWriter | undefined {
  const isOfFaults = role === 'list' || role === 'error' || (role === 'message' && !isEntry) || depth === 0;
  if (!isOfFaults) return undefined;
  const item = node.itemNode(0);
  const write = planValue(item, { role: 'message', isEntry: true, depth: depth + 1, beside: NO_SIBLINGS });
  if (write === undefined) return undefined;
  const { minItems, maxItems } = node.flat;
  return (told) => {
    const { details } = told.cause;
    if (details.length === 0 && beside.hasMessage && minItems === 0) return [];
    const tolds = details.length > 0 ? details.map((detail) => ({ ...told, detail })) : [told];
    const entries = tolds.slice(0, maxItems).map(write);
    const said = entries.filter((entry) => entry !== undefined);
    return said.length < minItems ? undefined : said;
  };
}

/** `["body", "address", "street"]`: where a fault is, a segment at a time. */
function planSegments(role: ErrorPropertyRole | undefined): ValueWriter | undefined {
  if (role !== 'pointer' && role !== 'field') return undefined;
  return ({ detail }) => (detail === undefined ? undefined : [detail.in, ...segmentsOf(detail)]);
}

function segmentsOf({ pointer, name }: ProblemDetail): string[] {
  return pointer === undefined ? [name ?? ''] : parsePointer(pointer);
}

/** A map from field to what is wrong with it: a text, or a list of texts. */
function planMap(node: SchemaNode): ValueWriter | undefined {
  const entry = node.propertyNode('field');
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
function withFallback(write: ValueWriter, node: SchemaNode): ValueWriter {
  const otherwise = sampleWriter(node);
  return (told) => write(told) ?? otherwise(told);
}

function sampleWriter(node: SchemaNode): ValueWriter {
  return once(() => sampleOf(node));
}

function sampleOf(node: SchemaNode): JsonValue | undefined {
  if (node.values === undefined && acceptsScalar(node.flat, null) && node.flat.types !== undefined) return null;
  const maker = new ValueMaker({
    isRich: false,
    isVaried: false,
    showsExamples: true,
    items: 1,
    isValidBranch: undefined,
  });
  return maker.make({ node, chance: chanceOf(node.pointer), depth: MAX_DEPTH, plausible: undefined });
}
