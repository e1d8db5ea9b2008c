import type { JsonValue } from '../core/json/json-value';
import type { Comparison, Connective } from './body-queries';

/** A filter expression, parsed. Literals are texts as they were written, or null. */
export type FilterExpression =
  | { readonly kind: 'joined'; readonly how: Connective; readonly parts: readonly FilterExpression[] }
  | {
      readonly kind: 'comparison';
      /** A property, or names with dots that lead to one. */
      readonly field: string;
      readonly comparison: Comparison;
      readonly value: JsonValue;
    };

/** Why an expression cannot be evaluated: it breaks the grammar, or uses a part of the language that is not modelled. */
export class FilterSyntaxError extends Error {
  readonly kind: 'malformed' | 'unsupported';

  constructor(kind: FilterSyntaxError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

const OPERATORS: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ['eq', 'equal'],
  ['ne', 'not-equal'],
  ['gt', 'more-than'],
  ['ge', 'at-least'],
  ['lt', 'less-than'],
  ['le', 'at-most'],
  ['co', 'contains'],
  ['sw', 'begins'],
  ['ew', 'ends'],
]);
/** By their names without case and hyphens. */
const FUNCTIONS: ReadonlyMap<string, Comparison> = new Map(
  (
    [
      ['contains', 'contains substringof'],
      ['begins', 'startswith'],
      ['ends', 'endswith'],
      ['equal', 'eq equals'],
      ['not-equal', 'ne notequal notequals'],
      ['one-of', 'any in'],
      ['more-than', 'gt greaterthan'],
      ['at-least', 'ge gte greaterorequal greaterthanorequal'],
      ['less-than', 'lt lessthan'],
      ['at-most', 'le lte lessorequal lessthanorequal'],
    ] as const
  ).flatMap(([comparison, names]) => names.split(' ').map((name) => [name, comparison] as const)),
);
const CONNECTIVES = new Map<string, Connective>([
  ['and', 'all'],
  ['or', 'any'],
]);
/** Operators of OData that take a value in place of a property, or enums with flags. */
const UNSUPPORTED = new Set(['add', 'sub', 'mul', 'div', 'divby', 'mod', 'has']);
const MAX_DEPTH = 50;

interface Token {
  readonly kind: 'text' | 'mark' | 'word';
  readonly text: string;
}

/**
 * Parses a filter of SCIM (RFC 7644 §3.4.2.2) or of `$filter` in OData 4.01 (Part 2, §5.1.1). The grammars are nearly the
 * same: SCIM writes texts in double quotes and has `co`, `sw`, `ew`, `pr`; OData writes them in single quotes and has
 * `contains(name,'x')`, `in` and paths with `/`. In filters of function calls alone, `and(equals(name,"x"),any(id,["1"]))`,
 * a comma is an `and`.
 *
 * @throws FilterSyntaxError
 */
export function parseFilter(text: string): FilterExpression {
  const parser = new FilterParser(tokenize(text));
  const expression = joined('all', parser.parseSeveral(0));
  parser.expectEnd();
  return expression;
}

function tokenize(text: string): Token[] {
  const pattern = /\s*(?:("(?:[^"\\]|\\.)*")|([a-z]*'(?:[^']|'')*')|([()[\],])|([^\s()[\],"']+))/giy;
  const end = text.trimEnd().length;
  const tokens: Token[] = [];
  while (pattern.lastIndex < end) {
    const start = pattern.lastIndex;
    const found = pattern.exec(text);
    if (found === null) throw new FilterSyntaxError('malformed', `the text at character ${start + 1} has no end`);
    const [, double, single, mark, word = ''] = found;
    if (double !== undefined) tokens.push({ kind: 'text', text: unescaped(double) });
    // `datetime'2026-01-01'` in older versions of OData.
    else if (single !== undefined)
      tokens.push({ kind: 'text', text: single.slice(single.indexOf("'") + 1, -1).replaceAll("''", "'") });
    else tokens.push(mark === undefined ? { kind: 'word', text: word } : { kind: 'mark', text: mark });
  }
  return tokens;
}

function unescaped(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return literal.slice(1, -1);
  }
}

class FilterParser {
  private at = 0;
  private readonly tokens: readonly Token[];

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  /** `or`, which binds least. */
  parseAny(depth: number): FilterExpression {
    if (depth > MAX_DEPTH)
      throw new FilterSyntaxError('unsupported', `it is nested more than ${MAX_DEPTH} levels deep`);
    const parts = [this.parseAll(depth)];
    while (this.skipWord('or')) parts.push(this.parseAll(depth));
    return joined('any', parts);
  }

  /** With commas between them. */
  parseSeveral(depth: number): FilterExpression[] {
    const parts = [this.parseAny(depth)];
    while (this.skipMark(',')) parts.push(this.parseAny(depth));
    return parts;
  }

  expectEnd(): void {
    if (this.at < this.tokens.length) throw this.unexpected('"and", "or" or the end');
  }

  private parseAll(depth: number): FilterExpression {
    const parts = [this.parseOne(depth)];
    while (this.skipWord('and')) parts.push(this.parseOne(depth));
    return joined('all', parts);
  }

