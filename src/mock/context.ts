import type { AcceptsKey } from '../checks/request/authentication';
import type { Operation } from '../openapi/model';
import type { ApiModel } from '../openapi/model';
import type { PayloadSource } from '../payload/payload-source';
import type { ErrorWriter } from './error-response';
import type { OperationPlan } from './operation-plan';
import type { MockOptions } from './options';
import type { RateLimiter } from './rate-limiter';
import type { Resource } from './resource';
import type { Rules } from './rules';

/** What is handed in from outside: time, and everything else that would make two runs differ. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** Everything about a mock that stays the same from request to request. */
export interface MockContext {
  readonly api: ApiModel;
  readonly options: MockOptions;
  /** Path before every path of the description: `''` or `/v1`. */
  readonly basePath: string;
  readonly clock: Clock;
  readonly acceptsKey: AcceptsKey;
  readonly limiter: RateLimiter | undefined;
  readonly rules: Rules | undefined;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly plans: ReadonlyMap<Operation, OperationPlan>;
  readonly errors: ErrorWriter;
  readonly payloads: PayloadSource;
}
