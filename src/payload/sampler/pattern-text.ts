import { RegExpParser, type AST } from '@eslint-community/regexpp';
import { below, derive, pick, type Chance } from './chance';
import { MIXED, poolOf } from './character-pool';
import { toRegExp } from './pattern';

/** Makes a text that a pattern matches; `undefined` where it found none within its bounds. */
export type PatternText = (chance: Chance, minLength: number, maxLength: number) => string | undefined;

/** Longer texts than this are nobody's wish, and cost time. */
const MAX_LENGTH = 4096;
const ATTEMPTS = 24;
/** Where a part looks ahead or back, chance has to find what fits. */
const ATTEMPTS_UNSURE = 400;

/**
 * Makes texts from a pattern (ECMA-262), walking it rather than trying: quick, and never in a loop. Only what cannot be
 * walked, such as a look-ahead, is tried.
 *
 * @returns `undefined` for a pattern that is no regular expression
 */
export function patternText(pattern: string): PatternText | undefined {
  const test = toRegExp(pattern);
  if (test === undefined) return undefined;
  let tree: AST.Pattern;
  try {
    tree = new RegExpParser().parsePattern(pattern, 0, pattern.length, { unicode: test.unicode });
  } catch {
    return undefined;
  }
  const walker = new PatternWalker();
  return (chance, minLength, maxLength) => {
    let stretch = 2;
    for (let attempt = 0; attempt < (walker.isUnsure ? ATTEMPTS_UNSURE : ATTEMPTS); attempt++) {
      const text = walker.write(tree, derive(chance, attempt), stretch);
      if (text === undefined) continue;
      const { length } = text;
      if (length < minLength) stretch = Math.min(MAX_LENGTH, stretch * 2 + 1);
      else if (length > maxLength) stretch = Math.floor(stretch / 2);
      else if (!walker.isUnsure || test.test(text)) return text;
    }
    return undefined;
  };
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
    const count = least + below(chance, most - least + 1);
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