  private parseOne(depth: number): FilterExpression {
    if (depth > MAX_DEPTH) return this.parseAny(depth);
    if (this.skipWord('not')) return { kind: 'joined', how: 'none', parts: [this.parseOne(depth + 1)] };
    if (!this.skipMark('(')) return this.parseComparison(depth);
    const inner = this.parseAny(depth + 1);
    this.expectMark(')');
    return inner;
  }

  private parseComparison(depth: number): FilterExpression {
    const name = this.takeWord('a property');
    if (this.skipMark('(')) return this.parseCall(name, depth);
    if (this.skipMark('[')) throw new FilterSyntaxError('unsupported', `"${name}[…]" is not evaluated`);
    const operator = this.takeWord(`an operator behind "${name}"`).toLowerCase();
    const field = fieldNamed(name);
    if (operator === 'pr') return { kind: 'comparison', field, comparison: 'there', value: null };
    if (operator === 'in') return { kind: 'comparison', field, comparison: 'one-of', value: this.parseList('(') };
    const comparison = OPERATORS.get(operator);
    if (comparison === undefined)
      throw new FilterSyntaxError(
        UNSUPPORTED.has(operator) ? 'unsupported' : 'malformed',
        `"${operator}" is not an operator`,
      );
    return { kind: 'comparison', field, comparison, value: this.parseLiteral() };
  }

  /** `contains(name,'x')`, and with `eq true` or `eq false` behind it. */
  private parseCall(name: string, depth: number): FilterExpression {
    const how = CONNECTIVES.get(name.toLowerCase());
    if (how !== undefined) {
      const parts = this.parseSeveral(depth + 1);
      this.expectMark(')');
      return joined(how, parts);
    }
    const comparison = FUNCTIONS.get(name.toLowerCase().replaceAll(/[-_]/g, ''));
    if (comparison === undefined) throw new FilterSyntaxError('unsupported', `"${name}(…)" is not evaluated`);
    const isTurned = name.toLowerCase() === 'substringof';
    const first = isTurned ? this.parseLiteral() : this.takeWord('a property');
    this.expectMark(',');
    const value = isTurned ? first : this.parseValues();
    const property = isTurned ? this.takeWord('a property') : first;
    this.expectMark(')');
    const test: FilterExpression = { kind: 'comparison', field: fieldNamed(String(property)), comparison, value };
    if (!this.skipWord('eq')) return test;
    return this.parseLiteral() === 'false' ? { kind: 'joined', how: 'none', parts: [test] } : test;
  }

  /** One value or several: `'x'`, `['x','y']`, `(x,y)` and `'x','y'`. */
  private parseValues(): JsonValue {
    const first = this.tokens[this.at];
    if (first?.kind === 'mark' && (first.text === '[' || first.text === '(')) return this.parseList(first.text);
    const [only = null, ...more] = this.parseLiterals();
    return more.length === 0 ? only : [only, ...more];
  }

  private parseList(opening: '[' | '('): JsonValue[] {
    this.expectMark(opening);
    const closing = opening === '(' ? ')' : ']';
    if (this.skipMark(closing)) return [];
    const values = this.parseLiterals();
    this.expectMark(closing);
    return values;
  }

  private parseLiterals(): JsonValue[] {
    const values = [this.parseLiteral()];
    while (this.skipMark(',')) values.push(this.parseLiteral());
    return values;
  }

  private parseLiteral(): string | null {
    const token = this.tokens[this.at];
    if (token === undefined || token.kind === 'mark') throw this.unexpected('a value');
    this.at++;
    return token.kind === 'word' && token.text.toLowerCase() === 'null' ? null : token.text;
  }

  private takeWord(expected: string): string {
    const token = this.tokens[this.at];
    if (token?.kind !== 'word') throw this.unexpected(expected);
    this.at++;
    return token.text;
  }

  private skipWord(word: string): boolean {
    return this.skip('word', word);
  }

  private skipMark(mark: string): boolean {
    return this.skip('mark', mark);
  }

  private skip(kind: Token['kind'], text: string): boolean {
    const token = this.tokens[this.at];
    if (token?.kind !== kind || token.text.toLowerCase() !== text) return false;
    this.at++;
    return true;
  }

  private expectMark(mark: string): void {
    if (!this.skipMark(mark)) throw this.unexpected(`"${mark}"`);
  }

  private unexpected(expected: string): FilterSyntaxError {
    const token = this.tokens[this.at];
    const found = token === undefined ? 'the end' : JSON.stringify(token.text);
    return new FilterSyntaxError('malformed', `${expected} is expected in place of ${found}`);
  }
}

function joined(how: Connective, parts: readonly FilterExpression[]): FilterExpression {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { kind: 'joined', how, parts };
}

/** `urn:ietf:params:scim:schemas:core:2.0:User:name.familyName` is `name.familyName`, `Address/City` is `Address.City`. */
function fieldNamed(name: string): string {
  return name.replace(/^urn:.*:/i, '').replaceAll('/', '.');
}
