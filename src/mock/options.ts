import type { AcceptsKey } from '../checks/request/authentication';

/** Everything that can be set about a mock, with defaults filled in. */
export interface MockOptions {
  /** `keys`: only the accepted keys; `any`: every well-formed credential; `off`: no credentials are asked for. */
  readonly auth: 'keys' | 'any' | 'off';
  readonly apiKeys: readonly string[];
  /** Path put before every path of the description; `undefined` takes the one of its first server. */
  readonly basePath: string | undefined;
  readonly rateLimit: RateLimit | undefined;
  /** What a deprecated operation does after its sunset. */
  readonly afterSunset: 'gone' | 'serve';
  /** 428 for a change without If-Match, where the operation documents that header. */
  readonly requireIfMatch: boolean;
  /** The first key that the service gives out. */
  readonly idStart: number | bigint;
  readonly limits: Limits;
}

/** So many requests per API key in so many seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export interface Limits {
  /** Bytes of a body, after decoding. */
  readonly bodyBytes: number;
  /** Bytes of a request target. */
  readonly targetBytes: number;
}

export const DEFAULT_API_KEY = 'test-key';

export const DEFAULT_OPTIONS: MockOptions = {
  auth: 'keys',
  apiKeys: [DEFAULT_API_KEY],
  basePath: undefined,
  rateLimit: undefined,
  afterSunset: 'gone',
  requireIfMatch: false,
  idStart: 1,
  limits: { bodyBytes: 1024 * 1024, targetBytes: 8 * 1024 },
};

/**
 * Decides which keys are good. A set compares hashes before it compares texts, so that the time it takes tells
 * nothing about how much of a key was right.
 */
export function keyTest({ auth, apiKeys }: Pick<MockOptions, 'auth' | 'apiKeys'>): AcceptsKey {
  if (auth !== 'keys') return undefined;
  const accepted = new Set(apiKeys);
  return (key) => accepted.has(key);
}
