import type { Command } from 'commander';
import { addDescriptionFlags, type DescriptionFlags } from './description-flags';
import type * as Explain from './explain';
import type { Ended } from './main';

/** Flags of `standin explain`. */
export interface ExplainFlags extends DescriptionFlags {
  readonly overrides?: string;
  readonly fixtures?: string;
  readonly rules?: string;
  readonly body?: string;
  readonly seed?: string;
  readonly all?: true;
  readonly json?: true;
}

export function addExplainCommand(program: Command, ended: Ended): void {
  const command = program
    .command('explain')
    .description('Tell what the mock keeps and how it answers, and why.')
    .argument(
      '[description]',
      'OpenAPI 3.x or Swagger 2.0, YAML or JSON: a file or its address (default: the bundled Petstore)',
    )
    .argument('[method]', 'with a path: tell why one request gets its answer')
    .argument('[path]', 'path below the base path, with a query if there is one');
  addDescriptionFlags(command)
    .option('--overrides <file>', 'what the inference of resources got wrong (see docs/resources.md)')
    .option('--fixtures <path>', 'file or folder with the seed of the store')
    .option('--rules <file>', 'business rules, a module; "off" for none')
    .option('--body <json>', 'body of the request')
    .option('--seed <text>', 'seed of what is made up')
    .option('--all', 'every resource and operation, where there are so many that an overview is shown')
    .option('--json', 'write JSON')
    .addHelpText('after', EXAMPLES)
    .action(
      async (first: string | undefined, second: string | undefined, third: string | undefined, flags: ExplainFlags) => {
        const isRequest = first !== undefined && isMethod(first, second);
        const [description, method, path] = isRequest ? [undefined, first, second] : [first, second, third];
        // Loaded here, so that other commands, --help and --version need not wait for it.
        // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
        const { explain } = require('./explain') as typeof Explain;
        ended(await explain(description, method, path, flags));
      },
    );
}

/** `GET` is none of a file; `get` is one only where a path follows. */
function isMethod(first: string, second: string | undefined): boolean {
  return /^[A-Z]+$/.test(first) || (/^[A-Za-z]+$/.test(first) && second?.startsWith('/') === true);
}

const EXAMPLES = `
Exit codes: 0 explained, 2 for a path that nothing matches and for files that cannot be used.

Examples:
  standin explain openapi.yaml                   every resource and operation
  standin explain openapi.yaml GET /things/1     why that request gets its answer
  standin explain GET /things/1                  the same for the bundled description
`;
