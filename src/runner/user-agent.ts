import type { RunInput } from './run';

/**
 * What a run calls itself, such as `standin/0.1.0 (run 1a2b3c4d)`: whoever reads the log of the target can tell the
 * requests of a run (RFC 9110 §10.1.5).
 */
export function userAgentOf({ version, runId }: Pick<RunInput, 'version' | 'runId'>): string {
  return `standin/${version} (run ${runId})`;
}
