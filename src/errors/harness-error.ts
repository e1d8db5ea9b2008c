import type { ErrorCode } from './codes';
import { formatPlace, type SourceFinding } from './source-finding';
import { printable } from './printable';

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

/** More of them would bury what the test runner says itself. */
const FINDINGS_IN_FULL = 5;

/**
 * Test runners show the message of an error and nothing else of it: this one has the first findings with their places,
 * and the hint, in its message.
 *
 * @returns of a {@link HarnessError} one of the same kind, with the same code, hint and findings; all else as it is
 */
export function inFull(error: unknown): unknown {
  if (!(error instanceof HarnessError) || error.message.startsWith(`${error.code}: `)) return error;
  const { code, hint, findings } = error;
  const Kind = error.constructor as typeof HarnessError;
  const full = new Kind(code, formatHarnessError(error, FINDINGS_IN_FULL), { hint, findings, cause: error.cause });
  // Whoever reads the stack wants to know where it went wrong, not where it was told.
  const frames = /\n {4}at [^]*$/.exec((error.stack ?? '').slice(error.message.length))?.[0];
  if (frames !== undefined) full.stack = `${full.name}: ${full.message}${frames}`;
  return full;
}

/**
 * The message, the findings with their places, and the hint, as lines for a terminal.
 *
 * @param most - findings that are shown; of the others their number is told
 */
export function formatHarnessError(
  error: Pick<HarnessError, 'code' | 'message' | 'hint' | 'findings'>,
  most = Infinity,
): string {
  const lines = [`${error.code}: ${printable(error.message)}`];
  for (const finding of error.findings.slice(0, most)) {
    lines.push(printable(`  ${formatPlace(finding)} ${finding.severity} ${finding.rule}: ${finding.message}`));
    if (finding.pointer !== '') lines.push(`    at ${printable(finding.pointer)}`);
    if (finding.expected !== undefined) lines.push(`    expected: ${printable(finding.expected)}`);
    if (finding.hint !== undefined) lines.push(`    hint: ${printable(finding.hint)}`);
  }
  const more = error.findings.length - most;
  if (more > 0) lines.push(`  and ${more} more`);
  if (error.hint !== undefined) lines.push(`  hint: ${printable(error.hint)}`);
  return lines.join('\n');
}
