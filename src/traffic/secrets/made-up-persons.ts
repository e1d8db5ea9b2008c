import { getOrCreate } from '../../core/text/memoize';
import { madeUpValues } from './made-up-values';
import { digitsOf, EMAIL, isIpAddress, isNobodysAddress, type PersonalKind } from './personal-data';

/** How many values of a kind were replaced, each counted once however often it stood somewhere. */
export interface ReplacedData {
  readonly kind: PersonalKind;
  readonly count: number;
}

/** Kinds whose values say enough to be found in other texts, and what a value of them has to be for that. */
const IN_TEXTS: Readonly<Partial<Record<PersonalKind, (value: string) => boolean>>> = {
  'full name': (value) => /\p{L} \p{L}/u.test(value),
  'user name': (value) => value.length >= 5 && /[\d_.]/.test(value),
  'phone number': (value) => digitsOf(value).length >= 7,
  street: (value) => / .*\d|\d.* /.test(value),
  'bank account': () => true,
  'card number': () => true,
  'official number': (value) => value.length >= 8,
  'IP address': () => true,
};

interface Person {
  /** By which its values are made. */
  readonly number: number;
  /** The values that were made, by what they stand for. */
  readonly made: Map<string, string>;
}

/** The made-up values of one recording: the same one for the same value, another one for every other. */
export class MadeUpPersons {
  readonly #persons = new Map<PersonalKind, Map<string, Person>>();
  readonly #last = new Map<PersonalKind, number>();
  /** Whole values that are replaced wherever they stand. */
  readonly #known = new Map<string, string>();
  /** Those of them that are replaced within longer texts too. */
  readonly #parts = new Map<string, string>();
  readonly #taken = new Set<string>();
  #pattern: RegExp | undefined;

  /**
   * @param fits - may a value stand where the original did?
   * @returns the original where it belongs to nobody, and where it was made up before
   */
  replace(kind: PersonalKind, original: string, fits: (value: string) => boolean): string {
    if (this.#taken.has(`${kind} ${original}`) || isNobodys(kind, original)) return original;
    const persons = getOrCreate(this.#persons, kind, () => new Map<string, Person>());
    const person = getOrCreate(persons, identityOf(kind, original), () => this.#newPerson(kind, original, fits));
    return getOrCreate(person.made, original, () => {
      const made = bestOf(madeUpValues(kind, original, person.number), fits);
      this.#taken.add(`${kind} ${made}`);
      const isPart = IN_TEXTS[kind]?.(original) === true;
      if (isPart || kind === 'user name') this.#known.set(original, made);
      if (isPart) this.#parts.set(original, made);
      if (isPart) this.#pattern = undefined;
      return made;
    });
  }

  /** What stands for a whole value that is known as personal data, in a place that says nothing of it. */
  known(text: string): string | undefined {
    return this.#known.get(text);
  }

  /** A text with all e-mail addresses, and what is known and long enough, replaced. */
  inText(text: string): string {
    const clean = text.includes('@')
      ? text.replace(EMAIL, (email) => this.replace('e-mail address', email, () => true))
      : text;
    if (this.#parts.size === 0) return clean;
    this.#pattern ??= patternOf([...this.#parts.keys()]);
    return clean.replace(this.#pattern, (found) => this.#parts.get(found) ?? found);
  }

  replaced(): ReplacedData[] {
    return [...this.#persons].map(([kind, { size: count }]) => ({ kind, count }));
  }

  #newPerson(kind: PersonalKind, original: string, fits: (value: string) => boolean): Person {
    let number = this.#last.get(kind) ?? 0;
    // Two persons must not become one: what is equal in the traffic afterwards was before.
    do number += 1;
    while (this.#taken.has(`${kind} ${bestOf(madeUpValues(kind, original, number), fits)}`) && number < MOST_TRIES);
    this.#last.set(kind, number);
    return { number, made: new Map() };
  }
}

const MOST_TRIES = 1_000_000;

/** By which two values are those of one person: a telephone number in two groupings, an address in two cases. */
function identityOf(kind: PersonalKind, value: string): string {
  if (kind === 'phone number' || kind === 'card number') return digitsOf(value);
  return kind === 'bank account' ? value.replaceAll(' ', '') : value.toLowerCase().replace(/\s+/g, ' ');
}

function bestOf(values: readonly string[], fits: (value: string) => boolean): string {
  return values.find(fits) ?? values.at(-1) ?? '';
}

/** RFC 2606: names that nobody can have. */
function isNobodys(kind: PersonalKind, value: string): boolean {
  if (kind === 'e-mail address')
    return /[@.](?:example\.(?:com|org|net)|(?:[^@]*\.)?(?:example|test|invalid|localhost))$/i.test(value);
  return kind === 'IP address' && isIpAddress(value) && isNobodysAddress(value);
}

/** The longest first, where one is a part of another; none within a word. */
function patternOf(texts: readonly string[]): RegExp {
  const longestFirst = texts.toSorted((left, right) => right.length - left.length);
  const sources = longestFirst.map((text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`, 'gu');
}
