import type { Mock } from '../../mock/create-mock';
import type { JournalOfSandboxes } from '../../mock/sandbox/sandbox-facts';
import { MAIN_ID } from '../../mock/sandbox/sandbox-selection';
import type * as ContractOfJournal from './contract-of-journal';

/** What can be made of the requests of one state. */
export interface ContractControls {
  /**
   * Makes a contract of requests that are remembered, as `standin record` does of its traffic. Nothing is written.
   *
   * @throws ConfigError where none of them makes a step, `StandinError` `SECRET_NOT_REPLACED` where a secret would stand in it
   */
  contract(choice?: ContractOfJournal.ContractChoice): ContractOfJournal.ContractOfRequests;
}

/**
 * @param id - `undefined` for the main state
 * @param journals - of what is remembered
 */
export function contractControls(
  current: () => Mock,
  id: string | undefined,
  journals: () => readonly JournalOfSandboxes[],
): ContractControls {
  return {
    contract: (choice = {}) => {
      // oxlint-disable-next-line typescript/no-require-imports -- hardly any mock needs it, and it is large
      const { contractOfJournal } = require('./contract-of-journal') as typeof ContractOfJournal;
      return contractOfJournal(current(), id ?? MAIN_ID, journals(), choice);
    },
  };
}
