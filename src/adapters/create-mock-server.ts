import './node/node-globals';
import type { RequestHead } from '../http/message';
import { credentialPlaces, redactTarget } from '../openapi/credential-places';
import { printableLines, withoutCommands } from '../errors/printable';
import { stackOf } from '../errors/error-facts';
import { similarName } from '../errors/similar-name';
import { ConfigError, inFull } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import type { ReportDefect } from '../mock/engine';
import type { Succession } from '../mock/succeed-mock';
import type { Mock } from '../mock/create-mock';
import type { MockOptions, RateLimit } from '../mock/options';
import type { Rules } from '../mock/rules';
import type { ApiModel } from '../openapi/model';
import { createPayloadSource, type BodyMaker, type PayloadSource } from '../payload/payload-source';
import { assembleMockServer, type AssembledServer, type MockServer } from './express/mock-server';
import type { OnAnswered } from './express/engine-handler';
import { inputFiles, loadInputs } from './load-inputs';
import type { DescriptionOptions } from './description-options';
import { createClock } from './node/clock';
import type { Pack } from './node/load-packs';
import { createPrismGenerator } from './prism/prism-generator';
import { PrismThread } from './prism/prism-thread';

export interface CreateMockServerOptions extends DescriptionOptions {
  /**
   * Path or address of an OpenAPI description, YAML or JSON, or the document itself. Left out: the bundled Petstore with
   * its rules and fixtures.
   */
  readonly description?: string | object | undefined;
  /** Path of a rules file, the rules themselves, or `off` for none. */
  readonly rules?: string | Rules | undefined;
  /** Path of a fixture file or folder, or a fixture document itself. */
  readonly fixtures?:
    string | { readonly standin: 'fixture/1'; readonly collections: Readonly<Record<string, object>> } | undefined;
  /** What the inference got wrong: the path of an overrides file, or what stands in one. */
  readonly overrides?: string | object | undefined;
  /** `empty` starts without fixtures. */
  readonly state?: 'seeded' | 'empty' | undefined;
  readonly auth?: MockOptions['auth'] | undefined;
  /** Accepted keys; `test-key` when left out. */
  readonly apiKeys?: readonly string[] | undefined;
  /** Path of a tokens file, or the document itself. With one, `test-key` is not accepted unless `apiKeys` has it. */
  readonly tokens?:
    string | { readonly standin: 'tokens/1'; readonly tokens: Readonly<Record<string, object>> } | undefined;
  readonly basePath?: string | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly afterSunset?: MockOptions['afterSunset'] | undefined;
  readonly requireIfMatch?: boolean | undefined;
  /** Nothing is read more kindly than the standards do, and an answer that breaks the description becomes a 500. */
  readonly strict?: boolean | undefined;
  /** 404 below an item that is not there, even where no operation can make it; such an item comes to be otherwise. */
  readonly strictParents?: boolean | undefined;
  /** Bytes that a body may have; a megabyte when left out, 32 of them for multipart and octets. */
  readonly maxBody?: number | undefined;
  /** First key that is given out; a bigint beyond 2^53. */
  readonly idStart?: number | bigint | undefined;
  /** The mock's time at the start; it runs on from there. */
  readonly clock?: Date | undefined;
  /** Origins that may call from a web page; any when left out, none when empty. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Header that names the sandbox of a request; `X-Standin-Sandbox` when left out, `off` for none. */
  readonly sandboxHeader?: string | undefined;
  /** Cookie that names it; `standin-sandbox` when left out, `off` for none. */
  readonly sandboxCookie?: string | undefined;
  /** Path before `/<id>` that names it; `/_s` when left out, `off` for none. */
  readonly sandboxPath?: string | undefined;
  /** How many sandboxes there may be; 1000 when left out. */
  readonly maxSandboxes?: number | undefined;
  /** How long one may go without a request, in milliseconds of the mock's clock; an hour when left out. */
  readonly sandboxIdleMs?: number | undefined;
  /** What goes wrong in every sandbox, such as `latency:200ms`; `off` for nothing ever, whoever asks for it. */
  readonly faults?: 'off' | readonly string[] | undefined;
  /** What makes up a body that no example gives: our own sampler (the default), or `prism`. */
  readonly generator?: BodyMaker | undefined;
  /** What chance follows from: the same seed and the same requests give the same answers. */
  readonly seed?: string | number | undefined;
  /** Opens the admin routes to other machines, for whoever has it. */
  readonly adminToken?: string | undefined;
}

/** Examples are judged for so long before the mock starts; the rest are judged when they are first used. */
const SEED_BUDGET_MS = 50;

/** None of a description that is too large to be judged at the start: the warning of it says so of examples too. */
function earlyFindings(warnings: readonly SourceFinding[], mock: Mock): SourceFinding[] {
  const isJudgedInPart = warnings.some(({ rule }) => rule === 'judged-in-part');
  return isJudgedInPart ? [] : mock.seedFindings(SEED_BUDGET_MS);
}

/** For the command line alone: what a request log, a defect log and an explanation need. */
export interface ServerHooks {
  readonly onAnswered?: OnAnswered | undefined;
  readonly reportDefect?: ReportDefect | undefined;
  /** Is it remembered where each row of the fixtures was written? */
  readonly keepsOrigins?: boolean | undefined;
  /** Will the files be watched, and the parts reloaded? */
  readonly isWatched?: boolean | undefined;
}

/**
 * A stateful mock as an ordinary Express app: hand it to supertest (no port needed), or mount it in another app.
 *
 * @throws SpecError, ConfigError when the description, the rules or the fixtures cannot be used; the message has the
 *   first findings, because it is all that a test runner shows
 */
