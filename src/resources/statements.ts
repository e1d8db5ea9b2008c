import type { Operation } from '../openapi/model';
import type { Behaviour, Evidence, SetMember } from './resource-model';

/** What is said outright of a resource: by `x-standin` in the description or by the overrides file. */
export interface ResourceStatement {
  /** Who says it, and where. */
  readonly evidence: Evidence;
  /** Nothing is kept here: the operations are answered without state. */
  readonly isStateless: boolean;
  readonly key: string | undefined;
  /** JSON pointer of the schema in the description. */
  readonly schema: string | undefined;
  /** Member to the path of a collection; `false` for a member that only looks like a reference, or like a count. */
  readonly references: ReadonlyMap<string, string | false>;
  /** Path of the collection whose items these are: both are one store. */
  readonly sameAs: string | undefined;
}

/**
 * How requests are taken: `strict` as the description and the standards have them, `lenient` as real clients send them,
 * also where a refusal is documented.
 */
export const ACCEPT_MODES = ['strict', 'lenient'] as const;

export type AcceptMode = (typeof ACCEPT_MODES)[number];

/** What is said outright of an operation. */
export interface OperationStatement {
  readonly evidence: Evidence;
  readonly isStateless: boolean;
  readonly behaviour: Behaviour | undefined;
  /** Path of the resource that it acts on. */
  readonly resource: string | undefined;
  /** What an action makes of the item. */
  readonly sets: readonly SetMember[] | undefined;
  /** Parameter to member; `false` for a parameter that is to have no effect. */
  readonly filters: ReadonlyMap<string, string | false>;
  /** How its requests are taken. */
  readonly accept: AcceptMode | undefined;
}

/** Everything that is said outright. The overrides file has the last word. */
export interface Statements {
  /** @param shape - of the collection's template */
  resource(shape: string): ResourceStatement | undefined;
  operation(operation: Operation): OperationStatement | undefined;
}

/** What an overrides file says: resources by path, operations by what they are. */
export interface Overrides {
  readonly resources: ReadonlyMap<string, ResourceStatement>;
  readonly operations: ReadonlyMap<Operation, OperationStatement>;
  /** How the requests of operations are taken that do not say. */
  readonly accept?: AcceptMode | undefined;
}

export const NO_OVERRIDES: Overrides = { resources: new Map(), operations: new Map() };

/** What two say, of which the later has the last word on each resource and operation. */
export function mergeOverrides(earlier: Overrides, later: Overrides): Overrides {
  return {
    resources: new Map([...earlier.resources, ...later.resources]),
    operations: new Map([...earlier.operations, ...later.operations]),
    accept: later.accept ?? earlier.accept,
  };
}

/** The behaviours that can be stated, as they are written. */
export const BEHAVIOURS: readonly Behaviour[] = [
  'list',
  'create',
  'create-many',
  'read',
  'replace',
  'update',
  'upsert',
  'remove',
  'clear',
  'act',
];
