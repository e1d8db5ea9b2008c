import type { Problem } from '../../core/http/problem';
import type { JsonObject, JsonValue } from '../../core/json/json-value';
import type { StateDiff } from '../../mock/state/state';
import type { ListedOperation } from '../controls/description';
import type { MockControls } from '../controls/sandbox-controls';
import type { RecordingControls } from '../controls/recording-controls';
import type { TableControls } from '../controls/table-controls';
import type { TokenControls } from '../controls/token-controls';
import type { AnsweringEngine } from '../../mock/pipeline/mock-engine';
import type { Delivery, DeliveryControls } from '../../events/delivery';
import type { FoundRequest, RequestLog } from './request-log';
import type { AdminError, Credentials, LiveEvents, Overview, ResponseSample, Why } from './shapes';

/** The path that all admin routes are below. */
export const ADMIN_PATH = '/__standin';

/** What can be done with one state, the main one or that of a sandbox: what the app's methods do, and more. */
export interface AdminControls extends Omit<MockControls, 'snapshot' | 'restore' | 'diff'>, TableControls {
  /** @returns false when there are too many snapshots already */
  saveSnapshot(name: string): boolean;
  /** @returns false when there is no snapshot of that name */
  restoreSnapshot(name: string): boolean;
  dropSnapshots(): void;
  snapshotNames(): readonly string[];
  /** What {@link MockControls.undo} would take back; `undefined` for nothing. */
  nextUndo(): string | undefined;
  clearJournal(): void;
  /** @returns `undefined` when there is no snapshot of that name; without a name the baseline is compared with */
  diff(snapshot: string | undefined): StateDiff | undefined;
  /** Makes the state, or a snapshot of it, the baseline. @returns false when there is no snapshot of that name */
  makeBaseline(snapshot: string | undefined): boolean;
}

/** Where events are written to. */
export interface EventSink {
  write(text: string): void;
  /** Bytes that the other side did not take yet. */
  waiting(): number;
  /** The server takes no more connections: it waits for this one to end. */
  isClosing(): boolean;
  end(): void;
  /** Cuts the connection. */
  destroy(): void;
}

/** Tells those who listen what happens. */
export interface EventSource {
  /** Another one for each start of the mock. */
  readonly instance: string;
  /** Something was changed by others than requests. */
  announce(what: NonNullable<Action['changes']>): void;
  /** Why one more cannot listen; `undefined` where it can. */
  refusal(): Rejection | undefined;
  /** @returns to be called when the connection is gone */
  listen(sink: EventSink, lastEventId: string | undefined, sandbox: string | undefined): () => void;
}

/** What an overview says of the mock and of one sandbox, beside what its controls tell. */
type OverviewFacts = Omit<Overview, 'forced' | 'faults' | 'snapshots' | 'undo'>;

/** What can be done beside that. */
export interface AdminTarget
  extends RecordingControls, TokenControls, Omit<DeliveryControls, 'deliveries' | 'waitForDeliveries'> {
  readonly requests: RequestLog;
  readonly events: EventSource;
  /** As it is now; another one after a reload. */
  engine(): AnsweringEngine;
  /** @param id - `undefined` for the main state */
  overview(id: string | undefined): OverviewFacts;
  /** Does something in a sandbox when it is its turn; at once, unless other processes serve the same sandboxes. */
  inTurn<Result>(sandbox: string | undefined, act: () => Result | Promise<Result>): Result | Promise<Result>;
  health(): JsonObject;
  docsPage(): string;
  /**
   * @param id - `undefined` for the main state
   * @param mayBeGone - also one that had to make room
   * @returns why it cannot be had
   */
  controlsOf(id: string | undefined, mayBeGone: boolean): AdminControls | Problem;
  /** What is forced on operations in all sandboxes alone; the rest is that of the main state. */
  controlsOfAll(): AdminControls;
  /** The body that an operation would answer; of a success, where nothing is chosen. */
  sample(operation: string, chosen: { readonly status?: number; readonly example?: string }): ResponseSample;
  /** @param sandbox - whose answers are counted; `undefined` for all */
  operations(sandbox: string | undefined): ListedOperation[];
  /** The description, with the address of this mock in it. */
  description(address: string, sandbox: string | undefined): JsonValue;
  credentials(): Credentials;
  /** Why a remembered request got its response. */
  why(found: FoundRequest): Promise<Why['sections']>;
  /** Events that were sent, or are on their way. @param sandbox - `undefined` for all */
  deliveries(sandbox: string | undefined): readonly Delivery[];
  sandboxes(): JsonValue;
  /** A sandbox with the state of another one or of a snapshot of it. @returns why it cannot be made */
  createSandbox(id: string, from: string | undefined, snapshot: string | undefined): Problem | undefined;
  /** @returns false when there is no such sandbox */
  removeSandbox(id: string): boolean;
  removeSandboxes(): void;
}

