import type { TranslatedSchema } from './translated-keywords';

/** Keywords with schemas by name: what is in them are names, and no keywords. */
const BY_NAME = new Set(['properties', 'patternProperties', 'dependentSchemas']);
/** Keywords with values, which are no schemas whatever is in them. */
const WITH_VALUES = new Set(['const', 'enum', 'exactConst', 'exactEnum', 'exactHint', 'dependentRequired']);

/**
 * A translated schema that is content where a value fits several branches of a `oneOf`: each is an `anyOf`. What it
 * refers to is left as it is.
 */
export function withLooseUnions(schema: TranslatedSchema): TranslatedSchema {
  const { oneOf, ...rest } = schema;
  const loose: TranslatedSchema = {};
  for (const [keyword, operand] of Object.entries(rest)) loose[keyword] = operandOf(keyword, operand);
  if (oneOf === undefined) return loose;
  const branches = inLists(oneOf);
  if (loose['anyOf'] === undefined) return { ...loose, anyOf: branches };
  const parts = Array.isArray(loose['allOf']) ? (loose['allOf'] as unknown[]) : [];
  return { ...loose, allOf: [...parts, { anyOf: branches }] };
}

function operandOf(keyword: string, operand: unknown): unknown {
  if (WITH_VALUES.has(keyword)) return operand;
  if (!BY_NAME.has(keyword) || !isObject(operand)) return inLists(operand);
  return Object.fromEntries(Object.entries(operand).map(([name, schema]) => [name, inLists(schema)]));
}

function inLists(operand: unknown): unknown {
  if (Array.isArray(operand)) return operand.map(inLists);
  return isObject(operand) ? withLooseUnions(operand) : operand;
}

/** Numbers that a double cannot hold are objects of a class of their own. */
function isObject(value: unknown): value is TranslatedSchema {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
