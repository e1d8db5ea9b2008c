import { ConfigError } from '../errors/harness-error';
import { similarName } from '../errors/similar-name';
import { MODES } from '../runner/run-result';
import type { CleanUpOptions } from './clean-up';
import type { DescribeContractOptions } from './describe-contract';
import type { TargetOptions } from './open-target';
import {
  abortSignal,
  aFunction,
  flag,
  flagOrText,
  inWords,
  isObject,
  listener,
  numberWithin,
  oneOf,
  paths,
  pathsOrObjects,
  scalarsByName,
  shard,
  text,
  textOrFunction,
  texts,
  textsByName,
  textsByNameOrList,
  textsOrOff,
  transport,
  wholeNumberWithin,
  type OptionKind,
} from './option-kinds';
import type { RunContractOptions } from './run-contract';

/** Every option of a function; the compiler holds them to its type. */
type Kinds<Options> = Readonly<Record<keyof Options, OptionKind>>;

const TARGET: Kinds<Omit<TargetOptions, 'app' | 'baseUrl' | 'basePath' | 'signal'>> = {
  transport,
  timeoutMs: numberWithin(1, 3_600_000),
  retries: wholeNumberWithin(0, 1000),
  ratePerSecond: numberWithin(0.01, 100_000),
  waitReadyMs: numberWithin(0, 3_600_000),
  proxy: text,
  ca: text,
  insecure: flagOrText,
  remote: flag,
};

const CALLERS = {
  description: text,
  allowRemote: texts,
  allowFiles: texts,
  lenient: flag,
  overlays: pathsOrObjects,
  packs: textsOrOff,
  apiKey: text,
  auth: oneOf(['key', 'off']),
  identities: textsByName,
} as const;

/** Of one run, and of the run behind tests. */
const ANY_RUN: Kinds<Omit<DescribeContractOptions, 'baseUrl' | 'app' | 'createApp'>> = {
  contracts: paths,
  basePath: text,
  ...CALLERS,
  variables: scalarsByName,
  mode: oneOf(MODES),
  within: textsByNameOrList,
  allowSkipped: flag,
  only: texts,
  skip: texts,
  concurrency: wholeNumberWithin(1, 1000),
  probesAuth: flag,
  seed: wholeNumberWithin(0, Number.MAX_SAFE_INTEGER),
  ledger: text,
  ...TARGET,
};

const RUN: Kinds<RunContractOptions> = { baseUrl: text, app: listener, ...ANY_RUN, shard, signal: abortSignal };

const DESCRIBE: Kinds<DescribeContractOptions> = {
  baseUrl: textOrFunction,
  app: listener,
  createApp: aFunction,
  ...ANY_RUN,
};

const CLEAN_UP: Kinds<CleanUpOptions> = {
  ledger: text,
  baseUrl: text,
  foreignLedger: flag,
  ...CALLERS,
  ...TARGET,
  signal: abortSignal,
};

/** What people write for an option that has another name: flags of the command line, and words of other tools. */
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
  tags: 'only',
  rate: 'ratePerSecond',
  variable: 'variables',
  authProbes: 'probesAuth',
};

/**
 * Looks at the options of `runContract`: a mistyped one, or one of another type, would run something else in silence.
 * The command line has the same limits. `undefined` is an option that was left out; `null` is refused.
 *
 * @throws ConfigError `CONFIG_INVALID`
 */
export function checkRunOptions(options: RunContractOptions): void {
  checkAll(options, RUN, 'runContract');
  requireOneTarget(options, ['baseUrl', 'app']);
}

/** The same of `describeContract`, before any test is made. @throws ConfigError `CONFIG_INVALID` */
export function checkDescribeOptions(options: DescribeContractOptions): void {
  checkAll(options, DESCRIBE, 'describeContract');
  requireOneTarget(options, ['baseUrl', 'app', 'createApp']);
}

/** The same of `cleanUp`. @throws ConfigError `CONFIG_INVALID` */
export function checkCleanUpOptions(options: CleanUpOptions): void {
  checkAll(options, CLEAN_UP, 'cleanUp');
  if ((options as Partial<CleanUpOptions>).ledger !== undefined) return;
  throw new ConfigError('CONFIG_INVALID', 'cleanUp was given no ledger', {
    hint: 'Give { ledger: FILE }: the file that the interrupted run wrote.',
  });
}

function checkAll<Options extends object>(options: Options, kinds: Kinds<Options>, caller: string): void {
  if (!isObject(options)) {
    throw new ConfigError('CONFIG_INVALID', `The options of ${caller} are ${inWords(options)}: expected an object`, {
      hint: `Give them by name: ${caller}({ … }).`,
    });
  }
  const known = new Map<string, OptionKind>(Object.entries(kinds));
  for (const [name, value] of Object.entries(options)) {
    const kind = known.get(name);
    if (kind === undefined) throw noSuchOption(name, [...known.keys()], caller);
    if (value !== undefined && !kind.fits(value)) throw refusal(name, value, kind);
  }
}

function noSuchOption(name: string, known: readonly string[], caller: string): ConfigError {
  const other = OTHER_NAMES[name];
  const near = other !== undefined && known.includes(other) ? other : similarName(name, known);
  // In the message, because test runners show nothing else.
  const question = near === undefined ? '' : `: did you mean "${near}"?`;
  return new ConfigError('CONFIG_INVALID', `${caller} has no option "${name}"${question}`, {
    hint: `There are ${known.join(', ')}.`,
  });
}

function refusal(name: string, value: unknown, kind: OptionKind): ConfigError {
  const hint = kind.hint?.(value) ?? (value === null ? 'Leave it out, or give undefined.' : undefined);
  const message = `The option ${name} cannot be used: expected ${kind.expected}, not ${inWords(value)}`;
  return new ConfigError('CONFIG_INVALID', message, { hint });
}

/** With two of them it would not be known which one was asked; with none there is nobody to ask. */
function requireOneTarget<Name extends string>(
  options: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
): void {
  const given = names.filter((name) => options[name] !== undefined);
  if (given.length === 1) return;
  const all = `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
  // As when a function that makes the app forgets to return it.
  const empty = names.filter((name) => name in options).map((name) => `; ${name} is undefined`);
  const message =
    given.length === 0
      ? `No target was given: expected ${all}${empty.join('')}`
      : `Two targets were given: ${given.join(' and ')}`;
  throw new ConfigError('CONFIG_INVALID', message, {
    hint: 'Give one: baseUrl for a service that listens, app for one of this process.',
  });
}
