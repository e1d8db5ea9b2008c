import { parsePointer } from './json-pointer';
import { equalJson, isJsonObject, type JsonObject, type JsonValue, ownProperty, setProperty } from './json-value';
import { MAX_DEPTH } from './parse-json';
import { extentOf, type JsonExtent, PatchedDocument, PatchError, shortPointer, tooLarge } from './patched-document';

/** What became of a JSON Patch; the document that was given is never changed. */
type PatchOutcome =
  | { readonly kind: 'patched'; readonly value: JsonValue }
  /** The patch itself is wrong, whatever it is applied to. */
  | { readonly kind: 'malformed'; readonly index: number; readonly reason: string }
  /** It cannot be applied to this document: a path leads nowhere, a test failed. */
  | { readonly kind: 'conflict'; readonly index: number; readonly reason: string }
  /** It would make the document larger than it may be. */
  | { readonly kind: 'too-large'; readonly index: number; readonly reason: string };

/**
 * Applies a JSON Patch (RFC 6902): its operations in their order, all of them or none. Numbers are compared as what
 * they say, so that `test` finds `1.0` equal to `1` (§4.6). It takes time that grows with the document and the patch:
 * what the operations copy is bounded (RFC 6902 §5, a few of them could make a document of any size).
 *
 * @param patch - as it was sent: what is not a list of operations is reported as malformed
 * @param most - how large the patched document may be, and everything that is copied on the way
 */
export function applyJsonPatch(document: JsonValue, patch: JsonValue, most: JsonExtent = UNBOUNDED): PatchOutcome {
  if (!Array.isArray(patch)) return { kind: 'malformed', index: 0, reason: 'must be a list of operations' };
  const length = (extentOf(document)?.length ?? 0) + (extentOf(patch)?.length ?? 0);
  const patched = new PatchedDocument(document, most, Math.min(most.length, FREELY_COPIED + COPIES * length));
  let index = 0;
  try {
    for (; index < patch.length; index++) applyOperation(patched, patch[index] ?? null);
    if (extentOf(patched.value, most) !== undefined) return { kind: 'patched', value: patched.value };
    throw tooLarge(most);
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    return { kind: error.kind, index: Math.min(index, patch.length - 1), reason: error.message };
  }
}

/** What a patch may copy: so many characters, and so many times what document and patch have together. */
const FREELY_COPIED = 64 * 1024;
const COPIES = 4;

const UNBOUNDED: JsonExtent = { length: Infinity, depth: MAX_DEPTH };

function applyOperation(document: PatchedDocument, operation: JsonValue): void {
  if (!isJsonObject(operation)) throw malformed('must be an object');
  const path = pointerOf(operation, 'path');
  switch (operation['op']) {
    case 'add':
      document.add(path, valueOf(operation));
      return;
    case 'remove':
      document.remove(path);
      return;
    case 'replace':
      document.replace(path, valueOf(operation));
      return;
    case 'move':
      move(document, pointerOf(operation, 'from'), path);
      return;
    case 'copy':
      document.add(path, document.copy(pointerOf(operation, 'from')));
      return;
    case 'test':
      if (equalJson(document.read(path), valueOf(operation))) return;
      throw new PatchError('conflict', `expects another value at "${shortPointer(path)}"`);
    default:
      throw malformed('must have an "op" of add, remove, replace, move, copy or test');
  }
}

function move(document: PatchedDocument, from: readonly string[], path: readonly string[]): void {
  const value = document.read(from);
  if (path.length > from.length && from.every((token, index) => token === path[index])) {
    throw malformed('moves a value into itself');
  }
  document.remove(from);
  document.add(path, value);
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

function malformed(reason: string): PatchError {
  return new PatchError('malformed', reason);
}

/**
 * Applies a JSON Merge Patch (RFC 7396 §2): objects are merged property by property, `null` removes, everything else
 * replaces. Only own properties are looked at. Neither value is changed.
 *
 * @returns the target itself where nothing in it becomes another
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const before: JsonObject | undefined = isJsonObject(target) ? target : undefined;
  let after: Record<string, JsonValue> | undefined = before === undefined ? {} : undefined;
  for (const [name, value] of Object.entries(patch)) {
    const own = before === undefined ? undefined : ownProperty(before, name);
    const merged = value === null ? undefined : mergePatch(own, value);
    if (merged === own) continue;
    after ??= { ...before };
    if (merged === undefined) Reflect.deleteProperty(after, name);
    else setProperty(after, name, merged);
  }
  return after ?? before ?? {};
}
