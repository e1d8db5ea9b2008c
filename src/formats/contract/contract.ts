import type { Browser } from '../../core/http/cors';
import { joinPointer } from '../../core/json/json-pointer';
import type { JsonObject, JsonValue } from '../../core/json/json-value';
import type { SourceDocument } from '../../openapi/read/source-document';
import { type Matcher, placeholdersOfMatcher } from './matcher';
import { type Placeholder, placeholdersIn } from './placeholders';
import type { RuntimeExpression } from './runtime-expression';
import type { ContractVariable } from './variables';

/** Version of the format, written in the file. */
export const CONTRACT_FORMAT = 'contract/1';

/** A value that is different in each run. */
export const RUN_ID = 'runId';

/** Where the run receives events, in each contract another address; a value without a capture as well. */
export const RECEIVER_URL = 'receiverUrl';

/** Placeholders that have a value without being captured. */
export const PREDEFINED: readonly string[] = [RUN_ID, RECEIVER_URL];

/** Ordered interactions, and what has to be true of their responses. Placeholders are not filled in yet. */
export interface Contract {
  readonly name: string;
  readonly document: SourceDocument;
  /** Hold for every step; what to run is chosen by them. */
  readonly tags: readonly string[];
  /** Why it does not hold yet: what is found fails nothing. `undefined` when all of it has to hold. */
  readonly pending: string | undefined;
  /** What who starts the run gives a value to. */
  readonly variables: readonly ContractVariable[];
  /** Existing things below which the steps may make something in mode `own`, by variable of the path. */
  readonly within: readonly NamedParent[];
  /** The page that calls what the contract calls; `undefined` when none does. */
  readonly browser: Browser | undefined;
  /** In the order of the file. */
  readonly setup: readonly Step[];
  readonly steps: readonly Step[];
  readonly cleanup: readonly Step[];
  /** Was it made by the run itself, and read by nobody? Left out: a person wrote it. */
  readonly isGenerated?: boolean | undefined;
  /** What its times are counted from, in milliseconds since the epoch; `undefined` where it has none such. */
  readonly timesFrom?: number | undefined;
}

export type Phase = 'setup' | 'steps' | 'cleanup';

/**
 * How a step authenticates: as it should, not at all, with an unknown key, in another form than asked for (`Basic`),
 * with `Bearer` and nothing behind it, with two `Authorization` lines, with the scheme in lower case, or with the key in
 * the query (RFC 6750 §2).
 */
export const AUTH_MODES = ['valid', 'none', 'invalid', 'malformed', 'empty', 'doubled', 'lower-case', 'query'] as const;
export type AuthMode = (typeof AUTH_MODES)[number];

/**
 * How a step authenticates: in one of the ways that have a word; as the caller of a name, whose key who starts the run
 * has; or with a key that is known only once the run goes on, as `${token}` of a login, for every security scheme or for
 * some by their names.
 */
export type StepAuth =
  | AuthMode
  | { readonly identity: string }
  | { readonly key: string }
  | { readonly keys: Readonly<Record<string, string>> };

/** `server_id: localhost`: the thing of that name may get something new below it. */
export interface NamedParent {
  /** Variable of a path. */
  readonly variable: string;
  readonly value: string;
}

/**
 * What a step touches where its path does not tell: `nothing`, a question that is asked by POST, or `own`, only what
 * this run made and the body names.
 */
export const TOUCHES = ['nothing', 'own'] as const;
export type Touches = (typeof TOUCHES)[number];

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
  /** `undefined` where the method and the path tell. */
  readonly touches: Touches | undefined;
  /** Name of the earlier step whose creation it removes, where no path does. */
  readonly removes: string | undefined;
  /**
   * May the service refuse it for reasons that no description tells? With one of these statuses, which may be of a success
   * as well, or with any of a refusal; then it, and what needs it, is skipped.
   */
  readonly mayBeRefused: boolean | readonly number[];
  /** The word of its group, whose steps are sent at the same time; `undefined` to send it alone. */
  readonly together: string | undefined;
  /** How many requests of its group are to succeed, as a matcher of that number; `undefined` where no step says it. */
  readonly successes: Matcher | undefined;
  /** JSON pointer into the contract. */
  readonly pointer: string;
  readonly request: StepRequest;
  /** Set on the request after what the operation asks for; a name may come several times. */
  readonly headers: readonly StepHeader[];
  readonly body: StepBody | undefined;
  readonly auth: StepAuth;
  readonly expect: Expectation;
  /** What the service sends because of it, in this order. */
  readonly events: readonly EventExpectation[];
  readonly captures: readonly Capture[];
  /** Sends the request again until its response is as awaited; `undefined` to send it once. */
  readonly repeat: Repeat | undefined;
  /** What takes longer is reported as a warning; `undefined` for no bound. */
  readonly maxDurationMs: number | undefined;
}

