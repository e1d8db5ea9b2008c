import { Option, type Command } from 'commander';
import type * as Check from './check';
import { addReferenceFlags, type ReferenceFlags } from './description-flags';
import type { Ended } from './main';

/** Flags of `standin check`, parsed. */
export interface CheckFlags extends ReferenceFlags {
  readonly json?: true;
  readonly strict?: true;
}

export function addCheckCommand(program: Command, ended: Ended): void {
  const command = program
    .command('check')
    .description('Judge an API description: its structure, references, every schema and every example.')
    .argument(
      '[description]',
      'OpenAPI 3.x or Swagger 2.0, YAML or JSON: a file or its address (default: the bundled Petstore)',
    );
  addReferenceFlags(command)
    .addOption(new Option('--json', 'print the findings for machines'))
    .option('--strict', 'exit code 2 for warnings as well')
    .addHelpText('after', NOTES)
    .action(async (description: string | undefined, flags: CheckFlags) => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
      const { check } = require('./check') as typeof Check;
      ended(await check(description, flags));
    });
}

const NOTES = `
Exit codes: 0 no errors, 2 errors, or a description that cannot be read.

Examples:
  standin check openapi.yaml
  standin check openapi.yaml --json | jq '.findings[] | .rule'
`;
