import type { Warnings } from '../../checks/request/warnings';
import type { HttpResponse, RawHeaders, RequestHead } from '../../core/http/message';
import type { Problem } from '../../core/http/problem';
import type { RequestTarget } from '../../core/http/request-target';
import type { MediaTypeEntry, Operation } from '../../openapi/model/operation';
import type { RouteMatch } from '../../openapi/model/operation-selection';
import { ANONYMOUS, type Principal } from '../../security/authentication';
import type { Call } from '../calls/call';
import type { MockContext } from '../context/context';
import type { FaultPlan } from '../faults/fault-plan';
import type { OperationPlan } from '../plans/operation-plan';
import type { Sandbox } from '../sandbox/sandbox';
import type { Sandboxes } from '../sandbox/sandboxes';
import type { Change } from '../state/state';
import type { OpenOptions } from './mock-engine';

const NO_HEADERS: RawHeaders = [];
const NO_CHANGES: readonly Change[] = [];
const NO_PREFERENCES: ReadonlyMap<string, string> = new Map();

/** A sandbox, and the mock with the clock, the rate limiter and the credentials of that sandbox. */
export interface SandboxContext {
  readonly sandbox: Sandbox;
  readonly context: MockContext;
  readonly sandboxes: Sandboxes;
}

/** What a stage ends a request with: a response, or the problem that an error response is written from. */
export type Result = HttpResponse | Problem;

/** One request on its way through the stages of `handle-request.ts`. Each stage sets what it finds. */
export class RequestContext {
  readonly sandboxes: Sandboxes;
  readonly canDeliver: boolean;
  readonly isMessageChecked: boolean;
  /** Bytes of the body where it is there from the start; `undefined` where it has still to be read. */
  readonly knownLength: number | undefined;
  /** When the mock began with it, by `performance.now()`: again when its body is there, so that no network is in it. */
  startedMs = performance.now();
  /** From the selection of the sandbox on without the path prefix that names one. */
  head: RequestHead;
  sandbox: Sandbox;
  /** With the clock, the rate limiter and the credentials of the sandbox. */
  context: MockContext;
  /** Set by `admit`; `undefined` where the message itself is malformed. */
  target: RequestTarget | undefined = undefined;
  preferences = NO_PREFERENCES;
  warnings: Warnings | undefined = undefined;
  match: RouteMatch | undefined = undefined;
  operation: Operation | undefined = undefined;
  plan: OperationPlan | undefined = undefined;
  principal: Principal = ANONYMOUS;
  /** Raw query without the question mark. */
  query = '';
  /** Headers that every response from here on has, such as those of the rate limit. */
  extraHeaders = NO_HEADERS;
  /** Declared content of the body; `undefined` when the operation takes none. */
  content: MediaTypeEntry | undefined = undefined;
  /** Key of the success's `content` that Accept selects; `undefined` where it selects none. */
  responseMediaType: string | undefined = undefined;
  /** Does the body have the parameters of an operation that takes no body? */
  hasParametersInBody = false;
  /** Set by `injectFaults`. */
  faults: FaultPlan | undefined = undefined;
  /** `undefined` until it was read. */
  body: Uint8Array | undefined = undefined;
  /** Set by `prepare`, where the operation documents that header. */
  idempotencyKey: string | undefined = undefined;
  /** Set by `prepare`. */
  call: Call | undefined = undefined;
  /** What `perform` did to the state. */
  changes = NO_CHANGES;
  /** Why the request was rejected, or how its response does not match the description. */
  problem: Problem | undefined = undefined;

  constructor(
    { sandbox, context, sandboxes }: SandboxContext,
    head: RequestHead,
    options?: OpenOptions,
    knownLength?: number,
  ) {
    this.sandboxes = sandboxes;
    this.sandbox = sandbox;
    this.context = context;
    this.head = head;
    this.canDeliver = options?.canDeliver === true;
    this.isMessageChecked = options?.isMessageChecked === true;
    this.knownLength = knownLength;
  }

  enter({ sandbox, context }: SandboxContext): void {
    this.sandbox = sandbox;
    this.context = context;
  }
}

/** A request that `admit` let pass. */
export interface AdmittedRequest extends RequestContext {
  readonly target: RequestTarget;
  readonly warnings: Warnings;
  readonly match: RouteMatch;
  readonly operation: Operation;
  readonly plan: OperationPlan;
}

/** A request that `prepare` let pass. */
export interface PreparedRequest extends AdmittedRequest {
  readonly call: Call;
}
