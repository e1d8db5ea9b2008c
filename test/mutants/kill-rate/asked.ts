import type { RunContractOptions } from '../../../src/library/run-options';
import { type RecordedContract, recordedContract } from './recorded';

/** What a run asks of a server. */
export interface Asked {
  readonly options: Pick<RunContractOptions, 'contracts' | 'generate'>;
  /** The same for what is slow on purpose, which shows in a short run as well. */
  readonly short: Asked['options'];
  /** Removes what was written for it. */
  readonly remove: () => void;
}

export const ASKED = ['bundled', 'recorded', 'generated', 'everything'] as const;
export type AskedName = (typeof ASKED)[number];

const BUNDLED = ['contracts/core', 'contracts/full'];

/** Makes what is asked ready. */
export async function prepare(name: AskedName): Promise<Asked> {
  switch (name) {
    case 'recorded':
      return recorded(await recordedContract());
    case 'generated':
      return { options: { generate: true }, short: { generate: ['lifecycle'] }, remove: () => undefined };
    case 'everything':
      return { ...bundled({ generate: true }), remove: () => undefined };
    case 'bundled':
      return { ...bundled({}), remove: () => undefined };
  }
}

function bundled(more: Asked['options']): Pick<Asked, 'options' | 'short'> {
  return { options: { contracts: BUNDLED, ...more }, short: { contracts: 'contracts/core' } };
}

function recorded(contract: RecordedContract): Asked {
  const options = { contracts: contract.file };
  return {
    options,
    short: options,
    remove: () => {
      contract.remove();
    },
  };
}
