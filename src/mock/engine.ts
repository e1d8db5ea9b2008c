import { problem, type Problem } from '../checks/problem';
import type { HttpRequest, HttpResponse, RawHeaders, RequestHead } from '../http/message';
import type { Operation } from '../openapi/model';
import type { RouteMatch } from '../openapi/route-table';
import { admit, bodyLengthOf, bodyTooLarge, checkMessage, type Admitted, type OpenOptions } from './admit';
import type { MockContext } from './context';
import { recall, remember } from './idempotency';
import { Journal } from './journal';
import type { LifecycleHeaders } from './lifecycle-headers';
import { perform, prepare, serverUrlOf } from './perform';
import { renderOutcome } from './render';
import { Draft, type Change, type State } from './state';

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
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
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
  let state = initial;
  const journal = new Journal();

  const engine: MockEngine = {
    journal,
    snapshot: () => state,
    restore(saved) {
      state = saved;
    },
    refuse: (fault) => context.errors.write(fault, undefined),
    refuseMessage(head) {
      const fault = checkMessage(context, head);
      if (fault === undefined) return undefined;
      return refuseRequest(head, undefined, fault, { operation: undefined, match: undefined, extraHeaders: [] });
    },
    handle(request) {
      const opening = engine.open(request, { bodyLength: request.body.length });
      return opening.kind === 'answered' ? opening.response : opening.finish(request.body);
    },
    open(head, options = {}) {
      try {
        return openRequest(head, { ...options, bodyLength: bodyLengthOf(head, options.bodyLength) });
      } catch (error) {
        return { kind: 'answered', response: defect(error, head, undefined) };
      }
    },
  };
  return engine;

  function openRequest(head: RequestHead, options: OpenOptions): Opening {
    const admission = admit(context, head, options);
    if (admission.kind === 'options') {
      const headers = ['Allow', admission.allow, 'Cache-Control', 'no-store'];
      return { kind: 'answered', response: note(head, undefined, { status: 204, headers, body: undefined }) };
    }
    if (admission.kind === 'refused') {
      const { operation, match, extraHeaders } = admission;
      return {
        kind: 'answered',
        response: refuseRequest(head, undefined, admission.problem, { operation, match, extraHeaders }),
      };
    }
    return {
      kind: 'wants-body',
      maxBytes: context.options.limits.bodyBytes,
      tooLarge: () => refuseRequest(head, undefined, bodyTooLarge(context), admission),
      finish(body) {
        try {
          return finishRequest(head, admission, body);
        } catch (error) {
          return defect(error, head, admission);
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
    const { call } = prepared;
    const { plan, operation } = admitted;
    if (plan.behaviour === undefined) {
      return context.payloads.answer(operation, plan.success, plan.successStatus, acceptOf(head)).then(
        (answer) =>
          'code' in answer
            ? refuseRequest(head, body, answer, admitted)
            : note(head, body, complete(answer, admitted, head), operation),
        (error: unknown) => defect(error, head, admitted),
      );
    }
    // From here to the commit nothing waits: two requests in flight would else begin from the same state, and the
    // later one would undo the earlier.
    const nowMs = context.clock.now();
    const recalled = plan.idempotencyHeader ? recall(call, state, nowMs) : { kind: 'none' as const };
    if (recalled.kind === 'refused') return refuseRequest(head, body, recalled.problem, admitted);
    if (recalled.kind === 'known') return note(head, body, complete(recalled.response, admitted, head), operation);

    const draft = new Draft(state);
    const outcome = perform(context, admitted, call, draft, nowMs);
    if (outcome.kind === 'refused') return refuseRequest(head, body, outcome.problem, admitted);
    const response = renderOutcome(outcome, call, plan);
    if (recalled.kind === 'new') {
      state = draft.finish(remember(state.replays, recalled.key, { payload: call.body, response, storedAt: nowMs }));
    } else if (draft.changes.length > 0) state = draft.finish();
    return note(head, body, complete(response, admitted, head), operation, draft.changes);
  }

  /** Adds what belongs to every answer of the operation, and takes the body from a HEAD (RFC 9110 §9.3.2). */
  function complete(response: HttpResponse, { plan, match, extraHeaders }: Admitted, head: RequestHead): HttpResponse {
    const lifecycle =
      plan.lifecycle === undefined
        ? []
        : announce(plan.lifecycle, plan.response(response.status)?.headers, head, match);
    const isHead = head.method === 'HEAD' && plan.operation.method === 'GET';
    if (lifecycle.length === 0 && extraHeaders.length === 0 && !isHead) return response;
    const headers = [...response.headers, ...lifecycle, ...extraHeaders];
    if (!isHead || response.body === undefined) return { ...response, headers };
    if (!headers.includes('Content-Length')) headers.push('Content-Length', String(Buffer.byteLength(response.body)));
    return { status: response.status, headers, body: undefined };
  }

  function announce(
    lifecycle: LifecycleHeaders,
    declared: ReadonlyMap<string, unknown> | undefined,
    head: RequestHead,
    match: RouteMatch,
  ): string[] {
    if (declared === undefined) return [];
    const headers: string[] = [];
    const { deprecation, sunset } = lifecycle;
    if (deprecation !== undefined && declared.has('deprecation')) headers.push('Deprecation', deprecation);
    if (sunset !== undefined && declared.has('sunset')) headers.push('Sunset', sunset);
    if (declared.has('link')) {
      const link = lifecycle.link(serverUrlOf(head), context.basePath, match.pathParameters);
      if (link !== undefined) headers.push('Link', link);
    }
    return headers;
  }

  function refuseRequest(
    head: RequestHead,
    body: Uint8Array | undefined,
    fault: Problem,
    about: { operation: Operation | undefined; match: RouteMatch | undefined; extraHeaders: RawHeaders },
  ): HttpResponse {
    const { operation, match, extraHeaders } = about;
    const plan = operation === undefined ? undefined : context.plans.get(operation);
    let response = context.errors.write(fault, operation);
    if (plan !== undefined && match !== undefined) {
      const admitted = { plan, match, extraHeaders } as Admitted;
      response = complete(response, admitted, head);
    } else if (head.method === 'HEAD') {
      const length = String(Buffer.byteLength(response.body ?? ''));
      response = { ...response, headers: [...response.headers, 'Content-Length', length], body: undefined };
    }
    return note(head, body, response, operation, NO_CHANGES, fault);
  }

  function defect(error: unknown, head: RequestHead, admitted: Admitted | undefined): HttpResponse {
    try {
      reportDefect(error, head);
    } catch {
      // Whoever asked gets an answer even where the report fails.
    }
    const fault = problem('internal_error', 'The mock met a defect in itself or in its rules; its log says more');
    return note(
      head,
      undefined,
      context.errors.write(fault, admitted?.operation),
      admitted?.operation,
      NO_CHANGES,
      fault,
    );
  }

  function note(
    head: RequestHead,
    body: Uint8Array | undefined,
    response: HttpResponse,
    operation?: Operation,
    changes = NO_CHANGES,
    fault?: Problem,
  ): HttpResponse {
    const { code, message } = fault ?? { code: undefined, message: undefined };
    journal.add({ head, body, operation: operation?.id, response, code, message, changes, nowMs: context.clock.now() });
    return response;
  }
}

function acceptOf({ headers }: RequestHead): string | undefined {
  return typeof headers['accept'] === 'string' ? headers['accept'] : undefined;
}
