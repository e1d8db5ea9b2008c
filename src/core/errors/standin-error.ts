import { printable } from '../text/printable';

/**
 * Every code a {@link StandinError} can carry. Callers branch on these; the message is for people.
 * `docs/reference/errors.md` explains each one (a test holds that).
 */
export const ERROR_CODES = [
  'SPEC_UNREADABLE',
  'SPEC_SYNTAX',
  'SPEC_UNSUPPORTED_VERSION',
  'SPEC_INVALID',
  'SPEC_SCHEMA_DOES_NOT_COMPILE',
  'TOKENS_UNREADABLE',
  'TOKENS_INVALID',
  'FIXTURE_UNREADABLE',
  'FIXTURE_INVALID',
  'RULES_UNREADABLE',
  'RULES_INVALID',
  'CONTRACT_UNREADABLE',
  'CONTRACT_INVALID',
  'SECRET_NOT_REPLACED',
  'CONFIG_INVALID',
  'CONFIG_PORT_IN_USE',
  'CONFIG_PORT_DENIED',
  'STORE_IN_USE',
  'STORE_UNUSABLE',
  'STORE_UNAVAILABLE',
  'TRANSPORT_UNREACHABLE',
  'TRANSPORT_TIMEOUT',
  'TRANSPORT_BROKEN_CONNECTION',
  'TRANSPORT_BROKEN_RESPONSE',
  'TRANSPORT_RATE_LIMITED',
  'TRANSPORT_INTERRUPTED',
  'TRAFFIC_UNRELATED',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** Something wrong in a file that was read: an API description, a fixture, a rules file or a contract. */
export interface SourceFinding {
  /** Stable id of the rule that spoke, for example `ref-resolves`. */
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  /** Path as the user gave it. */
  readonly file: string;
  /** 1-based; absent when the place is not known. */
  readonly line?: number | undefined;
  /** 1-based, in UTF-16 code units; absent when the place is not known. */
  readonly column?: number | undefined;
  /** JSON pointer (RFC 6901) into the file; `''` is the whole of it. */
  readonly pointer: string;
  readonly message: string;
  readonly expected?: string | undefined;
  readonly hint?: string | undefined;
  /** Operations that it disables, such as `GET /books`: they cannot be served or verified. */
  readonly operations?: readonly string[] | undefined;
}

/** `file:line:column`, as far as it is known. Editors and terminals make a link of it. */
export function formatSourceLocation(finding: Pick<SourceFinding, 'file' | 'line' | 'column'>): string {
  if (finding.line === undefined) return finding.file;
  return `${finding.file}:${finding.line}:${finding.column ?? 1}`;
}

interface StandinErrorOptions {
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
export class StandinError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly findings: readonly SourceFinding[];

  constructor(code: ErrorCode, message: string, options: StandinErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
    this.findings = options.findings ?? [];
  }
}

/** The API description cannot be read or is not valid. */
export class SpecError extends StandinError {}

/** A contract file cannot be read or is not valid. */
export class ContractError extends StandinError {}

/** No usable answer came from the target. */
export class TransportError extends StandinError {}

/** An option, a fixture, a rules file or a snapshot is not usable. */
export class ConfigError extends StandinError {}

/** More of them would bury what the test runner says itself. */
const MAX_FINDINGS_SHOWN = 5;

/**
 * Test runners show the message of an error and nothing else of it: this one has the first findings with their places,
 * and the hint, in its message.
 *
 * @returns of a {@link StandinError} one of the same kind, with the same code, hint and findings; all else as it is
 */
export function withFullMessage(error: unknown): unknown {
  if (!(error instanceof StandinError) || error.message.startsWith(`${error.code}: `)) return error;
  const { code, hint, findings } = error;
  const Kind = error.constructor as typeof StandinError;
  const full = new Kind(code, formatStandinError(error, MAX_FINDINGS_SHOWN), { hint, findings, cause: error.cause });
  // Who reads the stack wants to know where it went wrong, not where it was told.
  const frames = /\n {4}at [^]*$/.exec((error.stack ?? '').slice(error.message.length))?.[0];
  if (frames !== undefined) full.stack = `${full.name}: ${full.message}${frames}`;
  return full;
}

/**
 * The message, the findings with their places, and the hint, as lines for a terminal.
 *
 * @param most - findings that are shown; of the others their number is reported
 */
export function formatStandinError(
  error: Pick<StandinError, 'code' | 'message' | 'hint' | 'findings'>,
  most = Infinity,
): string {
  const lines = [`${error.code}: ${printable(error.message)}`];
  for (const finding of error.findings.slice(0, most)) {
    lines.push(printable(`  ${formatSourceLocation(finding)} ${finding.severity} ${finding.rule}: ${finding.message}`));
    if (finding.pointer !== '') lines.push(`    at ${printable(finding.pointer)}`);
    if (finding.expected !== undefined) lines.push(`    expected: ${printable(finding.expected)}`);
    if (finding.hint !== undefined) lines.push(`    hint: ${printable(finding.hint)}`);
  }
  const more = error.findings.length - most;
  if (more > 0) lines.push(`  and ${more} more`);
  if (error.hint !== undefined) lines.push(`  hint: ${printable(error.hint)}`);
  return lines.join('\n');
}

// Inside jest, errors of Node itself come from another realm: `instanceof Error` does not know them. These look instead.

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return stringProperty(thrown, 'message') ?? String(thrown);
}

/** The code of an error of Node, such as `ENOENT`; `undefined` for anything else. */
export function codeOf(thrown: unknown): string | undefined {
  return stringProperty(thrown, 'code');
}

/** The call of the system that failed, such as `connect`; `undefined` for anything else. */
export function syscallOf(thrown: unknown): string | undefined {
  return stringProperty(thrown, 'syscall');
}

/** The stack of whatever was thrown, or its message. */
export function stackOf(thrown: unknown): string {
  return stringProperty(thrown, 'stack') ?? messageOf(thrown);
}

function stringProperty(thrown: unknown, name: string): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  const value: unknown = Reflect.get(thrown, name);
  return typeof value === 'string' ? value : undefined;
}
