import type { Matcher } from '../../formats/contract/matcher';
import { scalarText } from '../../core/json/stringify-json';
import { equalJson, isJsonObject, type JsonValue } from '../../core/json/json-value';
import { isJsonNumber } from '../../core/json/exact-number';
import { joinPointer } from '../../core/json/json-pointer';
import { counted } from '../../core/text/printable';
import { describeMatcher, type MatchOutcome, type Mismatch, type Unevaluated } from './mismatch';
import { DIFFERENT, differences, leafMismatch, LIMIT_UNUSABLE, MISSING } from './leaf-matchers';

type OfKind<Kind extends Matcher['kind']> = Extract<Matcher, { kind: Kind }>;

/**
 * Compares a value with what a contract expects of it.
 *
 * A matcher that got no occasion to check anything, because a list was empty or an optional property absent everywhere, is
 * in `unevaluated`: it holds, and says nothing of the service.
 *
 * @param matcher - with its placeholders filled in
 * @param actual - `undefined` when there is no value
 */
export function matchValue(matcher: Matcher, actual: JsonValue | undefined): MatchOutcome {
  const comparison = new Comparison();
  const mismatches = comparison.compare(matcher, actual, '');
  return { mismatches, unevaluated: comparison.unevaluated(mismatches) };
}

/** One comparison, which notes what had occasion to check. */
class Comparison {
  private readonly evaluated = new Set<Matcher>();
  private readonly unevaluatedAt = new Map<Matcher, Unevaluated>();

  compare(matcher: Matcher, actual: JsonValue | undefined, pointer: string): Mismatch[] {
    if (actual === undefined) return this.compareMissing(matcher, pointer);
    if ('matcher' in matcher) return this.compareNested(matcher, actual, pointer);
    switch (matcher.kind) {
      case 'present':
        return [];
      case 'absent':
        return [this.mismatch(matcher, actual, pointer, 'must not be there')];
      case 'equals':
        return differences(matcher.value, actual, pointer);
      case 'all':
        return matcher.matchers.flatMap((part) => this.compare(part, actual, pointer));
      case 'object':
        return this.compareObject(matcher, actual, pointer);
      case 'list':
        return this.compareItems(matcher, actual, pointer);
      case 'unordered':
        return this.compareUnordered(matcher, actual, pointer);
      default: {
        const rule = leafMismatch(matcher, actual);
        const message = rule === LIMIT_UNUSABLE ? ' cannot be compared: the limit is not a number' : undefined;
        return rule === undefined ? [] : [this.mismatch(matcher, actual, pointer, rule, message)];
      }
    }
  }

  /** What nothing was compared with; where a mismatch stands, that says enough. */
  unevaluated(mismatches: readonly Mismatch[]): Unevaluated[] {
    return [...this.unevaluatedAt]
      .filter(([matcher]) => !this.evaluated.has(matcher))
      .map(([, noted]) => noted)
      .filter(({ pointer }) => !mismatches.some((mismatch) => mismatch.pointer === pointer));
  }

  private compareMissing(matcher: Matcher, pointer: string): Mismatch[] {
    if (matcher.kind === 'absent') return [];
    if (matcher.kind !== 'optional') return [this.mismatch(matcher, undefined, pointer, MISSING.rule, MISSING.message)];
    this.noteUnevaluated(matcher.matcher, pointer, 'it is absent');
    return [];
  }

  private compareNested(
    matcher: Extract<Matcher, { matcher: Matcher }>,
    actual: JsonValue,
    pointer: string,
  ): Mismatch[] {
    switch (matcher.kind) {
      case 'optional':
        return this.evaluate(matcher.matcher, actual, pointer);
      case 'nullable':
        return actual === null ? [] : this.compare(matcher.matcher, actual, pointer);
      case 'not':
        return this.compareNot(matcher, actual, pointer);
      case 'length':
        return this.compareLength(matcher, actual, pointer);
      case 'contains':
        return this.compareContents(matcher, actual, pointer);
      case 'each':
        return this.compareEach(matcher, actual, pointer);
    }
  }

