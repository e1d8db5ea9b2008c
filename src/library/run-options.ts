import type { RequestListener } from 'node:http';
import { ConfigError } from '../core/errors/standin-error';
import { checkOptions, inGroup, type OptionTable } from '../core/options/option-table';
import {
  aFunction,
  booleanValue,
  listener,
  milliseconds,
  nameList,
  oneOf,
  paths,
  percentages,
  scalarMap,
  shard,
  someOf,
  stringOrFunction,
  stringMap,
  stringOrListMap,
  stringValue,
  wholeNumberWithin,
} from '../core/options/option-types';
import type { DescriptionOptions } from '../files/load-api';
import type { GivenVariables } from '../files/load-contracts';
import { FAMILY_IDS, type FamilyId } from '../generated/generate-contracts';
import type { TargetOptions } from '../network/target';
import type { Shard } from '../runner/result/outcome';
import { DIMENSION_IDS, type MinCoverage } from '../runner/coverage/dimensions';
import { MODES, type Mode, type RunProgress } from '../runner/result/run-result';
import { DESCRIPTION_OPTIONS } from './description-options';
import { LOCK_STEP_OPTIONS, type LockStepOptions, requireLockStep } from './lock-step-options';
import { type EventReceivingOptions, RECEIVER_OPTIONS, requireReceiverOptions } from './receiver-options';
import { BASE_URL, CONNECTION_OPTIONS, CREDENTIAL_OPTIONS, SIGNAL } from './target-options';

const DAY_MS = 86_400_000;

