import type { ApiModel } from '../../openapi/model';
import type { Finding } from '../finding';
import type { ObservedExchange } from './observed-exchange';

/**
 * A disagreement that shows when several exchanges are seen together. Its message and its place say what is wrong and
 * of which operation, and are the same in every run: keys, values and the order of exchanges are for `expected` and
 * `actual`.
 */
export interface RunFinding extends Finding {
  /** Index of the exchange whose answer is at fault. */
  readonly exchange: number;
  /** Index of the exchange that it disagrees with. */
  readonly earlier: number;
}

/** A named rule about all exchanges of a run. */
export interface RunCheck {
  /** Stable; `docs/checks.md` explains it (a test holds that). */
  readonly id: string;
  /** Where the rule comes from. */
  readonly source: string;
  /**
   * @param exchanges - in the order in which they were sent
   * @returns the disagreements, one for each cause
   */
  run(exchanges: readonly ObservedExchange[], api: ApiModel): RunFinding[];
}

/**
 * The path of an exchange as the description writes it, `/books/{bookId}`; as it was sent where that has none. Messages
 * name it, because they are the same in every run: what a run made has other keys each time.
 */
export function templateOf(api: ApiModel, { operation: id, path }: ObservedExchange): string {
  return (id === undefined ? undefined : api.operationById(id)?.path) ?? path;
}

/** A finding about two exchanges. */
export function runFinding(
  exchanges: readonly ObservedExchange[],
  exchange: ObservedExchange,
  earlier: ObservedExchange,
  finding: Finding,
): RunFinding {
  return { ...finding, exchange: exchanges.indexOf(exchange), earlier: exchanges.indexOf(earlier) };
}
