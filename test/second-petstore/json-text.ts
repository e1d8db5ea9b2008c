import { Failure } from './failure';

/** Integers are bigint, however they are written, so that no digit of an int64 is lost; other numbers are number. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonMap;
export type JsonMap = ReadonlyMap<string, Json>;

const DEEPEST = 64;
const LONGEST_INTEGER = 30;
const BLANK = /[ \t\r\n]*/y;
const LITERAL = /true|false|null/y;
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const NUMBER = /(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?/y;

/** 1, 1.0 and 10e-1 are the same integer. What is no integer, or absurdly long, stays a floating point number. */
function numberOf(match: RegExpExecArray): number | bigint {
  const [token, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/0+$/, '');
  if (/^0*$/.test(digits)) return 0n;
  const zeros = Number(exponent) - fraction.length + (whole.length + fraction.length - digits.length);
  if (zeros < 0 || digits.length + zeros > LONGEST_INTEGER) return Number(token);
  return BigInt(sign + digits + '0'.repeat(zeros));
}

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): Json {
    const value = this.value(1);
    this.match(BLANK);
    if (this.at < this.text.length) throw this.fault('nothing may follow the value');
    return value;
  }

  private fault(why: string): Failure {
    return new Failure(400, 'invalid_json', `Body is not proper JSON, ${why} (offset ${this.at}).`);
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found;
  }

  private skip(character: string): boolean {
    this.match(BLANK);
    const there = this.text[this.at] === character;
    if (there) this.at += 1;
    return there;
  }

  private value(depth: number): Json {
    if (this.skip('{')) return this.object(depth);
    if (this.skip('[')) return this.array(depth);
    const string = this.match(STRING);
    if (string) return JSON.parse(string[0]) as string;
    const number = this.match(NUMBER);
    if (number) return numberOf(number);
    const literal = this.match(LITERAL);
    if (literal) return JSON.parse(literal[0]) as boolean | null;
    throw this.fault('a value is expected');
  }

  private enter(depth: number): void {
    if (depth > DEEPEST) throw this.fault(`more than ${DEEPEST} levels`);
  }

  private object(depth: number): JsonMap {
    this.enter(depth);
    const members = new Map<string, Json>();
    if (this.skip('}')) return members;
    do {
      this.match(BLANK);
      const name = this.match(STRING);
      if (!name) throw this.fault('a member name is expected');
      const key = JSON.parse(name[0]) as string;
      if (members.has(key)) throw this.fault(`member ${name[0]} appears twice`);
      if (!this.skip(':')) throw this.fault('a colon is expected');
      members.set(key, this.value(depth + 1));
    } while (this.skip(','));
    if (!this.skip('}')) throw this.fault('the object does not end');
    return members;
  }

  private array(depth: number): readonly Json[] {
    this.enter(depth);
    const items: Json[] = [];
    if (this.skip(']')) return items;
    do items.push(this.value(depth + 1));
    while (this.skip(','));
    if (!this.skip(']')) throw this.fault('the array does not end');
    return items;
  }
}

export function readJson(bytes: Buffer): Json {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Failure(400, 'invalid_json', 'Body is not UTF-8.');
  }
  return new Reader(text).document();
}

/** One text per JSON value, whatever the order of its members: what "the same payload" means for a retry. */
export function fingerprint(value: Json): string {
  if (value instanceof Map) {
    const members = [...(value as JsonMap)].sort(([left], [right]) => (left < right ? -1 : 1));
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${fingerprint(member)}`).join(',')}}`;
  }
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(fingerprint).join(',')}]`;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** What a handler answers with: plain rows and lists of them. */
export type Row = Readonly<Record<string, string | number | bigint | boolean | undefined>>;

export function writeJson(value: Row | readonly Row[], pretty: boolean): string {
  const gap = pretty ? ' ' : '';
  const row = (one: Row): string => {
    const members = Object.entries(one).filter(([, member]) => member !== undefined);
    const texts = members.map(
      ([name, member]) => `"${name}":${gap}${typeof member === 'bigint' ? String(member) : JSON.stringify(member)}`,
    );
    return pretty ? `{ ${texts.join(', ')} }` : `{${texts.join(',')}}`;
  };
  if (!Array.isArray(value)) return row(value as Row);
  const rows = (value as readonly Row[]).map(row);
  return pretty && rows.length > 0 ? `[\n  ${rows.join(',\n  ')}\n]\n` : `[${rows.join(',')}]`;
}
