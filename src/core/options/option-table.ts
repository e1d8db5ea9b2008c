import { ConfigError } from '../errors/standin-error';
import { similarName } from '../text/similar-name';
import { describeType, isObject, type OptionType } from './option-types';

/**
 * An option of an entry point: a property of a function's options, a flag of a command, or both. Checks, `--help`, the
 * schema of the configuration file and docs/reference/options.md are made from it.
 */
export interface OptionDefinition {
  /** What it does, for `--help` and the docs. */
  readonly doc: string;
  readonly type: OptionType;
  /** Of the value in a program. */
  readonly unit?: 'milliseconds' | 'bytes' | 'requests per second';
  /** What holds without it, in words. */
  readonly default?: string | number;
  /** As commander writes it: `-p, --port <port>`. Left out: a program alone can give it. */
  readonly flag?: string;
  /** May the flag be given several times? */
  readonly isRepeated?: true;
  /** Does the flag take `name=value`? */
  readonly isPair?: true;
  /** Is the value of the flag a path, a name where it has no slash, or `file:PATH`? In a configuration file it is relative to that. */
  readonly path?: 'file' | 'name-or-file' | 'place';
  /** The value of a flag `--no-…`; `false` when left out. */
  readonly off?: string;
  /** Other options that cannot be given with it, by their flags in camel case. */
  readonly conflicts?: readonly string[];
  /** Is it an agreement to something for one call, which a configuration file cannot give? */
  readonly isConsent?: true;
}

/** Options by the name that programs use, or that of the flag where there is no other. */
export type OptionTable<Name extends string = string> = Readonly<
  Record<Name, OptionDefinition & { readonly group: string }>
>;

/** The same options under a heading of `--help`. */
export function inGroup<Name extends string>(
  group: string,
  options: Readonly<Record<Name, OptionDefinition>>,
): OptionTable<Name> {
  const entries = Object.entries<OptionDefinition>(options).map(([name, option]) => [name, { ...option, group }]);
  return Object.fromEntries(entries) as OptionTable<Name>;
}

/** What people write for an option that has another name: flags of the command line, and names in other tools. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  spec: 'description',
  allowRemotes: 'allowRemote',
  allowFile: 'allowFiles',
  isLenient: 'lenient',
  overlay: 'overlays',
  pack: 'packs',
  openapi: 'description',
  url: 'baseUrl',
  target: 'baseUrl',
  server: 'app',
  key: 'apiKey',
  identity: 'identities',
  refusedIdentity: 'refusedIdentities',
  refused: 'refusedIdentities',
  tags: 'only',
  rate: 'ratePerSecond',
  variable: 'variables',
  authProbes: 'probesAuth',
};

/**
 * Checks the options of a function: an unknown name, or a value of another type, would do something else in silence.
 * `undefined` is an option that was left out; `null` is rejected.
 *
 * @param caller - the name of the function
 * @throws ConfigError `CONFIG_INVALID`
 */
export function checkOptions(options: object, table: OptionTable, caller: string): void {
  if (!isObject(options)) {
    const message = `The options of ${caller} must be an object, got ${describeType(options)}`;
    throw new ConfigError('CONFIG_INVALID', message, { hint: `Give them by name: ${caller}({ … }).` });
  }
  for (const [name, value] of Object.entries(options)) {
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (option === undefined) throw unknownOption(name, Object.keys(table), caller);
    if (value !== undefined && !option.type.accepts(value)) throw invalidOption(name, value, option.type);
  }
}

function unknownOption(name: string, known: readonly string[], caller: string): ConfigError {
  const other = OTHER_NAMES[name];
  const near = other !== undefined && known.includes(other) ? other : similarName(name, known);
  // In the message, because test runners show nothing else.
  const question = near === undefined ? '' : `. Did you mean "${near}"?`;
  return new ConfigError('CONFIG_INVALID', `${caller} has no option "${name}"${question}`, {
    hint: `There are ${known.join(', ')}.`,
  });
}

function invalidOption(name: string, value: unknown, type: OptionType): ConfigError {
  const hint = type.hint?.(value) ?? (value === null ? 'Leave it out, or give undefined.' : undefined);
  const message = `The option ${name} must be ${type.expected}, got ${describeType(value)}`;
  return new ConfigError('CONFIG_INVALID', message, { hint });
}

/** Those of some values that are options of a function. */
export function optionsIn<Name extends string, Values extends object>(
  table: OptionTable<Name>,
  values: Values,
): Pick<Values, Name & keyof Values> {
  const entries = Object.entries(values).filter(([name]) => Object.hasOwn(table, name));
  return Object.fromEntries(entries) as Pick<Values, Name & keyof Values>;
}
