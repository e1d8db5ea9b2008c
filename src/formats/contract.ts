import type { JsonValue } from '../json/json-value';
import type { Matcher } from './matcher';
import type { SourceDocument } from '../openapi/source-document';
import type { RuntimeExpression } from './runtime-expression';

/** Version of the format, written in the file. */
export const CONTRACT_FORMAT = 'contract/1';

/** The placeholder that has a value without being captured: different in each run. */
export const RUN_ID = 'runId';

/** Ordered interactions, and what has to be true of their answers. Placeholders are not filled in yet. */
export interface Contract {
  readonly name: string;
  readonly document: SourceDocument;
  /** Hold for every step; what to run is chosen by them. */
  readonly tags: readonly string[];
  /** Why it does not hold yet: what is found fails nothing. `undefined` when all of it has to hold. */
  readonly pending: string | undefined;
  /** In the order of the file. */
  readonly setup: readonly Step[];
  readonly steps: readonly Step[];
  readonly cleanup: readonly Step[];
}

export type Phase = 'setup' | 'steps' | 'cleanup';

/**
 * How a step authenticates: as it should, not at all, with an unknown key, in another form than asked for (`Basic`),
 * with `Bearer` and nothing behind it, with two `Authorization` lines, with the scheme in lower case, or with the key in
 * the query (RFC 6750 §2).
 */
export const AUTH_MODES = ['valid', 'none', 'invalid', 'malformed', 'empty', 'doubled', 'lower-case', 'query'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/** One request to send and what to expect. */
export interface Step {
  /** As written, else the operation or the request line. */
  readonly name: string;
  readonly phase: Phase;
  /** Its own, beside those of the contract. */
  readonly tags: readonly string[];
  /** Why it does not hold yet: what is found fails nothing. `undefined` when it has to hold. */
  readonly pending: string | undefined;
  /** Why what the step makes cannot be removed again, which the plan then tells; `undefined` when it can. */
  readonly leaves: string | undefined;
  /** JSON pointer into the contract. */
  readonly pointer: string;
  readonly request: StepRequest;
  /** Set on the request after what the operation asks for; a name may come several times. */
  readonly headers: readonly StepHeader[];
  readonly body: StepBody | undefined;
  /** With an identity: as the caller of that name, whose key whoever starts the run has. */
  readonly auth: AuthMode | { readonly identity: string };
  readonly expect: Expectation;
  readonly captures: readonly Capture[];
}

export type StepRequest =
  | { readonly kind: 'operation'; readonly operationId: string; readonly parameters: readonly ParameterValue[] }
  /** Method and path as written, for what no operation describes. */
  | { readonly kind: 'raw'; readonly method: string; readonly path: string };

export interface ParameterValue {
  readonly name: string;
  readonly in: string;
  readonly value: JsonValue;
}

export interface StepHeader {
  readonly name: string;
  /** `null` leaves the header out that would be sent otherwise. */
  readonly value: string | null;
}

export type StepBody =
  | { readonly kind: 'json'; readonly value: JsonValue }
  /** Sent as it is, so that it may be no JSON. */
  | { readonly kind: 'text'; readonly text: string };

/** What an answer must be, beside everything that the description says of it. */
export interface Expectation {
  /** Any of these. */
  readonly statuses: readonly number[];
  /** Any of these error codes; empty when the code does not matter. */
  readonly codes: readonly string[];
  /** `undefined` when the body does not matter. */
  readonly body: Matcher | undefined;
  /** Judged as text, several lines of one name joined with a comma. */
  readonly headers: readonly { readonly name: string; readonly matcher: Matcher }[];
}

/** A value to take out of an exchange for later steps. */
export interface Capture {
  readonly name: string;
  /** The expression as written. */
  readonly text: string;
  readonly expression: RuntimeExpression;
  /** A regular expression whose one group is what is taken, as text; `undefined` to take all of it as it is. */
  readonly pattern: string | undefined;
  readonly pointer: string;
}