/** Options of {@link runContract}. docs/reference/options.md has them as a table, with the flags of `standin verify`. */
export interface RunContractOptions extends DescriptionOptions, TargetOptions, LockStepOptions, EventReceivingOptions {
  /**
   * Contract files or folders. Default: those of the bundled Petstore; for another description, what is generated of it
   * ({@link generate}), and that each GET without required parameters succeeds.
   */
  readonly contracts?: string | readonly string[] | undefined;
  /** Path or address of an OpenAPI description. Default: the bundled Petstore. */
  readonly description?: string | undefined;
  /** Values of the variables that contracts declare. What they declare under `env` is taken from `process.env`. */
  readonly variables?: GivenVariables | undefined;
  /** The key to send. Default: `test-key` on this machine, and an error elsewhere. */
  readonly apiKey?: string | undefined;
  /** Keys of single security schemes, by their name in the description; {@link apiKey} is for all others. */
  readonly schemeKeys?: Readonly<Record<string, string>> | undefined;
  /** `key` (default) sends the key that the description asks for; `off` sends none and probes nothing without one. */
  readonly auth?: 'key' | 'off' | undefined;
  /** Keys of further callers, by the name that contracts give them. */
  readonly identities?: Readonly<Record<string, string>> | undefined;
  /** Keys that the service must reject, such as an expired one, by a name for reports. */
  readonly refusedIdentities?: Readonly<Record<string, string>> | undefined;
  /**
   * What may be sent: `observe` safe methods, `own` changes of what the run created, `full` everything. Default: `full`
   * on this machine, `own` elsewhere.
   */
  readonly mode?: Mode | undefined;
  /**
   * Existing items below which a run in mode `own` may create something, by variable of the path:
   * `{ server_id: 'localhost' }`. For every contract, beside what each names itself.
   */
  readonly within?: Readonly<Record<string, string | readonly string[]>> | undefined;
  /**
   * Asks beside the contracts what the description alone says: interactions that are made of it, of all kinds or of those
   * that are listed. Default: true where no contracts are named, but for the bundled Petstore, else false.
   */
  readonly generate?: boolean | readonly FamilyId[] | undefined;
  /** So many requests may be sent, but for what removes what was made. Default: without end; of what is generated 10,000. */
  readonly maxRequests?: number | undefined;
  /** So long, in milliseconds, may contracts and probes be begun. Default: without end. */
  readonly maxTimeMs?: number | undefined;
  /** May the run conform although the mode skips most steps? Default: false. */
  readonly allowSkipped?: boolean | undefined;
  /**
   * How much of the description has to be seen, in percent by dimension: `{ operations: 90, statuses: 60 }`. Below it the
   * outcome is `violations`. Not judged in a shard, nor where the run could not do all that it was to do. Default: nothing.
   */
  readonly minCoverage?: MinCoverage | undefined;
  /** Checks whose warnings fail the run, or `all`. Default: none. */
  readonly promote?: readonly string[] | undefined;
  /** Tags and operations to run alone. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** Tags and operations to leave out. Default: none. */
  readonly skip?: readonly string[] | undefined;
  /** How many contracts run at a time, 1 to 1000. Default: 4 on this machine, 1 elsewhere. */
  readonly concurrency?: number | undefined;
  /** Which part of the contracts to run: `{ index, count }`, counted from 1. Default: all. */
  readonly shard?: Shard | undefined;
  /** Call secured operations without a valid key as well? Default: true. */
  readonly probesAuth?: boolean | undefined;
  /** The same whole number gives the same generated values. The id of a run is another one each time. Default: the title of the API. */
  readonly seed?: number | undefined;
  /** File for what the run creates, written before each request and sealed with the key of this user; it must not exist. Default: none. */
  readonly ledger?: string | undefined;
  /** Called with how far the run is, after each step and more often. */
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

/** Options of {@link runContract}; the target may be created later, in a hook. */
export interface DescribeContractOptions extends Omit<
  RunContractOptions,
  'baseUrl' | 'shard' | 'signal' | 'onProgress'
> {
  /** In place of `app`: returns it when the tests run. */
  readonly createApp?: (() => RequestListener | Promise<RequestListener>) | undefined;
  /** In place of `app`: where the service is, or a function that returns it when the tests run. */
  readonly baseUrl?: string | (() => string | Promise<string>) | undefined;
}

const APP = { doc: 'a service in this process, such as an Express app, in place of baseUrl', type: listener } as const;

/** Of one run, and of the run behind tests. */
const ANY_RUN = {
  ...inGroup('Contracts', {
    contracts: {
      doc: 'contract files, or folders of them',
      type: paths,
      default: 'those of the bundled Petstore; for another description each GET without required parameters',
    },
    only: {
      flag: '--only <names>',
      doc: 'tags or operations to run alone, with commas',
      type: nameList,
      isRepeated: true,
    },
    skip: {
      flag: '--skip <names>',
      doc: 'tags or operations to leave out, with commas',
      type: nameList,
      isRepeated: true,
    },
    promote: {
      flag: '--promote <checks>',
      doc: 'checks whose warnings fail the run, with commas; all for every one',
      type: nameList,
      isRepeated: true,
    },
    minCoverage: {
      flag: '--min-coverage <dimension=percent>',
      doc: `what has to be seen of the description, such as operations=90; of ${DIMENSION_IDS.join(', ')}`,
      type: percentages('--min-coverage', 'dimension', DIMENSION_IDS),
      isRepeated: true,
      isPair: true,
    },
    variables: {
      flag: '--variable <name=value>',
      doc: 'a value for a variable that contracts declare; for secrets use env in the contract',
      type: scalarMap,
      isRepeated: true,
      isPair: true,
    },
    concurrency: {
      flag: '--concurrency <n>',
      doc: 'contracts at a time',
      type: wholeNumberWithin(1, 1000),
      default: '4 on this machine, 1 elsewhere',
    },
    seed: {
      flag: '--seed <n>',
      doc: 'makes generated values the same again; the id of the run is another one each time',
      type: wholeNumberWithin(0, Number.MAX_SAFE_INTEGER),
      default: 'from the title of the API',
    },
  }),
  ...inGroup('Description', {
    description: {
      flag: '--spec <file>',
      doc: 'OpenAPI 3.x or Swagger 2.0, YAML or JSON: a file or its address',
      type: stringValue,
      default: 'the bundled Petstore',
      path: 'file',
    },
    basePath: {
      doc: 'path before every path of the description at app',
      type: stringValue,
      default: 'that of the first server',
    },
  }),
  ...DESCRIPTION_OPTIONS,
  ...inGroup('What may be sent', {
    mode: {
      flag: '--mode <mode>',
      doc: 'observe: safe methods only; own: change only what this run creates; full: everything',
      type: oneOf(MODES),
      default: 'full on this machine, own elsewhere',
    },
    within: {
      flag: '--within <variable=value>',
      doc: 'in mode own: an existing item below which the run may create something, such as server_id=localhost',
      type: stringOrListMap,
      isRepeated: true,
      isPair: true,
    },
    generate: {
      flag: '--generate [kinds]',
      doc: `interactions that are made of the description, beside the contracts: all, or some of ${FAMILY_IDS.join(', ')}; off for none`,
      type: someOf(FAMILY_IDS),
      default: 'all where no contracts are named, else none',
    },
    maxRequests: {
      flag: '--max-requests <n>',
      doc: 'requests that may be sent; what is generated beyond them is left out',
      type: wholeNumberWithin(1, 1_000_000),
      default: 'no limit; 10000 of what is generated',
    },
    maxTimeMs: {
      flag: '--max-time <seconds>',
      doc: 'how long contracts and probes may be begun',
      type: milliseconds(1, DAY_MS),
      unit: 'milliseconds',
      default: 'no limit',
    },
    allowSkipped: {
      flag: '--allow-skipped',
      doc: 'the run may conform although the mode skips most steps',
      type: booleanValue,
    },
    probesAuth: {
      flag: '--no-auth-probes',
      doc: 'do not call secured operations without a valid key',
      type: booleanValue,
    },
    ledger: {
      flag: '--ledger <file>',
      doc: 'file for the list of what the run creates, written before each request',
      type: stringValue,
      default: 'standin-ledger-RUN.ndjson, here or, for this machine, in the folder for state; none in a program',
      path: 'file',
    },
  }),
  ...LOCK_STEP_OPTIONS,
  ...RECEIVER_OPTIONS,
  ...CREDENTIAL_OPTIONS,
  ...inGroup('Credentials', {
    refusedIdentities: { doc: 'keys that the service must reject, such as an expired one, by name', type: stringMap },
  }),
  ...CONNECTION_OPTIONS,
} satisfies OptionTable;

export const RUN_OPTIONS: OptionTable<keyof RunContractOptions> = {
  ...inGroup('Target', { baseUrl: BASE_URL, app: APP }),
  ...ANY_RUN,
  ...inGroup('Contracts', {
    shard: { flag: '--shard <i/n>', doc: 'run the i-th of n parts; merge-reports joins them', type: shard },
    signal: SIGNAL,
    onProgress: {
      doc: 'called with how far the run is: the phase, what is done of it, failures so far',
      type: aFunction,
    },
  }),
};

export const DESCRIBE_OPTIONS: OptionTable<keyof DescribeContractOptions> = {
  ...inGroup('Target', {
    baseUrl: { doc: 'where the service is, or a function that returns it', type: stringOrFunction },
    app: APP,
    createApp: { doc: 'returns the app when the tests run, in place of app', type: aFunction },
  }),
  ...ANY_RUN,
};

/** Checks the options of `runContract`, which need one target. @throws ConfigError `CONFIG_INVALID` */
export function checkRunOptions(options: RunContractOptions): void {
  checkOptions(options, RUN_OPTIONS, 'runContract');
  requireLockStep(options);
  requireReceiverOptions(options);
  requireOneTarget(options, ['baseUrl', 'app']);
}

/** The same of `describeContract`, before any test is made. @throws ConfigError `CONFIG_INVALID` */
export function checkDescribeOptions(options: DescribeContractOptions): void {
  checkOptions(options, DESCRIBE_OPTIONS, 'describeContract');
  requireLockStep(options);
  requireReceiverOptions(options);
  requireOneTarget(options, ['baseUrl', 'app', 'createApp']);
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
