import { ConfigError } from '../core/errors/standin-error';
import { inGroup, type OptionTable } from '../core/options/option-table';
import { booleanValue } from '../core/options/option-types';
import { type CreateMockServerOptions, MOCK_OPTIONS } from './mock-options';

/** Options of a run that has a mock beside the service. */
export interface LockStepOptions {
  /**
   * Send every step to a fresh mock of the same description as well, and compare the two answers? Default: false. The
   * four options below are those of the mock.
   */
  readonly lockStep?: boolean | undefined;
  /** Corrections of what the mock of `lockStep` infers: the path of an overrides file, or its content. */
  readonly overrides?: CreateMockServerOptions['overrides'];
  /** Path of a rules file for that mock, the rules themselves, or `off` for none. */
  readonly rules?: CreateMockServerOptions['rules'];
  /** Path of a fixture file or folder for that mock, or a fixture document itself. */
  readonly fixtures?: CreateMockServerOptions['fixtures'];
  /** Path of a tokens file for that mock, or the document itself. */
  readonly tokens?: CreateMockServerOptions['tokens'];
}

export const LOCK_STEP_OPTIONS = {
  ...inGroup('Lock-step', {
    lockStep: {
      flag: '--lock-step',
      doc: 'send every step to a fresh mock of the description as well, and compare the answers',
      type: booleanValue,
    },
    overrides: MOCK_OPTIONS.overrides,
    rules: MOCK_OPTIONS.rules,
    fixtures: MOCK_OPTIONS.fixtures,
    tokens: MOCK_OPTIONS.tokens,
  }),
} satisfies OptionTable;

/** What is said of a mock that nothing is sent to would be without effect, in silence. */
export function requireLockStep(options: LockStepOptions): void {
  const name = options.lockStep === true ? undefined : OF_LOCK_STEP.find((each) => options[each] !== undefined);
  if (name === undefined) return;
  const message = `The option ${name} is for the mock that a run compares the service with, and there is none`;
  throw new ConfigError('CONFIG_INVALID', message, {
    hint: `Give lockStep (--lock-step) as well, or leave ${name} out.`,
  });
}

const OF_LOCK_STEP = ['overrides', 'rules', 'fixtures', 'tokens'] as const;
