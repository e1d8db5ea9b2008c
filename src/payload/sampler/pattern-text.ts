import { type AST, RegExpParser } from '@eslint-community/regexpp';
import { compilePattern } from '../../schema/pattern/compile-pattern';
import { type Chance, derive, hexDigits, integerBelow, pick } from './chance';

const LOWER = range('a', 'z');
const UPPER = range('A', 'Z');
const DIGITS = range('0', '9');
const LETTERS = [...LOWER, ...UPPER];
/** Printable ASCII, the plainest first. */
const PRINTABLE = [...new Set([...LOWER, ...DIGITS, ...UPPER, ...range('!', '~'), 0x20])];
/** Where to look for a character that is not ASCII: Latin to Hangul, and the emoji. */
const BEYOND: readonly (readonly [number, number])[] = [
  [0x00, 0x1f],
  [0xa0, 0x24ff],
  [0x3041, 0x30ff],
  [0x4e00, 0x4e7f],
  [0xac00, 0xac7f],
  [0x1f600, 0x1f64f],
];

type Part = AST.CharacterClass['elements'][number] | AST.CharacterSet;

/** Code points that a part of a pattern matches, a handful of the plain ones; empty when none was found. */
function poolOf(part: AST.CharacterClass | AST.CharacterSet): readonly number[] {
  if (part.type === 'CharacterSet') return poolOfSet(part);
  const elements: readonly Part[] = part.elements;
  const holds = (code: number): boolean => elements.some((element) => matches(element, code)) !== part.negate;
  // "Anything but a quote" wants a word, not whatever else the keyboard has.
  const plain = part.negate ? [...LETTERS, ...DIGITS].filter(holds) : [];
  if (plain.length > 0) return plain;
  const printable = PRINTABLE.filter(holds);
  return printable.length > 0 ? printable : beyond(holds, elements);
}

function poolOfSet(part: AST.CharacterSet): readonly number[] {
  if (part.kind === 'any') return LETTERS;
  if (part.kind === 'digit') return part.negate ? LETTERS : DIGITS;
  if (part.kind === 'space') return part.negate ? LETTERS : [0x20];
  if (part.kind === 'word') return part.negate ? [0x2d, 0x2e] : [...LOWER, ...DIGITS];
  const holds = (code: number): boolean => matches(part, code);
  const printable = PRINTABLE.filter(holds);
  return printable.length > 0 ? printable : beyond(holds, []);
}

function matches(part: Part, code: number): boolean {
  if (part.type === 'Character') return part.value === code;
  if (part.type === 'CharacterClassRange') return part.min.value <= code && code <= part.max.value;
  return setTest(part.raw).test(String.fromCodePoint(code));
}

const SETS = new Map<string, RegExp>();

function setTest(raw: string): RegExp {
  let test = SETS.get(raw);
  if (test === undefined) SETS.set(raw, (test = new RegExp(`^${raw}$`, 'u')));
  return test;
}

function beyond(holds: (code: number) => boolean, elements: readonly Part[]): number[] {
  const found: number[] = [];
  const limits = elements.flatMap((part): [number, number][] => {
    if (part.type === 'Character') return [[part.value, part.value]];
    return part.type === 'CharacterClassRange' ? [[part.min.value, part.max.value]] : [];
  });
  for (const [first, last] of [...limits, ...BEYOND]) {
    for (let code = first; code <= Math.min(last, first + 0x2000) && found.length < 32; code++) {
      const isSurrogate = code >= 0xd800 && code <= 0xdfff;
      if (!isSurrogate && holds(code)) found.push(code);
    }
  }
  return found;
}

function range(first: string, last: string): number[] {
  const codes: number[] = [];
  for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code++) codes.push(code);
  return codes;
}

/** Letters, digits and signs, so that each of them comes soon: for patterns that look ahead. */
const MIXED: readonly number[] = [...LOWER, ...UPPER, ...DIGITS, ...DIGITS, ...range('#', '&'), 0x21, 0x40, 0x2d, 0x5f];

/** Tells whether a text matches a pattern. */
export interface PatternTest {
  test(text: string): boolean;
}

/**
 * The test of a `pattern`, as schemas are checked: in a time that no text makes endless.
 *
 * @returns `undefined` for a text that is not a regular expression
 */
export function testOfPattern(pattern: string): PatternTest | undefined {
  try {
    return compilePattern(pattern);
  } catch {
    return undefined;
  }
}

/** Older patterns escape what need not be escaped, which Unicode mode rejects. */
function treeOf(pattern: string): AST.Pattern | undefined {
  for (const unicode of [true, false])
    try {
      return new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode });
    } catch {
      // The other mode may know it.
    }
  return undefined;
}

/** Makes a text that a pattern matches; `undefined` where it found none within its bounds. */
export type PatternText = (chance: Chance, minLength: number, maxLength: number) => string | undefined;

/** Longer texts than this help nobody, and cost time. */
const MAX_LENGTH = 4096;
const ATTEMPTS = 24;
/** Where a part looks ahead or back, chance has to find what fits. */
const ATTEMPTS_UNSURE = 400;

/**
 * Makes texts from a pattern (ECMA-262), walking it rather than trying: quick, and never in a loop. Only what cannot be
 * walked, such as a look-ahead, is tried.
 *
 * @returns `undefined` for a pattern that is not a regular expression
 */
