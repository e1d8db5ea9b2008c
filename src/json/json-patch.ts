import { equalJson } from './equal-json';
import { parsePointer } from './json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from './json-value';

/** What became of a JSON Patch; the document that was given is never changed. */
export type PatchOutcome =
  | { readonly kind: 'patched'; readonly value: JsonValue }
  /** The patch itself is wrong, whatever it is applied to. */
  | { readonly kind: 'malformed'; readonly index: number; readonly reason: string }
  /** It cannot be applied to this document: a path leads nowhere, a test failed. */
  | { readonly kind: 'conflict'; readonly index: number; readonly reason: string };

class PatchFault extends Error {
  readonly kind: 'malformed' | 'conflict';

  constructor(kind: 'malformed' | 'conflict', reason: string) {
    super(reason);
    this.name = 'PatchFault';
    this.kind = kind;
  }
}

/**
 * Applies a JSON Patch (RFC 6902): its operations in their order, all of them or none. Numbers are compared as what
 * they say, so that `test` finds `1.0` equal to `1` (§4.6).
 *
 * @param patch - as it was sent: what is no list of operations is told as malformed
 */
export function applyJsonPatch(document: JsonValue, patch: JsonValue): PatchOutcome {
  if (!Array.isArray(patch)) return { kind: 'malformed', index: 0, reason: 'must be a list of operations' };
  let value = document;
  for (const [index, operation] of patch.entries()) {
    try {
      value = applyOperation(value, operation);
    } catch (error) {
      if (!(error instanceof PatchFault)) throw error;
      return { kind: error.kind, index, reason: error.message };
    }
  }
  return { kind: 'patched', value };
}

function applyOperation(document: JsonValue, operation: JsonValue): JsonValue {
  if (!isJsonObject(operation)) throw malformed('must be an object');
  const path = pointerOf(operation, 'path');
  switch (operation['op']) {
    case 'add':
      return add(document, path, valueOf(operation));
    case 'remove':
      return remove(document, path);
    case 'replace':
      read(document, path);
      return path.length === 0 ? valueOf(operation) : add(remove(document, path), path, valueOf(operation));
    case 'move': {
      const from = pointerOf(operation, 'from');
      const value = read(document, from);
      if (path.length > from.length && from.every((token, index) => token === path[index])) {
        throw malformed('moves a value into itself');
      }
      return add(remove(document, from), path, value);
    }
    case 'copy':
      return add(document, path, read(document, pointerOf(operation, 'from')));
    case 'test':
      if (equalJson(read(document, path), valueOf(operation))) return document;
      throw conflict(`expects another value at "${shown(path)}"`);
    default:
      throw malformed('must have an "op" of add, remove, replace, move, copy or test');
  }
}

function pointerOf(operation: JsonObject, name: 'path' | 'from'): string[] {
  const text = Object.hasOwn(operation, name) ? operation[name] : undefined;
  if (typeof text !== 'string') throw malformed(`must have a "${name}" that is a JSON pointer`);
  try {
    return parsePointer(text);
  } catch {
    throw malformed(`must have a "${name}" that is a JSON pointer, which "${text}" is not`);
  }
}

function valueOf(operation: JsonObject): JsonValue {
  const value = Object.hasOwn(operation, 'value') ? operation['value'] : undefined;
  if (value === undefined) throw malformed('must have a "value"');
  return value;
}

function read(document: JsonValue, path: readonly string[]): JsonValue {
  let value: JsonValue | undefined = document;
  for (const token of path) {
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
    if (value === undefined) throw conflict(`names "${shown(path)}", which is not there`);
  }
  return value;
}

/** A copy of the document with what `edit` makes of the value that holds the last token of the path. */
function within(
  document: JsonValue,
  path: readonly string[],
  edit: (holder: JsonValue, token: string) => JsonValue,
  depth = 0,
): JsonValue {
  const token = path[depth] ?? '';
  if (depth === path.length - 1) return edit(document, token);
  const inner = within(read(document, [token]), path, edit, depth + 1);
  if (Array.isArray(document)) return document.with(Number(token), inner);
  return Object.fromEntries(new Map(Object.entries(document as JsonObject)).set(token, inner));
}

function add(document: JsonValue, path: readonly string[], value: JsonValue): JsonValue {
  if (path.length === 0) return value;
  return within(document, path, (holder, token) => {
    if (Array.isArray(holder)) return holder.toSpliced(indexIn(holder, token, path), 0, value);
    if (!isJsonObject(holder)) throw conflict(`names "${shown(path)}", which is in no object and no list`);
    return Object.fromEntries(new Map(Object.entries(holder)).set(token, value));
  });
}

/** @returns an index at which a value can be put in: `-` is behind the last one (RFC 6902 §4.1) */
function indexIn(holder: readonly JsonValue[], token: string, path: readonly string[]): number {
  const index = token === '-' ? holder.length : /^(?:0|[1-9]\d*)$/.test(token) ? Number(token) : -1;
  if (index < 0 || index > holder.length) throw conflict(`names "${shown(path)}", which is no place of the list`);
  return index;
}

function remove(document: JsonValue, path: readonly string[]): JsonValue {
  read(document, path);
  if (path.length === 0) throw conflict('removes the whole item');
  return within(document, path, (holder, token) => {
    if (Array.isArray(holder)) return holder.toSpliced(Number(token), 1);
    return Object.fromEntries(Object.entries(holder as JsonObject).filter(([name]) => name !== token));
  });
}

function shown(path: readonly string[]): string {
  return path.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function malformed(reason: string): PatchFault {
  return new PatchFault('malformed', reason);
}

function conflict(reason: string): PatchFault {
  return new PatchFault('conflict', reason);
}
