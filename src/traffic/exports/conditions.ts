import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import type { Bound, JsonType, Matcher } from '../../formats/contract/matcher';

/**
 * How a language says what matchers ask for. A subject and a condition are expressions of it; `undefined` where it has no
 * word for something.
 */
export interface Dialect {
  readonly and: (conditions: readonly string[]) => string;
  readonly or: (conditions: readonly string[]) => string;
  readonly not: (condition: string) => string;
  /** A value of a contract, with placeholders. */
  readonly literal: (value: JsonValue) => string | undefined;
  readonly property: (subject: string, name: string) => string;
  readonly item: (subject: string, index: number) => string;
  /** The object has a property of the name. */
  readonly has: (subject: string, name: string) => string;
  readonly isType: (subject: string, type: JsonType) => string | undefined;
  /** Types of which it only says a wider one. */
  readonly approximate: Readonly<Partial<Record<JsonType, JsonType>>>;
  readonly equals: (subject: string, literal: string, value: JsonValue) => string | undefined;
  readonly compare: (subject: string, bound: Bound, limit: string, isOfText: boolean) => string | undefined;
  /** @param source - with placeholders */
  readonly matches: (subject: string, source: string) => string | undefined;
  /** The number of characters of a text or of items of a list. */
  readonly length: (subject: string) => string;
  readonly includes: (subject: string, literal: string) => string | undefined;
  readonly every: (subject: string, condition: (item: string) => string) => string;
  readonly some: (subject: string, condition: (item: string) => string) => string;
}

/** What a value must be. */
export interface Condition {
  /** JSON pointer to the part that it is about. */
  readonly at: string;
  readonly text: string;
}

export interface Conditions {
  /** All of them must hold. */
  readonly conditions: readonly Condition[];
  /** What could not be said: `/tags: $unordered`. */
  readonly lost: readonly string[];
}

/**
 * Says in another language what a matcher asks for. What has no word there is left out where that only lets more pass; in a
 * negation it would let less pass, and then all of that is left out.
 *
 * @param subject - the value, as the language names it
 */
export function toConditions(matcher: Matcher, subject: string, dialect: Dialect): Conditions {
  const compiler = new Compiler(dialect);
  const conditions = compiler.compile(matcher, subject, '');
  return { conditions, lost: compiler.lost };
}

/** Matchers whose words are those of the format. */
const WORDS: Readonly<Partial<Record<Matcher['kind'], string>>> = {
  value: 'value',
  object: 'object',
  list: 'list',
  all: 'all',
};

class Compiler {
  readonly lost: string[] = [];
  private readonly dialect: Dialect;

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  compile(matcher: Matcher, subject: string, at: string): Condition[] {
    switch (matcher.kind) {
      case 'all':
        return matcher.matchers.flatMap((part) => this.compile(part, subject, at));
      case 'object':
        return [
          // A property that has to be there says so already.
          ...(matcher.members.some((member) => impliesPresence(member.matcher))
            ? []
            : this.said(matcher, at, this.dialect.isType(subject, 'object'))),
          ...matcher.members.flatMap((member) => this.compileMember(member.matcher, subject, member.name, at)),
        ];
      case 'list':
        return [...this.count(matcher, subject, at), ...this.compileItems(matcher.items, subject, at)];
      case 'present':
        return [];
      case 'absent':
        return this.said(matcher, at, undefined);
      case 'optional':
        return this.compile(matcher.matcher, subject, at);
      default:
        return this.said(matcher, at, this.condition(matcher, subject, at));
    }
  }

  private count({ items }: Extract<Matcher, { kind: 'list' }>, subject: string, at: string): Condition[] {
    const { dialect } = this;
    const count = dialect.equals(dialect.length(subject), String(items.length), items.length);
    const isList = dialect.isType(subject, 'array');
    const conditions = [isList, count].flatMap((each) => each ?? []);
    return conditions.length === 0 ? [] : [{ at, text: dialect.and(conditions) }];
  }

