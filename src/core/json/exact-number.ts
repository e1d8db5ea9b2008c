/**
 * A finite decimal: `digits` × 10^`exponent`, negated when `negative`.
 *
 * `digits` has no zero at either end and is empty for zero, so that equal decimals have equal fields. The exponent is
 * a bigint because JSON does not bound it (RFC 8259 section 6); no operation here writes an exponent out as zeros.
 */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: bigint;
}

const NUMBER_PARTS = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const ZERO: Decimal = { negative: false, digits: '', exponent: 0n };
const ZERO_CODE = 48;

/** The decimal that a number in JSON's grammar (RFC 8259 section 6) spells; undefined for any other text. */
export function parseDecimal(lexeme: string): Decimal | undefined {
  const match = NUMBER_PARTS.exec(lexeme);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  const all = whole + fraction;
  let start = 0;
  while (all.charCodeAt(start) === ZERO_CODE) start++;
  if (start === all.length) return ZERO;
  // A loop and not /0+$/, whose backtracking is quadratic on long runs of zeros.
  let end = all.length;
  while (all.charCodeAt(end - 1) === ZERO_CODE) end--;
  const dropped = all.length - end - fraction.length;
  return { negative: sign === '-', digits: all.slice(start, end), exponent: BigInt(exponent) + BigInt(dropped) };
}

/** Whether the decimal is a whole number. */
function isWhole(decimal: Decimal): boolean {
  return decimal.exponent >= 0n;
}

/** How many digits stand before the decimal point when written out: 3 for 123.4, -1 for 0.05. Zero has none. */
function wholeDigits(decimal: Decimal): bigint {
  return decimal.exponent + BigInt(decimal.digits.length);
}

/** Orders two decimals by value, looking at sign and magnitude before any digit. */
function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const sign = signOf(a);
  if (sign !== signOf(b)) return sign < signOf(b) ? -1 : 1;
  const larger = compareMagnitudes(a, b);
  if (larger === 0 || sign > 0) return larger;
  return larger === 1 ? -1 : 1;
}

/** Whether `decimal` is a whole multiple of `divisor`. Nothing is a multiple of zero. */
function isDecimalMultiple(decimal: Decimal, divisor: Decimal): boolean {
  if (divisor.digits === '') return false;
  if (decimal.digits === '') return true;
  const shift = decimal.exponent - divisor.exponent;
  // The quotient would need a factor of ten that the digits, which do not end in zero, do not have.
  if (shift < 0n) return false;
  const modulus = BigInt(divisor.digits);
  return (BigInt(decimal.digits) * powerOfTen(shift, modulus)) % modulus === 0n;
}

function signOf({ negative, digits }: Decimal): -1 | 0 | 1 {
  if (digits === '') return 0;
  return negative ? -1 : 1;
}

function compareMagnitudes(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const left = wholeDigits(a);
  const right = wholeDigits(b);
  if (left !== right) return left < right ? -1 : 1;
  // With equal magnitude and no zeros at the ends, the order of the digits as text is the order of the values.
  if (a.digits === b.digits) return 0;
  return a.digits < b.digits ? -1 : 1;
}

/** 10^exponent modulo `modulus`, in as many steps as the exponent has bits. */
function powerOfTen(exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let factor = 10n % modulus;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * factor) % modulus;
    factor = (factor * factor) % modulus;
  }
  return result;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const INTEGER = /^-?\d+$/;
const MAX_CANONICAL_DIGITS = 400n;

/** A JSON number kept as it was written, because no `number` or `bigint` spells the same text. */
export class ExactNumber {
  /** The number as JSON text (RFC 8259 section 6), such as `2.50`. */
  readonly lexeme: string;

  /** Throws RangeError when the text is not a JSON number. */
  constructor(lexeme: string) {
    if (!NUMBER.test(lexeme)) throw new RangeError(`${JSON.stringify(lexeme)} is not a JSON number`);
    this.lexeme = lexeme;
  }

  toString(): string {
    return this.lexeme;
  }
}

