import type { Direction } from '../../schema/schema-object';
import { matchesSeveral, type Violation } from '../../schema/validator';
import type { JsonValue } from '../../core/json/json-value';
import type { Schema } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { NO_SCOPE, type DynamicScope } from '../../openapi/schemas/compiled-schemas';
import { chanceOf, derive, type Chance } from './chance';
import {
  createSchemaReader,
  dynamicScopeFrom,
  hasDynamicReferences,
  hasJsonSchema,
  ignoringUnknownDialect,
  resourcesOf,
} from './schema-reader';
import { plausibleFor } from './plausible-values';
import { MAX_DEPTH, SchemaGraph, type SchemaNode } from './schema-node';
import { ValueMaker, type Obstacle } from './value-maker';
import { type Lessons, noLessons, type SampleManner } from './object-maker';

/** What a sample is made for. */
export interface SampleOptions {
  /** The same seed, schema and ordinal give the same value, in any process. */
  readonly seed: string;
  /** Which way the value travels: `writeOnly` properties are not in responses, `readOnly` ones not in requests. */
  readonly direction: Direction;
  /** Number of the item, from 0. Left out: one value alone, with examples and defaults where there are some. */
  readonly ordinal?: number | undefined;
  /** Whether properties are shown that may be left out; they are when this is left out. */
  readonly rich?: boolean | undefined;
  /** How many items a list has that may have any number; 2 when left out. */
  readonly items?: number | undefined;
  /** Name of the property that it is for, by which it is made plausible. */
  readonly name?: string | undefined;
}

/** A value that its schema's own validator accepts, or why there is none. */
export type Sample =
  | { readonly kind: 'made'; readonly value: JsonValue }
  /**
   * `reason` names the place in the schema, or in the value, and the keyword; `ambiguous` is a value that breaks nothing
   * but a `oneOf` whose schemas the description does not distinguish.
   */
  | { readonly kind: 'failed'; readonly reason: string; readonly ambiguous?: JsonValue | undefined };

/** Makes values up from schemas: bounded in work and depth, always valid, the same each time. */
export interface Sampler {
  sample(schema: Schema, options: SampleOptions): Sample;
  /** What is known of a schema: its properties, types and choices, references and `allOf` followed. */
  nodeOf(schema: Schema, direction: Direction): SchemaNode;
}

const SAMPLERS = new WeakMap<ApiModel, Sampler>();

/** The sampler of a description: what it works out about a schema is stored, so that the next value is quick. */
export function samplerOf(api: ApiModel): Sampler {
  let sampler = SAMPLERS.get(api);
  if (sampler === undefined) SAMPLERS.set(api, (sampler = createSampler(api)));
  return sampler;
}

function createSampler(api: ApiModel): Sampler {
  const { document } = api;
  const lessons = noLessons();
  const graphs = new Map<string, SchemaGraph>();
  const scopes = new Map<string, DynamicScope>();
  const isDynamic = hasJsonSchema(document) && hasDynamicReferences(document.root);
  const scopeOf = (pointer: string): DynamicScope => {
    if (!isDynamic) return NO_SCOPE;
    let scope = scopes.get(pointer);
    if (scope === undefined) {
      scope = ignoringUnknownDialect(() => dynamicScopeFrom(document, resourcesOf(document), pointer)) ?? NO_SCOPE;
      scopes.set(pointer, scope);
    }
    return scope;
  };
  // What a schema means depends on where its dynamic references lead, so that each such scope has nodes of its own.
  const graphOf = (direction: Direction, scope: DynamicScope): SchemaGraph => {
    const key = [direction, ...[...scope].flat()].join('\n');
    let graph = graphs.get(key);
    if (graph === undefined) {
      const validate = (pointer: string, value: JsonValue): boolean => isValidAt(api, pointer, direction, value);
      graphs.set(key, (graph = new SchemaGraph(createSchemaReader(document, direction, scope), validate)));
    }
    return graph;
  };
  const nodeOf: Sampler['nodeOf'] = ({ value, pointer }, direction) =>
    graphOf(direction, scopeOf(pointer)).node([{ value, pointer }]);
  return {
    nodeOf,
    sample(schema, options) {
      const node = nodeOf(schema, options.direction);
      return sampleNode(node, schema, options, lessons, (place, value) =>
        place.flat.unions.every(({ pointer }) => isValidAt(api, ownerOf(pointer), options.direction, value)),
      );
    },
  };
}

