import { inGroup, type OptionTable } from '../core/options/option-table';
import {
  booleanValue,
  milliseconds,
  oneOf,
  stringList,
  stringListOrOff,
  stringOrNumber,
  stringOrObject,
  stringValue,
  wholeNumberWithin,
} from '../core/options/option-types';
import type { DescriptionOptions } from '../files/load-api';
import type { MockOptions } from '../mock/context/options';
import type { Rules } from '../mock/rules/rules';
import type { RateLimit } from '../mock/sandbox/rate-limiter';
import type { BodyMaker } from '../payload/payload-source';
import { DESCRIPTION_OPTIONS } from './description-options';
import { CONTRACT_FROM_TRAFFIC_OPTIONS } from './record-options';
import { EVENT_OPTIONS, type EventSendingOptions } from './event-options';
import { AGENT_OPTIONS, type AgentOptions } from './agent-options';
import { ISSUER_OPTIONS, type SignInOptions } from './issuer-options';
import { STORE_OPTIONS, type StoreOptions } from './store-options';
import { basePath, clock, idStart, rateLimit, size, token, tokenList } from './mock-option-types';

/** Options of {@link createMockServer}. docs/reference/options.md has them as a table, with the flags of `standin mock`. */
export interface CreateMockServerOptions
  extends DescriptionOptions, StoreOptions, EventSendingOptions, SignInOptions, AgentOptions {
  /**
   * OpenAPI 3.x or Swagger 2.0: path or address of a YAML or JSON document, or the document itself. Default:
   * the bundled Petstore with its rules and fixtures.
   */
  readonly description?: string | object | undefined;
  /** Path of a rules file, the rules themselves, or `off` for none. */
  readonly rules?: string | Rules | undefined;
  /** Path of a fixture file or folder, or a fixture document itself. */
  readonly fixtures?:
    | string
    | { readonly standin: 'fixture/1'; readonly collections: Readonly<Record<string, object>> }
    | undefined;
  /** Corrections of the inferred resources: the path of an overrides file, or its content. */
  readonly overrides?: string | object | undefined;
  /** `seeded` (default) starts with the fixtures, `empty` without. */
  readonly state?: 'seeded' | 'empty' | undefined;
  /** Which credentials are accepted. `keys`: those of `apiKeys` and `tokens`; `open`: every well-formed one but those that begin with `invalid`; `any`: every well-formed one; `off`: none is needed. Default: `keys` where keys, tokens or an issuer are given and for the bundled description, else `open`. */
  readonly auth?: MockOptions['auth'] | undefined;
  /** Accepted keys; `test-key` by default. */
  readonly apiKeys?: readonly string[] | undefined;
  /** Path of a tokens file, or the document itself. With one, `test-key` is not accepted unless `apiKeys` has it. */
  readonly tokens?:
    | string
    | { readonly standin: 'tokens/1'; readonly tokens: Readonly<Record<string, object>> }
    | undefined;
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
  /**
   * Records what is answered into `NAME.recording.ndjson` for `NAME.yaml`, and makes the contract `NAME.yaml` of it when the
   * mock ends: `app.stopRecording()`. A file that ends in `.ndjson` is a recording alone. Default: nothing is recorded.
   */
  readonly record?: string | undefined;
  /** Does what is recorded go into the contract that is there? Default: false. */
  readonly update?: boolean | undefined;
  /** May a contract and a recording that are there be written over? Default: false. */
  readonly force?: boolean | undefined;
  /** A recording of the same course of things, for the contract of `record`: what differs between the two is noise. */
  readonly twice?: string | undefined;
  /** Replace personal data in what is recorded by made-up values of the same format? Default: false. */
  readonly anonymise?: boolean | undefined;
  /** Names of headers whose values are secrets in recordings and contracts, beside those that are known to be. */
  readonly secretHeaders?: readonly string[] | undefined;
  /** JSON pointers to secrets in bodies, such as `/user/pin`. */
  readonly secretPointers?: readonly string[] | undefined;
}

const { update, force, twice, secretHeaders, secretPointers, anonymise } = CONTRACT_FROM_TRAFFIC_OPTIONS;

