import type { RunContractOptions } from '../../src/library/run-options';
import type { Sender } from './client';
import type { Defect, Variant } from './defect';
import type { Dialect } from './dialect';
import type { TargetName } from './kill-rate/targets';

/** An API, and what goes wrong at it. A witness takes a client of the API. */
export interface Api<Caller extends Sender> {
  readonly dialect: Dialect;
  /** The servers that conform, each with what the tables call it. */
  readonly targets: Readonly<Partial<Record<TargetName, string>>>;
  /** What a run needs beside contracts to be at a server with this address. */
  readonly runOptions: (url: string) => Pick<RunContractOptions, 'baseUrl' | 'description' | 'within'>;
  readonly defects: readonly Defect<Caller>[];
  readonly variants: readonly Variant<Caller>[];
  /** What the defects are about, by the first letters of their ids. */
  readonly classes: Readonly<Record<string, string>>;
  /** Defects of the general list that the API has no place for, with the reason. */
  readonly dropped: Readonly<Record<string, string>>;
}
