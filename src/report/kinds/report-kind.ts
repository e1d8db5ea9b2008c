import type { RunResult } from '../../runner/result/run-result';
import type { KeyInShell } from '../text/shell-commands';

/** A kind of report: one object in a file of its own, listed in `registry.ts`. */
export interface ReportDefinition {
  /** As `--report ID=FILE` names it. */
  readonly id: string;
  /** Who reads it and what it holds, as docs/reference/reports.md says it. */
  readonly about: string;
  /** @param key - where the commands of a report take the API key from */
  format(result: RunResult, key: KeyInShell): string;
}
