import { numberFromLexeme } from '../../core/json/exact-number';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { SourceDocument } from '../../openapi/read/source-document';
import type { FormatDiagnostics } from '../decode';
import { fillPattern, isPlaceholder, isScalar } from './placeholders';

/** What begins the name of a placeholder whose value is in the environment: `${env.SHOP_USER}`. */
const ENVIRONMENT = 'env.';

const VARIABLE_TYPES = ['string', 'number', 'integer', 'boolean'] as const;
type VariableType = (typeof VARIABLE_TYPES)[number];

/** A name of a contract that gets its value from outside. */
export interface ContractVariable {
  /** As placeholders write it: `tenant`, or `env.SHOP_USER` for a variable of the environment. */
  readonly name: string;
  /** `undefined` where none was given and there is no default, which is noted. */
  readonly value: JsonValue | undefined;
  /** Is its value in no report? `if-long`: where it is too long to stand anywhere by chance. */
  readonly secret: 'always' | 'if-long' | 'no';
}

/** What who starts a run gives. */
export interface GivenValues {
  /** By the name that contracts declare. */
  readonly variables: Readonly<Record<string, string | number | boolean>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Do placeholders of what may be secret stay as they are, given or not? For a contract that is written in another form. */
  readonly keepsSecrets?: boolean | undefined;
}

export const NO_GIVEN_VALUES: GivenValues = { variables: {}, environment: {} };

/** `variables` and `env` as the schema of the format has them. `env` is a list of names, or a map with more to say of each. */
export interface WrittenVariables {
  readonly variables?: JsonValue;
  readonly env?: JsonValue;
}

interface WrittenVariable {
  readonly default?: JsonValue;
  readonly type?: JsonValue;
  readonly secret?: JsonValue;
}

/**
 * Reads `variables` and `env` of a contract, and gives each its value. What has none, or one of another type, is noted at
 * its declaration. Steps are compared with the schema of the format when they are filled in, and so not yet: what does
 * not fit it here is passed over.
 */
export function readVariables(
  { variables, env }: WrittenVariables,
  given: GivenValues,
  diagnostics: FormatDiagnostics,
): ContractVariable[] {
  const entriesOf = (value: JsonValue | undefined, pointer: string): NamedValue[] => {
    if (Array.isArray(value)) {
      return value.flatMap((name, index) =>
        typeof name === 'string' ? [{ name, value: {}, pointer: `${pointer}/${index}` }] : [],
      );
    }
    const entries = Object.entries(isJsonObject(value) ? value : {});
    return entries.flatMap(([name, declared]) => {
      const long = isScalar(declared) ? { default: declared } : declared;
      return isJsonObject(long) ? [{ name, value: long, pointer: joinPointer(pointer, name) }] : [];
    });
  };
  const own = Array.isArray(variables) ? [] : entriesOf(variables, '/variables');
  return [
    ...own.map((entry) => readVariable(entry, entry.name, given, diagnostics)),
    ...entriesOf(env, '/env').map((entry) => readVariable(entry, `${ENVIRONMENT}${entry.name}`, given, diagnostics)),
  ];
}

/** Names under `variables` of a contract, whether the rest of it can be read or not. */
export function declaredVariables({ root }: Pick<SourceDocument, 'root'>): string[] {
  const variables = isJsonObject(root) ? root['variables'] : undefined;
  return isJsonObject(variables) ? Object.keys(variables) : [];
}

interface NamedValue {
  readonly name: string;
  readonly value: WrittenVariable;
  readonly pointer: string;
}

function readVariable(
  entry: NamedValue,
  name: string,
  given: GivenValues,
  diagnostics: FormatDiagnostics,
): ContractVariable {
  const { default: fallback, type: written, secret: isSecret } = entry.value;
  const isOfEnvironment = name.startsWith(ENVIRONMENT);
  const secret = secrecyOf(isSecret, isOfEnvironment);
  if (given.keepsSecrets === true && secret !== 'no') return { name, secret, value: undefined };
  const type = VARIABLE_TYPES.find((word) => word === written) ?? typeOf(fallback);
  const text = isOfEnvironment ? given.environment[entry.name] : given.variables[entry.name];
  // Empty in the environment means not set, as shells have it.
  const isGiven = text !== undefined && !(isOfEnvironment && text === '');
  if (isGiven) return { name, secret, value: readGiven(String(text), { name, type, secret, entry }, diagnostics) };
  if (fallback === undefined) addMissing(entry, name, type, diagnostics);
  return { name, secret, value: isScalar(fallback) ? fallback : undefined };
}

