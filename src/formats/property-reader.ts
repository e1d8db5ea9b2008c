import { joinPointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json/json-value';
import { described, type FormatDiagnostics, type LocatedValue } from './decode';

/** Reads the properties of one object of a file; whatever is not as the format wants it is noted, never thrown. */
export class PropertyReader {
  readonly pointer: string;
  private readonly object: JsonObject;
  private readonly diagnostics: FormatDiagnostics;

  private constructor(object: JsonObject, pointer: string, validate: FormatDiagnostics) {
    this.object = object;
    this.pointer = pointer;
    this.diagnostics = validate;
  }

  /**
   * @param what - the noun to name it by in findings
   * @param known - properties that the format has here; any other one is rejected
   * @returns `undefined` when the value is not an object, which is noted
   */
  static open(
    { value, pointer }: LocatedValue,
    what: string,
    known: readonly string[],
    judge: FormatDiagnostics,
  ): PropertyReader | undefined {
    if (!isJsonObject(value)) {
      judge.add(
        pointer,
        `The ${what} must be an object, got ${described(value)}`,
        `an object with ${known.join(', ')}`,
      );
      return undefined;
    }
    for (const name of Object.keys(value)) {
      if (!known.includes(name)) judge.addUnknownName(joinPointer(pointer, name), `Unknown key "${name}"`, name, known);
    }
    return new PropertyReader(value, pointer, judge);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.object, name);
  }

  /** The pointer of a property, whether it is there or not. */
  at(name: string): string {
    return joinPointer(this.pointer, name);
  }

  value(name: string): JsonValue | undefined {
    return this.has(name) ? this.object[name] : undefined;
  }

  /** A string that is not empty. */
  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value !== '') return value;
    this.addExpected(name, 'a non-empty string');
    return undefined;
  }

  /** One of a few words. */
  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const known = words.find((word) => word === value);
    if (known !== undefined) return known;
    if (typeof value === 'string') {
      this.diagnostics.addUnknownName(this.at(name), `"${name}" must not be ${described(value)}`, value, words);
    } else this.addExpected(name, `one of ${words.join(', ')}`);
    return undefined;
  }

  /** A whole number from `least` to `most`. */
  whole(name: string, least: number, most: number): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    this.addExpected(name, `a whole number from ${least} to ${most}`);
    return undefined;
  }

  /** The items of a list; none when it is absent. */
  list(name: string): LocatedValue[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (Array.isArray(value))
      return value.map((item, index) => ({ value: item, pointer: joinPointer(this.at(name), index) }));
    this.addExpected(name, 'an array');
    return [];
  }

  /** One value, or the items of a list of values. */
  oneOrMore(name: string): LocatedValue[] {
    const value = this.value(name);
    if (value === undefined) return [];
    return Array.isArray(value) ? this.list(name) : [{ value, pointer: this.at(name) }];
  }

  /** The properties of a map; none when it is absent. */
  entries(name: string): (LocatedValue & { readonly name: string })[] {
    const map = this.value(name);
    if (map === undefined) return [];
    if (!isJsonObject(map)) {
      this.addExpected(name, 'an object');
      return [];
    }
    return Object.entries(map).map(([key, value]) => ({ name: key, value, pointer: joinPointer(this.at(name), key) }));
  }

  /** Adds that a property is missing, or is something else than expected. */
  addExpected(name: string, expected: string, hint?: string): void {
    const value = this.value(name);
    if (value === undefined) this.diagnostics.add(this.pointer, `The property "${name}" is missing`, expected, hint);
    else {
      const message = `"${name}" must be ${expected}, got ${described(value)}`;
      this.diagnostics.add(this.at(name), message, undefined, hint);
    }
  }
}
