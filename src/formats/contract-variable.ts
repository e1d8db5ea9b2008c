import { numberFromLexeme } from '../json/exact-number';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import type { SourceDocument } from '../openapi/source-document';
import { MemberReader, type FormatJudge, type PlacedValue } from './member-reader';
import { isScalar } from './placeholders';

/** What begins the name of a placeholder whose value is in the environment: `${env.SHOP_USER}`. */
const ENVIRONMENT = 'env.';

export const VARIABLE_TYPES = ['string', 'number', 'integer', 'boolean'] as const;
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

/** What whoever starts a run gives. */
export interface OutsideValues {
  /** By the name that contracts declare. */
  readonly variables: Readonly<Record<string, string | number | boolean>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export const NOTHING_GIVEN: OutsideValues = { variables: {}, environment: {} };

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const ENVIRONMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MEMBERS = ['description', 'default', 'type', 'secret'];

/**
 * Reads `variables` and `env` of a contract, and gives each its value. What has none, or one of another type, is noted at
 * its declaration.
 */
export function readVariables(contract: MemberReader, given: OutsideValues, judge: FormatJudge): ContractVariable[] {
  const own = contract.entries('variables').flatMap((entry) => {
    if (NAME.test(entry.name) && entry.name !== 'runId') return readVariable(entry, entry.name, given, judge);
    judge.refuse(
      entry.pointer,
      `"${entry.name}" cannot be the name of a variable`,
      'a letter, then letters, digits and _; runId has a value already',
    );
    return [];
  });
  return [...own, ...environmentEntries(contract).flatMap((entry) => readEnvironment(entry, given, judge))];
}

/** Names under `variables` of a contract, whether the rest of it can be read or not. */
export function declaredVariables({ root }: Pick<SourceDocument, 'root'>): string[] {
  const variables = isJsonObject(root) ? root['variables'] : undefined;
  return isJsonObject(variables) ? Object.keys(variables) : [];
}

type NamedValue = PlacedValue & { readonly name: string };

/** `env` is a list of names, or a map with more to say of each. */
function environmentEntries(contract: MemberReader): NamedValue[] {
  if (!Array.isArray(contract.value('env'))) return contract.entries('env');
  return contract.list('env').map(({ value, pointer }) => {
    return { name: typeof value === 'string' ? value : '', value: {}, pointer };
  });
}

function readEnvironment(entry: NamedValue, given: OutsideValues, judge: FormatJudge): ContractVariable[] {
  if (ENVIRONMENT_NAME.test(entry.name)) return readVariable(entry, `${ENVIRONMENT}${entry.name}`, given, judge);
  judge.refuse(entry.pointer, 'This is no name of an environment variable', 'a name such as SHOP_USER');
  return [];
}

function readVariable(entry: NamedValue, name: string, given: OutsideValues, judge: FormatJudge): ContractVariable[] {
  // The short form is a default.
  const long = isScalar(entry.value) ? { value: { default: entry.value }, pointer: entry.pointer } : entry;
  const members = MemberReader.open(long, 'variable', MEMBERS, judge);
  if (members === undefined) return [];
  members.text('description');
  const fallback = readDefault(members);
  const isOfEnvironment = name.startsWith(ENVIRONMENT);
  const secret = secrecyOf(members, isOfEnvironment);
  const type = members.word('type', VARIABLE_TYPES) ?? typeOf(fallback);
  const text = isOfEnvironment ? given.environment[entry.name] : given.variables[entry.name];
  // Empty in the environment means not set, as shells have it.
  const isGiven = text !== undefined && !(isOfEnvironment && text === '');
  if (isGiven) return [{ name, secret, value: readGiven(String(text), { name, type, secret, entry }, judge) }];
  if (fallback === undefined) refuseMissing(entry, name, type, judge);
  return [{ name, secret, value: fallback }];
}

function readDefault(members: MemberReader): JsonValue | undefined {
  const value = members.value('default');
  if (value === undefined || isScalar(value)) return value;
  members.refuse('default', 'a text, a number, true or false');
  return undefined;
}

function secrecyOf(members: MemberReader, isOfEnvironment: boolean): ContractVariable['secret'] {
  const isSecret = members.value('secret');
  if (isSecret === undefined) return isOfEnvironment ? 'if-long' : 'no';
  if (typeof isSecret !== 'boolean') members.refuse('secret', 'true or false');
  return isSecret === false ? 'no' : 'always';
}

function refuseMissing({ name: own, pointer }: NamedValue, name: string, type: VariableType, judge: FormatJudge): void {
  const isOfEnvironment = name !== own;
  const what = isOfEnvironment ? `The environment variable ${own} is not set` : `"${name}" has no value`;
  const give = isOfEnvironment ? `Set it: export ${own}=…` : `Give it: --variable ${own}=…`;
  judge.refuse(pointer, what, EXPECTED[type], `${give}, or give it a default here.`);
}

interface Wanted extends Pick<ContractVariable, 'name' | 'secret'> {
  readonly type: VariableType;
  readonly entry: NamedValue;
}

function readGiven(text: string, { name, type, secret, entry }: Wanted, judge: FormatJudge): JsonValue | undefined {
  const value = valueOf(text, type);
  if (value !== undefined) return value;
  const shown = secret === 'no' ? `cannot be ${JSON.stringify(text)}` : 'has a value of another type';
  judge.refuse(entry.pointer, `"${name}" ${shown}`, EXPECTED[type]);
  return undefined;
}

/** Values that no message may show. */
export function secretTexts(variables: readonly ContractVariable[]): string[] {
  const secrets = variables.filter(({ secret, value }) => secret !== 'no' && value !== undefined && value !== '');
  return secrets.map(({ value }) => scalarText(value ?? ''));
}

const EXPECTED: Readonly<Record<VariableType, string>> = {
  string: 'a text',
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