function secrecyOf(written: JsonValue | undefined, isOfEnvironment: boolean): ContractVariable['secret'] {
  if (written === undefined) return isOfEnvironment ? 'if-long' : 'no';
  return written === false ? 'no' : 'always';
}

function addMissing(
  { name: own, pointer }: NamedValue,
  name: string,
  type: VariableType,
  diagnostics: FormatDiagnostics,
): void {
  const isOfEnvironment = name !== own;
  const what = isOfEnvironment ? `The environment variable ${own} is not set` : `"${name}" has no value`;
  const give = isOfEnvironment ? `Set it: export ${own}=…` : `Give it: --variable ${own}=…`;
  diagnostics.add(pointer, what, EXPECTED[type], `${give}, or give it a default here.`);
}

interface DeclaredVariable extends Pick<ContractVariable, 'name' | 'secret'> {
  readonly type: VariableType;
  readonly entry: NamedValue;
}

function readGiven(
  text: string,
  { name, type, secret, entry }: DeclaredVariable,
  diagnostics: FormatDiagnostics,
): JsonValue | undefined {
  const value = valueOf(text, type);
  if (value !== undefined) return value;
  const shown = secret === 'no' ? `cannot be ${JSON.stringify(text)}` : 'has a value of another type';
  diagnostics.add(entry.pointer, `"${name}" ${shown}`, EXPECTED[type]);
  return undefined;
}

/** Values that no message may show. */
export function secretValues(variables: readonly ContractVariable[]): string[] {
  return variables.flatMap(({ secret, value }) => {
    const text = value === undefined || secret === 'no' ? '' : scalarText(value);
    return text.length < (secret === 'always' ? 1 : SHORTEST_LONG) ? [] : [text];
  });
}

/** A shorter text may stand anywhere by chance, as reports of runs have it. */
const SHORTEST_LONG = 6;

const EXPECTED: Readonly<Record<VariableType, string>> = {
  string: 'a string',
  number: 'a number, such as 2.5',
  integer: 'a whole number, such as 7',
  boolean: 'true or false',
};

function typeOf(fallback: JsonValue | undefined): VariableType {
  if (typeof fallback === 'boolean') return 'boolean';
  return isScalar(fallback) && typeof fallback !== 'string' ? 'number' : 'string';
}

/** @returns `undefined` when the text is none of the type */
function valueOf(text: string, type: VariableType): JsonValue | undefined {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (type === 'integer' && !/^-?(?:0|[1-9]\d*)$/.test(text)) return undefined;
  try {
    return numberFromLexeme(text);
  } catch {
    return undefined;
  }
}

/** As in `placeholders.ts`, with what escapes one kept as it is. */
const VARIABLE_PLACEHOLDER = /\$\$\{|\$\{([^{}]*)\}/g;

type VariableValues = ReadonlyMap<string, JsonValue>;

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

function fill(value: JsonValue, values: VariableValues, isPattern: boolean): JsonValue {
  if (typeof value === 'string') return isPattern ? inPattern(value, values) : inText(value, values);
  if (Array.isArray(value)) return value.map((item) => fill(item, values, false));
  if (!isJsonObject(value)) return value;
  // fromEntries defines properties, so that `__proto__` is data.
  return Object.fromEntries(
    Object.entries(value).map(([name, property]) => [name, fill(property, values, name === '$pattern')]),
  );
}

function inText(text: string, values: VariableValues): JsonValue {
  const whole = isPlaceholder(text) ? values.get(text.slice(2, -1)) : undefined;
  if (whole !== undefined && typeof whole !== 'string') return whole;
  return replaceKnown(text, values, (value) => scalarText(value).replaceAll('${', () => '$${'));
}

function inPattern(source: string, values: VariableValues): string {
  return replaceKnown(source, values, (value) => fillPattern('${value}', () => scalarText(value)));
}

function replaceKnown(text: string, values: VariableValues, textOf: (value: JsonValue) => string): string {
  return text.replace(VARIABLE_PLACEHOLDER, (whole, name: string | undefined) => {
    const value = name === undefined ? undefined : values.get(name);
    return value === undefined ? whole : textOf(value);
  });
}
