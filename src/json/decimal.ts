/**
 * A finite decimal: `digits` × 10^`exponent`, negated when `negative`.
 *
 * `digits` has no zero at either end and is empty for zero, so that equal decimals have equal fields. The exponent is
 * a bigint because JSON does not bound it (RFC 8259 section 6); no operation here writes an exponent out as zeros.
 */
export interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: bigint;
}

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
const ZERO: Decimal = { negative: false, digits: '', exponent: 0n };
const ZERO_CODE = 48;

/** The decimal that a number in JSON's grammar (RFC 8259 section 6) spells; undefined for any other text. */
export function parseDecimal(lexeme: string): Decimal | undefined {
  const match = NUMBER.exec(lexeme);
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
export function isWhole(decimal: Decimal): boolean {
  return decimal.exponent >= 0n;
}

/** How many digits stand before the decimal point when written out: 3 for 123.4, -1 for 0.05. Zero has none. */
export function wholeDigits(decimal: Decimal): bigint {
  return decimal.exponent + BigInt(decimal.digits.length);
}

/** Orders two decimals by value, looking at sign and magnitude before any digit. */
export function compareDecimals(a: Decimal, b: Decimal): -1 | 0 | 1 {
  const sign = signOf(a);
  if (sign !== signOf(b)) return sign < signOf(b) ? -1 : 1;
  const larger = compareMagnitudes(a, b);
  if (larger === 0 || sign > 0) return larger;
  return larger === 1 ? -1 : 1;
}

/** Whether `decimal` is a whole multiple of `divisor`. Nothing is a multiple of zero. */
export function isDecimalMultiple(decimal: Decimal, divisor: Decimal): boolean {
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
