import { CLEAN_UP_OPTIONS } from '../../library/run-option-tables';
import type * as CleanUp from '../actions/clean-up';
import { CONSENT_OPTION, KEY_OPTIONS } from '../options/flags';
import type { CommandDefinition } from '../options/command-definition';

export const cleanUpCommand: CommandDefinition = {
  name: 'cleanup',
  about: 'Remove what an interrupted run left behind.',
  arguments: [['<ledger>', 'the ledger that the run wrote']],
  options: { ...CLEAN_UP_OPTIONS, ...CONSENT_OPTION, ...KEY_OPTIONS },
  notes: `
Exit codes: 0 nothing is left, or only what was expected to stay; 2 usage, document or ledger error; 3 unreachable;
4 something still exists.

Example:
  standin cleanup standin-ledger-1a2b3c4d.ndjson --api-key-env STAGING_KEY
`,
  run([ledger]: readonly [string], values: CleanUp.CleanUpFlags) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
    return (require('../actions/clean-up') as typeof CleanUp).cleanUpLedger(ledger, values);
  },
};
