import { getAtPointer, joinPointer, parentPointer } from '../json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Operation, Schema } from '../openapi/model';
import { localPointer } from '../openapi/references';
import type { PathIndex } from './path-index';
import { parseTemplate, withoutLast } from './path-template';
import {
  ACCEPT_MODES,
  BEHAVIOURS,
  NO_OVERRIDES,
  type OperationStatement,
  type Overrides,
  type ResourceStatement,
  type Statements,
} from './statements';

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
    byShape.set(shape, before === undefined ? statement : merged(before, statement));
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
  const members = isJsonObject(hint) ? hint : EMPTY;
  const { key, schema, sameAs } = members;
  return {
    evidence: { text: `${HINT} says so`, pointer },
    isStateless: hint === false || members['stateless'] === true,
    key: typeof key === 'string' ? key : undefined,
    schema: typeof schema === 'string' ? localPointer(schema) : undefined,
    references: choices(members['references']),
    sameAs: typeof sameAs === 'string' ? sameAs : undefined,
  };
}

function operationHint(hint: JsonValue, pointer: string): OperationStatement {
  const members = isJsonObject(hint) ? hint : EMPTY;
  const { resource } = members;
  const { sets } = members;
  return {
    evidence: { text: `${HINT} says so`, pointer },
    isStateless: hint === false || members['stateless'] === true,
    behaviour: BEHAVIOURS.find((behaviour) => behaviour === members['behaviour']),
    resource: typeof resource === 'string' ? resource : undefined,
    sets: isJsonObject(sets) ? Object.entries(sets).map(([member, value]) => ({ member, value })) : undefined,
    filters: choices(members['filters']),
    accept: ACCEPT_MODES.find((mode) => mode === members['accept']),
  };
}

/** Names to names, or to `false`. */
export function choices(value: JsonValue | undefined): Map<string, string | false> {
  const entries = isJsonObject(value) ? Object.entries(value) : [];
  return new Map(
    entries.flatMap(([name, to]): [string, string | false][] =>
      typeof to === 'string' || to === false ? [[name, to]] : [],
    ),
  );
}

function merged(before: ResourceStatement, after: ResourceStatement): ResourceStatement {
  return {
    evidence: after.evidence,
    isStateless: after.isStateless,
    key: after.key ?? before.key,
    schema: after.schema ?? before.schema,
    references: new Map([...before.references, ...after.references]),
    sameAs: after.sameAs ?? before.sameAs,
  };
}
