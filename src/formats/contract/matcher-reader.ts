import { joinPointer } from '../../core/json/json-pointer';
import { canonicalKey, isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { FormatDiagnostics, LocatedValue } from '../decode';
import type { Bound, JsonType, Matcher, MatcherName } from './matcher';
import { isScalar, patternFault } from './placeholders';

interface MatcherScope {
  readonly diagnostics: FormatDiagnostics;
  /** The value is one of a header: text, and never more than that. */
  readonly isHeader: boolean;
}

/**
 * Maps what a value has to be: an object whose properties start with `$` is a matcher, everything else stands for itself.
 *
 * @param placed - of a contract that was compared with the schema of the format
 */
export function readMatcher(placed: LocatedValue, scope: MatcherScope): Matcher {
  const { value, pointer } = placed;
  if (Array.isArray(value)) return { kind: 'list', items: itemsOf(value, pointer).map((at) => readMatcher(at, scope)) };
  if (!isJsonObject(value)) return { kind: 'value', value: scope.isHeader ? scalarText(value) : value, pointer };
  const properties = Object.entries(value).map(([name, property]) => {
    return { name, placed: { value: property, pointer: joinPointer(pointer, name) } };
  });
  if (properties.some(({ name }) => name.startsWith('$'))) {
    const matchers = properties.flatMap(({ name, placed: at }) =>
      isOption(name) ? [] : (readNamed(name as Exclude<MatcherName, Option>, at, value, scope) ?? []),
    );
    const [only] = matchers;
    return only !== undefined && matchers.length === 1 ? only : { kind: 'all', matchers };
  }
  return {
    kind: 'object',
    members: properties.map((each) => ({ name: each.name, matcher: readMatcher(each.placed, scope) })),
  };
}

function itemsOf(items: readonly JsonValue[], pointer: string): LocatedValue[] {
  return items.flatMap((value, index) => [{ value, pointer: joinPointer(pointer, index) }]);
}

/** What stands beside a matcher, and is none itself. */
const OPTIONS = ['$minItems', '$unlessItems'] as const;
type Option = (typeof OPTIONS)[number];

function isOption(name: string): boolean {
  return OPTIONS.some((option) => option === name);
}

/** @param object - that the matcher stands in */
function readNamed(
  name: Exclude<MatcherName, Option>,
  placed: LocatedValue,
  object: JsonObject,
  scope: MatcherScope,
): Matcher | undefined {
  const { value, pointer } = placed;
  const textOf = (item: JsonValue): JsonValue => (scope.isHeader ? scalarText(item) : item);
  switch (name) {
    case '$equals':
      return { kind: 'equals', value: textOf(value), pointer };
    case '$type':
      return { kind: 'type', types: (Array.isArray(value) ? value : [value]) as JsonType[] };
    case '$pattern':
      return readPattern(value as string, pointer, scope);
    case '$format':
      return { kind: 'format', name: value as string };
    case '$enum':
      return { kind: 'enum', values: (value as JsonValue[]).map(textOf), pointer };
    case '$length':
      return { kind: 'length', matcher: readMatcher(placed, { ...scope, isHeader: false }) };
    case '$each':
      return { kind: 'each', matcher: readMatcher(placed, scope), minItems: Number(object['$minItems'] ?? 1) };
    case '$contains':
      return { kind: 'contains', matcher: readMatcher(placed, scope), ...unlessItems(object) };
    case '$unordered':
      return readUnordered(placed, scope);
    default:
      return readNested(name, placed, scope);
  }
}

function unlessItems({ $unlessItems: items }: JsonObject): { readonly unlessItems?: number } {
  return items === undefined ? {} : { unlessItems: Number(items) };
}

function readNested(
  name: Bound | '$present' | '$absent' | '$optional' | '$nullable' | '$not',
  placed: LocatedValue,
  scope: MatcherScope,
): Matcher {
  switch (name) {
    case '$present':
      return { kind: 'present' };
    case '$absent':
      return { kind: 'absent' };
    case '$optional':
      return { kind: 'optional', matcher: readMatcher(placed, scope) };
    case '$nullable':
      return { kind: 'nullable', matcher: readMatcher(placed, scope) };
    case '$not':
      return { kind: 'not', matcher: readMatcher(placed, scope) };
    default:
      return { kind: 'bound', bound: name, limit: placed.value, isOfText: scope.isHeader, pointer: placed.pointer };
  }
}

function readPattern(source: string, pointer: string, { diagnostics }: MatcherScope): Matcher {
  const fault = patternFault(source);
  if (fault !== undefined) {
    const expected = 'a regular expression of ECMAScript with the flag u';
    const hint = source.includes('${') ? 'A placeholder cannot be in a character class.' : undefined;
    diagnostics.add(pointer, `The regular expression does not compile: ${fault}`, expected, hint);
  }
  return { kind: 'pattern', source, pointer };
}

function readUnordered({ value, pointer }: LocatedValue, scope: MatcherScope): Matcher | undefined {
  const { by, items = [] } = value as { readonly by?: string; readonly items?: readonly JsonValue[] };
  if (by === undefined) return undefined;
  const seen = new Set<string>();
  const read = itemsOf(items, joinPointer(pointer, 'items')).flatMap((item) => {
    const key = keyOf(item, by, seen, scope.diagnostics);
    return key === undefined
      ? []
      : [{ key, pointer: joinPointer(item.pointer, by), matcher: readMatcher(item, scope) }];
  });
  return { kind: 'unordered', by, items: read };
}

/** What an item is distinguished by; `undefined` where it cannot be, which is noted. */
function keyOf(
  { value, pointer }: LocatedValue,
  by: string,
  seen: Set<string>,
  diagnostics: FormatDiagnostics,
): JsonValue | undefined {
  const key = isJsonObject(value) && Object.hasOwn(value, by) ? value[by] : undefined;
  if (!isScalar(key)) {
    const message = `The item has no plain value "${by}" to be distinguished by`;
    diagnostics.add(pointer, message, `{ ${by}: … } with a string, a number or a boolean`);
    return undefined;
  }
  const canonical = canonicalKey(key);
  if (seen.has(canonical)) diagnostics.add(pointer, `Another item has the same "${by}"`, 'items that differ in it');
  seen.add(canonical);
  return key;
}