/**
 * A JSON number. Its mathematical value is the one its text spells: the `number` 0.1 is one tenth, not the double
 * nearest to it. NaN and the infinities are not JSON numbers.
 */
export type JsonNumber = number | bigint | ExactNumber;

/** Whether the value is a JSON number of any kind. */
export function isJsonNumber(value: unknown): value is JsonNumber {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'bigint' || value instanceof ExactNumber;
}

/** The number a JSON number text stands for, every digit kept. Throws RangeError for any other text. */
export function numberFromLexeme(lexeme: string): JsonNumber {
  const value = Number(lexeme);
  if (lexeme !== '-0' && INTEGER.test(lexeme)) {
    if (Number.isSafeInteger(value) && String(value) === lexeme) return value;
    if (NUMBER.test(lexeme)) return BigInt(lexeme);
  } else if (Number.isFinite(value) && String(value) === lexeme) {
    return value;
  }
  return new ExactNumber(lexeme);
}

/** The JSON text of the number. Throws RangeError for NaN and the infinities. */
export function toLexeme(n: JsonNumber): string {
  if (n instanceof ExactNumber) return n.lexeme;
  if (typeof n === 'number' && !Number.isFinite(n)) throw new RangeError(`${n} is not a JSON number`);
  return String(n);
}

/** Whether the number is mathematically an integer: 1.0, 1e2 and 100e-2 are. */
export function isInteger(n: JsonNumber): boolean {
  if (typeof n === 'number') return Number.isInteger(n);
  return typeof n === 'bigint' || isWhole(decimalOf(n));
}

/** Orders two numbers by mathematical value, whatever their kinds. Huge exponents cost nothing extra. */
export function compareNumbers(a: JsonNumber, b: JsonNumber): -1 | 0 | 1 {
  if (comparesNatively(a) && comparesNatively(b)) {
    if (a === b) return 0;
    if (a < b) return -1;
    return a > b ? 1 : 0;
  }
  return compareDecimals(decimalOf(a), decimalOf(b));
}

/**
 * One spelling for each integer: a `number` in the safe range, else a `bigint`, so `1.0` becomes 1 and `-0` becomes 0.
 * A fraction, and an `ExactNumber` or `number` of more than 400 digits, is returned as it is.
 */
export function toCanonical(n: JsonNumber): JsonNumber {
  if (typeof n === 'number' && (Number.isSafeInteger(n) || !Number.isInteger(n))) return n === 0 ? 0 : n;
  const whole = typeof n === 'bigint' ? n : writtenOut(decimalOf(n));
  if (whole === undefined) return n;
  const short = Number(whole);
  return Number.isSafeInteger(short) ? short : whole;
}

/** Whether `n` is a whole multiple of `divisor` in exact decimal arithmetic. Nothing is a multiple of zero. */
export function isMultipleOf(n: JsonNumber, divisor: JsonNumber): boolean {
  if (Number.isSafeInteger(n) && Number.isSafeInteger(divisor) && divisor !== 0) {
    return Number(n) % Number(divisor) === 0;
  }
  return isDecimalMultiple(decimalOf(n), decimalOf(divisor));
}

/** Whether the language's own operators see the value the text spells; a double past 2^53 may be another integer. */
function comparesNatively(n: JsonNumber): n is number | bigint {
  return typeof n === 'bigint' || (typeof n === 'number' && Math.abs(n) <= Number.MAX_SAFE_INTEGER);
}

function writtenOut(decimal: Decimal): bigint | undefined {
  if (!isWhole(decimal) || wholeDigits(decimal) > MAX_CANONICAL_DIGITS) return undefined;
  const digits = BigInt(decimal.digits + '0'.repeat(Number(decimal.exponent)));
  return decimal.negative ? -digits : digits;
}

function decimalOf(n: JsonNumber): Decimal {
  const lexeme = toLexeme(n);
  const decimal = parseDecimal(lexeme);
  // Every lexeme in the model is a JSON number; only a forged ExactNumber could get here.
  if (decimal === undefined) throw new RangeError(`${JSON.stringify(lexeme)} is not a JSON number`);
  return decimal;
}