export function patternText(pattern: string): PatternText | undefined {
  const test = testOfPattern(pattern);
  const tree = treeOf(pattern);
  if (test === undefined || tree === undefined) return undefined;
  const walker = new PatternWalker();
  return (chance, minLength, maxLength) => {
    let stretch = 2;
    for (let attempt = 0; attempt < (walker.isUnsure ? ATTEMPTS_UNSURE : ATTEMPTS); attempt++) {
      const text = walker.write(tree, derive(chance, attempt), stretch);
      if (text === undefined) continue;
      const { length } = text;
      if (length < minLength) stretch = Math.min(MAX_LENGTH, stretch * 2 + 1);
      else if (length > maxLength) stretch = Math.floor(stretch / 2);
      else if (!walker.isUnsure || test.test(text)) return withOpenEnd(tree, text, chance, test, maxLength);
    }
    return minLength > maxLength ? undefined : paddedText(walker.write(tree, chance, 2) ?? '', chance, test, minLength);
  };
}

/** Characters that follow a prefix such as `^cus_`, so that such texts differ. */
const OPEN_END = 8;

/** Adds characters where a pattern ends with a literal and without `$`: `^cus_` is the beginning of a text. */
function withOpenEnd(tree: AST.Pattern, text: string, chance: Chance, test: PatternTest, maxLength: number): string {
  const [only, ...others] = tree.alternatives;
  const isAnchored = only?.elements[0]?.type === 'Assertion' && others.length === 0;
  if (!isAnchored || only.elements.at(-1)?.type !== 'Character') return text;
  const longer = text + hexDigits(chance, OPEN_END);
  return longer.length <= maxLength && test.test(longer) ? longer : text;
}

/** Brings a text to a length at the end that the pattern leaves open; `undefined` where it leaves none. */
function paddedText(text: string, chance: Chance, test: PatternTest, length: number): string | undefined {
  const filler = hexDigits(chance, Math.min(MAX_LENGTH, length) - text.length);
  // Conditions such as `(?=.*[A-Z])` ask for characters of several kinds.
  const mixed = `Aa1-${filler}`.slice(0, filler.length);
  return [text + filler, filler + text, text + mixed, mixed + text].find(
    (longer) => longer.length === length && test.test(longer),
  );
}

class PatternWalker {
  /** Whether something was met whose outcome only a test tells. */
  isUnsure = false;
  private readonly pools = new Map<AST.Element, readonly number[]>();
  private readonly groups = new Map<AST.CapturingGroup, string>();
  private left = 0;

  write(tree: AST.Pattern, chance: Chance, stretch: number): string | undefined {
    this.left = MAX_LENGTH;
    this.groups.clear();
    return this.alternatives(tree.alternatives, chance, stretch);
  }

  private alternatives(list: readonly AST.Alternative[], chance: Chance, stretch: number): string | undefined {
    const alternative = pick(chance, list);
    this.left -= 1;
    if (alternative === undefined || this.left < 0) return undefined;
    let text = '';
    for (const [index, element] of alternative.elements.entries()) {
      const part = this.element(element, derive(chance, index), stretch);
      if (part === undefined) return undefined;
      text += part;
    }
    return text;
  }

  private element(element: AST.Element, chance: Chance, stretch: number): string | undefined {
    switch (element.type) {
      case 'Character':
        return String.fromCodePoint(element.value);
      case 'CharacterSet':
      case 'CharacterClass':
        return this.character(element, chance);
      case 'Quantifier':
        return this.repeat(element, chance, stretch);
      case 'Group':
        return this.alternatives(element.alternatives, chance, stretch);
      case 'CapturingGroup':
        return this.capture(element, chance, stretch);
      case 'Backreference':
        return this.recall(element);
      case 'Assertion':
        return this.lookAround(element);
      case 'ExpressionCharacterClass':
        return undefined;
    }
  }

  private lookAround({ kind }: AST.Assertion): string {
    if (kind !== 'start' && kind !== 'end') this.isUnsure = true;
    return '';
  }

  private character(element: AST.CharacterSet | AST.CharacterClass, chance: Chance): string | undefined {
    const isAny = element.type === 'CharacterSet' && element.kind === 'any';
    let pool = this.isUnsure && isAny ? MIXED : this.pools.get(element);
    if (pool === undefined) this.pools.set(element, (pool = poolOf(element)));
    const code = pick(chance, pool);
    return code === undefined ? undefined : String.fromCodePoint(code);
  }

  private repeat({ min, max, element }: AST.Quantifier, chance: Chance, stretch: number): string | undefined {
    // A part that may be left out is shown once where there is room, because that is what it is there for.
    const least = stretch > 0 ? Math.max(min, Math.min(max, 1)) : min;
    const most = Math.min(max, least + stretch);
    const count = least + integerBelow(chance, most - least + 1);
    let text = '';
    this.left -= count;
    if (this.left < 0) return undefined;
    for (let index = 0; index < count; index++) {
      const part = this.element(element, derive(chance, index + 1), stretch);
      if (part === undefined) return undefined;
      text += part;
    }
    return text;
  }

  private capture(group: AST.CapturingGroup, chance: Chance, stretch: number): string | undefined {
    const text = this.alternatives(group.alternatives, chance, stretch);
    if (text !== undefined) this.groups.set(group, text);
    return text;
  }

  private recall({ resolved }: AST.Backreference): string {
    this.isUnsure = true;
    const group = Array.isArray(resolved) ? resolved[0] : resolved;
    return (group && this.groups.get(group)) ?? '';
  }
}
