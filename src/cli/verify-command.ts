import { Option, type Command } from 'commander';
import { ConfigError } from '../errors/harness-error';
import { MODES, type Mode } from '../runner/run-result';
import type { Shard } from '../runner/shard';
import type * as CleanUp from './clean-up';
import { addDescriptionFlags, type DescriptionFlags } from './description-flags';
import type { Ended } from './main';
import {
  collect,
  parseCount,
  parseIdentity,
  parsePositiveCount,
  parseRate,
  parseSeconds,
  parseSeed,
  parseShard,
  parseVariable,
  parseWithin,
  parseWords,
  type Variable,
  REPORT_HELP,
} from './option-values';
import type * as Verify from './verify';

/** Flags that say how a target is reached. */
export interface TargetFlags extends DescriptionFlags {
  readonly apiKey?: string;
  readonly apiKeyEnv?: string;
  readonly identity?: readonly (readonly [name: string, variable: string])[];
  readonly timeout: number;
  readonly remote?: true;
  readonly proxy?: string;
  readonly ca?: string;
  readonly auth: boolean;
  readonly insecure?: true | string;
}

/** Flags of `standin verify`, parsed. */
export interface VerifyFlags extends TargetFlags {
  readonly baseUrl: string;
  readonly spec?: string;
  readonly mode?: Mode;
  readonly within?: readonly (readonly [variable: string, value: string])[];
  readonly allowSkipped?: true;
  readonly yes?: true;
  readonly variable?: readonly Variable[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly concurrency?: number;
  readonly shard?: Shard;
  readonly report?: readonly string[];
  readonly baseline?: string;
  readonly writeBaseline?: string;
  readonly retries: number;
  readonly rate?: number;
  readonly waitReady?: number;
  readonly ledger?: string;
  readonly seed?: number;
  readonly verbose?: true;
  readonly authProbes: boolean;
}

/** Flags of `standin cleanup`, parsed. */
export interface CleanUpFlags extends TargetFlags {
  readonly spec?: string;
  readonly baseUrl?: string;
  readonly foreignLedger?: true;
  readonly yes?: true;
}

export function addVerifyCommand(program: Command, ended: Ended): void {
  const command = program
    .command('verify')
    .description('Replay contracts at a service, and judge every answer by its API description.')
    .argument('[contracts...]', 'contract files, or folders of them (default: those of the bundled Petstore)')
    .option('--base-url <url>', 'required: where the service is, such as http://127.0.0.1:4010')
    .option(
      '--spec <file>',
      'OpenAPI 3.x or Swagger 2.0, YAML or JSON: a file or its address (default: the bundled Petstore)',
    );
  addTargetOptions(command)
    .addOption(
      new Option(
        '--mode <mode>',
        'observe: safe methods only; own: change only what this run makes; full: everything (default: full on this machine, own elsewhere)',
      ).choices(MODES),
    )
    .option(
      '--within <variable=value>',
      'mode own may make something below this thing that is there, such as server_id=localhost; may be repeated',
      parseWithin,
    )
    .option('--allow-skipped', 'conform although the mode holds back most steps')
    .option('--yes', 'do not ask before a service on another machine is changed')
    .option(
      '--variable <name=value>',
      'a value for a variable that contracts declare; may be repeated; for secrets use env in the contract',
      parseVariable,
    )
    .option('--only <names>', 'tags or operations to run alone, with commas; may be repeated', parseWords)
    .option('--skip <names>', 'tags or operations to leave out, with commas; may be repeated', parseWords)
    .option('--concurrency <n>', 'contracts at a time (default: 4 on this machine, 1 elsewhere)', parsePositiveCount)
    .option('--shard <i/n>', 'run the i-th of n parts; merge-reports joins them', parseShard)
    .option('--report <kind=file>', REPORT_HELP, collect)
    .option('--baseline <file>', 'accept the findings that are known there, until they expire')
    .option('--write-baseline <file>', 'write what was found as a baseline')
    .option('--retries <n>', 'how often a request is sent again, where that does no harm', parseCount, 3)
    .option('--rate <n>', 'requests per second at most (default: no limit on this machine, 20 elsewhere)', parseRate)
    .option('--wait-ready <seconds>', 'wait until the service answers', parseSeconds)
    .option(
      '--ledger <file>',
      'where creations are written down (default: standin-ledger-RUN.ndjson, here or, for this machine, in the folder for state)',
    )
    .option('--seed <n>', 'makes the id of the run, and the names that hold it, the same again', parseSeed)
    .option('--no-auth-probes', 'do not call operations without a good key')
    .option('--verbose', 'tell what the run has not seen as well')
    .addHelpText('after', NOTES)
    .action(async (contracts: readonly string[], flags: VerifyFlags) => {
      requireBaseUrl(contracts, flags);
      // Loaded here, so that other commands, --help and --version need not wait for it.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
      const { verify } = require('./verify') as typeof Verify;
      ended(await verify(contracts, flags));
    });
}

export function addCleanUpCommand(program: Command, ended: Ended): void {
  const command = program
    .command('cleanup')
    .description('Remove what an interrupted run left behind.')
    .argument('<ledger>', 'the ledger that the run wrote')
    .option('--spec <file>', 'the description of that run (default: the one that the ledger names)')
    .option('--base-url <url>', 'where the service is (default: where the ledger says; another one is refused)')
    .option(
      '--foreign-ledger',
      'take a ledger that was not written by this user on this machine; needs --base-url and --spec',
    )
    .option('--yes', 'do not ask before something is removed on another machine')
    .addHelpText('after', CLEAN_UP_NOTES);
  addTargetOptions(command).action(async (ledger: string, flags: CleanUpFlags) => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- as above
    const { cleanUpLedger } = require('./clean-up') as typeof CleanUp;
    ended(await cleanUpLedger(ledger, flags));
  });
}

