import { getAtPointer, joinPointer, parsePointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { ANNOTATIONS, isSchemaObject, type SchemaObject } from '../../schema/schema-object';
import { oasVersionOf, type SourceDocument } from './source-document';

/** A part of a document and where it stands. */
export interface Located<T = JsonValue> {
  readonly value: T;
  /** JSON pointer into the document, past every `$ref` that led here. */
  readonly pointer: string;
}

export type LocatedObject = Located<SchemaObject>;

/**
 * @returns the JSON pointer of a reference into the same document; `undefined` for a reference to another file, and for
 *   a fragment that is not JSON pointer (RFC 6901 §3, §6)
 */
export function localPointer(reference: string): string | undefined {
  if (!reference.startsWith('#')) return undefined;
  try {
    const pointer = decodeURIComponent(reference.slice(1));
    parsePointer(pointer);
    return pointer;
  } catch {
    return undefined;
  }
}

/** Is this a Reference Object (OAS 3.0.3 §4.7.23)? */
export function referenceOf(value: JsonValue | undefined): string | undefined {
  if (!isSchemaObject(value)) return undefined;
  const reference = value['$ref'];
  return typeof reference === 'string' ? reference : undefined;
}

export type Resolution =
  | { readonly kind: 'resolved'; readonly at: Located }
  | { readonly kind: 'external' | 'malformed' | 'missing' | 'circular'; readonly reference: string };

type Target = Located | 'malformed' | 'external' | 'missing';

/** By the root of a document, which nobody changes: large ones refer to the same few parts thousands of times. */
const targets = new WeakMap<object, Map<string, Target>>();

function targetOf({ root }: SourceDocument, reference: string): Target {
  if (typeof root !== 'object' || root === null) return findTarget(root, reference);
  let known = targets.get(root);
  if (known === undefined) targets.set(root, (known = new Map<string, Target>()));
  let target = known.get(reference);
  if (target === undefined) known.set(reference, (target = findTarget(root, reference)));
  return target;
}

function findTarget(root: JsonValue, reference: string): Target {
  const pointer = localPointer(reference);
  if (pointer === undefined) return reference.startsWith('#') ? 'malformed' : 'external';
  const value = getAtPointer(root, pointer);
  return value === undefined ? 'missing' : { value, pointer };
}

/** Follows `$ref` after `$ref` until something else stands there. */
export function resolveReference(document: SourceDocument, located: Located): Resolution {
  if (referenceOf(located.value) === undefined) return { kind: 'resolved', at: located };
  const visited = new Set<string>();
  let at = located;
  for (;;) {
    const reference = referenceOf(at.value);
    if (reference === undefined) return { kind: 'resolved', at };
    const target = targetOf(document, reference);
    if (typeof target === 'string') return { kind: target, reference };
    if (visited.has(target.pointer)) return { kind: 'circular', reference };
    visited.add(target.pointer);
    at = target;
  }
}

/** The object behind any references, or `undefined` when there is none: the lints have spoken of it by then. */
export function resolveObject(document: SourceDocument, located: Located): LocatedObject | undefined {
  const { value, pointer } = located;
  if (isSchemaObject(value) && referenceOf(value) === undefined) return { value, pointer };
  const resolution = resolveReference(document, located);
  if (resolution.kind !== 'resolved' || !isSchemaObject(resolution.at.value)) return undefined;
  return { value: resolution.at.value, pointer: resolution.at.pointer };
}

const SILENT: ReadonlySet<string> = new Set(['$ref', ...ANNOTATIONS]);

/**
 * What a place of the description says of a value: what stands beside a `$ref` there, which counts from OpenAPI 3.1 on (JSON
 * Schema Core §8.2.3.1) and is ignored before (OAS 3.0.3 §4.7.23), and what it leads to, which comes last. Each once, so
 * that a circle ends; a place with words for people alone beside its reference is passed over.
 */
export function schemasAt(document: SourceDocument, located: Located): LocatedObject[] {
  const found: LocatedObject[] = [];
  const visited = new Set<string>();
  for (let at: Target = located; typeof at !== 'string' && isSchemaObject(at.value) && !visited.has(at.pointer);) {
    const { value, pointer }: Located = at;
    const reference = referenceOf(value);
    if (reference === undefined) return [...found, { value, pointer }];
    const saysMore = Object.keys(value).some((keyword) => !SILENT.has(keyword));
    if (saysMore && oasVersionOf(document) !== '3.0') found.push({ value, pointer });
    visited.add(pointer);
    at = targetOf(document, reference);
  }
  return found;
}

/** {@link resolveObject} for a schema: a place that says more than its reference is not passed over, see {@link schemasAt}. */
export function resolveSchema(document: SourceDocument, located: Located): LocatedObject | undefined {
  return schemasAt(document, located)[0];
}

/** Keywords that say something of the parts of a value, and not only of the whole. */
const OF_PARTS: ReadonlySet<string> = new Set([
  ...[
    'properties',
    'required',
    'patternProperties',
    'additionalProperties',
    'dependentSchemas',
    'items',
    'prefixItems',
  ],
  ...['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else'],
]);

/** {@link resolveSchema} for who looks at the parts of a value: only what says something of them is not passed over. */
export function resolveParts(document: SourceDocument, located: Located): LocatedObject | undefined {
  return firstOfParts(schemasAt(document, located));
}

/** The same for one that {@link schemasAt} was asked of. */
export function firstOfParts(schemas: readonly LocatedObject[]): LocatedObject | undefined {
  return schemas.find(
    ({ value }) => referenceOf(value) === undefined || Object.keys(value).some((keyword) => OF_PARTS.has(keyword)),
  );
}

/** The methods of a Path Item Object (OAS 3.0.3 §4.7.9), in the order people read them. */
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** An Operation Object before anything was made of it. */
export interface RawOperation {
  /** Path template as written. */
  readonly path: string;
  /** Upper case. */
  readonly method: string;
  readonly operation: LocatedObject;
  /** Does it stand under `additionalOperations` (OAS 3.2.0 §4.9)? */
  readonly isAdditional: boolean;
  readonly pathItem: LocatedObject;
}

/** The property of an object, with its pointer. Own properties only. */
export function fieldOf(parent: Located, name: string): Located | undefined {
  if (!isSchemaObject(parent.value) || !Object.hasOwn(parent.value, name)) return undefined;
  const value = parent.value[name];
  return value === undefined ? undefined : { value, pointer: joinPointer(parent.pointer, name) };
}

/** The property behind any references, when it is an object. */
export function objectField(document: SourceDocument, parent: Located, name: string): LocatedObject | undefined {
  const found = fieldOf(parent, name);
  return found === undefined ? undefined : resolveObject(document, found);
}

/** Every property of a map, with its name and pointer. */
export function fieldsOf(parent: Located | undefined): (Located & { readonly name: string })[] {
  if (parent === undefined || !isSchemaObject(parent.value)) return [];
  return Object.entries(parent.value).map(([name, value]) => ({
    name,
    value,
    pointer: joinPointer(parent.pointer, name),
  }));
}

/** Every item of a list, with its pointer. */
export function itemsOf(parent: Located | undefined): Located[] {
  if (parent === undefined || !Array.isArray(parent.value)) return [];
  return parent.value.map((value, index) => ({
    value,
    pointer: joinPointer(parent.pointer, String(index)),
  }));
}

export function rootOf(document: SourceDocument): Located {
  return { value: document.root, pointer: '' };
}

/** Every operation, in document order of the paths. */
export function rawOperations(document: SourceDocument): RawOperation[] {
  const hasQuery = oasVersionOf(document) === '3.2';
  return fieldsOf(fieldOf(rootOf(document), 'paths')).flatMap(({ name: path, ...located }) => {
    const pathItem = path.startsWith('/') ? resolveObject(document, located) : undefined;
    if (pathItem === undefined) return [];
    const named = (hasQuery ? [...METHODS, 'query'] : METHODS).map(
      (method) => [method.toUpperCase(), objectField(document, pathItem, method), false] as const,
    );
    // OAS 3.2.0 §4.9: other methods stand there as they are sent.
    const others = hasQuery ? fieldsOf(fieldOf(pathItem, 'additionalOperations')) : [];
    const added = others.map(({ name, ...at }) => [name, resolveObject(document, at), true] as const);
    return [...named, ...added].flatMap(([method, operation, isAdditional]) =>
      operation === undefined ? [] : [{ path, method, operation, pathItem, isAdditional }],
    );
  });
}

/** Parameters of an operation with those of its path item, the operation's own winning (OAS 3.0.3 §4.7.9). */
export function rawParameters(document: SourceDocument, { operation, pathItem }: RawOperation): LocatedObject[] {
  const byIdentity = new Map<string, LocatedObject>();
  for (const owner of [pathItem, operation]) {
    for (const item of itemsOf(fieldOf(owner, 'parameters'))) {
      const parameter = resolveObject(document, item);
      if (parameter === undefined) continue;
      const { name, in: location } = parameter.value;
      byIdentity.set(JSON.stringify([stringOr(location, ''), stringOr(name, '')]), parameter);
    }
  }
  return [...byIdentity.values()];
}

/** The text of a property, for messages and look-ups; `fallback` for anything that is not a text. */
export function stringOr(value: JsonValue | undefined, fallback: string): string {
  return typeof value === 'string' ? value : fallback;
}
