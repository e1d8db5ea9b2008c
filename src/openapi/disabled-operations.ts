import { formatSourceLocation, type SourceFinding } from '../core/errors/standin-error';
import { joinPointer, parentPointer, parsePointer } from '../core/json/json-pointer';
import { addToList } from '../core/text/memoize';
import { cutSchema, schemaBounded } from './lint/schema-bounded';
import type { VisitedObject } from './read/object-grammar';
import { fieldOf, fieldsOf, itemsOf, localPointer, type RawOperation, referenceOf, rootOf } from './read/references';
import { originAt, type SourceDocument } from './read/source-document';
import { schemeNameOf } from './model/security-schemes';

/** Errors that do no harm: of a parameter that is listed twice one entry counts; a misspelt keyword has no effect. */
const HARMLESS: ReadonlySet<string> = new Set(['parameter-unique', 'schema-keyword']);

/** Parts of an operation, or of what it refers to, that no request or response needs. */
const UNUSED: ReadonlySet<string> = new Set([
  ...['callbacks', 'links', 'example', 'examples', 'operationId', 'tags', 'summary', 'description', 'deprecated'],
  ...['externalDocs', 'xml', 'title', 'flows', 'scopes', 'authorizationUrl', 'tokenUrl'],
]);

/** Maps whose names are the author's own: a property called `links` is needed as any other. */
const NAMED: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'schemas', 'responses'],
  ...['parameters', 'requestBodies', 'headers', 'securitySchemes', 'content', 'encoding', 'paths', 'pathItems'],
]);

function isUnused(pointer: string): boolean {
  const segments = parsePointer(pointer);
  return segments.some((segment, index) => {
    const before = segments[index - 1];
    return (UNUSED.has(segment) || segment.startsWith('x-')) && (before === undefined || !NAMED.has(before));
  });
}

/** What errors in a description disable. */
interface Disabled {
  /** All findings as warnings; those that disable operations name them. */
  readonly findings: readonly SourceFinding[];
  /** Why an operation cannot be served or judged, by its pointer. */
  readonly reasons: ReadonlyMap<string, string>;
}

/**
 * Finds the operations that need a part of the description that is at fault: it stands in the operation, in the
 * parameters of its path, in its security schemes, or where a `$ref` of one of these leads. Schemas without a bound are
 * cut in place, so that nothing hangs that looks at all schemas.
 */
export function disableOperations(
  document: SourceDocument,
  findings: readonly SourceFinding[],
  objects: readonly VisitedObject[],
  operations: readonly RawOperation[],
): Disabled {
  const reasons = new Map<string, string>();
  if (findings.every(({ severity }) => severity !== 'error')) return { findings, reasons };
  const users = usersOf(document, objects, operations);
  const pointersOf = documentPointers(document, objects);
  const told = findings.map((finding) => {
    if (finding.severity !== 'error') return finding;
    const warning = { ...finding, severity: 'warning' } as const;
    if (HARMLESS.has(finding.rule)) return warning;
    const needed = reachedFrom(pointersOf(finding), users);
    if (finding.rule === schemaBounded.id)
      for (const { kind, at } of objects) if (kind === 'schema' && needed.has(at.pointer)) cutSchema(at.value);
    const disabled = operations.filter(({ operation }) => needed.has(operation.pointer));
    for (const { operation } of disabled) {
      const { pointer } = operation;
      if (!reasons.has(pointer)) reasons.set(pointer, `${formatSourceLocation(finding)}: ${finding.message}`);
    }
    return disabled.length === 0 ? warning : withOperations(warning, disabled.map(titleOf));
  });
  return { findings: told, reasons };
}

/** Operations that a message names; of the others it has their number. */
const MAX_NAMED = 5;

/** The finding with the operations that it disables, by method and path. */
export function withOperations(finding: SourceFinding, operations: readonly string[]): SourceFinding {
  const rest = operations.length - MAX_NAMED;
  const named = [...operations.slice(0, MAX_NAMED), ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
  return { ...finding, message: `${finding.message}; disabled: ${named}`, operations };
}

export function titleOf({ method, path }: Pick<RawOperation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

type Users = ReadonlyMap<string, readonly string[]>;

/** Pointers of the places that need a part, by the pointer of the part. */
function usersOf(
  document: SourceDocument,
  objects: readonly VisitedObject[],
  operations: readonly RawOperation[],
): Users {
  const users = new Map<string, string[]>();
  const add = (part: string, user: string): void => {
    addToList(users, part, user);
  };
  for (const { at } of objects) {
    const reference = referenceOf(at.value);
    const target = reference === undefined ? undefined : localPointer(reference);
    if (target !== undefined) add(target, at.pointer);
  }
  for (const { operation, pathItem } of operations) {
    // A list is the parameters, also where their name is misspelt.
    for (const { pointer, value } of fieldsOf(pathItem)) if (Array.isArray(value)) add(pointer, operation.pointer);
    const parameters = fieldOf(pathItem, 'parameters');
    if (parameters !== undefined && !Array.isArray(parameters.value)) add(parameters.pointer, operation.pointer);
    const security = fieldOf(operation, 'security') ?? fieldOf(rootOf(document), 'security');
    if (security === undefined) continue;
    add(security.pointer, operation.pointer);
    for (const { name } of itemsOf(security).flatMap(fieldsOf))
      add(joinPointer('/components/securitySchemes', schemeNameOf(document, name)), operation.pointer);
  }
  return users;
}

/** Every part around the places, and around those that need them. */
function reachedFrom(pointers: readonly string[], users: Users): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...pointers];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (isUnused(place)) continue;
    for (let part: string | undefined = place; part !== undefined && !reached.has(part); part = parentPointer(part)) {
      reached.add(part);
      waiting.push(...(users.get(part) ?? []));
    }
  }
  return reached;
}

/** Findings name the files of an author: this gives the pointers of the one document that they have become. */
function documentPointers(
  document: SourceDocument,
  objects: readonly VisitedObject[],
): (finding: SourceFinding) => readonly string[] {
  if (document.originOf === undefined) return ({ pointer }) => [pointer];
  const places = new Map<string, string[]>();
  for (const { at } of objects) {
    const { file, pointer } = originAt(document, at.pointer);
    addToList(places, `${file} ${pointer}`, at.pointer);
  }
  return ({ file, pointer }) => {
    for (let part: string | undefined = pointer; part !== undefined; part = parentPointer(part)) {
      const found = places.get(`${file} ${part}`);
      const rest = pointer.slice(part.length);
      if (found !== undefined) return found.map((place) => place + rest);
    }
    return [];
  };
}