/** How a request is sent again, for what happens only some time later. */
export interface Repeat {
  /** What the response has to be; `statuses` is empty where any will do. */
  readonly until: Expectation;
  /** How often it is sent at most, the first time included. */
  readonly attempts: number;
  /** For all attempts and what is waited between them. */
  readonly timeoutMs: number;
  /** Between a response and the next attempt, where the response has no `Retry-After`. */
  readonly intervalMs: number;
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
  /** Written as the operation takes it: as JSON, else as a form. */
  | { readonly kind: 'json'; readonly value: JsonValue }
  /** Sent as it is, so that it may be no JSON. */
  | { readonly kind: 'text'; readonly text: string }
  /** `application/x-www-form-urlencoded`. */
  | { readonly kind: 'form'; readonly fields: JsonObject }
  /** `multipart/form-data`. */
  | { readonly kind: 'multipart'; readonly parts: readonly BodyPart[] }
  | { readonly kind: 'file'; readonly file: ContractFile };

/** A file beside the contract, as it was when the contract was read. */
export interface ContractFile {
  /** As written. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A part of a multipart body (RFC 7578). */
export type BodyPart = {
  readonly name: string;
  /** JSON pointer into the contract. */
  readonly pointer: string;
  /** `undefined` for what its content has by default. */
  readonly mediaType: string | undefined;
} & (
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'file'; readonly file: ContractFile; readonly fileName: string }
);

/** What a response must be, beside everything that the description says of it. */
export interface Expectation {
  /** Any of these. */
  readonly statuses: readonly number[];
  /** Any of these error codes; empty when the code does not matter. */
  readonly codes: readonly string[];
  /** `undefined` when the body does not matter. */
  readonly body: Matcher | undefined;
  /** Checked as text, several lines of one name joined with a comma. */
  readonly headers: readonly { readonly name: string; readonly matcher: Matcher }[];
}

/** A callback or webhook that a service sends, or must not send, because of a step. */
export interface EventExpectation {
  /** Its name in the description. */
  readonly event: string;
  /** JSON pointer into the contract. */
  readonly pointer: string;
  /** How many of it come; 0 for none. */
  readonly times: number;
  /** Where it comes to, below the address of the receiver; `undefined` for anywhere. */
  readonly path: string | undefined;
  /** From the response on. */
  readonly withinMs: number;
  /** What it is signed with, a text that may have placeholders; `undefined` where the signature does not matter. */
  readonly secret: string | undefined;
  readonly body: Matcher | undefined;
  readonly headers: Expectation['headers'];
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

/** What a contract needs to know of an operation that it names. */
export interface KnownOperation {
  readonly id: string;
  readonly method: string;
  readonly parameters: readonly { readonly name: string; readonly in: string }[];
}

/** Variables of paths that something can stand below: what a name in `within` can be. */
export function parentVariables(operations: readonly KnownOperation[]): string[] {
  const names = operations.flatMap(({ parameters }) => parameters.filter(({ in: place }) => place === 'path'));
  return [...new Set(names.map(({ name }) => name))];
}

/** Every step, in the order of the file. */
export function stepsOf({ setup, steps, cleanup }: Contract): Step[] {
  return [...setup, ...steps, ...cleanup];
}

const OF_STEPS = new WeakMap<Step, readonly Placeholder[]>();

/** Every placeholder that a step needs a value for. Of its events those are left out that it captures itself. */
export function placeholdersOf(step: Step): readonly Placeholder[] {
  let known = OF_STEPS.get(step);
  if (known === undefined) {
    const { expect, repeat, events, captures } = step;
    const own = new Set(captures.map(({ name }) => name));
    known = [
      ...sentPlaceholdersOf(step),
      ...placeholdersOfExpectation(expect),
      ...(repeat === undefined ? [] : placeholdersOfExpectation(repeat.until)),
      ...events.flatMap(placeholdersOfEvent).filter(({ name }) => !own.has(name)),
    ];
    OF_STEPS.set(step, known);
  }
  return known;
}

/** Those that its request needs. */
export function sentPlaceholdersOf({ pointer, request, headers, body, auth }: Step): Placeholder[] {
  const at = (...segments: string[]): string => segments.reduce(joinPointer, pointer);
  const parameters = request.kind === 'operation' ? request.parameters : [];
  return [
    ...(request.kind === 'raw' ? placeholdersIn(request.path, at('path')) : []),
    ...parameters.flatMap(({ name, value }) => placeholdersIn(value, at('parameters', name))),
    ...headers.flatMap(({ name, value }) => placeholdersIn(value, at('headers', name))),
    ...(body === undefined ? [] : placeholdersOfBody(body, at)),
    ...(typeof auth === 'object' && 'key' in auth ? placeholdersIn(auth.key, at('auth', 'key')) : []),
    ...(typeof auth === 'object' && 'keys' in auth ? placeholdersIn(auth.keys, at('auth', 'keys')) : []),
  ];
}

function placeholdersOfBody(body: StepBody, at: (name: string) => string): Placeholder[] {
  switch (body.kind) {
    case 'json':
      return placeholdersIn(body.value, at('body'));
    case 'text':
      return placeholdersIn(body.text, at('text'));
    case 'form':
      return placeholdersIn(body.fields, at('form'));
    case 'multipart':
      return body.parts.flatMap((part) => {
        return part.kind === 'value'
          ? placeholdersIn(part.value, part.pointer)
          : placeholdersIn(part.fileName, part.pointer);
      });
    case 'file':
      return [];
  }
}

function placeholdersOfEvent(event: EventExpectation): Placeholder[] {
  const { secret = '', pointer } = event;
  return [...placeholdersIn(secret, joinPointer(pointer, 'secret')), ...placeholdersOfExpectation(event)];
}

function placeholdersOfExpectation({ body, headers }: Pick<Expectation, 'body' | 'headers'>): Placeholder[] {
  return [
    ...(body === undefined ? [] : placeholdersOfMatcher(body)),
    ...headers.flatMap(({ matcher }) => placeholdersOfMatcher(matcher)),
  ];
}
