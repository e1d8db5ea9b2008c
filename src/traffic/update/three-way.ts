import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty, equalOrAbsent } from '../../core/json/json-value';

/** What of a person's file cannot be changed without losing something of hers, by JSON pointers into her file. */
export interface Handwriting {
  /** Is it repeated elsewhere by an alias, so that a change would be one there as well? */
  isRepeated(pointer: string): boolean;
  /** Are there comments of hers, or anchors that something refers to, inside of the value? */
  holdsOwnInside(pointer: string): boolean;
  /** Or beside it: before it, or behind it on its line? */
  holdsOwn(pointer: string): boolean;
  /** Is it taken or left as a whole, because it is written as an alias, or in braces with comments of hers? */
  isWhole(pointer: string): boolean;
}

/** Something that a merge has to tell of; the path is below where the merge began. */
export interface ValueNote {
  readonly path: readonly string[];
}

export interface ValueConflict extends ValueNote {
  /** What the file has; `undefined` where it has nothing any more. */
  readonly theirs: JsonValue | undefined;
  /** What the new version has. */
  readonly ours: JsonValue | undefined;
  readonly reason: ConflictReason;
}

/**
 * Why hers stayed: she changed it and so did the recording; it has a comment of hers that would go with it; it is
 * repeated by an alias.
 */
export type ConflictReason = 'both' | 'comment' | 'alias';

export interface ValueMerge {
  readonly value: JsonValue | undefined;
  /** What she changed and the recording did not. */
  readonly kept: readonly ValueNote[];
  /** What was taken from the recording. */
  readonly changed: readonly ValueNote[];
  readonly conflicts: readonly ValueConflict[];
}

/**
 * Merges three versions of a value, property by property. Lists are merged by index where none of them got longer or
 * shorter, and a matcher (`{ $type: … }`) as one value: parts of two conditions make a third that nobody wrote.
 *
 * @param pointer - of her version, in her file
 */
export function mergeValues(versions: Versions, pointer: string, handwriting: Handwriting): ValueMerge {
  const merge = new Merge(handwriting);
  const value = merge.value(versions, { pointer, path: [] });
  return { value, kept: merge.kept, changed: merge.changed, conflicts: merge.conflicts };
}

/** `undefined` for a version that has no such value. */
interface Versions {
  readonly base: JsonValue | undefined;
  readonly theirs: JsonValue | undefined;
  readonly ours: JsonValue | undefined;
}

interface Place {
  readonly pointer: string;
  readonly path: readonly string[];
}

class Merge {
  readonly kept: ValueNote[] = [];
  readonly changed: ValueNote[] = [];
  readonly conflicts: ValueConflict[] = [];
  private readonly handwriting: Handwriting;

  constructor(handwriting: Handwriting) {
    this.handwriting = handwriting;
  }

  value(versions: Versions, place: Place): JsonValue | undefined {
    const { base, theirs, ours } = versions;
    // The same value may be written in another way, as 2.5 and 2.50 are, and in another order.
    if (equalOrAbsent(theirs, ours)) return equalOrAbsent(base, theirs) ? ours : theirs;
    if (equalOrAbsent(base, ours)) return this.keep(versions, place);
    const reason = this.hindrance(versions, place.pointer);
    if (reason === undefined && equalOrAbsent(base, theirs)) {
      this.changed.push(...differences(theirs, ours, place.path).map((path) => ({ path })));
      return ours;
    }
    const inside =
      this.handwriting.isWhole(place.pointer) || reason === 'alias' ? undefined : this.parts(versions, place);
    if (inside !== undefined) return inside;
    const isHersAlone = reason !== undefined && (reason === 'alias' || equalOrAbsent(base, theirs));
    this.conflicts.push({ path: place.path, theirs, ours, reason: isHersAlone ? reason : 'both' });
    return theirs;
  }

  private keep({ base, theirs }: Versions, { path }: Place): JsonValue | undefined {
    this.kept.push(...differences(base, theirs, path).map((changed) => ({ path: changed })));
    return theirs;
  }

  /** Why the value of the recording cannot take the place of hers, even where she did not change it. */
  private hindrance({ theirs, ours }: Versions, pointer: string): ConflictReason | undefined {
    if (theirs === undefined) return undefined;
    if (this.handwriting.isRepeated(pointer)) return 'alias';
    const isLost = ours === undefined ? this.handwriting.holdsOwn(pointer) : this.handwriting.holdsOwnInside(pointer);
    return isLost ? 'comment' : undefined;
  }

  private parts({ base, theirs, ours }: Versions, place: Place): JsonValue | undefined {
    const at = (name: string): Place => ({
      pointer: joinPointer(place.pointer, name),
      path: [...place.path, name],
    });
    if (isPlainObject(theirs) && isPlainObject(ours)) {
      const before = isPlainObject(base) ? base : {};
      const names = mergedOrder(Object.keys(before), Object.keys(theirs), Object.keys(ours));
      const entries = names.map((name) => {
        const [old, hers, now] = [before, theirs, ours].map((object) => ownProperty(object, name));
        return [name, this.value({ base: old, theirs: hers, ours: now }, at(name))] as const;
      });
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as JsonObject;
    }
    if (!Array.isArray(base) || !Array.isArray(theirs) || !Array.isArray(ours)) return undefined;
    if (base.length !== theirs.length || base.length !== ours.length) return undefined;
    return theirs.map((hers, index) => {
      return this.value({ base: base[index], theirs: hers, ours: ours[index] }, at(String(index))) ?? null;
    });
  }
}

/** An object whose properties mean something each; those of a matcher mean something together. */
function isPlainObject(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && !Object.keys(value).some((name) => name.startsWith('$'));
}

/** Paths of the smallest parts in which two values differ. */
function differences(
  one: JsonValue | undefined,
  other: JsonValue | undefined,
  path: readonly string[],
): (readonly string[])[] {
  if (equalOrAbsent(one, other)) return [];
  if (isPlainObject(one) && isPlainObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) => differences(ownProperty(one, name), ownProperty(other, name), [...path, name]));
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length === other.length) {
    return one.flatMap((item, index) => differences(item, other[index], [...path, String(index)]));
  }
  return [path];
}

/**
 * The names of two versions in one order: as the new version has them where she left the order alone; else as she has
 * them, each new name behind the one that it follows in the new version.
 */
export function mergedOrder(base: readonly string[], theirs: readonly string[], ours: readonly string[]): string[] {
  const isAsGenerated = base.length === theirs.length && base.every((name, index) => theirs[index] === name);
  if (isAsGenerated) return [...ours, ...theirs.filter((name) => !ours.includes(name))];
  const merged = [...theirs];
  ours.forEach((name, index) => {
    if (merged.includes(name)) return;
    const before = ours.slice(0, index).findLast((other) => merged.includes(other));
    merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, name);
  });
  return merged;
}
