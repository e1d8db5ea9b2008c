import { ANY_BUT_LINE_ENDS, charSet, classOf, complement, propertySet, union, type CharSet } from './char-set';

/** A regular expression of ECMA-262 as a tree. */
export type PatternNode =
  | { readonly kind: 'char'; readonly set: CharSet }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  /** `max` may be infinite. */
  | { readonly kind: 'repeat'; readonly part: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'assertion'; readonly sign: '^' | '$' | '\\b' | '\\B' }
  | { readonly kind: 'look'; readonly part: PatternNode }
  | { readonly kind: 'back-reference' };

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/;
const GROUP = /^\((?:\?(?::|<?[=!]|<[^>=!]+>))?/;
const HEX = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]+)\})/;

/**
 * Reads a pattern that the engine of Node has accepted.
 *
 * @param unicode - whether it was accepted with the flag `u`
 * @throws SyntaxError for what this reader does not know
 */
export function parsePattern(source: string, unicode: boolean): PatternNode {
  const reader = new Reader(source, unicode);
  const tree = reader.choice();
  reader.requireEnd();
  return tree;
}

class Reader {
  private rest: string;
  private readonly unicode: boolean;

  constructor(source: string, unicode: boolean) {
    this.rest = source;
    this.unicode = unicode;
  }

  requireEnd(): void {
    if (this.rest !== '') throw new SyntaxError(`cannot read ${this.rest}`);
  }

  choice(): PatternNode {
    const parts = [this.sequence()];
    while (this.take('|')) parts.push(this.sequence());
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : { kind: 'choice', parts };
  }

  private sequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.rest !== '' && !/^[|)]/.test(this.rest)) parts.push(this.quantified(this.atom()));
    return { kind: 'sequence', parts };
  }

  private quantified(part: PatternNode): PatternNode {
    const match = QUANTIFIER.exec(this.rest);
    if (match === null) return part;
    this.rest = this.rest.slice(match[0].length);
    const [, sign, least, comma, most] = match;
    if (sign === '*') return { kind: 'repeat', part, min: 0, max: Infinity };
    if (sign === '+') return { kind: 'repeat', part, min: 1, max: Infinity };
    if (sign === '?') return { kind: 'repeat', part, min: 0, max: 1 };
    const min = Number(least);
    if (comma === undefined) return { kind: 'repeat', part, min, max: min };
    return { kind: 'repeat', part, min, max: most === '' ? Infinity : Number(most) };
  }

  private atom(): PatternNode {
    if (this.take('^')) return { kind: 'assertion', sign: '^' };
    if (this.take('$')) return { kind: 'assertion', sign: '$' };
    if (this.take('.')) return { kind: 'char', set: ANY_BUT_LINE_ENDS };
    if (this.rest.startsWith('[')) return { kind: 'char', set: this.charClass() };
    if (this.rest.startsWith('(')) return this.group();
    if (this.take('\\b')) return { kind: 'assertion', sign: '\\b' };
    if (this.take('\\B')) return { kind: 'assertion', sign: '\\B' };
    if (/^\\(?:[1-9]|k<)/.test(this.rest)) {
      this.rest = this.rest.replace(/^\\(?:\d+|k<[^>]*>)/, '');
      return { kind: 'back-reference' };
    }
    return { kind: 'char', set: this.member(false) };
  }

  private group(): PatternNode {
    const opening = GROUP.exec(this.rest)?.[0] ?? '(';
    this.rest = this.rest.slice(opening.length);
    const part = this.choice();
    if (!this.take(')')) throw new SyntaxError('a group has no end');
    return /[=!]$/.test(opening) ? { kind: 'look', part } : part;
  }

  private charClass(): CharSet {
    this.rest = this.rest.slice(1);
    const isNegated = this.take('^');
    const sets: CharSet[] = [];
    while (!this.take(']')) {
      const first = this.member(true);
      const isRange = /^-(?!\])/.test(this.rest) && isSingle(first);
      if (!isRange) {
        sets.push(first);
        continue;
      }
      this.take('-');
      const last = this.member(true);
      // Without `u`, a class at the end of a range makes the "-" a character like others.
      sets.push(isSingle(last) ? charSet([[pointOf(first), pointOf(last)]]) : union(first, last, charSet([[45, 45]])));
    }
    return isNegated ? complement(union(...sets)) : union(...sets);
  }

  /** One character, or an escape that stands for several. */
  private member(inClass: boolean): CharSet {
    if (this.rest === '') throw new SyntaxError('the pattern ends too soon');
    if (!this.take('\\')) return charSet([this.point()]);
    const class_ = classOf(this.rest[0] ?? '');
    if (class_ !== undefined) {
      this.rest = this.rest.slice(1);
      return class_;
    }
    const property = this.unicode ? /^[pP]\{[^}]*\}/.exec(this.rest)?.[0] : undefined;
    if (property !== undefined) {
      this.rest = this.rest.slice(property.length);
      return propertySet(`\\${property}`);
    }
    return charSet([this.escape(inClass)]);
  }

  private escape(inClass: boolean): [number, number] {
    const hex = HEX.exec(this.rest);
    if (hex !== null && (this.unicode || hex[3] === undefined)) {
      this.rest = this.rest.slice(hex[0].length);
      return single(this.joined(parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16)));
    }
    const control = this.control(inClass);
    if (control !== undefined) return single(control);
    // Octal escapes of old are not worth their rules.
    if (/^(?:[1-9]|0\d)/.test(this.rest)) throw new SyntaxError(`cannot read \\${this.rest}`);
    return this.take('0') ? single(0) : this.point();
  }

  /** `\n` and the like, and `\cX`. */
  private control(inClass: boolean): number | undefined {
    const letter = this.rest[0] ?? '';
    const control = CONTROLS[letter] ?? (inClass && letter === 'b' ? 8 : undefined);
    const code = /^c[A-Za-z]/.test(this.rest) ? this.rest.charCodeAt(1) % 32 : control;
    if (code !== undefined) this.rest = this.rest.slice(letter === 'c' ? 2 : 1);
    return code;
  }

  /** With `u`, two escapes of surrogates are one character. */
  private joined(high: number): number {
    if (!this.unicode || high < 0xd800 || high > 0xdbff) return high;
    const low = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(this.rest);
    if (low?.[1] === undefined) return high;
    this.rest = this.rest.slice(low[0].length);
    return (high - 0xd800) * 0x400 + parseInt(low[1], 16) - 0xdc00 + 0x10000;
  }

  private point(): [number, number] {
    const point = (this.unicode ? this.rest.codePointAt(0) : this.rest.charCodeAt(0)) ?? 0;
    this.rest = this.rest.slice(point > 0xffff ? 2 : 1);
    return single(point);
  }

  private take(text: string): boolean {
    if (!this.rest.startsWith(text)) return false;
    this.rest = this.rest.slice(text.length);
    return true;
  }
}

function single(point: number): [number, number] {
  return [point, point];
}

function isSingle(set: CharSet): boolean {
  return set.length === 1 && set[0]?.[0] === set[0]?.[1];
}

function pointOf(set: CharSet): number {
  return set[0]?.[0] ?? 0;
}
