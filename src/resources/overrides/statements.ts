import { getAtPointer, joinPointer, parentPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation, Schema } from '../../openapi/model/operation';
import { localPointer } from '../../openapi/read/references';
import { parseTemplate, withoutLast } from '../../openapi/view/path-template';
import type { Behaviour, PropertyAssignment } from '../model/binding';
import type { Evidence } from '../model/resource';
import type { PathIndex } from '../paths/operation-readings';

/** What is said outright of a resource: by `x-standin` in the description or by the overrides file. */
export interface ResourceStatement {
  /** Who says it, and where. */
  readonly evidence: Evidence;
  /** Nothing is stored here: the operations are answered without state. */
  readonly isStateless: boolean;
  readonly key: string | undefined;
  /** JSON pointer of the schema in the description. */
  readonly schema: string | undefined;
  /** Property to the path of a collection; `false` for a property that only looks like a reference, or like a count. */
  readonly references: ReadonlyMap<string, string | false>;
  /** Path of the collection whose items these are: both are one store. */
  readonly sameAs: string | undefined;
}

/**
 * How requests are taken: `strict` as the description and the standards have them, `lenient` as real clients send them,
 * also where a rejection is documented.
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
  readonly sets: readonly PropertyAssignment[] | undefined;
  /** Parameter to property; `false` for a parameter that is to have no effect. */
  readonly filters: ReadonlyMap<string, string | false>;
  /** How its requests are taken. */
  readonly accept: AcceptMode | undefined;
}

/** What can happen to an item. */
export const HAPPENINGS = ['created', 'changed', 'removed'] as const;

export type Happening = (typeof HAPPENINGS)[number];

/** What is said outright of a callback or webhook. */
export interface EventStatement {
  readonly evidence: Evidence;
  /** When it is sent, as far as that can be read; `undefined` for never. */
  readonly when:
    | {
        /** Path of the resource that it is about. */
        readonly resource: JsonValue | undefined;
        readonly sent: JsonValue | undefined;
        readonly property: string | undefined;
        readonly value: JsonValue | undefined;
      }
    | undefined;
}

/** What `x-standin` at an event, or an overrides file, says of it. @returns `undefined` for nothing */
export function eventStatement(said: JsonValue | undefined, evidence: Evidence): EventStatement | undefined {
  if (said === false) return { evidence, when: undefined };
  if (!isJsonObject(said)) return undefined;
  const { resource, sent, property, value } = said;
  return { evidence, when: { resource, sent, property: typeof property === 'string' ? property : undefined, value } };
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
  /** Callbacks and webhooks by name. */
  readonly events?: ReadonlyMap<string, EventStatement> | undefined;
  /** How the requests of operations are taken that do not say. */
  readonly accept?: AcceptMode | undefined;
}

export const NO_OVERRIDES: Overrides = { resources: new Map(), operations: new Map() };

