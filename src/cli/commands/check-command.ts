import { inGroup } from '../../core/options/option-table';
import { booleanValue } from '../../core/options/option-types';
import { REFERENCE_OPTIONS } from '../../library/description-options';
import type * as Check from '../actions/check';
import { JSON_OPTION } from '../options/flags';
import { type CommandDefinition, DESCRIPTION_ARGUMENT } from '../options/command-definition';

export const checkCommand: CommandDefinition = {
  name: 'check',
  about: 'Check an API description: its structure, references, every schema and every example.',
  arguments: [['[description]', `${DESCRIPTION_ARGUMENT} (default: the bundled Petstore)`]],
  options: {
    ...REFERENCE_OPTIONS,
    ...JSON_OPTION,
    ...inGroup('Output', {
      strict: { flag: '--strict', doc: 'exit code 2 for warnings as well', type: booleanValue },
    }),
  },
  notes: `
Exit codes: 0 no errors, 2 errors, or a description that cannot be read.

Examples:
  standin check openapi.yaml
  standin check openapi.yaml --json | jq '.findings[] | .rule'
`,
  run([description]: readonly [string | undefined], values: Check.CheckFlags) {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
    return (require('../actions/check') as typeof Check).check(description, values);
  },
};
