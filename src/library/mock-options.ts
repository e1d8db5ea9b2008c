import type { Token } from '../formats/tokens';
import type { JsonValue } from '../core/json/json-value';
import { DEFAULT_OPTIONS, type MockOptions } from '../mock/context/options';
import type { BodyMaker } from '../payload/payload-source';
import type { Rules } from '../mock/rules/rules';
import type { RateLimit } from '../mock/sandbox/rate-limiter';
import type { DescriptionOptions } from '../files/load-api';
import { readFaults } from '../server/controls/sandbox-controls';
import { loadTokens, tokensOf } from '../files/load-mock-files';

/** What the options of a server say about its mock. @throws ConfigError for faults or tokens that cannot be read */
export function mockOptions(options: CreateMockServerOptions): Partial<MockOptions> {
  return {
    auth: options.auth ?? DEFAULT_OPTIONS.auth,
    apiKeys: options.apiKeys ?? (options.tokens === undefined ? DEFAULT_OPTIONS.apiKeys : []),
    tokens: chooseTokens(options.tokens),
    basePath: options.basePath,
    rateLimit: options.rateLimit,
    afterSunset: options.afterSunset ?? DEFAULT_OPTIONS.afterSunset,
    requireIfMatch: options.requireIfMatch ?? DEFAULT_OPTIONS.requireIfMatch,
    strict: options.strict ?? DEFAULT_OPTIONS.strict,
    strictParents: options.strictParents ?? DEFAULT_OPTIONS.strictParents,
    idStart: options.idStart ?? DEFAULT_OPTIONS.idStart,
    ...(options.maxBody === undefined ? {} : { limits: limitsOf(options.maxBody) }),
    seed: String(options.seed ?? DEFAULT_OPTIONS.seed),
    faults: faultOptions(options.faults),
    sandboxes: sandboxOptions(options),
  };
}

/** A form that may be larger may have more fields as well. */
const BYTES_PER_FIELD = 100;

function limitsOf(bytes: number): MockOptions['limits'] {
  const { limits } = DEFAULT_OPTIONS;
  const formNames = Math.max(limits.formNames, Math.floor(bytes / BYTES_PER_FIELD));
  return { ...limits, bodyBytes: bytes, uploadBytes: bytes, formNames };
}

function faultOptions(faults: CreateMockServerOptions['faults'] = []): MockOptions['faults'] {
  if (faults === 'off') return { isOff: true, flags: [] };
  return { isOff: false, flags: faults.flatMap(readFaults) };
}

function sandboxOptions(options: CreateMockServerOptions): MockOptions['sandboxes'] {
  const usual = DEFAULT_OPTIONS.sandboxes;
  const unlessOff = (given: string | undefined, otherwise: string | undefined): string | undefined =>
    given === 'off' ? undefined : (given ?? otherwise);
  return {
    header: unlessOff(options.sandboxHeader?.toLowerCase(), usual.header),
    cookie: unlessOff(options.sandboxCookie, usual.cookie),
    path: unlessOff(options.sandboxPath, usual.path),
    count: options.maxSandboxes ?? usual.count,
    idleMs: options.sandboxIdleMs ?? usual.idleMs,
  };
}

function chooseTokens(tokens: CreateMockServerOptions['tokens']): readonly Token[] {
  if (tokens === undefined) return DEFAULT_OPTIONS.tokens;
  if (typeof tokens === 'string') return loadTokens(tokens);
  return tokensOf({ file: 'the tokens given', root: tokens as unknown as JsonValue, locationOf: () => undefined });
}
/** Options of {@link createMockServer}. docs/reference/options.md has them as a table, with the flags of `standin mock`. */
export interface CreateMockServerOptions extends DescriptionOptions {
  /**
   * OpenAPI 3.x or Swagger 2.0: path or address of a YAML or JSON document, or the document itself. Default:
   * the bundled Petstore with its rules and fixtures.
   */
  readonly description?: string | object | undefined;
  /** Path of a rules file, the rules themselves, or `off` for none. */
  readonly rules?: string | Rules | undefined;
  /** Path of a fixture file or folder, or a fixture document itself. */
  readonly fixtures?:
    string | { readonly standin: 'fixture/1'; readonly collections: Readonly<Record<string, object>> } | undefined;
  /** Corrections of the inferred resources: the path of an overrides file, or its content. */
  readonly overrides?: string | object | undefined;
  /** `seeded` (default) starts with the fixtures, `empty` without. */
  readonly state?: 'seeded' | 'empty' | undefined;
  /** Which credentials are accepted. `keys` (default): those of `apiKeys` and `tokens`; `any`: every well-formed one; `off`: none is needed. */
  readonly auth?: MockOptions['auth'] | undefined;
  /** Accepted keys; `test-key` by default. */
  readonly apiKeys?: readonly string[] | undefined;
  /** Path of a tokens file, or the document itself. With one, `test-key` is not accepted unless `apiKeys` has it. */
  readonly tokens?:
    string | { readonly standin: 'tokens/1'; readonly tokens: Readonly<Record<string, object>> } | undefined;
  /** Path before every path of the description, such as `/v1`. Default: that of its first server. */
  readonly basePath?: string | undefined;
  /** Whole numbers: so many `requests` per key in so many `seconds`, then 429. Default: no limit. */
  readonly rateLimit?: RateLimit | undefined;
  /** What a deprecated operation does after its sunset: `gone` (default) responds 410, `serve` as before. */
  readonly afterSunset?: MockOptions['afterSunset'] | undefined;
  /** 428 for a change without `If-Match`, where that header has an effect (RFC 6585 §3). Default: false. */
  readonly requireIfMatch?: boolean | undefined;
  /** Tolerates nothing beyond the standards, and a response that breaks the description becomes a 500. Default: false. */
  readonly strict?: boolean | undefined;
  /** 404 below an item that no operation can create; otherwise such an item is created when a path names it. Default: false. */
  readonly strictParents?: boolean | undefined;
  /** Largest body of a request, in bytes. Default: 1 048 576; 32 times that for multipart and bytes. */
  readonly maxBody?: number | undefined;
  /** First key to assign; a bigint beyond 2^53. Default: 1. */
  readonly idStart?: number | bigint | undefined;
  /** The mock's time at the start; it runs on from there. Default: the real time. */
  readonly clock?: Date | undefined;
  /** Origins of web pages that may call; `['*']` by default, `[]` for none. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Header that names the sandbox of a request; `X-Standin-Sandbox` by default, `off` for none. */
  readonly sandboxHeader?: string | undefined;
  /** Cookie that names it; `standin-sandbox` by default, `off` for none. */
  readonly sandboxCookie?: string | undefined;
  /** Path before `/<id>` that names it; `/_s` by default, `off` for none. */
  readonly sandboxPath?: string | undefined;
  /** How many sandboxes there may be; 1000 by default. */
  readonly maxSandboxes?: number | undefined;
  /** How long a sandbox lives without a request, in milliseconds of the mock's clock; 3 600 000 by default. */
  readonly sandboxIdleMs?: number | undefined;
  /** Faults in every sandbox, such as `latency:200ms`; `off` for none ever, also where a request asks for one. */
  readonly faults?: 'off' | readonly string[] | undefined;
  /** What generates a body that no example gives: `sampler` (default) or `prism`. */
  readonly generator?: BodyMaker | undefined;
  /** Seed of all generated values: the same seed and the same requests give the same responses. Default: `0`. */
  readonly seed?: string | number | undefined;
  /** Opens the admin routes to clients that send it as a bearer token, from other machines too. Default: none. */
  readonly adminToken?: string | undefined;
}