/** Here and not by commander, which could not tell where the URL went instead. */
function requireBaseUrl(contracts: readonly string[], { baseUrl }: Partial<VerifyFlags>): void {
  if (baseUrl !== undefined) return;
  const isMisplaced = contracts.some((each) => /^https?:\/\//i.test(each));
  throw new ConfigError('CONFIG_INVALID', 'The option --base-url is missing: it says where the service is', {
    hint: `${isMisplaced ? 'The URL goes behind it' : 'Such as'}: standin verify --base-url http://127.0.0.1:4010.`,
  });
}

function addTargetOptions(command: Command): Command {
  return addDescriptionFlags(command)
    .option('--api-key <key>', 'the key to send; prefer a variable, which other users of the machine do not see')
    .addOption(
      new Option(
        '--api-key-env <name>',
        'the variable that holds the key (default: STANDIN_API_KEY; without it test-key, for this machine only)',
      ).conflicts('apiKey'),
    )
    .option(
      '--identity <name=VARIABLE>',
      'a further caller and the variable that holds its key; may be repeated',
      parseIdentity,
    )
    .option('--remote', 'the address leads to a shared server although it is one of this machine, as a forwarded port')
    .option('--timeout <seconds>', 'for one request and its whole answer', parseSeconds, 30)
    .option('--proxy <url>', 'HTTP proxy (default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY)')
    .option('--ca <file>', 'further certificate authorities, PEM')
    .option('--insecure [host]', 'do not check the certificate of this machine, or of a host that is named')
    .addOption(
      new Option('--no-auth', 'this service needs no key, whatever the description says: none is sent').conflicts([
        'apiKey',
        'apiKeyEnv',
      ]),
    );
}

const CLEAN_UP_NOTES = `
Exit codes: 0 nothing is left, or only what was to stay; 2 usage, document or ledger error; 3 unreachable;
4 something is still there.

Example:
  standin cleanup standin-ledger-1a2b3c4d.ndjson --api-key-env STAGING_KEY
`;

const NOTES = `
Exit codes: 0 conforms, 1 violations, 2 usage or document error, 3 unreachable or inconclusive, 4 something left behind.

Examples:
  standin verify --base-url http://127.0.0.1:4010
  standin verify contracts/core --base-url http://127.0.0.1:3000 --report junit=reports/contract.xml
  STANDIN_API_KEY=… standin verify --base-url https://staging.example.com/v1 --mode observe
`;