/** What the values of an input are when they have been read. */
export interface InputTypes {
  string: string;
  /** A text that is not empty. */
  name: string;
  /** 0, 1, 2 … */
  integer: number;
  boolean: boolean;
  /** RFC 3339, as epoch milliseconds. */
  time: number;
  /** One text is a list of one. */
  strings: readonly string[];
  integers: readonly number[];
  object: JsonObject;
  json: JsonValue;
}

/** One value that an action takes. */
export interface Input<Type extends keyof InputTypes = keyof InputTypes> {
  /** A parameter of the query, a property of the body, or the body itself. */
  readonly in: 'query' | 'body' | 'document';
  readonly type: Type;
  readonly about: string;
  readonly required?: boolean;
  readonly isNullable?: boolean;
  /** Of a whole number. */
  readonly most?: number;
  /** Of the query as it is written there, of the body as JSON. */
  readonly example?: string;
}

type Inputs = Readonly<Record<string, Input>>;
type OrUndefined<Given extends Input> = Given extends { required: true } ? never : undefined;
type OrNull<Given extends Input> = Given extends { isNullable: true } ? null : never;

/** The values of inputs, by their names. */
export type InputValues<Given extends Inputs = Inputs> = {
  readonly [Name in keyof Given]: InputTypes[Given[Name]['type']] | OrUndefined<Given[Name]> | OrNull<Given[Name]>;
};

export interface ActionCall<Given extends Inputs = Inputs> {
  readonly target: AdminTarget;
  readonly controls: AdminControls;
  /** As the query names it; `undefined` where it does not. */
  readonly sandbox: string | undefined;
  /** Of the mock, as the client knows it: `http://localhost:4010`. */
  readonly address: string;
  readonly input: InputValues<Given>;
  /** Of the last event that the client received, where it listened before. */
  readonly lastEventId: string | undefined;
}

/** Why an action is not done. */
export interface Rejection extends Problem {
  readonly findings?: AdminError['findings'];
  readonly current?: AdminError['current'];
}

export type ActionResult =
  | { readonly status: number; readonly value?: JsonValue; readonly page?: string }
  /** @returns to be called when the connection is gone */
  | { readonly status: 200; readonly stream: (sink: EventSink) => () => void }
  | Rejection;

/**
 * Something that can be done with a running mock. The routes, the list of them, the check of what is sent, and what is
 * told to those who listen are made from the table of actions.
 */
export interface Action<Given extends Inputs = Inputs> {
  readonly name: string;
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the admin path. */
  readonly path: string;
  /** What it does, for the list of routes. */
  readonly about: string;
  /** Beside {@link COMMON_INPUT}; other names are rejected. */
  readonly input: Given;
  /** The method of the app, or of a sandbox of it, that does the same. */
  readonly library?: string;
  /** What is another one afterwards; all but GET have it, `[]` for nothing. */
  readonly changes?: LiveEvents['change']['what'] | readonly LiveEvents['change']['what'][];
  /** Also for a sandbox that had to make room: it begins anew. */
  readonly mayBeGone?: boolean;
  /** May the query name all sandboxes, by `*`? */
  readonly isForAll?: boolean;
  /**
   * Is it done at once, also where other processes serve the same sandboxes? It looks at none of them, or asks the mock
   * itself, whose requests take their turn.
   */
  readonly isOutOfTurn?: boolean;
  /** Are the requests looked at, so that those of other processes have to be known? */
  readonly looksAtRequests?: boolean;
  /** May anybody ask, from any machine and without a token? */
  readonly isOpen?: boolean;
  run(call: ActionCall<Given>): ActionResult | Promise<ActionResult>;
}

/** An action whose `run` knows the types of its input. */
export function action<const Given extends Inputs>(definition: Action<Given>): Action {
  return definition;
}

/** What each action takes. */
export const COMMON_INPUT = {
  sandbox: { in: 'query', type: 'string', about: 'the sandbox that is meant; without it the main state' },
} as const satisfies Inputs;

export const NO_CONTENT: ActionResult = { status: 204 };

export function ok(value: JsonValue): ActionResult {
  return { status: 200, value };
}

/** What is JSON by the way it was made, although its type does not say so. */
export function shown(value: object): ActionResult {
  return ok(value as JsonValue);
}
