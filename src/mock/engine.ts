import { problem, type Problem } from '../checks/problem';
import type { HttpRequest, HttpResponse, RawHeaders, RequestHead } from '../http/message';
import type { Operation } from '../openapi/model';
import type { RouteMatch } from '../openapi/route-table';
import {
  admit,
  bodyLengthOf,
  bodyTooLarge,
  checkMessage,
  type Admission,
  type Admitted,
  type OpenOptions,
} from './admit';
import { completeResponse, withoutBody, type Target } from './complete-response';
import type { Call } from './call';
import type { MockContext } from './context';
import { payloadDigest, recall, type Recall } from './idempotency';
import { Journal } from './journal';
import { perform, prepare } from './perform';
import { renderOutcome } from './render';
import { Draft } from './draft';
import { LiveState, type Change, type State } from './state';

/** What the head of a request leads to: an answer at once, or the wish to see the body. */
export type Opening =
  | { readonly kind: 'answered'; readonly response: HttpResponse }
  | {
      readonly kind: 'wants-body';
      /** Reading may stop after so many bytes. */
      readonly maxBytes: number;
      finish(body: Uint8Array): HttpResponse | Promise<HttpResponse>;
      tooLarge(): HttpResponse;
    };

/** The stateful stand-in: requests in, responses out, no sockets. */
export interface MockEngine {
  /** Judges the head of a request, so that a refused one never needs its body read. */
  open(head: RequestHead, options?: OpenOptions): Opening;
  handle(request: HttpRequest, options?: OpenOptions): HttpResponse | Promise<HttpResponse>;
  /**
   * Faults of a message that make it unfit for any route, the admin's included.
   *
   * @returns the answer; `undefined` when there is nothing to say
   */
  refuseMessage(head: RequestHead): HttpResponse | undefined;
  /** The answer to a request that cannot be read: a parser error, a time-out. */
  refuse(problem: Problem): HttpResponse;
  /** The state as it is: a value that later requests do not change. */
  snapshot(): State;
  restore(state: State): void;
  readonly journal: Journal;
}

const NO_CHANGES: readonly Change[] = [];

/** Called with what went wrong inside, once for each 500. */
export type ReportDefect = (error: unknown, head: RequestHead) => void;

