import { openCredentialBook, type CredentialBook } from '../checks/request/credential-book';
import type { Token } from '../formats/tokens';
import type { FaultOptions } from './faults/choose-faults';
import type { SandboxSelectors } from './sandbox-selection';
import type { SandboxLimits } from './sandboxes';

/** Everything that can be set about a mock, with defaults filled in. */
export interface MockOptions {
  /** `keys`: only the accepted keys; `any`: every well-formed credential; `off`: no credentials are asked for. */
  readonly auth: 'keys' | 'any' | 'off';
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
  /** Nothing is read more kindly than the standards do, and an answer that breaks the description becomes a 500. */
  readonly strict: boolean;
  /** An item that no operation can make is not there either where a path names it on its way to others. */
  readonly strictParents: boolean;
  /** How requests name a sandbox, how many there may be, and for how long. */
  readonly sandboxes: SandboxSelectors & SandboxLimits;
  readonly faults: FaultOptions;
  /** Everything that chance decides follows from it. */
  readonly seed: string;
}

/** So many requests per API key in so many seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export interface Limits {
  /** Bytes of a body, after decoding. */
  readonly bodyBytes: number;
  /** The same of multipart and octets, which carry files. */
  readonly uploadBytes: number;
  /** Names that the fields of a form may have. */
  readonly formNames: number;
  /** Bytes of a request target. */
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
};

/** Which credentials are good; `undefined` takes every well-formed one. */
export function bookOf({ auth, apiKeys, tokens }: MockOptions): CredentialBook | undefined {
  return auth === 'keys' ? openCredentialBook(apiKeys, tokens) : undefined;
}
