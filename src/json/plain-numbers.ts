import { ExactNumber } from './exact-number';
import type { JsonValue } from './json-value';

/**
 * A value for what knows neither `bigint` nor our exact numbers: each is the nearest number that a double can hold. What
 * holds none of them, nearly everything, is given as it is.
 */
export function plainNumbers(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ExactNumber) return Number(value.lexeme);
  if (Array.isArray(value)) {
    const plain = value.map(plainNumbers);
    return plain.every((item, index) => item === value[index]) ? value : plain;
  }
  let changed: [string, unknown][] | undefined;
  for (const name of Object.keys(value)) {
    const plain = plainNumbers(value[name] ?? null);
    if (plain !== value[name]) (changed ??= []).push([name, plain]);
  }
  if (changed === undefined) return value;
  const replaced = new Map(changed);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, replaced.has(name) ? replaced.get(name) : member]),
  );
}