  private compileItems(items: readonly Matcher[], subject: string, at: string): Condition[] {
    return items.flatMap((item, index) =>
      this.compile(item, this.dialect.item(subject, index), joinPointer(at, index)),
    );
  }

  private compileMember(matcher: Matcher, object: string, name: string, parent: string): Condition[] {
    const { dialect } = this;
    const at = joinPointer(parent, name);
    const has = dialect.has(object, name);
    const subject = dialect.property(object, name);
    if (matcher.kind === 'absent') return [{ at, text: dialect.not(has) }];
    if (matcher.kind === 'optional') {
      const inner = this.compile(matcher.matcher, subject, at);
      return inner.length === 0 ? [] : [{ at, text: dialect.or([dialect.not(has), this.joined(inner)]) }];
    }
    const conditions = this.compile(matcher, subject, at);
    return impliesPresence(matcher) && conditions.length > 0 ? conditions : [{ at, text: has }, ...conditions];
  }

  private condition(matcher: Matcher, subject: string, at: string): string | undefined {
    return 'matcher' in matcher ? this.nested(matcher, subject, at) : this.leaf(matcher, subject, at);
  }

  private leaf(matcher: Exclude<Matcher, { matcher: Matcher }>, subject: string, at: string): string | undefined {
    const { dialect } = this;
    switch (matcher.kind) {
      case 'value':
      case 'equals':
        return this.equals(subject, matcher.value);
      case 'enum':
        return this.oneOf(matcher.values.map((value) => this.equals(subject, value)));
      case 'type':
        return this.ofType(matcher.types, subject, at);
      case 'bound': {
        const limit = dialect.literal(matcher.limit);
        return limit === undefined ? undefined : dialect.compare(subject, matcher.bound, limit, matcher.isOfText);
      }
      case 'pattern':
        return dialect.matches(subject, matcher.source);
      case 'unordered':
        return this.unordered(matcher, subject, at);
      default:
        return undefined;
    }
  }

  private nested(matcher: Extract<Matcher, { matcher: Matcher }>, subject: string, at: string): string | undefined {
    switch (matcher.kind) {
      case 'length':
        return this.joinedOrNothing(this.compile(matcher.matcher, this.dialect.length(subject), at));
      case 'nullable':
        return this.nullable(matcher.matcher, subject, at);
      case 'not':
        return this.negation(matcher.matcher, subject, at);
      case 'contains':
        return this.contains(matcher, subject, at);
      case 'each':
        return this.each(matcher, subject, at);
      case 'optional':
        return undefined;
    }
  }

  private ofType(types: readonly JsonType[], subject: string, at: string): string | undefined {
    for (const type of types) {
      const wider = this.dialect.approximate[type];
      if (wider !== undefined) this.lose(at, `$type ${type}, taken as ${wider}`);
    }
    return this.oneOf(types.map((type) => this.dialect.isType(subject, type)));
  }

  private equals(subject: string, value: JsonValue): string | undefined {
    const literal = this.dialect.literal(value);
    return literal === undefined ? undefined : this.dialect.equals(subject, literal, value);
  }

  private oneOf(choices: readonly (string | undefined)[]): string | undefined {
    // One that cannot be said would be missing among those that are allowed.
    const known = choices.flatMap((choice) => choice ?? []);
    return known.length === choices.length ? this.dialect.or(known) : undefined;
  }

  private nullable(inner: Matcher, subject: string, at: string): string | undefined {
    const isNull = this.dialect.isType(subject, 'null');
    const conditions = this.compile(inner, subject, at);
    return isNull === undefined || conditions.length === 0
      ? undefined
      : this.dialect.or([isNull, this.joined(conditions)]);
  }

  private negation(inner: Matcher, subject: string, at: string): string | undefined {
    const before = this.lost.length;
    const conditions = this.compile(inner, subject, at);
    const isWhole = this.lost.length === before && conditions.length > 0;
    this.lost.length = before;
    return isWhole ? this.dialect.not(this.joined(conditions)) : undefined;
  }