/** What two say, of which the later has the last word on each resource and operation. */
export function mergeOverrides(earlier: Overrides, later: Overrides): Overrides {
  return {
    resources: new Map([...earlier.resources, ...later.resources]),
    operations: new Map([...earlier.operations, ...later.operations]),
    events: new Map([...(earlier.events ?? []), ...(later.events ?? [])]),
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

/** Extension of operations, path items and schemas (OAS 3.0.3 §4.9). */
export const HINT = 'x-standin';

const EMPTY: JsonObject = {};

/** Brings together what the description hints at by `x-standin` and what the overrides file says, which wins. */
export function gatherStatements(api: ApiModel, index: PathIndex, overrides: Overrides = NO_OVERRIDES): Statements {
  const byShape = new Map<string, ResourceStatement>();
  const put = (path: string, statement: ResourceStatement): void => {
    const template = parseTemplate(path);
    if (template === undefined) return;
    const isItem =
      template.segments.at(-1)?.kind === 'variable' && index.nodes.get(template.shape)?.template.path === path;
    // What is said of one item's path is meant for the collection that it lies in, unless that path is a name only.
    const shape = isItem && !overrides.resources.has(path) ? withoutLast(template).shape : template.shape;
    const before = byShape.get(shape);
    byShape.set(shape, before === undefined ? statement : mergeStatements(before, statement));
  };
  const operations = new Map<Operation, OperationStatement>();
  const seen = new Set<string>();
  for (const operation of api.operations) {
    const hint = hintAt(api, operation.pointer);
    if (hint !== undefined) operations.set(operation, operationHint(hint, operation.pointer));
    const pathItem = parentPointer(operation.pointer) ?? '';
    if (seen.has(`${operation.path} ${pathItem}`)) continue;
    seen.add(`${operation.path} ${pathItem}`);
    const ofPath = hintAt(api, pathItem);
    if (ofPath !== undefined) put(operation.path, resourceHint(ofPath, pathItem));
  }
  for (const [path, statement] of overrides.resources) put(path, statement);
  return {
    resource: (shape) => byShape.get(shape),
    operation: (operation) => overrides.operations.get(operation) ?? operations.get(operation),
  };
}

/** What a schema's own `x-standin` says of every resource that keeps it. */
export function schemaHint(schema: Schema): ResourceStatement | undefined {
  const hint = schema.value[HINT];
  return hint === undefined ? undefined : resourceHint(hint, joinPointer(schema.pointer, HINT));
}

function hintAt(api: ApiModel, pointer: string): JsonValue | undefined {
  const value = getAtPointer(api.document.root, pointer);
  return isJsonObject(value) ? value[HINT] : undefined;
}

function resourceHint(hint: JsonValue, pointer: string): ResourceStatement {
  const properties = isJsonObject(hint) ? hint : EMPTY;
  const { key, schema, sameAs } = properties;
  return {
    evidence: { text: `${HINT} says so`, pointer },
    isStateless: hint === false || properties['stateless'] === true,
    key: typeof key === 'string' ? key : undefined,
    schema: typeof schema === 'string' ? localPointer(schema) : undefined,
    references: nameMap(properties['references']),
    sameAs: typeof sameAs === 'string' ? sameAs : undefined,
  };
}

function operationHint(hint: JsonValue, pointer: string): OperationStatement {
  const properties = isJsonObject(hint) ? hint : EMPTY;
  const { resource } = properties;
  const { sets } = properties;
  return {
    evidence: { text: `${HINT} says so`, pointer },
    isStateless: hint === false || properties['stateless'] === true,
    behaviour: BEHAVIOURS.find((behaviour) => behaviour === properties['behaviour']),
    resource: typeof resource === 'string' ? resource : undefined,
    sets: isJsonObject(sets) ? Object.entries(sets).map(([property, value]) => ({ property, value })) : undefined,
    filters: nameMap(properties['filters']),
    accept: ACCEPT_MODES.find((mode) => mode === properties['accept']),
  };
}

/** Names to names, or to `false`. */
function nameMap(value: JsonValue | undefined): Map<string, string | false> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return new Map(
    entries.flatMap(([name, to]): [string, string | false][] =>
      typeof to === 'string' || to === false ? [[name, to]] : [],
    ),
  );
}

function mergeStatements(before: ResourceStatement, after: ResourceStatement): ResourceStatement {
  return {
    evidence: after.evidence,
    isStateless: after.isStateless,
    key: after.key ?? before.key,
    schema: after.schema ?? before.schema,
    references: new Map([...before.references, ...after.references]),
    sameAs: after.sameAs ?? before.sameAs,
  };
}

/**
 * How the requests of an operation are taken: as the overrides say of it or of all, else as `x-standin` says of it, of its
 * path, or of the whole description.
 *
 * @returns `undefined` where nothing is said: leniently, unless a rejection is documented
 */
export function acceptModeOf(api: ApiModel, operation: Operation, overrides: Overrides): AcceptMode | undefined {
  const { root } = api.document;
  return (
    overrides.operations.get(operation)?.accept ??
    overrides.accept ??
    hintedMode(getAtPointer(root, operation.pointer)) ??
    hintedMode(getAtPointer(root, parentPointer(operation.pointer) ?? '')) ??
    hintedMode(root)
  );
}

function hintedMode(owner: JsonValue | undefined): AcceptMode | undefined {
  const hint = isJsonObject(owner) ? owner[HINT] : undefined;
  const stated = isJsonObject(hint) ? hint['accept'] : undefined;
  return ACCEPT_MODES.find((mode) => mode === stated);
}
