import { getAtPointer, parsePointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
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

/** Follows `$ref` after `$ref` until something else stands there. */
export function resolveReference(document: SourceDocument, located: Located): Resolution {
  const visited = new Set<string>();
  let at = located;
  for (;;) {
    const reference = referenceOf(at.value);
    if (reference === undefined) return { kind: 'resolved', at };
    const pointer = localPointer(reference);
    if (pointer === undefined) return { kind: reference.startsWith('#') ? 'malformed' : 'external', reference };
    if (visited.has(pointer)) return { kind: 'circular', reference };
    visited.add(pointer);
    const value = getAtPointer(document.root, pointer);
    if (value === undefined) return { kind: 'missing', reference };
    at = { value, pointer };
  }
}

/** The object behind any references, or `undefined` when there is none: the lints have spoken of it by then. */
export function resolveObject(document: SourceDocument, located: Located): LocatedObject | undefined {
  const resolution = resolveReference(document, located);
  if (resolution.kind !== 'resolved' || !isSchemaObject(resolution.at.value)) return undefined;
  return { value: resolution.at.value, pointer: resolution.at.pointer };
}
