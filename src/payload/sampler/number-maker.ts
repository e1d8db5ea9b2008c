import {
  compareNumbers,
  isJsonNumber,
  isMultipleOf,
  toCanonical,
  toLexeme,
  type JsonNumber,
} from '../../core/json/exact-number';
import type { JsonValue } from '../../core/json/json-value';
import { integerBelow, type Chance } from './chance';
import type { FlatSchema } from './flat-schema';
import { isInMilliseconds, LEAST_MS } from '../../openapi/naming/property-names';
import { epochSeconds } from './format-text';
import type { Plausible } from './plausible-values';

const MAX_TRIES = 64;

/** @returns a number within its bounds; `undefined` where none was found */
export function makeNumber(
  flat: FlatSchema,
  isWhole: boolean,
  chance: Chance,
  plausible: Plausible | undefined,
): JsonNumber | undefined {
  const preferred = usualNumber(flat, chance, plausible);
  if (preferred !== undefined) {
    const value = isWhole ? Math.round(preferred) : preferred;
    if (acceptsNumber(flat, value, isWhole)) return value;
  }
  const isPlain = flat.multiples.length === 0;
  const value = isWhole ? wholeNumber(flat, chance) : isPlain ? fraction(flat, chance) : multiple(flat, chance);
  return value !== undefined && acceptsNumber(flat, value, isWhole) ? value : undefined;
}

/** What a number of this name or description usually is; times in the unit that the description or its example has. */
function usualNumber(flat: FlatSchema, chance: Chance, plausible: Plausible | undefined): number | undefined {
  const named = plausible?.number?.(chance);
  const isTime = named !== undefined && named > LEAST_TIME && named < LEAST_MS;
  const isDescribed = flat.describedFormats.has('epoch') || flat.describedFormats.has('epoch-ms');
  if (!isTime && !isDescribed) return named;
  const seconds = isTime ? named : epochSeconds(chance);
  return countsMilliseconds(flat, plausible) ? seconds * 1000 : seconds;
}

function countsMilliseconds(flat: FlatSchema, plausible: Plausible | undefined): boolean {
  const isNamed = plausible !== undefined && isInMilliseconds(plausible.name, {});
  return flat.describedFormats.has('epoch-ms') || flat.isInMilliseconds || isNamed;
}

/** Seconds since 1970, of this century. */
const LEAST_TIME = 1e9;

/** Whether a number keeps the bounds, the multiples and the format of a schema. */
export function acceptsNumber(flat: FlatSchema, value: JsonNumber, isWhole: boolean): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = flat;
  const keeps = (limit: JsonValue | undefined, holds: (order: number) => boolean): boolean =>
    !isJsonNumber(limit) || holds(compareNumbers(value, limit));
  return (
    keeps(minimum, (order) => order >= 0) &&
    keeps(maximum, (order) => order <= 0) &&
    keeps(exclusiveMinimum, (order) => order > 0) &&
    keeps(exclusiveMaximum, (order) => order < 0) &&
    (!isWhole || compareNumbers(toCanonical(value), value) === 0) &&
    flat.multiples.every((divisor) => !isJsonNumber(divisor) || isMultipleOf(value, divisor)) &&
    (!flat.formats.has('int32') || Math.abs(Number(value) + 0.5) < 2 ** 31)
  );
}

/** The first multiple of the step from the lowest allowed number on, or one of those behind it. */
function wholeNumber(flat: FlatSchema, chance: Chance): JsonNumber | undefined {
  const step = flat.multiples.reduce<bigint>((known, divisor) => leastCommon(known, wholeStep(divisor)), 1n);
  const { low, high } = wholeRange(flat);
  const start = low ?? (high === undefined || high > 100n ? 1n : inFormat(flat, high - step * 99n));
  const first = ceilTo(start, step);
  const usual = first + step * 99n;
  const last = high === undefined || (low === undefined && high > usual) ? usual : high;
  if (first > last) return undefined;
  const room = (last - first) / step + 1n;
  const index = BigInt(integerBelow(chance, Number(room > 1000n ? 1000n : room)));
  return toCanonical(first + index * step);
}

/** The lowest number from the given one on that the integer format of a schema can hold (OpenAPI format registry). */
function inFormat({ formats }: FlatSchema, number: bigint): bigint {
  const lowest = -(2n ** (formats.has('int32') ? 31n : 63n));
  return number < lowest && (formats.has('int32') || formats.has('int64')) ? lowest : number;
}