/** @param initial - the state to begin with */
export function createMockEngine(context: MockContext, initial: State, reportDefect: ReportDefect): MockEngine {
  let state = new LiveState(initial);
  const journal = new Journal();

  const engine: MockEngine = {
    journal,
    snapshot: () => state.snapshot(),
    restore(saved) {
      state = new LiveState(saved);
    },
    refuse: (fault) => context.errors.write(fault, undefined),
    refuseMessage(head) {
      const fault = checkMessage(context, head);
      if (fault === undefined) return undefined;
      return refuseRequest(head, undefined, fault, { operation: undefined, match: undefined, extraHeaders: [] });
    },
    handle(request, options) {
      try {
        const admission = admit(context, request, bodyOf(request, options));
        return admission.kind === 'admitted'
          ? finishRequest(request, admission, request.body)
          : answerHead(request, admission);
      } catch (error) {
        return defect(error, request, undefined);
      }
    },
    open(head, options) {
      try {
        const admission = admit(context, head, bodyOf(head, options));
        if (admission.kind !== 'admitted') return { kind: 'answered', response: answerHead(head, admission) };
        return wantsBody(head, admission);
      } catch (error) {
        return { kind: 'answered', response: defect(error, head, undefined) };
      }
    },
  };
  return engine;

  function answerHead(head: RequestHead, admission: Exclude<Admission, Admitted>): HttpResponse {
    if (admission.kind === 'refused') return refuseRequest(head, undefined, admission.problem, admission);
    const headers = ['Allow', admission.allow, 'Cache-Control', 'no-store'];
    return note(head, undefined, { status: 204, headers, body: undefined });
  }

  function wantsBody(head: RequestHead, admitted: Admitted): Opening {
    return {
      kind: 'wants-body',
      maxBytes: context.options.limits.bodyBytes,
      tooLarge: () => refuseRequest(head, undefined, bodyTooLarge(context), admitted),
      finish(body) {
        try {
          return finishRequest(head, admitted, body);
        } catch (error) {
          return defect(error, head, admitted.operation);
        }
      },
    };
  }

  function finishRequest(
    head: RequestHead,
    admitted: Admitted,
    body: Uint8Array,
  ): HttpResponse | Promise<HttpResponse> {
    const prepared = prepare(context, admitted, head, body);
    if (prepared.kind === 'refused') return refuseRequest(head, body, prepared.problem, admitted);
    if (admitted.plan.behaviour === undefined) return answerStateless(head, admitted, body);

    // From here to the commit nothing waits: two requests in flight would else begin from the same state, and the
    // later one would undo the earlier.
    const { call } = prepared;
    const { plan, operation } = admitted;
    const nowMs = context.clock.now();
    const recalled = plan.idempotencyHeader ? recall(call, state, nowMs) : NOTHING_RECALLED;
    if (recalled.kind === 'refused') return refuseRequest(head, body, recalled.problem, admitted);
    if (recalled.kind === 'known') return note(head, body, complete(recalled.response, admitted, head), operation);

    const draft = new Draft(state);
    const done = performOrUndo(admitted, call, draft, nowMs);
    if (done.kind === 'refused') return refuseRequest(head, body, done.problem, admitted);
    const { response } = done;
    if (recalled.kind === 'new') {
      const replay = { payload: payloadDigest(call.body), response, storedAt: nowMs };
      state.remember(recalled.key, replay);
    }
    return note(head, body, complete(response, admitted, head), operation, draft.changes);
  }

  type Done = { readonly kind: 'done'; readonly response: HttpResponse } | { kind: 'refused'; problem: Problem };

  /** Nothing stays of a request that was refused, or that met a defect, whatever its rule had done by then. */
  function performOrUndo(admitted: Admitted, call: Call, draft: Draft, nowMs: number): Done {
    try {
      const outcome = perform(context, admitted, call, draft, nowMs);
      if (outcome.kind !== 'refused') return { kind: 'done', response: renderOutcome(outcome, call, admitted.plan) };
      draft.undo();
      return outcome;
    } catch (error) {
      draft.undo();
      throw error;
    }
  }

  async function answerStateless(head: RequestHead, admitted: Admitted, body: Uint8Array): Promise<HttpResponse> {
    const { operation, plan } = admitted;
    try {
      const answer = await context.payloads.answer(operation, plan.success, plan.successStatus, acceptOf(head));
      if ('code' in answer) return refuseRequest(head, body, answer, admitted);
      return note(head, body, complete(answer, admitted, head), operation);
    } catch (error) {
      return defect(error, head, operation);
    }
  }

  function complete(response: HttpResponse, target: Target, head: RequestHead): HttpResponse {
    return completeResponse(response, target, head, context.basePath);
  }

  function refuseRequest(head: RequestHead, body: Uint8Array | undefined, fault: Problem, about: About): HttpResponse {
    const { operation, match, extraHeaders } = about;
    const plan = operation === undefined ? undefined : context.plans.get(operation);
    const written = context.errors.write(fault, operation);
    const isKnown = plan !== undefined && match !== undefined;
    const response = isKnown
      ? complete(written, { plan, match, extraHeaders }, head)
      : head.method === 'HEAD'
        ? withoutBody(written)
        : written;
    return note(head, body, response, operation, NO_CHANGES, fault);
  }

  function defect(error: unknown, head: RequestHead, operation: Operation | undefined): HttpResponse {
    try {
      reportDefect(error, head);
    } catch {
      // Whoever asked gets an answer even where the report fails.
    }
    const fault = problem('internal_error', 'The mock met a defect in itself or in its rules; its log says more');
    return note(head, undefined, context.errors.write(fault, operation), operation, NO_CHANGES, fault);
  }

  function note(
    head: RequestHead,
    body: Uint8Array | undefined,
    response: HttpResponse,
    operation?: Operation,
    changes = NO_CHANGES,
    fault?: Problem,
  ): HttpResponse {
    journal.add(head, body, operation?.id, response, fault, changes, context.clock.now());
    return response;
  }
}

/** Where a refusal happened, as far as that was known. */
interface About {
  readonly operation: Operation | undefined;
  readonly match: RouteMatch | undefined;
  readonly extraHeaders: RawHeaders;
}

const NOTHING_RECALLED: Recall = { kind: 'none' };

function bodyOf(head: RequestHead & { readonly body?: Uint8Array }, options: OpenOptions = {}): OpenOptions {
  const bodyLength = bodyLengthOf(head, head.body?.length);
  return { bodyLength, isMessageChecked: options.isMessageChecked === true };
}

function acceptOf({ headers }: RequestHead): string | undefined {
  return typeof headers['accept'] === 'string' ? headers['accept'] : undefined;
}
