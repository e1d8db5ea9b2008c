import { isInteger, isJsonNumber } from '../../core/json/exact-number';
import { joinPointer } from '../../core/json/json-pointer';
import { canonicalKey, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { MATCHER_NAMES, type Matcher, type MatcherName } from './matcher';
import type { FormatDiagnostics, LocatedValue } from '../property-reader';
import { isPlaceholder, isScalar } from './placeholders';
import { scalarText } from '../../core/json/stringify-json';
import { LEAF_MATCHERS } from './leaf-matcher-reader';

/** Where a matcher stands, and so what it may say. */
export interface MatcherScope {
  readonly diagnostics: FormatDiagnostics;
  /** The value is one of a header: text, and never more than that. */
  readonly isHeader: boolean;
  /** The value is there for sure, such as an item of a list: whether it is present is no question. */
  readonly isPresent: boolean;
}

/** Of text there are no types and no items. */
const NOT_FOR_TEXT: readonly MatcherName[] = ['$type', '$nullable', '$each', '$minItems', '$unordered'];
const ABOUT_PRESENCE: readonly string[] = ['$present', '$absent', '$optional'];
/** With another one beside it, such a matcher could not say what it is there for. */
const STANDS_ALONE: readonly string[] = ['$absent', '$optional', '$nullable'];

/**
 * Reads what a value has to be: an object whose properties start with `$` is a matcher, everything else stands for itself.
 *
 * @returns `undefined` when it is not as the format wants it, which is noted
 */
export function readMatcher(placed: LocatedValue, scope: MatcherScope): Matcher | undefined {
  const { value, pointer } = placed;
  if (isJsonObject(value)) {
    const names = Object.keys(value);
    if (names.some((name) => name.startsWith('$'))) return readNamed({ value, pointer }, names, scope);
  }
  if (scope.isHeader) return readText(placed, scope);
  if (Array.isArray(value)) return { kind: 'list', items: value.flatMap((_, index) => readAt(placed, index, scope)) };
  if (!isJsonObject(value)) return { kind: 'value', value, pointer };
  const properties = Object.entries(value).flatMap(([name, property]) => {
    const at = { value: property, pointer: joinPointer(pointer, name) };
    const matcher = readMatcher(at, { ...scope, isPresent: false });
    return matcher === undefined ? [] : [{ name, matcher }];
  });
  return { kind: 'object', members: properties };
}

function readAt({ value, pointer }: LocatedValue, index: number, scope: MatcherScope): Matcher[] {
  const item = Array.isArray(value) ? (value[index] ?? null) : null;
  const matcher = readMatcher({ value: item, pointer: joinPointer(pointer, index) }, { ...scope, isPresent: true });
  return matcher === undefined ? [] : [matcher];
}

function readText({ value, pointer }: LocatedValue, { diagnostics }: MatcherScope): Matcher | undefined {
  if (typeof value === 'string' || isJsonNumber(value)) return { kind: 'value', value: scalarText(value), pointer };
  diagnostics.add(pointer, 'The value of a header is text', 'a string, or a matcher for text');
  return undefined;
}

/** Reads an object with properties that start with `$`: all of them must hold. */
function readNamed(
  { value, pointer }: LocatedValue & { readonly value: JsonObject },
  names: readonly string[],
  scope: MatcherScope,
): Matcher | undefined {
  const { diagnostics } = scope;
  const plain = names.find((name) => !name.startsWith('$'));
  if (plain !== undefined) {
    const hint = 'To compare a member whose name starts with $, put the object into $equals.';
    const message = `"${plain}" stands beside a matcher`;
    diagnostics.add(joinPointer(pointer, plain), message, 'an object with matchers or one with members', hint);
    // What is wrong with the matchers is reported at once, too: a mistyped name is often the very reason.
    for (const name of names) if (name.startsWith('$')) readOne(name, value, pointer, scope);
    return undefined;
  }
  const alone = names.find((name) => STANDS_ALONE.includes(name));
  if (alone !== undefined && names.length > 1) {
    const expected = alone === '$absent' ? 'nothing beside it' : `the other matchers inside ${alone}`;
    diagnostics.add(joinPointer(pointer, alone), `${alone} stands alone`, expected);
    return undefined;
  }
  const matchers = names.flatMap((name) => readOne(name, value, pointer, scope) ?? []);
  const [only] = matchers;
  return matchers.length === 1 ? only : { kind: 'all', matchers };
}

function readOne(name: string, object: JsonObject, parent: string, scope: MatcherScope): Matcher | undefined {
  const pointer = joinPointer(parent, name);
  const { diagnostics, isHeader, isPresent } = scope;
  const known = MATCHER_NAMES.filter((candidate) => !isHeader || !NOT_FOR_TEXT.includes(candidate));
  const found = known.find((candidate) => candidate === name);
  if (found === undefined) {
    const hint = 'A member whose name starts with $ is compared inside $equals.';
    const place = isHeader ? ' for a header' : '';
    diagnostics.addUnknownName(
      pointer,
      `There is no matcher "${name}"${place}`,
      name,
      known,
      isHeader ? undefined : hint,
    );
    return undefined;
  }
  if (isPresent && ABOUT_PRESENCE.includes(found)) {
    diagnostics.add(pointer, `${found} says nothing here: there always is a value`, 'what the value has to be');
    return undefined;
  }
  const placed = { value: object[name] ?? null, pointer };
  if (found === '$each' || found === '$minItems') return readEach(found, object, parent, scope);
  const plain = LEAF_MATCHERS.get(found);
  return plain === undefined ? readNested(found, placed, scope) : plain(placed, scope);
}

/** Matchers that hold matchers. */
function readNested(name: MatcherName, placed: LocatedValue, scope: MatcherScope): Matcher | undefined {
  if (name === '$length') return readLength(placed, scope);
  if (name === '$unordered') return readUnordered(placed, scope);
  const matcher = readMatcher(placed, { ...scope, isPresent: true });
  if (matcher === undefined) return undefined;
  if (name === '$optional') return { kind: 'optional', matcher };
  if (name === '$nullable') return { kind: 'nullable', matcher };
  if (name === '$not') return { kind: 'not', matcher };
  if (matcher.kind === 'value' && matcher.value === '') {
    const hint = 'For a list with an empty text in it write $contains: { $equals: "" }.';
    scope.diagnostics.add(placed.pointer, 'Every text contains the empty one', 'what must be contained', hint);
    return undefined;
  }
  return { kind: 'contains', matcher };
}

function readLength(placed: LocatedValue, scope: MatcherScope): Matcher | undefined {
  const { value, pointer } = placed;
  const isMatcher = isJsonObject(value) && Object.keys(value).some((name) => name.startsWith('$'));
  if (isMatcher || isWhole(value) || (typeof value === 'string' && isPlaceholder(value))) {
    const matcher = readMatcher(placed, { ...scope, isHeader: false, isPresent: true });
    return matcher === undefined ? undefined : { kind: 'length', matcher };
  }
  scope.diagnostics.add(pointer, 'This is no length', 'a whole number, or a matcher such as { $min: 1 }');
  return undefined;
}

function readEach(
  name: '$each' | '$minItems',
  object: JsonObject,
  parent: string,
  scope: MatcherScope,
): Matcher | undefined {
  const least = Object.hasOwn(object, '$minItems') ? (object['$minItems'] ?? null) : 1;
  if (name === '$minItems') {
    const pointer = joinPointer(parent, name);
    if (!Object.hasOwn(object, '$each')) {
      scope.diagnostics.add(pointer, '$minItems belongs to $each', '$length: { $min: … }');
    } else if (!isWhole(least))
      scope.diagnostics.add(pointer, 'This is no number of items', 'a whole number, 0 or above');
    return undefined;
  }
  const placed = { value: object[name] ?? null, pointer: joinPointer(parent, name) };
  const matcher = readMatcher(placed, { ...scope, isPresent: true });
  return matcher === undefined ? undefined : { kind: 'each', matcher, minItems: isWhole(least) ? Number(least) : 1 };
}

function readUnordered({ value, pointer }: LocatedValue, scope: MatcherScope): Matcher | undefined {
  const { diagnostics } = scope;
  const shape = '{ by: id, items: [ … ] }';
  if (!isJsonObject(value)) {
    diagnostics.add(pointer, '$unordered needs a member to tell the items apart by, and the items', shape);
    return undefined;
  }
  const known = ['by', 'items'];
  for (const name of Object.keys(value).filter((property) => !known.includes(property))) {
    diagnostics.addUnknownName(joinPointer(pointer, name), `$unordered has no "${name}"`, name, known);
  }
  const { by, items } = value;
  if (typeof by !== 'string' || by === '') {
    diagnostics.add(joinPointer(pointer, 'by'), '"by" names the member that tells the items apart', shape);
    return undefined;
  }
  if (!Array.isArray(items)) {
    diagnostics.add(joinPointer(pointer, 'items'), '"items" is no list', shape);
    return undefined;
  }
  const seen = new Set<string>();
  const read = items.flatMap((item, index) => {
    const at = joinPointer(joinPointer(pointer, 'items'), index);
    return readKeyedItem({ value: item, pointer: at }, by, seen, scope);
  });
  return { kind: 'unordered', by, items: read };
}

function readKeyedItem(
  { value, pointer }: LocatedValue,
  by: string,
  seen: Set<string>,
  scope: MatcherScope,
): Extract<Matcher, { kind: 'unordered' }>['items'][number][] {
  const key = isJsonObject(value) && Object.hasOwn(value, by) ? value[by] : undefined;
  if (!isScalar(key)) {
    const message = `The item has no plain value "${by}" to be told apart by`;
    scope.diagnostics.add(pointer, message, `{ ${by}: … } with a text, a number or a boolean`);
    return [];
  }
  const canonical = canonicalKey(key);
  if (seen.has(canonical)) {
    scope.diagnostics.add(pointer, `Another item has the same "${by}"`, 'items that differ in it');
    return [];
  }
  seen.add(canonical);
  const matcher = readMatcher({ value, pointer }, { ...scope, isPresent: true });
  return matcher === undefined ? [] : [{ key, pointer: joinPointer(pointer, by), matcher }];
}

function isWhole(value: JsonValue): boolean {
  return isJsonNumber(value) && isInteger(value) && Number.isSafeInteger(Number(value)) && Number(value) >= 0;
}
