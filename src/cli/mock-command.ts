import { existsSync } from 'node:fs';
import { Option, type Command } from 'commander';
import type { RateLimit } from '../mock/options';
import { addDescriptionFlags, type DescriptionFlags } from './description-flags';
import type { Ended } from './main';
import {
  collect,
  isOrigin,
  parseBasePath,
  parseClock,
  parseLargeCount,
  parseSize,
  parseIdStart,
  parsePort,
  parseRateLimit,
  parseToken,
  parseTokens,
} from './option-values';
import type * as Serve from './serve';
import type { LogFormat } from './request-log';

/** Flags of `standin mock`, parsed. */
export interface MockFlags extends DescriptionFlags {
  readonly port: number;
  readonly host: string;
  readonly fixtures?: string;
  readonly rules?: string;
  readonly overrides?: string;
  readonly state: 'seeded' | 'empty';
  readonly auth: 'keys' | 'any' | 'off';
  readonly apiKey?: readonly string[];
  readonly tokens?: string;
  readonly basePath?: string;
  readonly rateLimit?: RateLimit;
  readonly clock?: Date;
  readonly afterSunset: 'gone' | 'serve';
  readonly requireIfMatch?: true;
  readonly strict?: true;
  readonly strictParents?: true;
  readonly maxBody?: number;
  readonly idStart?: number | bigint;
  readonly cors: readonly string[];
  readonly adminToken?: string;
  readonly sandboxHeader?: string;
  readonly sandboxCookie?: string;
  readonly sandboxPath?: string;
  readonly maxSandboxes?: number;
  readonly sandboxIdle?: number;
  readonly fault?: readonly string[];
  readonly faults: 'on' | 'off';
  readonly generator: 'sampler' | 'prism';
  readonly seed?: string;
  readonly watch?: true;
  readonly log: LogFormat;
}

export function addMockCommand(program: Command, ended: Ended): void {
  const command = program
    .command('mock')
    .description('Serve a stateful mock of an API description.')
    .argument(
      '[description]',
      'OpenAPI 3.x or Swagger 2.0, YAML or JSON: a file or its address (default: the bundled Petstore)',
    );
  addDescriptionFlags(command)
    .option('-p, --port <port>', 'port to listen on; 0 takes any free one', parsePort, 4010)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--fixtures <path>', 'file or folder with the seed of the store (default: that of the Petstore)')
    .option('--overrides <file>', 'what the inference of resources got wrong (see docs/resources.md)')
    .option('--rules <file>', 'business rules, a module; "off" for none (default: those of the Petstore)')
    .addOption(
      new Option('--state <state>', 'start with the fixtures or without')
        .choices(['seeded', 'empty'])
        .default('seeded'),
    )
    .addOption(
      new Option('--auth <mode>', 'keys: only accepted keys; any: every well-formed one; off: none needed')
        .choices(['keys', 'any', 'off'])
        .default('keys'),
    )
    .option('--api-key <key>', 'a key to accept; may be repeated; STANDIN_API_KEY too (default: test-key)', parseTokens)
    .option('--tokens <file>', 'callers with names, scopes and an end; without it --api-key has every scope')
    .option(
      '--base-path <path>',
      'path before every path, such as /v1 (default: that of the first server)',
      parseBasePath,
    )
    .option(
      '--rate-limit <n/seconds>',
      'requests per key in so many seconds, such as 100/60 (default: none)',
      parseRateLimit,
    )
    .option('--clock <time>', "the mock's time at the start, such as 2031-01-01T00:00:00Z; it runs on", parseClock)
    .addOption(
      new Option('--after-sunset <mode>', 'what a deprecated operation does after its sunset')
        .choices(['gone', 'serve'])
        .default('gone'),
    )
    .option(
      '--strict',
      'refuse what is read kindly otherwise, such as ?flag=1; an answer that breaks the description becomes a 500',
    )
    .option(
      '--strict-parents',
      '404 below an item that no operation can make; such an item comes to be when a path names it otherwise',
    )
    .option(
      '--max-body <size>',
      'bytes of a body, such as 50MB (default: 1MB; 32MB for multipart and octets)',
      parseSize,
    )
    .option('--require-if-match', '428 for a change without If-Match')
    .option('--id-start <id>', 'first id to give out, such as 9007199254740993 (default: 1)', parseIdStart)
    .option('--cors <origin...>', 'origins of web pages that may call; "off" for none', ['*'])
    .option('--admin-token <token>', 'opens the admin routes to whoever sends it; STANDIN_ADMIN_TOKEN too', parseToken)
    .option('--watch', 'take edited files in: description, rules, fixtures, tokens; what is stored stays')
    .option('--sandbox-header <name>', 'header that names a sandbox; "off" for none (default: X-Standin-Sandbox)')
    .option('--sandbox-cookie <name>', 'cookie that names one; "off" for none (default: standin-sandbox)')
    .option('--sandbox-path <path>', 'path before /<id> that names one; "off" for none (default: /_s)')
    .option('--max-sandboxes <n>', 'how many sandboxes there may be (default: 1000)', parseLargeCount)
    .option('--sandbox-idle <seconds>', 'how long one may go without a request (default: 3600)', parseLargeCount)
    .option('--fault <fault>', 'what goes wrong in every sandbox, such as latency:200ms; may be repeated', collect)
    .addOption(
      new Option('--faults <mode>', 'off: nothing goes wrong on purpose, whoever asks for it')
        .choices(['on', 'off'])
        .default('on'),
    )
    .addOption(
      new Option('--generator <name>', 'what makes up a body that no example gives; prism is random, and takes 100 MB')
        .choices(['sampler', 'prism'])
        .default('sampler'),
    )
    .option('--seed <text>', 'what chance follows from: same seed, same requests, same answers (default: 0)')
    .addOption(
      new Option('--log <format>', 'one line for each request').choices(['pretty', 'json', 'silent']).default('pretty'),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (given: string | undefined, flags: MockFlags, command: Command) => {
      const { description, cors } = sortOutOrigins(given, flags.cors, command);
      // Loaded here, so that other commands, --help and --version need not wait for it.
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- jest cannot run `import()` in CommonJS
      const { serve } = require('./serve') as typeof Serve;
      await serve(description, { ...flags, cors });
      ended(undefined);
    });
}

/** `--cors off openapi.yaml`: a list of values swallows the description behind it, which is no origin. */
function sortOutOrigins(
  given: string | undefined,
  cors: readonly string[],
  command: Command,
): { description: string | undefined; cors: readonly string[] } {
  const origins = cors.filter(isOrigin);
  const [other, ...more] = cors.filter((text) => !isOrigin(text));
  const isFile = other !== undefined && (existsSync(other) || /\.(?:ya?ml|json)$/i.test(other));
  if (other === undefined) return { description: given, cors: origins };
  if (given === undefined && isFile && more.length === 0 && origins.length > 0)
    return { description: other, cors: origins };
  return command.error(
    `error: option '--cors <origin...>' argument '${other}' is invalid. Expected an origin such as http://localhost:5173.`,
  );
}

const EXAMPLES = `
Examples:
  standin mock                          the bundled Petstore on http://127.0.0.1:4010
  standin mock --port 0 --state empty   on any free port, with nothing in it
  standin mock openapi.yaml --auth any  your own description
`;
