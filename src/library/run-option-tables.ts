import { ConfigError } from '../core/errors/standin-error';
import { checkOptions, inGroup, type OptionTable } from '../core/options/option-table';
import {
  abortSignal,
  aFunction,
  booleanOrString,
  booleanValue,
  listener,
  milliseconds,
  nameList,
  numberWithin,
  oneOf,
  paths,
  scalarMap,
  shard,
  stringMap,
  stringOrFunction,
  stringOrListMap,
  stringValue,
  transport,
  wholeNumberWithin,
} from '../core/options/option-types';
import { MODES } from '../runner/result/run-result';
import { DESCRIPTION_OPTIONS } from './description-options';
import type { CleanUpOptions, DescribeContractOptions, RunContractOptions } from './run-options';

const HOUR_MS = 3_600_000;

const KEYS = inGroup('Credentials', {
  apiKey: {
    flag: '--api-key <key>',
    doc: 'the key to send; prefer a variable, which other users of the machine do not see',
    type: stringValue,
    default: 'test-key, on this machine only',
  },
  auth: {
    flag: '--no-auth',
    doc: 'this service needs no key, whatever the description says: none is sent',
    type: oneOf(['key', 'off']),
    off: 'off',
    conflicts: ['apiKey', 'apiKeyEnv'],
  },
  identities: { doc: 'keys of further callers, by the name that contracts give them', type: stringMap },
});

const CONNECTION = inGroup('Connection', {
  timeoutMs: {
    flag: '--timeout <seconds>',
    doc: 'for one request and its whole response',
    type: milliseconds(1, HOUR_MS),
    unit: 'milliseconds',
    default: 30_000,
  },
  retries: {
    flag: '--retries <n>',
    doc: 'how often a request is sent again, where that does no harm',
    type: wholeNumberWithin(0, 1000),
    default: 3,
  },
  ratePerSecond: {
    flag: '--rate <n>',
    doc: 'largest number of requests per second',
    type: numberWithin(0.01, 100_000, 'requests per second'),
    unit: 'requests per second',
    default: 'no limit on this machine, 20 elsewhere',
  },
  waitReadyMs: {
    flag: '--wait-ready <seconds>',
    doc: 'how long to wait until the service responds',
    type: milliseconds(0, HOUR_MS),
    unit: 'milliseconds',
    default: 'no waiting',
  },
  proxy: {
    flag: '--proxy <url>',
    doc: 'HTTP proxy',
    type: stringValue,
    default: 'HTTPS_PROXY, HTTP_PROXY and NO_PROXY',
  },
  ca: { flag: '--ca <file>', doc: 'file of further certificate authorities, PEM', type: stringValue, path: 'file' },
  insecure: {
    flag: '--insecure [host]',
    doc: 'do not check the certificate of this machine, or of the host that is named',
    type: booleanOrString,
    isConsent: true,
  },
  remote: {
    flag: '--remote',
    doc: 'the address leads to a shared server although it is on this machine, as a forwarded port does',
    type: booleanValue,
  },
  transport: { doc: 'an object whose send takes the place of a socket; retries are its own', type: transport },
});

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
      doc: 'makes the id of the run, and the names that contain it, the same again',
      type: wholeNumberWithin(0, Number.MAX_SAFE_INTEGER),
      default: 'random',
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
  ...KEYS,
  ...CONNECTION,
} satisfies OptionTable;

const BASE_URL = {
  flag: '--base-url <url>',
  doc: 'where the service is, such as http://127.0.0.1:4010; required',
  type: stringValue,
} as const;
const APP = { doc: 'a service in this process, such as an Express app, in place of baseUrl', type: listener } as const;
const SIGNAL = { doc: 'once aborted nothing more is sent but the cleanup', type: abortSignal } as const;

export const RUN_OPTIONS: OptionTable<keyof RunContractOptions> = {
  ...inGroup('Target', { baseUrl: BASE_URL, app: APP }),
  ...ANY_RUN,
  ...inGroup('Contracts', {
    shard: { flag: '--shard <i/n>', doc: 'run the i-th of n parts; merge-reports joins them', type: shard },
    signal: SIGNAL,
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

export const CLEAN_UP_OPTIONS: OptionTable<keyof CleanUpOptions> = {
  ...inGroup('Target', {
    ledger: { doc: 'the ledger that the run wrote; required', type: stringValue },
    baseUrl: {
      ...BASE_URL,
      doc: 'where the service is',
      default: 'that of the ledger; any other is rejected',
    },
    foreignLedger: {
      flag: '--foreign-ledger',
      doc: 'accept a ledger that was not written by this user on this machine; needs --base-url and --spec',
      type: booleanValue,
      isConsent: true,
    },
  }),
  ...inGroup('Description', { description: { ...ANY_RUN.description, default: 'the one that the ledger names' } }),
  ...DESCRIPTION_OPTIONS,
  ...KEYS,
  ...CONNECTION,
  ...inGroup('Connection', { signal: SIGNAL }),
};

/** Checks the options of `runContract`, which need one target. @throws ConfigError `CONFIG_INVALID` */
export function checkRunOptions(options: RunContractOptions): void {
  checkOptions(options, RUN_OPTIONS, 'runContract');
  requireOneTarget(options, ['baseUrl', 'app']);
}

/** The same of `describeContract`, before any test is made. @throws ConfigError `CONFIG_INVALID` */
export function checkDescribeOptions(options: DescribeContractOptions): void {
  checkOptions(options, DESCRIBE_OPTIONS, 'describeContract');
  requireOneTarget(options, ['baseUrl', 'app', 'createApp']);
}

/** The same of `cleanUp`. @throws ConfigError `CONFIG_INVALID` */
export function checkCleanUpOptions(options: CleanUpOptions): void {
  checkOptions(options, CLEAN_UP_OPTIONS, 'cleanUp');
  if ((options as Partial<CleanUpOptions>).ledger !== undefined) return;
  throw new ConfigError('CONFIG_INVALID', 'cleanUp was given no ledger', {
    hint: 'Give { ledger: FILE }: the file that the interrupted run wrote.',
  });
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
