import { getAtPointer, parsePointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import { oasVersionOf } from './oas-version';
import type { SourceDocument } from './source-document';

/** A part of a document and where it stands. */
export interface Located<T = JsonValue> {
  readonly value: T;
  /** JSON pointer into the document, past every `$ref` that led here. */
  readonly pointer: string;
}

export type LocatedObject = Located<SchemaObject>;

/**
 * @returns the JSON pointer of a reference into the same document; `undefined` for a reference to another file, and for
 *   a fragment that is no JSON pointer (RFC 6901 §3, §6)
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

/** Says nothing about which values are allowed. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$ref',
  '$comment',
  'title',
  'summary',
  'description',
  'example',
  'examples',
  'default',
  'deprecated',
]);

/**
 * {@link resolveObject} for a schema: from OpenAPI 3.1 on, what stands beside a `$ref` counts as well (JSON Schema Core
 * §8.2.3.1), so that a schema which says more than its reference is not passed over.
 */
export function resolveSchema(document: SourceDocument, located: Located): LocatedObject | undefined {
  if (oasVersionOf(document) === '3.0') return resolveObject(document, located);
  const visited = new Set<string>();
  for (let at = located; isSchemaObject(at.value);) {
    const { value } = at;
    const reference = referenceOf(value);
    if (reference === undefined || Object.keys(value).some((name) => !ANNOTATIONS.has(name))) {
      return { value, pointer: at.pointer };
    }
    const pointer = localPointer(reference);
    const target = pointer === undefined || visited.has(pointer) ? undefined : getAtPointer(document.root, pointer);
    if (pointer === undefined || target === undefined) return undefined;
    visited.add(pointer);
    at = { value: target, pointer };
  }
  return undefined;
}