  private contains(
    { matcher: inner, unlessItems }: Extract<Matcher, { kind: 'contains' }>,
    subject: string,
    at: string,
  ): string | undefined {
    const { dialect } = this;
    const isPlain = inner.kind === 'value' && unlessItems === undefined;
    const literal = isPlain ? dialect.literal(inner.value) : undefined;
    const text = literal === undefined ? undefined : dialect.includes(subject, literal);
    const isList = dialect.isType(subject, 'array');
    const some = dialect.some(subject, (item) => this.joined(this.compile(inner, item, at), item));
    const isLong =
      unlessItems === undefined ? [] : dialect.compare(dialect.length(subject), '$min', String(unlessItems), false);
    if (isLong === undefined) return undefined;
    const list = dialect.and([isList ?? [], dialect.or([some, isLong].flat())].flat());
    return text === undefined ? list : dialect.or([text, list]);
  }

  private each(
    { matcher, minItems }: Extract<Matcher, { kind: 'each' }>,
    subject: string,
    at: string,
  ): string | undefined {
    const { dialect } = this;
    const isList = dialect.isType(subject, 'array');
    const enough =
      minItems === 0 ? undefined : dialect.compare(dialect.length(subject), '$min', String(minItems), false);
    const every = dialect.every(subject, (item) => this.joined(this.compile(matcher, item, at), item));
    return dialect.and([isList, enough, every].flatMap((each) => each ?? []));
  }

  /** As many items, and each of those that are asked for: the property that tells them apart is in the matcher of each. */
  private unordered(
    { items }: Extract<Matcher, { kind: 'unordered' }>,
    subject: string,
    at: string,
  ): string | undefined {
    const { dialect } = this;
    const count = dialect.equals(dialect.length(subject), String(items.length), items.length);
    const some = items.map(({ matcher }) => {
      return dialect.some(subject, (item) => this.joined(this.compile(matcher, item, at), item));
    });
    return dialect.and([dialect.isType(subject, 'array'), count, ...some].flatMap((each) => each ?? []));
  }

  /** @param subject - of which nothing may be left to say, so that all of it is right */
  private joined(conditions: readonly Condition[], subject?: string): string {
    if (conditions.length > 0) return this.dialect.and(conditions.map(({ text }) => text));
    const isNull = subject === undefined ? undefined : this.dialect.isType(subject, 'null');
    return isNull === undefined ? 'true' : this.dialect.or([isNull, this.dialect.not(isNull)]);
  }

  private joinedOrNothing(conditions: readonly Condition[]): string | undefined {
    return conditions.length === 0 ? undefined : this.joined(conditions);
  }

  private said(matcher: Matcher, at: string, text: string | undefined): Condition[] {
    if (text !== undefined) return [{ at, text }];
    this.lose(at, WORDS[matcher.kind] ?? `$${matcher.kind}`);
    return [];
  }

  private lose(at: string, what: string): void {
    this.lost.push(`${at === '' ? 'the whole' : at}: ${what}`);
  }
}

/** Does nothing fit it that is not there? Where `null` fits, a missing value may look like it. */
function impliesPresence(matcher: Matcher): boolean {
  switch (matcher.kind) {
    case 'value':
    case 'equals':
      return matcher.value !== null && !isJsonObject(matcher.value);
    case 'enum':
      return !matcher.values.includes(null);
    case 'type':
      return !matcher.types.includes('null');
    case 'object':
    case 'list':
    case 'pattern':
    case 'bound':
      return true;
    case 'all':
      return matcher.matchers.some(impliesPresence);
    default:
      return false;
  }
}

/** Several conditions as one; without any it holds. */
export function joined(conditions: readonly string[], operator: string): string {
  const [first = 'true'] = conditions;
  return conditions.length < 2 ? first : `(${conditions.join(` ${operator} `)})`;
}

export function isStructure(value: JsonValue): boolean {
  return Array.isArray(value) || isJsonObject(value);
}
