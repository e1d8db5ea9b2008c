import { resolve } from 'node:path';
import { unenforcedSchemes } from '../checks/request/authentication';
import { joinPointer } from '../json/json-pointer';
import { findingAt } from '../openapi/source-document';
import { stackOf } from '../errors/error-facts';
import { similarName } from '../errors/similar-name';
import { ConfigError } from '../errors/harness-error';
import type { SourceFinding } from '../errors/source-finding';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { inferResources } from '../mock/infer-resources';
import type { ReportDefect } from '../mock/engine';
import { DEFAULT_OPTIONS, type MockOptions, type RateLimit } from '../mock/options';
import type { Rules } from '../mock/rules';
import type { ApiModel } from '../openapi/model';
import type { SeedData } from '../formats/fixture';
import { createPayloadSource } from '../payload/payload-source';
import { assembleMockServer, type AssembledServer, type MockServer } from './express/mock-server';
import type { OnAnswered } from './express/engine-handler';
import { createClock } from './node/clock';
import { loadApi } from './node/load-api';
import { loadFixtures, readFixtures } from './node/load-fixtures';
import { loadRules } from './node/load-rules';
import { BUNDLED } from './node/package-root';
import { createPrismGenerator } from './prism/prism-generator';

export interface CreateMockServerOptions {
  /** Path of an OpenAPI description, YAML or JSON. Left out: the bundled Petstore with its rules and fixtures. */
  readonly description?: string | undefined;
  /** Path of a rules file, the rules themselves, or `off` for none. */
  readonly rules?: string | Rules | undefined;
  /** Path of a fixture file or folder, or a fixture document itself. */
  readonly fixtures?:
    | string
    | { readonly standin: 'fixture/1'; readonly collections: Readonly<Record<string, readonly object[]>> }
    | undefined;
  /** `empty` starts without fixtures. */
  readonly state?: 'seeded' | 'empty' | undefined;
  readonly auth?: MockOptions['auth'] | undefined;
  /** Accepted keys; `test-key` when left out. */
  readonly apiKeys?: readonly string[] | undefined;
  readonly basePath?: string | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly afterSunset?: MockOptions['afterSunset'] | undefined;
  readonly requireIfMatch?: boolean | undefined;
  /** First key that is given out; a bigint beyond 2^53. */
  readonly idStart?: number | bigint | undefined;
  /** The mock's time at the start; it runs on from there. */
  readonly clock?: Date | undefined;
  /** Origins that may call from a web page; any when left out, none when empty. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Opens the admin routes to other machines, for whoever has it. */
  readonly adminToken?: string | undefined;
}

/** For the command line alone: what a request log and a defect log need. */
export interface ServerHooks {
  readonly onAnswered?: OnAnswered | undefined;
  readonly reportDefect?: ReportDefect | undefined;
}

/**
 * A stateful mock as an ordinary Express app: hand it to supertest (no port needed), or mount it in another app.
 *
 * @throws SpecError, ConfigError when the description, the rules or the fixtures cannot be used
 */
export async function createMockServer(options: CreateMockServerOptions = {}): Promise<MockServer> {
  return (await createServerParts(options)).app;
}

export interface ServerParts extends AssembledServer {
  readonly api: ApiModel;
  readonly warnings: readonly SourceFinding[];
}

const OPTION_NAMES: Readonly<Record<keyof CreateMockServerOptions, true>> = {
  description: true,
  rules: true,
  fixtures: true,
  state: true,
  auth: true,
  apiKeys: true,
  basePath: true,
  rateLimit: true,
  afterSunset: true,
  requireIfMatch: true,
  idStart: true,
  clock: true,
  corsOrigins: true,
  adminToken: true,
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
  const { api, warnings } = loadApi(options.description);
  const isBundled = options.description === undefined || resolve(options.description) === BUNDLED.description;
  const rules = await chooseRules(options.rules, isBundled);
  const collections = inferResources(api).map(({ path }) => path);
  const assembled = assembleMockServer(api, {
    options: mockOptions(options),
    rules,
    fixtures: isEmpty(options.state) ? undefined : chooseFixtures(options.fixtures, isBundled, collections),
    clock: createClock(options.clock?.getTime()),
    payloads: createPayloadSource(() => createPrismGenerator(api)),
    corsOrigins: options.corsOrigins ?? ['*'],
    adminToken: options.adminToken,
    onAnswered: hooks.onAnswered,
    reportDefect: hooks.reportDefect ?? warn,
  });
  return { ...assembled, api, warnings: [...warnings, ...securityWarnings(api, options.auth)] };
}

function mockOptions(options: CreateMockServerOptions): Partial<MockOptions> {
  return {
    auth: options.auth ?? DEFAULT_OPTIONS.auth,
    apiKeys: options.apiKeys ?? DEFAULT_OPTIONS.apiKeys,
    basePath: options.basePath,
    rateLimit: options.rateLimit,
    afterSunset: options.afterSunset ?? DEFAULT_OPTIONS.afterSunset,
    requireIfMatch: options.requireIfMatch ?? DEFAULT_OPTIONS.requireIfMatch,
    idStart: options.idStart ?? DEFAULT_OPTIONS.idStart,
  };
}

async function chooseRules(rules: CreateMockServerOptions['rules'], isBundled: boolean): Promise<Rules | undefined> {
  if (rules === 'off') return undefined;
  if (typeof rules === 'object') return rules;
  if (rules !== undefined) return loadRules(rules);
  return isBundled ? loadRules(BUNDLED.rules) : undefined;
}

function chooseFixtures(
  fixtures: CreateMockServerOptions['fixtures'],
  isBundled: boolean,
  collections: readonly string[],
): SeedData | undefined {
  if (typeof fixtures === 'string') return loadFixtures(fixtures, collections);
  if (fixtures !== undefined) {
    if (!isJsonObject(fixtures as unknown as JsonValue))
      throw new ConfigError('FIXTURE_INVALID', 'The fixtures are no object');
    const document = { file: 'the fixtures given', root: fixtures as unknown as JsonValue, placeOf: () => undefined };
    return readFixtures([document], collections);
  }
  return isBundled ? loadFixtures(BUNDLED.fixtures, collections) : undefined;
}

/** A defect in a test run must not pass unseen. A text, because an Error of jest's realm is none to Node. */
function warn(error: unknown): void {
  process.emitWarning(`the mock met a defect in itself or in its rules: ${stackOf(error)}`, 'StandinDefect');
}

function isEmpty(state: string | undefined): boolean {
  if (state === undefined || state === 'seeded' || state === 'empty') return state === 'empty';
  throw new ConfigError('CONFIG_INVALID', `The option state is "${state}"`, { hint: 'Give seeded or empty.' });
}

/** Operations behind these are answered with 501; whoever starts the mock should know before the first request. */
function securityWarnings(api: ApiModel, auth: MockOptions['auth'] | undefined): SourceFinding[] {
  if (auth === 'off') return [];
  return unenforcedSchemes(api).map(({ name, type }) =>
    findingAt(api.document, joinPointer('/components/securitySchemes', name), {
      rule: 'security-not-enforced',
      severity: 'warning',
      message: `The security scheme "${name}" (${type}) is not enforced by this version; its operations answer 501`,
      hint: 'Start with --auth off, which asks for no credentials.',
    }),
  );
}
