import { Option, type Command } from 'commander';
import type { Ended } from './main';
import { parseSeconds } from './option-values';
import type * as Verify from './verify';

/** Flags of `standin verify`, parsed. */
export interface VerifyFlags {
  readonly baseUrl: string;
  readonly spec?: string;
  readonly apiKey?: string;
  readonly apiKeyEnv?: string;
  readonly timeout: number;
  readonly allowWrites?: true;
}

export function addVerifyCommand(program: Command, ended: Ended): void {
  program
    .command('verify')
    .description('Replay contracts at a service, and judge every answer by its API description.')
    .argument('[contracts...]', 'contract files, or folders of them (default: those of the bundled Petstore)')
    .requiredOption('--base-url <url>', 'where the service is, such as http://127.0.0.1:4010')
    .option('--spec <file>', 'OpenAPI 3.0 file, YAML or JSON (default: the bundled Petstore)')
    .option('--api-key <key>', 'the key to send; prefer a variable, which other users of the machine do not see')
    .addOption(
      new Option(
        '--api-key-env <name>',
        'the variable that holds the key (default: STANDIN_API_KEY; without it test-key, for this machine only)',
      ).conflicts('apiKey'),
    )
    .option('--timeout <seconds>', 'for one request and its whole answer', parseSeconds, 30)
    .option('--allow-writes', 'send what changes something to another machine, too')
    .addHelpText('after', NOTES)
    .action(async (contracts: readonly string[], flags: VerifyFlags) => {
      // Loaded here, so that other commands, --help and --version need not wait for it.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
      const { verify } = require('./verify') as typeof Verify;
      ended(await verify(contracts, flags));
    });
}

const NOTES = `
Exit codes: 0 conforms, 1 violations, 2 usage or document error, 3 unreachable or inconclusive.

Examples:
  standin verify --base-url http://127.0.0.1:4010
  STANDIN_API_KEY=… standin verify contracts/petstore.yaml --base-url https://staging.example.com/v1
`;
