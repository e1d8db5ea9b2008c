import type { JsonValue } from '../json/json-value';
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
  /** In the order of the file. */
  readonly setup: readonly Step[];
  readonly steps: readonly Step[];
  readonly cleanup: readonly Step[];
}

export type Phase = 'setup' | 'steps' | 'cleanup';

/** How a step authenticates: as it should, not at all, with an unknown key, or in another form than asked for. */
export const AUTH_MODES = ['valid', 'none', 'invalid', 'malformed'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/** One request to send and what to expect. */
export interface Step {
  /** As written, else the operation or the request line. */
  readonly name: string;
  readonly phase: Phase;
  /** JSON pointer into the contract. */
  readonly pointer: string;
  readonly request: StepRequest;
  /** Set on the request after what the operation asks for; a name may come several times. */
  readonly headers: readonly StepHeader[];
  readonly body: StepBody | undefined;
  readonly auth: AuthMode;
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
  /** Members that the body must have, with these values; `undefined` when it does not matter. */
  readonly body: JsonValue | undefined;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** A value to take out of the answer for later steps. */
export interface Capture {
  readonly name: string;
  /** As written. */
  readonly text: string;
  readonly expression: RuntimeExpression;
  readonly pointer: string;
}
