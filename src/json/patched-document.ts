import { extentOf, type JsonExtent } from './json-extent';
import { setMember } from './member';
import { PatchFault, shownPath } from './patch-fault';
import { isJsonObject, type JsonValue } from './json-value';

type Container = JsonValue[] | Record<string, JsonValue | undefined>;

/** So many items of lists may be moved up or down by one patch: others wait for it. */
const MOST_MOVED = 50_000_000;

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
    for (const token of path) {
      if (Array.isArray(value)) value = isIndex(token) ? value[Number(token)] : undefined;
      else value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
      if (value === undefined) throw new PatchFault('conflict', `names "${shownPath(path)}", which is not there`);
    }
    return value;
  }

  /** What is at a path, as a value of its own that can be put in elsewhere. */
  copy(path: readonly string[]): JsonValue {
    const value = this.read(path);
    const extent = extentOf(value, { ...this.most, length: this.mostCopied - this.copied });
    if (extent === undefined) {
      const levels = `or makes it deeper than ${this.most.depth} levels`;
      throw new PatchFault('too-large', `copies more than ${this.mostCopied} characters of JSON in all, ${levels}`);
    }
    this.copied += extent.length;
    return structuredCopy(value);
  }

  add(path: readonly string[], value: JsonValue): void {
    const token = path.at(-1);
    if (token === undefined) {
      this.root = value;
      return;
    }
    const holder = this.holderOf(path);
    if (Array.isArray(holder)) this.splice(holder, indexIn(holder, token, path), 0, value);
    else setMember(holder, token, value);
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
    else setMember(holder, token, value);
  }

  /** @throws PatchFault for the document itself, and when nothing is there */
  remove(path: readonly string[]): void {
    this.read(path);
    const token = path.at(-1);
    if (token === undefined) throw new PatchFault('conflict', 'removes the whole item');
    const holder = this.holderOf(path);
    if (Array.isArray(holder)) this.splice(holder, Number(token), 1);
    else Reflect.deleteProperty(holder, token);
  }

  private splice(list: JsonValue[], index: number, removed: number, ...added: readonly JsonValue[]): void {
    this.moved += list.length - index;
    if (this.moved > MOST_MOVED) {
      throw new PatchFault('too-large', 'moves too many items of a list: send the list as it is to be');
    }
    list.splice(index, removed, ...added);
  }

  /** The container of what a path names, free to be changed; every container on the way is made so. */
  private holderOf(path: readonly string[]): Container {
    let holder = this.writable(this.root, path, (copy) => {
      this.root = copy as JsonValue;
    });
    for (const token of path.slice(0, -1)) {
      const around: Container = holder;
      const inner = Array.isArray(around) ? around[isIndex(token) ? Number(token) : -1] : ownMember(around, token);
      if (inner === undefined) throw new PatchFault('conflict', `names "${shownPath(path)}", which is not there`);
      holder = this.writable(inner, path, (copy) => {
        if (Array.isArray(around)) around[Number(token)] = copy as JsonValue;
        else setMember(around, token, copy as JsonValue);
      });
    }
    return holder;
  }

  private writable(value: JsonValue, path: readonly string[], put: (copy: Container) => void): Container {
    if (!Array.isArray(value) && !isJsonObject(value)) {
      throw new PatchFault('conflict', `names "${shownPath(path)}", which is in no object and no list`);
    }
    if (this.own.has(value)) return value;
    const copy: Container = Array.isArray(value) ? [...value] : Object.fromEntries(Object.entries(value));
    this.own.add(copy);
    put(copy);
    return copy;
  }
}

export function tooLarge({ length, depth }: JsonExtent): PatchFault {
  return new PatchFault(
    'too-large',
    `makes the item larger than ${length} characters of JSON, or deeper than ${depth} levels`,
  );
}

function structuredCopy(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, structuredCopy(member)]));
}

function ownMember(object: Record<string, JsonValue | undefined>, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function isIndex(token: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(token);
}

/** @returns an index at which a value can be put in: `-` is behind the last one (RFC 6902 §4.1) */
function indexIn(holder: readonly JsonValue[], token: string, path: readonly string[]): number {
  const index = token === '-' ? holder.length : isIndex(token) ? Number(token) : -1;
  if (index < 0 || index > holder.length) {
    throw new PatchFault('conflict', `names "${shownPath(path)}", which is no place of the list`);
  }
  return index;
}
