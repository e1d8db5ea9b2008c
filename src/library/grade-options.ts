import type { TellProgress } from '../core/text/progress';
import { inGroup, type OptionTable } from '../core/options/option-table';
import { aFunction, booleanValue, nameList, numberWithin, wholeNumberWithin } from '../core/options/option-types';
import type { DescriptionOptions } from '../files/load-api';
import { MOCK_OPTIONS } from './mock-options';
import { RUN_OPTIONS, type RunContractOptions } from './run-options';
import type { LockStepOptions } from './lock-step-options';

/** Options of `gradeContracts`. docs/reference/options.md has them as a table, with the flags of `standin grade`. */
export interface GradeOptions
  extends
    DescriptionOptions,
    Pick<RunContractOptions, 'contracts' | 'description' | 'variables' | 'probesAuth' | 'seed' | 'signal'>,
    Pick<LockStepOptions, 'overrides' | 'rules' | 'fixtures'> {
  /** So much, in percent, of the defects has to be noticed. Default: nothing. */
  readonly min?: number | undefined;
  /** Operations, kinds of defects, and single ones by their id, that are tried alone. Default: all. */
  readonly only?: readonly string[] | undefined;
  /** So many defects are tried at most, of every kind some. Default: 1000. */
  readonly maxDefects?: number | undefined;
  /** Called with how far it is. */
  readonly onProgress?: TellProgress | undefined;
}

const { contracts, description, variables, seed, signal } = RUN_OPTIONS;
const { strict, lenient, allowRemote, allowFiles, overlays, packs } = RUN_OPTIONS;

export const GRADE_OPTIONS: OptionTable<keyof GradeOptions> = {
  contracts: { ...contracts, default: 'those of the bundled Petstore' },
  description,
  ...{ strict, lenient, allowRemote, allowFiles, overlays, packs, variables },
  ...inGroup('Grade', {
    min: {
      flag: '--min <percent>',
      doc: 'how much of the defects has to be noticed; less is exit code 1',
      type: numberWithin(0, 100, 'percent'),
      default: 'nothing',
    },
    only: {
      flag: '--only <names>',
      doc: 'operations, kinds of defects or single ones by their id, that are tried alone, with commas',
      type: nameList,
      isRepeated: true,
    },
    maxDefects: {
      flag: '--max-defects <n>',
      doc: 'defects that are tried, of every kind some',
      type: wholeNumberWithin(1, 1_000_000),
      default: 1000,
    },
    probesAuth: {
      flag: '--no-auth-probes',
      doc: 'grade the contracts alone, without the calls without a valid key that verify adds',
      type: booleanValue,
    },
    onProgress: { doc: 'called with how many defects were tried', type: aFunction },
  }),
  ...inGroup('Mock', {
    overrides: MOCK_OPTIONS.overrides,
    rules: MOCK_OPTIONS.rules,
    fixtures: MOCK_OPTIONS.fixtures,
  }),
  seed,
  signal,
};
