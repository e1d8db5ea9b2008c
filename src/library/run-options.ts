import type { RequestListener } from 'node:http';
import type { Mode } from '../runner/result/run-result';
import type { Shard } from '../runner/result/outcome';
import type { GivenVariables } from '../files/load-contracts';
import type { DescriptionOptions } from '../files/load-api';
import type { TargetOptions } from '../network/target';

/** Options of {@link runContract}. docs/reference/options.md has them as a table, with the flags of `standin verify`. */
export interface RunContractOptions extends DescriptionOptions, TargetOptions {
  /**
   * Contract files or folders. Default: those of the bundled Petstore; for another description, that each GET without
   * required parameters succeeds.
   */
  readonly contracts?: string | readonly string[] | undefined;
  /** Path or address of an OpenAPI description. Default: the bundled Petstore. */
  readonly description?: string | undefined;
  /** Values of the variables that contracts declare. What they declare under `env` is taken from `process.env`. */
  readonly variables?: GivenVariables | undefined;
  /** The key to send. Default: `test-key` on this machine, and an error elsewhere. */
  readonly apiKey?: string | undefined;
  /** `key` (default) sends the key that the description asks for; `off` sends none and probes nothing without one. */
  readonly auth?: 'key' | 'off' | undefined;
  /** Keys of further callers, by the name that contracts give them. */
  readonly identities?: Readonly<Record<string, string>> | undefined;
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
  /** May the run conform although the mode skips most steps? Default: false. */
  readonly allowSkipped?: boolean | undefined;
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
  /** The same whole number gives the same id of the run, and with it the same names. Default: random. */
  readonly seed?: number | undefined;
  /** File for what the run creates, written before each request and sealed with the key of this user; it must not exist. Default: none. */
  readonly ledger?: string | undefined;
}

/** Options of {@link cleanUp}. */
export interface CleanUpOptions
  extends
    DescriptionOptions,
    Omit<TargetOptions, 'app' | 'basePath'>,
    Pick<RunContractOptions, 'apiKey' | 'auth' | 'identities'> {
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

/** Options of {@link runContract}; the target may be created later, in a hook. */
export interface DescribeContractOptions extends Omit<RunContractOptions, 'baseUrl' | 'shard' | 'signal'> {
  /** In place of `app`: returns it when the tests run. */
  readonly createApp?: (() => RequestListener | Promise<RequestListener>) | undefined;
  /** In place of `app`: where the service is, or a function that returns it when the tests run. */
  readonly baseUrl?: string | (() => string | Promise<string>) | undefined;
}
