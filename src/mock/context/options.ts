import { ConfigError } from '../../core/errors/standin-error';
import { parseBearer } from '../../core/http/authorization';
import type { Token } from '../../formats/tokens';
import { type AcceptedCredentials, ANY_SCOPE, createAcceptedCredentials } from '../../security/credential-check';
import { BASIC_USER } from '../../security/basic';
import { isMadeToBeRejected, similarKeys } from '../../security/scheme';
import type { FaultOptions } from '../faults/fault';
import type { RateLimit } from '../sandbox/rate-limiter';
import type { SandboxLimits, SandboxSelectors } from '../sandbox/sandbox-selection';

/** Everything that can be set about a mock, with defaults filled in. */
export interface MockOptions {
  /** `keys`: only the accepted keys; `open`: every well-formed credential that does not say or show that it is wrong; `any`: every well-formed one; `off`: no credentials are asked for. */
  readonly auth: 'keys' | 'open' | 'any' | 'off';
  readonly apiKeys: readonly string[];
  /** Callers with names, scopes and an end. */
  readonly tokens: readonly Token[];
  /** Path put before every path of the description; `undefined` takes the one of its first server. */
  readonly basePath: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** What a deprecated operation does after its sunset. */
  readonly afterSunset: 'gone' | 'serve';
  /** 428 for a change without If-Match, where that header acts. */
  readonly requireIfMatch: boolean;
  /** The first key that the service gives out. */
  readonly idStart: number | bigint;
  readonly limits: Limits;
  /** Nothing is read more kindly than the standards do, and a response that breaks the description becomes a 500. */
  readonly strict: boolean;
  /** An item that no operation can make is not there either where a path names it on its way to others. */
  readonly strictParents: boolean;
  /** How requests name a sandbox, how many there may be, and for how long. */
  readonly sandboxes: SandboxSelectors & SandboxLimits;
  readonly faults: FaultOptions;
  /** Everything that chance decides follows from it. */
  readonly seed: string;
  /** What is a secret in recorded traffic, beside what is known to be: names of headers, JSON pointers into bodies. */
  readonly secretNames: { readonly headers: readonly string[]; readonly pointers: readonly string[] };
}

interface Limits {
  /** Bytes of a body, after decoding. */
  readonly bodyBytes: number;
  /** The same of multipart and bytes, which carry files. */
  readonly uploadBytes: number;
  /** Names that the fields of a form may have. */
  readonly formNames: number;
  readonly targetBytes: number;
}

export const DEFAULT_API_KEY = 'test-key';

export const DEFAULT_OPTIONS: MockOptions = {
  auth: 'keys',
  apiKeys: [DEFAULT_API_KEY],
  tokens: [],
  basePath: undefined,
  rateLimit: undefined,
  afterSunset: 'gone',
  requireIfMatch: false,
  strict: false,
  strictParents: false,
  idStart: 1,
  limits: { bodyBytes: 1024 * 1024, uploadBytes: 32 * 1024 * 1024, formNames: 10_000, targetBytes: 8 * 1024 },
  sandboxes: {
    header: 'x-standin-sandbox',
    cookie: 'standin-sandbox',
    path: '/_s',
    count: 1000,
    idleMs: 60 * 60 * 1000,
  },
  faults: { isOff: false, flags: [] },
  seed: '0',
  secretNames: { headers: [], pointers: [] },
};

/** Which credentials are good; `undefined` takes every well-formed one. */
export function bookOf({ auth, apiKeys, tokens }: MockOptions): AcceptedCredentials | undefined {
  if (auth === 'open') return createOpenCredentials(apiKeys);
  return auth === 'keys' ? createAcceptedCredentials(apiKeys, tokens) : undefined;
}

/**
 * Where nobody listed credentials, none can be wrong: every well-formed one is good, but for those that say of themselves
 * that they are to be rejected, `invalid…`, and those that nearly are one of the keys.
 */
