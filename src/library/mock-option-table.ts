import { inGroup, type OptionTable } from '../core/options/option-table';
import {
  append,
  booleanValue,
  isObject,
  milliseconds,
  oneOf,
  type OptionType,
  stringList,
  stringListOrOff,
  stringOrNumber,
  stringOrObject,
  stringValue,
  wholeNumberWithin,
} from '../core/options/option-types';
import { parseBearer } from '../core/http/authorization';
import { isClockTime, parseRfc3339 } from '../core/time/date-time';
import { parseDate } from '../openapi/model/lifecycle';
import { DESCRIPTION_OPTIONS } from './description-options';
import type { CreateMockServerOptions } from './mock-options';

const TOKEN_CHARACTERS = 'letters, digits and any of - . _ ~ + /, with = at the end only';
const isToken = (text: string): boolean => parseBearer(`Bearer ${text}`).kind !== 'malformed';

/** What `Authorization: Bearer` can carry (RFC 6750 §2.1). */
const token: OptionType = {
  ...stringValue,
  expectedText: TOKEN_CHARACTERS,
  parse: (text) => (isToken(text) ? text : undefined),
};
const tokenList: OptionType = {
  ...stringList,
  expectedText: TOKEN_CHARACTERS,
  parse: (text, earlier) => (isToken(text) ? append(earlier, text) : undefined),
};
const basePath: OptionType = {
  ...stringValue,
  expectedText: 'a path such as /v1',
  parse: (text) => (/^\/?[A-Za-z0-9._~!$&'()*+,;=:@/-]*$/.test(text) ? text : undefined),
};
/** `100/60`: a hundred requests in sixty seconds. */
const rateLimit: OptionType = {
  expected: '{ requests, seconds }',
  expectedText: 'REQUESTS/SECONDS, such as 100/60',
  accepts: (value) => isObject(value) && 'requests' in value && 'seconds' in value,
  parse(text) {
    const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text);
    const [requests, seconds] = [Number(match?.[1]), Number(match?.[2])];
    return requests >= 1 && seconds >= 1 ? { requests, seconds } : undefined;
  },
};
const clock: OptionType = {
  expected: 'a valid Date',
  expectedText: 'a date-time such as 2031-01-01T00:00:00Z, or a date, up to the year 9998',
  accepts: (value) => typeof value === 'object' && Number.isFinite(Number(value)),
  hint: () => 'Give new Date("2031-01-01T00:00:00Z").',
  parse(text) {
    const epochMs = parseRfc3339(text) ?? parseDate(text);
    return epochMs !== undefined && isClockTime(epochMs) ? new Date(epochMs) : undefined;
  },
};
const LARGEST_ID = 9223372036854775807n;
const idStart: OptionType = {
  expected: 'a whole number from 1; a bigint beyond 2^53',
  expectedText: `a whole number from 1 to ${LARGEST_ID}, the largest int64`,
  accepts: (value) => typeof value === 'bigint' || Number.isInteger(value),
  parse(text) {
    const start = /^[1-9]\d{0,18}$/.test(text) ? BigInt(text) : LARGEST_ID + 1n;
    if (start > LARGEST_ID) return undefined;
    return start <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(start) : start;
  },
};
const SIZES: Readonly<Record<string, number>> = { '': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };
/** Bytes; `1048576`, `512KB` or `50MB` as a flag. */
const size: OptionType = {
  ...wholeNumberWithin(1, Number.MAX_SAFE_INTEGER, 'bytes'),
  expectedText: 'a size such as 500KB or 50MB, up to 1GB',
  parse(text) {
    const [, digits = '', unit = ''] = /^(\d{1,9})\s*([kmg]b)?$/i.exec(text) ?? [];
    const bytes = Number(digits) * (SIZES[unit.toLowerCase()] ?? 1);
    return bytes <= 1024 ** 3 ? bytes : undefined;
  },
};

/** The options of `createMockServer`. */
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
  ...inGroup('Credentials', {
    auth: {
      flag: '--auth <mode>',
      doc: 'keys: accepted keys only; any: every well-formed key; off: no key needed',
      type: oneOf(['keys', 'any', 'off']),
      default: 'keys',
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
  ...inGroup('Requests and responses', {
    basePath: {
      flag: '--base-path <path>',
      doc: 'path before every path, such as /v1',
      type: basePath,
      default: 'that of the first server',
    },
    strict: {
      flag: '--strict',
      doc: 'reject what is otherwise tolerated, such as ?flag=1; a response that breaks the description becomes a 500',
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
};