  private compareNot(matcher: OfKind<'not'>, actual: JsonValue, pointer: string): Mismatch[] {
    const isOther = this.compare(matcher.matcher, actual, pointer).length > 0;
    return isOther ? [] : [this.mismatch(matcher, actual, pointer, 'is what it must not be')];
  }

  private compareObject(matcher: OfKind<'object'>, actual: JsonValue, pointer: string): Mismatch[] {
    if (!isJsonObject(actual)) return [this.mismatch(matcher, actual, pointer, DIFFERENT)];
    return matcher.members.flatMap((property) => {
      const found = Object.hasOwn(actual, property.name) ? actual[property.name] : undefined;
      return this.compare(property.matcher, found, joinPointer(pointer, property.name));
    });
  }

  private compareLength(matcher: OfKind<'length'>, actual: JsonValue, pointer: string): Mismatch[] {
    // Characters are code points, as in schemas (JSON Schema Validation §6.3.1).
    const length =
      typeof actual === 'string' ? Array.from(actual).length : Array.isArray(actual) ? actual.length : undefined;
    if (length === undefined) return [this.mismatch(matcher, actual, pointer, 'is neither a text nor a list')];
    if (this.compare(matcher.matcher, length, pointer).length === 0) return [];
    const message = `: expected ${describeMatcher(matcher)}, got ${length}`;
    return [this.mismatch(matcher, actual, pointer, `has a length of ${length}`, message)];
  }

  private compareItems(matcher: OfKind<'list'>, actual: JsonValue, pointer: string): Mismatch[] {
    const { items } = matcher;
    if (!Array.isArray(actual)) return [this.mismatch(matcher, actual, pointer, DIFFERENT)];
    if (actual.length !== items.length) {
      return [{ pointer, ...wrongCount(actual.length, items.length), expected: undefined, actual }];
    }
    return items.flatMap((item, index) => this.compare(item, actual[index], joinPointer(pointer, index)));
  }

  private compareEach(matcher: OfKind<'each'>, actual: JsonValue, pointer: string): Mismatch[] {
    if (!Array.isArray(actual)) return [this.mismatch(matcher, actual, pointer, 'is no list')];
    if (actual.length === 0) this.noteUnevaluated(matcher.matcher, pointer, 'the list is empty');
    if (actual.length < matcher.minItems) {
      const rule = `has ${actual.length} items, not at least ${matcher.minItems}`;
      const message = `: expected at least ${counted(matcher.minItems, 'item')}, got ${actual.length}`;
      return [this.mismatch(matcher, actual, pointer, rule, message)];
    }
    return actual.flatMap((item, index) => this.evaluate(matcher.matcher, item, joinPointer(pointer, index)));
  }

  private compareContents(matcher: OfKind<'contains'>, actual: JsonValue, pointer: string): Mismatch[] {
    const { unlessItems } = matcher;
    if (!Array.isArray(actual) && unlessItems !== undefined)
      return [this.mismatch(matcher, actual, pointer, 'is no list')];
    if (typeof actual === 'string') return this.compareText(matcher, actual, pointer);
    if (!Array.isArray(actual)) return [this.mismatch(matcher, actual, pointer, 'is neither a list nor a text')];
    const isFound = actual.some((item, index) => {
      const trial = new Comparison();
      const isSuch = trial.compare(matcher.matcher, item, joinPointer(pointer, index)).length === 0;
      // What was tried on other items has no bearing on this one.
      if (isSuch) this.merge(trial);
      return isSuch;
    });
    if (isFound) {
      this.evaluated.add(matcher.matcher);
      return [];
    }
    if (unlessItems === undefined || actual.length < unlessItems)
      return [this.mismatch(matcher, actual, pointer, 'has no such item')];
    const reason = `the list has ${counted(actual.length, 'item')} and not this one, which may be behind them`;
    this.noteUnevaluated(matcher.matcher, pointer, reason, 'Filter or sort the list so that the item comes first.');
    return [];
  }

