import { similarName } from '../errors/similar-name';
import type { SourceFinding } from '../errors/source-finding';
import { joinPointer } from '../json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { findingAt, type SourceDocument } from '../openapi/source-document';

/** A value of a file, with its place. */
export interface PlacedValue {
  readonly value: JsonValue;
  readonly pointer: string;
}

/** Notes what does not fit a format, each with file, line and column. */
export class FormatJudge {
  readonly findings: SourceFinding[] = [];
  readonly document: SourceDocument;
  private readonly rule: string;

  /** @param rule - id to put on the findings, for example `contract-format` */
  constructor(document: SourceDocument, rule: string) {
    this.document = document;
    this.rule = rule;
  }

  refuse(pointer: string, message: string, expected?: string, hint?: string): void {
    this.findings.push(findingAt(this.document, pointer, { rule: this.rule, message, expected, hint }));
  }

  /**
   * Refuses a name that is none of the known ones, and says which one was probably meant.
   *
   * @param advice - what else can be done about it
   */
  refuseName(pointer: string, message: string, name: string, known: readonly string[], advice?: string): void {
    const near = similarName(name, known);
    const hints = [
      ...(near === undefined ? [] : [`Did you mean "${near}"?`]),
      ...(advice === undefined ? [] : [advice]),
    ];
    const list = known.length > 12 ? `${known.slice(0, 12).join(', ')}, …` : known.join(', ');
    this.refuse(
      pointer,
      message,
      known.length === 0 ? undefined : `one of ${list}`,
      hints.length === 0 ? undefined : hints.join(' '),
    );
  }
}

/** Reads the members of one object of a file; whatever is not as the format wants it is noted, never thrown. */
export class MemberReader {
  readonly pointer: string;
  private readonly object: JsonObject;
  private readonly judge: FormatJudge;

  private constructor(object: JsonObject, pointer: string, judge: FormatJudge) {
    this.object = object;
    this.pointer = pointer;
    this.judge = judge;
  }

  /**
   * @param what - the noun to name it by in findings
   * @param known - members that the format has here; any other one is refused
   * @returns `undefined` when the value is no object, which is noted
   */
  static open(
    { value, pointer }: PlacedValue,
    what: string,
    known: readonly string[],
    judge: FormatJudge,
  ): MemberReader | undefined {
    if (!isJsonObject(value)) {
      judge.refuse(pointer, `The ${what} is no object`, `an object with ${known.join(', ')}`);
      return undefined;
    }
    for (const name of Object.keys(value)) {
      if (!known.includes(name))
        judge.refuseName(joinPointer(pointer, name), `This ${what} has no "${name}"`, name, known);
    }
    return new MemberReader(value, pointer, judge);
  }

  has(name: string): boolean {
    return Object.hasOwn(this.object, name);
  }

  /** The pointer of a member, whether it is there or not. */
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
    this.refuse(name, 'a string that is not empty');
    return undefined;
  }

  /** One of a few words. */
  word<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    const known = words.find((word) => word === value);
    if (known !== undefined) return known;
    if (typeof value === 'string') {
      this.judge.refuseName(this.at(name), `"${name}" cannot be "${value}"`, value, words);
    } else this.refuse(name, `one of ${words.join(', ')}`);
    return undefined;
  }

  /** A whole number from `least` to `most`. */
  whole(name: string, least: number, most: number): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
    this.refuse(name, `a whole number from ${least} to ${most}`);
    return undefined;
  }

  /** The items of a list; none when it is absent. */
  list(name: string): PlacedValue[] {
    const value = this.value(name);
    if (value === undefined) return [];
    if (Array.isArray(value))
      return value.map((item, index) => ({ value: item, pointer: joinPointer(this.at(name), index) }));
    this.refuse(name, 'a list');
    return [];
  }

  /** One value, or the items of a list of values. */
  oneOrMore(name: string): PlacedValue[] {
    const value = this.value(name);
    if (value === undefined) return [];
    return Array.isArray(value) ? this.list(name) : [{ value, pointer: this.at(name) }];
  }

  /** The members of a map; none when it is absent. */
  entries(name: string): (PlacedValue & { readonly name: string })[] {
    const map = this.value(name);
    if (map === undefined) return [];
    if (!isJsonObject(map)) {
      this.refuse(name, 'an object');
      return [];
    }
    return Object.entries(map).map(([key, value]) => ({ name: key, value, pointer: joinPointer(this.at(name), key) }));
  }

  /** Notes that a member is not what it should be. */
  refuse(name: string, expected: string, hint?: string): void {
    const value = this.value(name);
    const message =
      value === undefined ? `The member "${name}" is missing` : `"${name}" cannot be ${shorten(stringifyJson(value))}`;
    this.judge.refuse(this.has(name) ? this.at(name) : this.pointer, message, expected, hint);
  }
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
