/**
 * Every code a {@link HarnessError} can carry. Callers branch on these; the message is for people.
 * `docs/errors.md` explains each one (a test holds that).
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
  'CONFIG_INVALID',
  'CONFIG_PORT_IN_USE',
  'CONFIG_PORT_DENIED',
  'TRANSPORT_UNREACHABLE',
  'TRANSPORT_TIMEOUT',
  'TRANSPORT_BROKEN_CONNECTION',
  'TRANSPORT_BROKEN_RESPONSE',
  'TRANSPORT_RATE_LIMITED',
  'TRANSPORT_INTERRUPTED',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];
