import type { CredentialBook } from '../checks/request/credential-book';
import type { ApiModel } from '../openapi/model';
import type { Mount } from '../openapi/server-url';
import type { PayloadSource } from '../payload/payload-source';
import type { ChildCounts } from './child-counts';
import type { OutgoingCheck } from './check-outgoing';
import type { ErrorWriter } from './error-response';
import type { OperationPlans } from './operation-plan';
import type { MockOptions } from './options';
import type { RateLimiter } from './rate-limiter';
import type { Resource } from './resource';
import type { Rules } from './rules';

/** What is handed in from outside: time, and everything else that would make two runs differ. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** Counts the requests of each caller. */
export type Limiter = Pick<RateLimiter, 'take'>;

/** Everything about a mock that stays the same from request to request. */
export interface MockContext {
  readonly api: ApiModel;
  readonly options: MockOptions;
  /** What answers where; a request meets the longest base path that has it. */
  readonly mounts: readonly Mount[];
  /** The first of the base paths: `''` or `/v1`. */
  readonly basePath: string;
  readonly clock: Clock;
  /** `undefined` takes every well-formed credential. */
  readonly credentials: CredentialBook | undefined;
  readonly limiter: Limiter | undefined;
  readonly rules: Rules | undefined;
  readonly resources: ReadonlyMap<string, Resource>;
  /** `undefined` where no item has a number that counts others. */
  readonly counts: ChildCounts | undefined;
  readonly plans: OperationPlans;
  readonly errors: ErrorWriter;
  readonly outgoing: OutgoingCheck;
  readonly payloads: PayloadSource;
}