  private compareText(matcher: OfKind<'contains'>, actual: string, pointer: string): Mismatch[] {
    const wanted = matcher.matcher.kind === 'value' ? matcher.matcher.value : undefined;
    const text = typeof wanted === 'string' || isJsonNumber(wanted) ? scalarText(wanted) : undefined;
    if (text === undefined) return [this.mismatch(matcher, actual, pointer, 'is a text and no list')];
    // Every text contains the empty one, which a captured value may be: that would be no comparison.
    if (text === '') {
      const rule = 'cannot be searched for an empty text';
      return [this.mismatch(matcher, actual, pointer, rule, ' cannot be searched for an empty string')];
    }
    return actual.includes(text) ? [] : [this.mismatch(matcher, actual, pointer, 'does not contain it')];
  }

  private compareUnordered(matcher: OfKind<'unordered'>, actual: JsonValue, pointer: string): Mismatch[] {
    const { by, items } = matcher;
    if (!Array.isArray(actual)) return [this.mismatch(matcher, actual, pointer, 'is no list')];
    const hasKey = (item: JsonValue, key: JsonValue): boolean =>
      isJsonObject(item) && Object.hasOwn(item, by) && equalJson(item[by] ?? null, key);
    const compared = items.flatMap(({ key, matcher: wanted }) => {
      const [index, another] = actual.flatMap((item, at) => (hasKey(item, key) ? [at] : []));
      if (index !== undefined && another === undefined) {
        return this.compare(wanted, actual[index], joinPointer(pointer, index));
      }
      const rule = `has ${index === undefined ? 'no item' : 'several items'} whose ${by} is ${scalarText(key)}`;
      return [this.mismatch(matcher, actual, pointer, rule, ` ${rule}`)];
    });
    const more = actual.flatMap((item, index) => {
      if (items.some(({ key }) => hasKey(item, key))) return [];
      const rule = 'is an item that is not expected';
      return [this.mismatch(matcher, item, joinPointer(pointer, index), rule, ` ${rule}`)];
    });
    if (compared.length > 0 || more.length > 0 || actual.length === items.length) return [...compared, ...more];
    // Two captured values that are the same stand for one item, where two were expected.
    const { rule, message } = wrongCount(actual.length, items.length);
    return [this.mismatch(matcher, actual, pointer, rule, message)];
  }

  private evaluate(matcher: Matcher, actual: JsonValue, pointer: string): Mismatch[] {
    this.evaluated.add(matcher);
    return this.compare(matcher, actual, pointer);
  }

  private merge({ evaluated, unevaluatedAt }: Comparison): void {
    for (const matcher of evaluated) this.evaluated.add(matcher);
    for (const [matcher, noted] of unevaluatedAt)
      if (!this.unevaluatedAt.has(matcher)) this.unevaluatedAt.set(matcher, noted);
  }

  private noteUnevaluated(matcher: Matcher, pointer: string, reason: string, hint?: string): void {
    if (!this.unevaluatedAt.has(matcher))
      this.unevaluatedAt.set(matcher, { pointer, reason, expected: describeMatcher(matcher), hint });
  }

  private mismatch(
    matcher: Matcher,
    actual: JsonValue | undefined,
    pointer: string,
    rule: string,
    message?: string,
  ): Mismatch {
    const wanted = matcher.kind === 'value' ? matcher.value : undefined;
    return { pointer, rule, message, wanted, expected: describeMatcher(matcher), actual };
  }
}

function wrongCount(actual: number, expected: number): Pick<Mismatch, 'rule' | 'message'> {
  return {
    rule: `has ${actual} items, not ${expected}`,
    message: `: expected ${counted(expected, 'item')}, got ${actual}`,
  };
}
