import type { RunContractOptions } from '../../../src/library/run-options';
import { bareContracts } from './bare';
import { type MadeContracts, recordedContract } from './recorded';

/** What a run asks of a server. */
export interface Asked {
  readonly options: Pick<RunContractOptions, 'contracts' | 'generate' | 'lockStep'>;
  /** The same for what is slow on purpose, which shows in a short run as well. */
  readonly short: Asked['options'];
  /** Removes what was written for it. */
  readonly remove: () => void;
}

export const ASKED = ['bundled', 'recorded', 'bare', 'generated', 'everything'] as const;
export type AskedName = (typeof ASKED)[number];

const BUNDLED = ['contracts/core', 'contracts/full'];

/**
 * Makes what is asked ready.
 *
 * @param isInLockStep - are the answers compared with those of a mock as well? With everything they are
 */
export async function prepare(name: AskedName, isInLockStep = false): Promise<Asked> {
  const { options, short, remove } = await asked(name);
  const more = isInLockStep || name === 'everything' ? { lockStep: true } : {};
  return { options: { ...options, ...more }, short: { ...short, ...more }, remove };
}

async function asked(name: AskedName): Promise<Asked> {
  switch (name) {
    case 'recorded':
      return made(await recordedContract());
    case 'bare':
      return made(bareContracts());
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

function made(contract: MadeContracts): Asked {
  const options = { contracts: contract.file };
  return {
    options,
    short: options,
    remove: () => {
      contract.remove();
    },
  };
}