/** Ways of making a value, tried in turn until one is valid. */
interface Attempt {
  readonly isRich: boolean;
  readonly showsExamples: boolean;
  /** Checks each choice on its own: dear, and remembered where it says no. */
  readonly validatesBranches: boolean;
}

const ATTEMPTS: readonly Attempt[] = [
  { isRich: true, showsExamples: true, validatesBranches: false },
  { isRich: true, showsExamples: true, validatesBranches: true },
  { isRich: false, showsExamples: true, validatesBranches: false },
  { isRich: true, showsExamples: false, validatesBranches: true },
  { isRich: false, showsExamples: false, validatesBranches: true },
  { isRich: false, showsExamples: false, validatesBranches: true },
];

function sampleNode(
  node: SchemaNode,
  schema: Schema,
  options: SampleOptions,
  lessons: Lessons,
  validate: SampleManner['isValidBranch'],
): Sample {
  const depth = leastDepth(node);
  if (depth === undefined) return { kind: 'failed', reason: neverEnding(node) };
  const chance = chanceOf(`${options.seed}\n${schema.pointer}`);
  const start = options.ordinal === undefined ? chance : derive(chance, options.ordinal);
  const known = options.name === undefined ? undefined : plausibleFor(options.name);
  let reason: string | undefined;
  let ambiguous: JsonValue | undefined;
  for (const [index, attempt] of ATTEMPTS.entries()) {
    if (attempt.isRich && options.rich === false) continue;
    const maker = new ValueMaker(mannerOf(attempt, options, validate), lessons);
    const part = { node, chance: chanceFor(start, index), depth: Math.max(depth, USUAL_DEPTH), plausible: known };
    const sample = validated(maker.make(part));
    if (sample.kind === 'made') return sample;
    ambiguous ??= sample.ambiguous;
    reason ??= sample.reason === '' ? unsatisfied(maker.obstacle, node) : sample.reason;
  }
  return { kind: 'failed', reason: reason ?? '', ambiguous };

  function validated(value: JsonValue | undefined): Sample {
    const violations = value === undefined ? [] : schema.validate(options.direction)(value);
    const [violation] = violations;
    if (value !== undefined && violation === undefined) return { kind: 'made', value };
    const reason = violation === undefined ? '' : violationReason(violation);
    return { kind: 'failed', reason, ambiguous: matchesSeveral(violations) ? value : undefined };
  }
}

function mannerOf(
  attempt: Attempt,
  { ordinal, items }: SampleOptions,
  validate: SampleManner['isValidBranch'],
): SampleManner {
  return {
    isRich: attempt.isRich,
    isVaried: ordinal !== undefined,
    showsExamples: attempt.showsExamples,
    items: items ?? 2,
    isValidBranch: attempt.validatesBranches ? validate : undefined,
  };
}

const USUAL_DEPTH = 8;

function chanceFor(start: Chance, index: number): Chance {
  return index < 3 ? start : derive(start, index * 7919);
}

/** The least number of levels in which a value ends; `undefined` when it never does. */
function leastDepth(node: SchemaNode): number | undefined {
  for (let depth = 0; depth <= MAX_DEPTH; depth++) if (node.fits(depth)) return depth;
  return undefined;
}

function neverEnding(node: SchemaNode): string {
  const { conflict } = node.flat;
  if (conflict !== undefined) return unsatisfied(conflict, node);
  return `no value of the schema at ${node.pointer} comes to an end: what it requires leads back to itself, or contradicts itself`;
}

function unsatisfied(obstacle: Obstacle | undefined, node: SchemaNode): string {
  const { pointer, keyword } = obstacle ?? { pointer: node.pointer, keyword: 'type' };
  return `nothing was found that satisfies "${keyword}" of the schema at ${pointer}`;
}

function violationReason({ pointer, keyword, message }: Violation): string {
  return `what was made ${message} at "${pointer}" (${keyword})`;
}

/** A schema that does not compile accepts nothing. */
function isValidAt(api: ApiModel, pointer: string, direction: Direction, value: JsonValue): boolean {
  const schema = api.schemaAt(pointer);
  return schema === undefined || schema.validate(direction)(value).length === 0;
}

/** Pointer of the schema that a keyword of it stands in. */
function ownerOf(pointer: string): string {
  return pointer.replace(/\/(?:oneOf|anyOf|if|discriminator\/mapping)$/, '');
}
