import type { Command } from 'commander';
import { addDescriptionFlags, type DescriptionFlags } from './description-flags';
import type * as Init from './init';
import type { Ended } from './main';

/** Flags of `standin init`, parsed. */
export type InitFlags = DescriptionFlags;

export function addInitCommand(program: Command, ended: Ended): void {
  const command = program
    .command('init')
    .description('Write a configuration and a first contract, one step for each operation, that passes at the mock.')
    .argument(
      '[description]',
      'OpenAPI 3.x or Swagger 2.0, YAML or JSON: a file or its address (default: openapi.yaml or the like, here)',
    );
  addDescriptionFlags(command)
    .addHelpText('after', NOTES)
    .action(async (description: string | undefined, flags: InitFlags) => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
      const { init } = require('./init') as typeof Init;
      ended(await init(description, flags));
    });
}

const NOTES = `
Writes standin.config.yaml and contracts/every-operation.yaml here, and changes no file that is there.

Exit codes: 0 written, 2 a description that cannot be used, or files that are there already.

Example:
  standin init openapi.yaml
`;
