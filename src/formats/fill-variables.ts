import { isJsonObject, type JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import type { ContractVariable } from './contract-variable';
import { fillPattern } from './pattern-text';
import { isPlaceholder } from './placeholders';

/** As in `placeholders.ts`, with what escapes one kept as it is. */
const PLACEHOLDER = /\$\$\{|\$\{([^{}]*)\}/g;

type Values = ReadonlyMap<string, JsonValue>;

/**
 * Puts the values of variables in the place of their placeholders, in every text of a step; other placeholders stay. A
 * text that is one placeholder and nothing else becomes the value itself. What comes in so is never read as a
 * placeholder or a matcher, and in a pattern it stands for its own characters.
 */
export function fillVariables(value: JsonValue, variables: readonly ContractVariable[]): JsonValue {
  const values = new Map(
    variables.flatMap(({ name, value: given }) => (given === undefined ? [] : [[name, given] as const])),
  );
  return values.size === 0 ? value : fill(value, values, false);
}

function fill(value: JsonValue, values: Values, isPattern: boolean): JsonValue {
  if (typeof value === 'string') return isPattern ? inPattern(value, values) : inText(value, values);
  if (Array.isArray(value)) return value.map((item) => fill(item, values, false));
  if (!isJsonObject(value)) return value;
  // fromEntries defines members, so that `__proto__` is data.
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, fill(member, values, name === '$pattern')]),
  );
}

function inText(text: string, values: Values): JsonValue {
  const whole = isPlaceholder(text) ? values.get(text.slice(2, -1)) : undefined;
  if (whole !== undefined && typeof whole !== 'string') return whole;
  return replaceKnown(text, values, (value) => scalarText(value).replaceAll('${', () => '$${'));
}

function inPattern(source: string, values: Values): string {
  return replaceKnown(source, values, (value) => fillPattern('${value}', () => scalarText(value)));
}

function replaceKnown(text: string, values: Values, textOf: (value: JsonValue) => string): string {
  return text.replace(PLACEHOLDER, (whole, name: string | undefined) => {
    const value = name === undefined ? undefined : values.get(name);
    return value === undefined ? whole : textOf(value);
  });
}
