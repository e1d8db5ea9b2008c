import { equalJson } from '../../json/equal-json';
import { joinPointer } from '../../json/json-pointer';
import { isJsonObject, type JsonValue } from '../../json/json-value';

/** A part of a value that is not what was expected. */
export interface Mismatch {
  /** JSON pointer into the actual value. */
  readonly pointer: string;
  /** `undefined` when it is the number of items that differs. */
  readonly expected: JsonValue | undefined;
  readonly actual: JsonValue | undefined;
  readonly message: string;
}

/**
 * Compares what was expected with what came. An object needs the expected members and may have others; a list needs
 * as many items as expected, each compared in the same way; everything else must be equal, numbers by value.
 */
export function mismatches(expected: JsonValue, actual: JsonValue | undefined, pointer = ''): Mismatch[] {
  if (actual === undefined) return [{ pointer, expected, actual, message: 'is missing' }];
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const lengths = `has ${actual.length} items, not ${expected.length}`;
    if (actual.length !== expected.length) return [{ pointer, expected: undefined, actual, message: lengths }];
    return expected.flatMap((item, index) => mismatches(item, actual[index], joinPointer(pointer, index)));
  }
  if (isJsonObject(expected) && isJsonObject(actual)) {
    return Object.entries(expected).flatMap(([name, member]) => {
      const found = Object.hasOwn(actual, name) ? actual[name] : undefined;
      return mismatches(member, found, joinPointer(pointer, name));
    });
  }
  return equalJson(expected, actual) ? [] : [{ pointer, expected, actual, message: 'is another one than expected' }];
}
