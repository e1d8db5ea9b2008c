import type { HarnessError } from '../errors/harness-error';
import type { Transport } from '../http/transport';
import type { ApiModel } from '../openapi/model';

/** What a run is made from. */
export interface RunInput {
  /** Version of the tool, for the result. */
  readonly version: string;
  readonly api: ApiModel;
  readonly transport: Transport;
  /** Scheme, host, port and the path before every path of the description; no slash at the end. */
  readonly baseUrl: string;
  /** `undefined` when the target asks for none. */
  readonly apiKey: string | undefined;
  /** Different in each run, and short: names of what is created hold it. */
  readonly runId: string;
  /** Why nothing that could change the target is sent; `undefined` when it may be. */
  readonly writesRefused: string | undefined;
}

/** A run on its way. */
export interface Run extends RunInput {
  /** Path of the base URL: `''` or `/v1`. */
  readonly basePath: string;
  /** Did the target answer at least once? */
  hasAnswered: boolean;
  /** Why the target is taken for gone, so that nothing waits for it again and again. */
  lost: HarnessError | undefined;
}

export function startRun(input: RunInput): Run {
  const basePath = new URL(input.baseUrl).pathname.replace(/\/+$/, '');
  return { ...input, basePath, hasAnswered: false, lost: undefined };
}

/** Methods that ask for no change (RFC 9110 §9.2.1). */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE';
}
