import { ConfigError } from '../core/errors/standin-error';
import { checkOptions, inGroup, type OptionTable } from '../core/options/option-table';
import { booleanValue, stringValue } from '../core/options/option-types';
import type { DescriptionOptions } from '../files/load-api';
import type { TargetOptions } from '../network/target';
import { DESCRIPTION_OPTIONS } from './description-options';
import { type RunContractOptions, RUN_OPTIONS } from './run-options';
import { BASE_URL, CONNECTION_OPTIONS, CREDENTIAL_OPTIONS, SIGNAL } from './target-options';

/** Options of {@link cleanUp}. */
export interface CleanUpOptions
  extends
    DescriptionOptions,
    Omit<TargetOptions, 'app' | 'basePath'>,
    Pick<RunContractOptions, 'apiKey' | 'schemeKeys' | 'auth' | 'identities'> {
  /** The file that the interrupted run wrote. */
  readonly ledger: string;
  /** Where the service is. Default: where the ledger says; another one is rejected. */
  readonly baseUrl?: string | undefined;
  /**
   * Accept a ledger that this user did not write on this machine, or that was changed: one of a build server, say. Then
   * `baseUrl` and `description` have to be given, and only what is proven to be created by the run is removed. Default:
   * false.
   */
  readonly foreignLedger?: boolean | undefined;
  /** Path of the description. Default: the one that the ledger names. */
  readonly description?: string | undefined;
}

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
  ...inGroup('Description', { description: { ...RUN_OPTIONS.description, default: 'the one that the ledger names' } }),
  ...DESCRIPTION_OPTIONS,
  ...CREDENTIAL_OPTIONS,
  ...CONNECTION_OPTIONS,
  ...inGroup('Connection', { signal: SIGNAL }),
};

/** Checks the options of `cleanUp`. @throws ConfigError `CONFIG_INVALID` */
export function checkCleanUpOptions(options: CleanUpOptions): void {
  checkOptions(options, CLEAN_UP_OPTIONS, 'cleanUp');
  if ((options as Partial<CleanUpOptions>).ledger !== undefined) return;
  throw new ConfigError('CONFIG_INVALID', 'cleanUp was given no ledger', {
    hint: 'Give { ledger: FILE }: the file that the interrupted run wrote.',
  });
}