/** The same as a table: its flags, checks and docs. */
export const MOCK_OPTIONS: OptionTable<keyof CreateMockServerOptions> = {
  ...inGroup('Description', {
    description: {
      doc: 'OpenAPI 3.x or Swagger 2.0: a file or its address, or the document itself',
      type: stringOrObject,
      default: 'the bundled Petstore',
    },
  }),
  ...DESCRIPTION_OPTIONS,
  ...inGroup('Data and rules', {
    fixtures: {
      flag: '--fixtures <path>',
      doc: 'file or folder with the seed of the store',
      type: stringOrObject,
      default: 'that of the Petstore',
      path: 'file',
    },
    state: {
      flag: '--state <state>',
      doc: 'start with the fixtures or without',
      type: oneOf(['seeded', 'empty']),
      default: 'seeded',
    },
    overrides: {
      flag: '--overrides <file>',
      doc: 'corrections of the inferred resources (docs/reference/resources.md)',
      type: stringOrObject,
      path: 'file',
    },
    rules: {
      flag: '--rules <file>',
      doc: 'business rules, a module; "off" for none',
      type: stringOrObject,
      default: 'those of the Petstore',
      path: 'file',
    },
    idStart: {
      flag: '--id-start <id>',
      doc: 'first id to assign, such as 9007199254740993',
      type: idStart,
      default: 1,
    },
    generator: {
      flag: '--generator <name>',
      doc: 'what generates a body that no example gives; prism is random, and takes 100 MB',
      type: oneOf(['sampler', 'prism']),
      default: 'sampler',
    },
    seed: {
      flag: '--seed <text>',
      doc: 'seed of all generated values: same seed, same requests, same responses',
      type: stringOrNumber,
      default: '0',
    },
    clock: {
      flag: '--clock <time>',
      doc: "the mock's time at the start, such as 2031-01-01T00:00:00Z; it runs on from there",
      type: clock,
      default: 'the real time',
    },
  }),
  ...STORE_OPTIONS,
  ...EVENT_OPTIONS,
  ...inGroup('Credentials', {
    auth: {
      flag: '--auth <mode>',
      doc: 'keys: accepted keys only; open: every well-formed key but those that begin with "invalid"; any: every well-formed key; off: no key needed',
      type: oneOf(['keys', 'open', 'any', 'off']),
      default: 'keys where some are given, else open (the bundled description: keys)',
    },
    apiKeys: {
      flag: '--api-key <key>',
      doc: 'a key to accept; STANDIN_API_KEY too',
      type: tokenList,
      default: 'test-key',
      isRepeated: true,
    },
    tokens: {
      flag: '--tokens <file>',
      doc: 'callers with names, scopes and an expiry; without it an API key has every scope',
      type: stringOrObject,
      path: 'file',
    },
  }),
  ...ISSUER_OPTIONS,
  ...AGENT_OPTIONS,
  ...inGroup('Requests and responses', {
    basePath: {
      flag: '--base-path <path>',
      doc: 'path before every path, such as /v1',
      type: basePath,
      default: 'that of the first server',
    },
    strict: {
      flag: '--strict',
      doc: 'reject what is otherwise tolerated, such as ?flag=1; a response that breaks the description becomes a 500; exit code 2 if the description has errors',
      type: booleanValue,
    },
    strictParents: {
      flag: '--strict-parents',
      doc: '404 below an item that no operation can create; without it such an item is created when a path names it',
      type: booleanValue,
    },
    requireIfMatch: { flag: '--require-if-match', doc: '428 for a change without If-Match', type: booleanValue },
    afterSunset: {
      flag: '--after-sunset <mode>',
      doc: 'what a deprecated operation does after its sunset: gone is a 410',
      type: oneOf(['gone', 'serve']),
      default: 'gone',
    },
    rateLimit: {
      flag: '--rate-limit <n/seconds>',
      doc: 'requests per key in so many seconds, such as 100/60',
      type: rateLimit,
      default: 'none',
    },
    maxBody: {
      flag: '--max-body <size>',
      doc: 'largest body of a request, such as 50MB',
      type: size,
      unit: 'bytes',
      default: '1MB; 32MB for multipart and octets',
    },
    corsOrigins: {
      flag: '--cors <origin...>',
      doc: 'origins of web pages that may call; "off" for none',
      type: stringList,
      default: '*',
      isRepeated: true,
    },
    adminToken: {
      flag: '--admin-token <token>',
      doc: 'opens the admin routes to clients that send it, from other machines too; STANDIN_ADMIN_TOKEN too',
      type: token,
      default: 'none: this machine alone',
    },
  }),
  ...inGroup('Sandboxes and faults', {
    sandboxHeader: {
      flag: '--sandbox-header <name>',
      doc: 'header that names the sandbox of a request; "off" for none',
      type: stringValue,
      default: 'X-Standin-Sandbox',
    },
    sandboxCookie: {
      flag: '--sandbox-cookie <name>',
      doc: 'cookie that names it; "off" for none',
      type: stringValue,
      default: 'standin-sandbox',
    },
    sandboxPath: {
      flag: '--sandbox-path <path>',
      doc: 'path before /<id> that names it; "off" for none',
      type: stringValue,
      default: '/_s',
    },
    maxSandboxes: {
      flag: '--max-sandboxes <n>',
      doc: 'how many sandboxes there may be; the least recently used is dropped',
      type: wholeNumberWithin(1, 1_000_000),
      default: 1000,
    },
    sandboxIdleMs: {
      flag: '--sandbox-idle <seconds>',
      doc: 'how long a sandbox lives without a request',
      type: milliseconds(1, 1_000_000_000),
      unit: 'milliseconds',
      default: 3_600_000,
    },
    faults: {
      flag: '--fault <fault>',
      doc: 'a fault in every sandbox, such as latency:200ms',
      type: stringListOrOff,
      isRepeated: true,
    },
  }),
  ...inGroup('Recording', {
    record: {
      flag: '--record <file>',
      doc: 'record what is answered, and make this contract of it in the end; a recording alone where it ends in .ndjson',
      type: stringValue,
      path: 'file',
    },
    update,
    force,
    twice,
    anonymise,
    secretHeaders,
    secretPointers,
  }),
};
