import { MAIN_ID } from '../../mock/sandbox/sandbox-selection';
import type * as ContractOfJournal from './contract-of-journal';
import type { CurrentMock } from './sandbox-controls';

/** Which remembered requests become a contract, and what it is called. */
export interface ContractChoice {
  /** Their numbers, as the window and `GET /__standin/requests` show them; all of this state when left out. */
  readonly requests?: readonly number[] | undefined;
  /** File of the contract, which is not written: `contracts/recorded.yaml` by default. */
  readonly file?: string | undefined;
  /** Of the mock, for the command that replays it: `http://127.0.0.1:4010` by default. */
  readonly baseUrl?: string | undefined;
}

/** A contract of remembered requests, and what a reader has to know of it. */
export interface ContractOfRequests {
  readonly file: string;
  /** The contract. Every secret stands in it as a name. */
  readonly yaml: string;
  /** How many requests it was made of, before those that are left out. */
  readonly requests: number;
  readonly counts: { readonly setup: number; readonly steps: number; readonly cleanup: number };
  readonly leftOut: readonly {
    readonly reason: string;
    readonly count: number;
    readonly examples: readonly string[];
  }[];
  /** To look at: what is not remembered as a whole, what stayed literal and why. */
  readonly notes: readonly string[];
  /** Names of the environment that it needs a value of. */
  readonly environment: readonly string[];
  /** Callers beside the one of the run, that need a key. */
  readonly identities: readonly string[];
  /** Replays it at this mock. */
  readonly command: string;
}

/** What can be made of the requests of one state. */
export interface ContractControls {
  /**
   * Makes a contract of requests that are remembered, as `standin record` does of its traffic. Nothing is written.
   *
   * @throws ConfigError where none of them makes a step, `StandinError` `SECRET_NOT_REPLACED` where a secret would stand in it
   */
  contract(choice?: ContractChoice): ContractOfRequests;
}

/** @param id - `undefined` for the main state */
export function contractControls(current: CurrentMock, id: string | undefined): ContractControls {
  return {
    contract: (choice = {}) => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- hardly any mock needs it, and it is large
      const { contractOfJournal } = require('./contract-of-journal') as typeof ContractOfJournal;
      return contractOfJournal(current(), id ?? MAIN_ID, choice);
    },
  };
}
