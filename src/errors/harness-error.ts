import type { ErrorCode } from './codes';
import { formatPlace, type SourceFinding } from './source-finding';

export interface HarnessErrorOptions {
  /** What the reader can do about it. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
  /** Every disagreement found, not only the first. */
  readonly findings?: readonly SourceFinding[] | undefined;
}

/**
 * Thrown when the tool could not do or judge something. A disagreement between a description and a deployment is
 * never thrown: it is a finding, returned as a value.
 */
export class HarnessError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly findings: readonly SourceFinding[];

  constructor(code: ErrorCode, message: string, options: HarnessErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
    this.findings = options.findings ?? [];
  }
}

/** The API description cannot be read or is not valid. */
export class SpecError extends HarnessError {}

/** A contract file cannot be read or is not valid. */
export class ContractError extends HarnessError {}

/** No usable answer came from the target. */
export class TransportError extends HarnessError {}

/** An option, a fixture, a rules file or a snapshot is not usable. */
export class ConfigError extends HarnessError {}

/** The message, every finding with its place, and the hint, as lines for a terminal. */
export function formatHarnessError(error: Pick<HarnessError, 'code' | 'message' | 'hint' | 'findings'>): string {
  const lines = [`${error.code}: ${error.message}`];
  for (const finding of error.findings) {
    lines.push(`  ${formatPlace(finding)} ${finding.severity} ${finding.rule}: ${finding.message}`);
    if (finding.pointer !== '') lines.push(`    at ${finding.pointer}`);
    if (finding.expected !== undefined) lines.push(`    expected: ${finding.expected}`);
    if (finding.hint !== undefined) lines.push(`    hint: ${finding.hint}`);
  }
  if (error.hint !== undefined) lines.push(`  hint: ${error.hint}`);
  return lines.join('\n');
}
