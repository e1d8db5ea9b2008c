import { isJsonNumber, toLexeme } from './exact-number';
import { childOf, isArrayIndex, joinPointer } from './json-pointer';
import { copyJson, isJsonObject, type JsonValue, setProperty } from './json-value';

/** How large a value is, or may be. */
export interface JsonExtent {
  /** Characters of its compact text, escapes not counted. */
  readonly length: number;
  /** Levels of arrays and objects. */
  readonly depth: number;
}

/** @returns `undefined` as soon as the value is known to be larger than `most` in either way */
export function extentOf(value: JsonValue, most?: JsonExtent): JsonExtent | undefined {
  const { length: longest, depth: deepest } = most ?? { length: Infinity, depth: Infinity };
  let length = 0;
  let depth = 0;
  const measure = (part: JsonValue, level: number): boolean => {
    length += ownLength(part);
    if (length > longest) return false;
    if (Array.isArray(part) || isJsonObject(part)) {
      depth = Math.max(depth, level);
      if (level > deepest) return false;
    }
    if (Array.isArray(part)) return part.every((item) => measure(item, level + 1));
    return !isJsonObject(part) || Object.values(part).every((property) => measure(property, level + 1));
  };
  return measure(value, 1) ? { length, depth } : undefined;
}

/** Without the values in it: the brackets, commas and names of a container, the text of a scalar. */
function ownLength(value: JsonValue): number {
  if (typeof value === 'string') return value.length + 2;
  if (isJsonNumber(value)) return toLexeme(value).length;
  if (Array.isArray(value)) return value.length + 2;
  if (!isJsonObject(value)) return String(value).length;
  let length = 2;
  for (const name of Object.keys(value)) length += name.length + 4;
  return length;
}

/** What is wrong with an operation of a patch. */
type PatchErrorKind = 'malformed' | 'conflict' | 'too-large';

export class PatchError extends Error {
  readonly kind: PatchErrorKind;

  /** @param reason - the rest of a sentence about the operation */
  constructor(kind: PatchErrorKind, reason: string) {
    super(reason);
    this.name = 'PatchFault';
    this.kind = kind;
  }
}

/** A path as the pointer that it was read from; a long one is cut. */
export function shortPointer(path: readonly string[]): string {
  const pointer = path.reduce(joinPointer, '');
  return pointer.length > 200 ? `${pointer.slice(0, 200)}…` : pointer;
}

type Container = JsonValue[] | Record<string, JsonValue | undefined>;

/** Items and properties that one patch may move or copy when it changes containers: other requests wait for it. */
const MAX_MOVED = 50_000_000;

/**
 * A JSON document that the operations of a patch change, each for what it costs itself: a container is copied when it is
 * first changed, and changed in place from then on. The value that was given is never changed.
 */
export class PatchedDocument {
  private root: JsonValue;
  private readonly own = new WeakSet<object>();
  private readonly most: JsonExtent;
  private readonly mostCopied: number;
  private copied = 0;
  private moved = 0;

  /** @param mostCopied - characters of everything that is copied: a few bytes could double the document each time */
  constructor(root: JsonValue, most: JsonExtent, mostCopied: number) {
    this.root = root;
    this.most = most;
    this.mostCopied = mostCopied;
  }

  get value(): JsonValue {
    return this.root;
  }

  /** @throws PatchFault when nothing is there */
  read(path: readonly string[]): JsonValue {
    let value: JsonValue | undefined = this.root;
    for (const token of path) value = childOf(value, token);
    if (value === undefined) throw notThere(path);
    return value;
  }

  /** What is at a path, as a value of its own that can be put in elsewhere. */
  copy(path: readonly string[]): JsonValue {
    const value = this.read(path);
    const extent = extentOf(value, { ...this.most, length: this.mostCopied - this.copied });
    if (extent === undefined) {
      const levels = `or makes it deeper than ${this.most.depth} levels`;
      throw new PatchError('too-large', `copies more than ${this.mostCopied} characters of JSON in all, ${levels}`);
    }
    this.copied += extent.length;
    return copyJson(value);
  }

  add(path: readonly string[], value: JsonValue): void {
    const token = path.at(-1);
    if (token === undefined) {
      this.root = value;
      return;
    }
    const holder = this.holderOf(path);
    if (Array.isArray(holder)) this.splice(holder, indexIn(holder, token, path), 0, value);
    else setProperty(holder, token, value);
  }

  /** @throws PatchFault when nothing is there */
  replace(path: readonly string[], value: JsonValue): void {
    this.read(path);
    const token = path.at(-1);
    if (token === undefined) {
      this.root = value;
      return;
    }
    const holder = this.holderOf(path);
    if (Array.isArray(holder)) holder[Number(token)] = value;
    else setProperty(holder, token, value);
  }

  /** @throws PatchFault for the document itself, and when nothing is there */
  remove(path: readonly string[]): void {
    this.read(path);
    const token = path.at(-1);
    if (token === undefined) throw new PatchError('conflict', 'removes the whole item');
    const holder = this.holderOf(path);
    if (Array.isArray(holder)) this.splice(holder, Number(token), 1);
    else Reflect.deleteProperty(holder, token);
  }

  private splice(list: JsonValue[], index: number, removed: number, ...added: readonly JsonValue[]): void {
    this.countMoved(list.length - index);
    list.splice(index, removed, ...added);
  }

  private countMoved(items: number): void {
    this.moved += items;
    if (this.moved > MAX_MOVED) {
      throw new PatchError('too-large', 'moves too many items of a list: send the list as it is to be');
    }
  }

  /** The container of what a path names, free to be changed; every container on the way is made so. */
  private holderOf(path: readonly string[]): Container {
    let holder = this.writable(this.root, path, (copy) => {
      this.root = copy as JsonValue;
    });
    for (const token of path.slice(0, -1)) {
      const around: Container = holder;
      const inner = childOf(around as JsonValue, token);
      if (inner === undefined) throw notThere(path);
      holder = this.writable(inner, path, (copy) => {
        if (Array.isArray(around)) around[Number(token)] = copy as JsonValue;
        else setProperty(around, token, copy as JsonValue);
      });
    }
    return holder;
  }

  private writable(value: JsonValue, path: readonly string[], put: (copy: Container) => void): Container {
    if (!Array.isArray(value) && !isJsonObject(value)) {
      throw new PatchError('conflict', `names "${shortPointer(path)}", which is in no object and no list`);
    }
    if (this.own.has(value)) return value;
    this.countMoved(Object.keys(value).length);
    const copy: Container = Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value));
    this.own.add(copy);
    put(copy);
    return copy;
  }
}

export function tooLarge({ length, depth }: JsonExtent): PatchError {
  return new PatchError(
    'too-large',
    `makes the item larger than ${length} characters of JSON, or deeper than ${depth} levels`,
  );
}

function notThere(path: readonly string[]): PatchError {
  return new PatchError('conflict', `names "${shortPointer(path)}", which is not there`);
}

/** @returns an index at which a value can be put in: `-` is behind the last one (RFC 6902 §4.1) */
function indexIn(holder: readonly JsonValue[], token: string, path: readonly string[]): number {
  const index = token === '-' ? holder.length : isArrayIndex(token) ? Number(token) : -1;
  if (index < 0 || index > holder.length) {
    throw new PatchError('conflict', `names "${shortPointer(path)}", which is not an index of the array`);
  }
  return index;
}