function wholeRange(flat: FlatSchema): { low: bigint | undefined; high: bigint | undefined } {
  const lows = [wholeLimit(flat.minimum, 'up', 0n), wholeLimit(flat.exclusiveMinimum, 'down', 1n)];
  const highs = [wholeLimit(flat.maximum, 'down', 0n), wholeLimit(flat.exclusiveMaximum, 'up', -1n)];
  const bits = flat.formats.has('int32') ? 31n : flat.formats.has('int64') ? 63n : undefined;
  if (bits !== undefined) highs.push(2n ** bits - 1n);
  const low = extreme(lows, (a, b) => a > b);
  return { low, high: extreme(highs, (a, b) => a < b) };
}

function wholeLimit(limit: JsonValue | undefined, towards: 'up' | 'down', shift: bigint): bigint | undefined {
  if (!isJsonNumber(limit)) return undefined;
  const exact = toCanonical(limit);
  if (typeof exact === 'bigint') return exact + shift;
  const value = Number(exact);
  if (!Number.isFinite(value)) return undefined;
  return BigInt(towards === 'up' ? Math.ceil(value) : Math.floor(value)) + shift;
}

function extreme(limits: readonly (bigint | undefined)[], wins: (a: bigint, b: bigint) => boolean): bigint | undefined {
  return limits.reduce((best, limit) => {
    if (limit === undefined) return best;
    return best === undefined || wins(limit, best) ? limit : best;
  }, undefined);
}

/** The whole numbers that a divisor such as `2.5` divides are multiples of another one: of 5. */
function wholeStep(divisor: JsonValue): bigint {
  if (!isJsonNumber(divisor)) return 1n;
  const { digits, scale } = scaled(divisor);
  const common = greatestCommon(digits, scale);
  return digits / common === 0n ? 1n : digits / common;
}

/** A decimal as a whole number over a power of ten. */
function scaled(value: JsonNumber): { digits: bigint; scale: bigint; decimals: number } {
  const text = toLexeme(value);
  const [mantissa = '0', exponent = '0'] = text.toLowerCase().split('e');
  const [whole = '0', part = ''] = mantissa.split('.');
  const decimals = Math.min(400, part.length - Number(exponent));
  const digits = BigInt(whole + part);
  const positive = digits < 0n ? -digits : digits;
  if (decimals < 0) return { digits: positive * 10n ** BigInt(-decimals), scale: 1n, decimals: 0 };
  return { digits: positive, scale: 10n ** BigInt(decimals), decimals };
}

function greatestCommon(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommon(b, a % b);
}

function leastCommon(a: bigint, b: bigint): bigint {
  return (a / greatestCommon(a, b)) * b;
}

function ceilTo(value: bigint, step: bigint): bigint {
  const rest = ((value % step) + step) % step;
  return rest === 0n ? value : value + (step - rest);
}

/** A multiple of a decimal such as `0.01`. Reckoned in whole numbers: 3 times 0.1 is no 0.30000000000000004. */
function multiple(flat: FlatSchema, chance: Chance): number | undefined {
  const [first] = flat.multiples;
  if (!isJsonNumber(first)) return undefined;
  const { digits, decimals } = scaled(first);
  const { low, high } = range(flat);
  const size = Number(first);
  const start = Math.ceil((low ?? (high === undefined ? size : high - size * 99)) / size);
  const end = high === undefined ? start + 99 : Math.floor(high / size);
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const count =
      start + ((integerBelow(chance, Math.min(1000, end - start + 1)) + attempt) % Math.max(1, end - start + 1));
    const value = Number(`${BigInt(count) * digits}e${-decimals}`);
    if (acceptsNumber(flat, value, false)) return value;
  }
  return undefined;
}

function range(flat: FlatSchema): { low: number | undefined; high: number | undefined } {
  const of = (...limits: (JsonValue | undefined)[]): number[] => limits.filter(isJsonNumber).map(Number);
  const lows = of(flat.minimum, flat.exclusiveMinimum);
  const highs = of(flat.maximum, flat.exclusiveMaximum);
  return {
    low: lows.length === 0 ? undefined : Math.max(...lows),
    high: highs.length === 0 ? undefined : Math.min(...highs),
  };
}

function fraction(flat: FlatSchema, chance: Chance): number | undefined {
  const { low, high } = range(flat);
  const share = (integerBelow(chance, 9973) + 13) / 10_000;
  const first = low ?? (high === undefined ? 0 : high - 100);
  const last = high ?? first + 100;
  // Not `first + (last - first) * share`: the difference of two doubles can be infinite.
  const exact = first * (1 - share) + last * share;
  const candidates = [Math.round(exact * 100) / 100, exact, first / 2 + last / 2, first, last];
  return candidates.find((value) => Number.isFinite(value) && acceptsNumber(flat, value, false));
}