export async function createMockServer(options: CreateMockServerOptions = {}): Promise<MockServer> {
  try {
    return (await createServerParts(options)).app;
  } catch (error) {
    throw inFull(error);
  }
}

export interface ServerParts extends AssembledServer {
  readonly api: ApiModel;
  readonly warnings: readonly SourceFinding[];
  /** The packs that are used. */
  readonly packs: readonly Pack[];
  /** Files and folders that all of this is made from, those among them that could not be read the last time. */
  readonly files: () => readonly string[];
  /**
   * Reads them again, and puts the mock that they make behind the same app.
   *
   * @throws SpecError, ConfigError when they cannot be used; then everything stays as it is
   */
  reload(): Promise<Reloaded>;
}

/** What a reload brought. */
export interface Reloaded extends Succession {
  readonly api: ApiModel;
  readonly warnings: readonly SourceFinding[];
}

const OPTION_NAMES: Readonly<Record<keyof CreateMockServerOptions, true>> = {
  description: true,
  allowRemote: true,
  allowFiles: true,
  lenient: true,
  overlays: true,
  packs: true,
  rules: true,
  overrides: true,
  fixtures: true,
  state: true,
  auth: true,
  apiKeys: true,
  tokens: true,
  basePath: true,
  rateLimit: true,
  afterSunset: true,
  requireIfMatch: true,
  strict: true,
  strictParents: true,
  maxBody: true,
  idStart: true,
  clock: true,
  corsOrigins: true,
  adminToken: true,
  sandboxHeader: true,
  sandboxCookie: true,
  sandboxPath: true,
  maxSandboxes: true,
  sandboxIdleMs: true,
  faults: true,
  seed: true,
  generator: true,
};

/** A mistyped option would serve something else in silence. */
function checkNames(options: CreateMockServerOptions): void {
  if (typeof options !== 'object') {
    throw new ConfigError('CONFIG_INVALID', 'The options are no object', { hint: 'Give { description: … }.' });
  }
  const known = Object.keys(OPTION_NAMES);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const near = similarName(unknown, known);
    const hint = near === undefined ? `There are ${known.join(', ')}.` : `Did you mean "${near}"?`;
    throw new ConfigError('CONFIG_INVALID', `There is no option "${unknown}"`, { hint });
  }
  if (options.clock !== undefined && !(Number.isFinite(Number(options.clock)) && typeof options.clock === 'object')) {
    throw new ConfigError('CONFIG_INVALID', 'The option clock is no Date', {
      hint: 'Give new Date("2031-01-01T00:00:00Z").',
    });
  }
}

export async function createServerParts(
  options: CreateMockServerOptions,
  hooks: ServerHooks = {},
): Promise<ServerParts> {
  checkNames(options);
  let parts = new Set<string>();
  const inputs = await loadInputs(options, hooks.isWatched === true, (path) => parts.add(path));
  let { api } = inputs;
  const assembled = assembleMockServer(api, {
    ...inputs,
    clock: createClock(options.clock?.getTime()),
    payloads: payloadsFor(options, api),
    corsOrigins: options.corsOrigins ?? ['*'],
    adminToken: options.adminToken,
    keepsOrigins: hooks.keepsOrigins,
    ...withoutKeys(() => api, hooks),
    reportViolation: (message) => {
      process.emitWarning(withoutCommands(printableLines(message)), 'StandinViolation');
    },
  });
  return {
    ...assembled,
    get mock() {
      return assembled.mock;
    },
    get api() {
      return api;
    },
    warnings: [...inputs.warnings, ...earlyFindings(inputs.warnings, assembled.mock)],
    packs: inputs.packs,
    files: () => [...inputFiles(options), ...parts],
    async reload() {
      // When it fails, those of both times: what is missing or broken may be one that was not referred to before, and
      // what was not come to any more one that others still refer to.
      const before = parts;
      parts = new Set();
      const read = await loadInputs(options, true, (path) => parts.add(path)).catch((error: unknown) => {
        for (const path of before) parts.add(path);
        throw error;
      });
      // A worker of its own: the one before may still make bodies for requests that came before.
      const succession = assembled.swap(read.api, {
        ...read,
        payloads: payloadsFor(options, read.api, new PrismThread()),
      });
      ({ api } = read);
      return { ...succession, api, warnings: read.warnings };
    },
  };
}

function payloadsFor(options: CreateMockServerOptions, api: ApiModel, thread?: PrismThread): PayloadSource {
  return createPayloadSource({
    api,
    generator: () => createPrismGenerator(api, thread),
    maker: options.generator,
    seed: options.seed === undefined ? undefined : String(options.seed),
  });
}

/** What is logged of a request has no key in its target. */
function withoutKeys(
  api: () => ApiModel,
  { onAnswered, reportDefect = warn }: ServerHooks,
): { readonly onAnswered: OnAnswered | undefined; readonly reportDefect: ReportDefect } {
  const redacted = (head: RequestHead): RequestHead => {
    const target = redactTarget(head.target, credentialPlaces(api()));
    return target === head.target ? head : { ...head, target };
  };
  return {
    onAnswered:
      onAnswered === undefined
        ? undefined
        : (head, response, startedAt) => {
            onAnswered(redacted(head), response, startedAt);
          },
    reportDefect: (error, head) => {
      reportDefect(error, redacted(head));
    },
  };
}

/** A defect in a test run must not pass unseen. A text, because an Error of jest's realm is none to Node. */
function warn(error: unknown): void {
  const text = `the mock met a defect in itself or in its rules: ${stackOf(error)}`;
  process.emitWarning(withoutCommands(printableLines(text)), 'StandinDefect');
}
