import { DESCRIPTION_OPTIONS } from '../../library/description-options';
import type * as Init from '../actions/init';
import { type CommandDefinition, DESCRIPTION_ARGUMENT } from '../options/command-definition';

export const initCommand: CommandDefinition = {
  name: 'init',
  about: 'Write a configuration and a first contract, one step for each operation, that passes at the mock.',
  arguments: [['[description]', `${DESCRIPTION_ARGUMENT} (default: openapi.yaml or the like, here)`]],
  options: DESCRIPTION_OPTIONS,
  notes: `
Writes standin.config.yaml and contracts/every-operation.yaml here, and overwrites no file.

Exit codes: 0 written, 2 a description that cannot be used, or files that exist already.

Example:
  standin init openapi.yaml
`,
  run([description]: readonly [string | undefined], values: Init.InitFlags) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
    return (require('../actions/init') as typeof Init).init(description, values);
  },
};