function createOpenCredentials(apiKeys: readonly string[]): AcceptedCredentials {
  // Basic credentials are one text as well: `user:test-key`.
  const rejected = new Set(apiKeys.flatMap((key) => [key, `${BASIC_USER.name}:${key}`].flatMap(similarKeys)));
  const isGood = (text: string): boolean => {
    const key = withoutWord(text);
    return key !== '' && !rejected.has(key) && !isMadeToBeRejected(key);
  };
  return {
    byKey: (key) => (isGood(key) ? ANY_SCOPE : undefined),
    byPassword: (username, password) =>
      [username, password, `${username}:${password}`].every(isGood) ? ANY_SCOPE : undefined,
    whyUnknown(text) {
      const key = withoutWord(text);
      if (isMadeToBeRejected(key)) return 'The key says of itself that it is to be rejected';
      return rejected.has(key) ? 'The key is nearly, but not quite, one of the keys of the mock' : undefined;
    },
  };
}

/** A key as an API key in `Authorization` has it, behind the word of a scheme: `Bearer`, `Token`. */
function withoutWord(text: string): string {
  return text.replace(/^(?:[A-Za-z][\w-]* +|(?:bearer|basic|token|apikey)$)/i, '');
}

/**
 * Checks the options of a mock, wherever they come from: a mistyped one must not open it, or serve something else.
 *
 * @throws ConfigError `CONFIG_INVALID` that names the option and what it takes
 */
export function checkOptions(options: MockOptions): MockOptions {
  const { auth, apiKeys, tokens, afterSunset, idStart, rateLimit } = options;
  demand(['keys', 'open', 'any', 'off'].includes(auth), 'auth', auth, 'keys, open, any or off');
  demand(['gone', 'serve'].includes(afterSunset), 'afterSunset', afterSunset, 'gone or serve');
  demand(isWhole(idStart) && idStart > 0, 'idStart', String(idStart), 'a whole number from 1');
  demand(
    auth !== 'keys' || apiKeys.length + tokens.length > 0,
    'apiKeys',
    'empty',
    'at least one key, there or in tokens',
  );
  for (const key of apiKeys) {
    const isKey = typeof key === 'string' && parseBearer(`Bearer ${key}`).kind === 'bearer';
    // A key is a secret: it is not repeated, not even a wrong one.
    demand(
      isKey,
      'apiKeys',
      'a key that no header can carry',
      'letters, digits and any of - . _ ~ + /, with = at the end only',
    );
  }
  checkSandboxes(options.sandboxes);
  if (rateLimit === undefined) return options;
  const { requests, seconds } = rateLimit;
  const isRate = isWhole(requests) && requests > 0 && isWhole(seconds) && seconds > 0;
  demand(isRate, 'rateLimit', `${requests}/${seconds}`, 'whole numbers of requests and seconds, from 1');
  return options;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

function checkSandboxes({ header, cookie, path, count, idleMs }: MockOptions['sandboxes']): void {
  const isName = (name: string | undefined): boolean => name === undefined || TOKEN.test(name);
  demand(isName(header), 'sandboxHeader', String(header), 'the name of a header, or off');
  demand(isName(cookie), 'sandboxCookie', String(cookie), 'the name of a cookie, or off');
  const isPath = path === undefined || /^(?:\/[A-Za-z0-9._~-]+)+$/.test(path);
  demand(isPath, 'sandboxPath', String(path), 'a path such as /_s, or off');
  demand(Number.isSafeInteger(count) && count > 0, 'maxSandboxes', String(count), 'a whole number from 1');
  demand(Number.isFinite(idleMs) && idleMs > 0, 'sandboxIdleMs', String(idleMs), 'milliseconds, more than 0');
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function demand(holds: boolean, name: string, value: string, expected: string): void {
  if (!holds) throw new ConfigError('CONFIG_INVALID', `The option ${name} is ${value}`, { hint: `Give ${expected}.` });
}
