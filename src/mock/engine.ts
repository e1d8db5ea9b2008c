import type { Problem } from '../checks/problem';
import type { Warnings } from '../checks/warnings';
import type { HttpResponse, RawHeaders, RequestHead } from '../http/message';
import type { Operation } from '../openapi/model';
import type { RouteMatch } from '../openapi/route-table';
import { admit, bodyOf, bodyTooLarge, maxBodyBytes, type Admission, type Admitted, type OpenOptions } from './admit';
import { checkMessage } from './check-message';
import { completeResponse, withoutBody, type Target } from './complete-response';
import type { Call } from './call';
import { describedAnswer } from './described-answer';
import { readWish, type Wish } from './wish';
import type { MockContext } from './context';
import { chooseFaults, mayBeFaulty } from './faults/choose-faults';
import { payloadDigest, recall, type Recall } from './idempotency';
import { faultOf } from './internal-fault';
import { fitStatus } from './fit-status';
import { noteAnswer } from './note-answer';
import { isModelled, prepare, type Prepared } from './perform';
import { performOrUndo } from './perform-or-undo';
import { Draft } from './draft';
import type { AnsweringEngine, MockEngine, Opening, ReportDefect } from './mock-engine';
import { openPlaces, type Place } from './place';
import { representAs } from './represent-as';
import type { Sandboxes } from './sandboxes';
import { selectSandbox, type Selection } from './sandbox-selection';
import type { Change } from './state';

export type { AnsweringEngine, MockEngine, Opening, ReportDefect };

const NO_CHANGES: readonly Change[] = [];

/** @param sandboxes - what is stored; it outlives an engine whose description is replaced */
export function createMockEngine(context: MockContext, sandboxes: Sandboxes, reportDefect: ReportDefect): MockEngine {
  const places = openPlaces(context, sandboxes);
  const { main } = places;
  const { sandboxes: selectors } = context.options;

  const engine: MockEngine = {
    sandboxes,
    journal: sandboxes.main.journal,
    snapshot: () => sandboxes.main.snapshot(),
    restore(saved) {
      sandboxes.main.restore(saved);
    },
    refuse: (fault) => context.errors.write(fault, undefined, { nowMs: main.context.clock.now() }),
    refuseMessage(head) {
      const fault = checkMessage(context, head);
      if (fault === undefined) return undefined;
      return refuseRequest(main, head, undefined, fault, NOWHERE);
    },
    handle(request, options) {
      const selection = selectSandbox(selectors, request);
      return selection === undefined
        ? handleIn(main, request, request.body, options)
        : inSandbox(selection, request, (place, head) => handleIn(place, head, request.body, options));
    },
    open(head, options) {
      const selection = selectSandbox(selectors, head);
      if (selection === undefined) return openIn(main, head, options);
      const answered = (response: HttpResponse): Opening => ({ kind: 'answered', response });
      return inSandbox(selection, head, (place, inside) => openIn(place, inside, options), answered);
    },
  };
  return engine;

  /** @param orElse - wraps the refusal of a sandbox that cannot be had */
  function inSandbox<Result>(
    selection: Selection,
    head: RequestHead,
    go: (place: Place, head: RequestHead) => Result,
    orElse: (response: HttpResponse) => Result = (response) => response as Result,
  ): Result {
    const place = selection.kind === 'named' ? places.enter(selection.id) : selection.problem;
    if (!('code' in place)) return go(place, selection.kind === 'named' ? selection.head : head);
    return orElse(refuseRequest(main, head, undefined, place, NOWHERE));
  }

  function handleIn(
    place: Place,
    head: RequestHead,
    body: Uint8Array,
    options: OpenOptions | undefined,
  ): HttpResponse | Promise<HttpResponse> {
    try {
      const admission = admit(place.context, head, bodyOf(head, body, options));
      const there = mayBeFaulty(place, head) ? spoil(place, head, admission, options) : place;
      if ('status' in there) return there;
      return admission.kind === 'admitted'
        ? finishRequest(there, head, admission, body)
        : answerHead(there, head, admission);
    } catch (error) {
      return defect(place, error, head, undefined);
    }
  }

  function openIn(place: Place, head: RequestHead, options: OpenOptions | undefined): Opening {
    try {
      const admission = admit(place.context, head, bodyOf(head, undefined, options));
      const there = mayBeFaulty(place, head) ? spoil(place, head, admission, options) : place;
      if ('status' in there) return { kind: 'answered', response: there };
      if (admission.kind !== 'admitted') return { kind: 'answered', response: answerHead(there, head, admission) };
      return wantsBody(there, head, admission);
    } catch (error) {
      return { kind: 'answered', response: defect(place, error, head, undefined) };
    }
  }

  /**
   * Decides what goes wrong with a request. A request that is spoiled makes its sandbox be there: what goes wrong may
   * depend on what went wrong before.
   *
   * @returns the same place with that; an answer when there is one already
   */
  function spoil(
    place: Place,
    head: RequestHead,
    admission: Admission,
    options: OpenOptions | undefined,
  ): Place | HttpResponse {
    if (admission.kind === 'options' || admission.operation === undefined) return place;
    const faults = chooseFaults(place, head, admission.operation, options?.canDeliver === true);
    if (faults === undefined) return place;
    if ('code' in faults) return refuseRequest(place, head, undefined, faults, admission);
    sandboxes.keep(place.sandbox);
    const spoiled = { ...place, faults };
    return faults.forced === undefined ? spoiled : refuseRequest(spoiled, head, undefined, faults.forced, admission);
  }

  function answerHead(place: Place, head: RequestHead, admission: Exclude<Admission, Admitted>): HttpResponse {
    if (admission.kind === 'refused') return refuseRequest(place, head, undefined, admission.problem, admission);
    const headers = ['Allow', admission.allow, ...admission.extraHeaders, 'Cache-Control', 'no-store'];
    return note(place, head, undefined, { status: 204, headers, body: undefined }, admission);
  }

  function wantsBody(place: Place, head: RequestHead, admitted: Admitted): Opening {
    return {
      kind: 'wants-body',
      maxBytes: maxBodyBytes(context, admitted.content),
      tooLarge: () => refuseRequest(place, head, undefined, bodyTooLarge(context, admitted.content), admitted),
      finish(body) {
        // While the body came, the sandbox may have come to be, or have had to go.
        const now = places.again(place);
        if ('code' in now) return refuseRequest(main, head, body, now, NOWHERE);
        try {
          return finishRequest(now, head, admitted, body);
        } catch (error) {
          return defect(now, error, head, admitted.operation);
        }
      },
    };
  }

  function finishRequest(
    place: Place,
    head: RequestHead,
    admitted: Admitted,
    body: Uint8Array,
  ): HttpResponse | Promise<HttpResponse> {
    const prepared = prepare(place.context, admitted, head, body);
    if (!(prepared instanceof Promise)) return answerPrepared(place, head, admitted, body, prepared);
    return prepared
      .then((ready) => {
        const now = places.again(place);
        if ('code' in now) return refuseRequest(main, head, body, now, NOWHERE);
        return answerPrepared(now, head, admitted, body, ready);
      })
      .catch((error: unknown) => defect(place, error, head, admitted.operation));
  }

  function answerPrepared(
    place: Place,
    head: RequestHead,
    admitted: Admitted,
    body: Uint8Array,
    prepared: Prepared,
  ): HttpResponse | Promise<HttpResponse> {
    if (prepared.kind === 'refused') return refuseRequest(place, head, body, prepared.problem, admitted);
    const wish = readWish(admitted);
    if (wish?.isForcing === true || !isModelled(admitted, prepared.call))
      return answerStateless(place, head, admitted, body, prepared.call, wish);

    // From here to the commit nothing waits: two requests in flight would else begin from the same state, and the
    // later one would undo the earlier.
    const { call } = prepared;
    const { plan } = admitted;
    const { live: state } = place.sandbox;
    const nowMs = place.context.clock.now();
    const send = (
      answer: HttpResponse,
      changes: readonly Change[],
      fault: Problem | undefined,
    ): HttpResponse | Promise<HttpResponse> => {
      const shown = representAs(place.context, admitted, call, answer);
      const noted = (final: HttpResponse): HttpResponse =>
        note(place, head, body, complete(final, admitted, head), admitted, changes, fault);
      return shown instanceof Promise ? shown.then(noted) : noted(shown);
    };
    const recalled = plan.idempotencyHeader ? recall(call, state, nowMs) : NOTHING_RECALLED;
    if (recalled.kind === 'refused') return refuseRequest(place, head, body, recalled.problem, admitted);
    if (recalled.kind === 'known') return send(recalled.response, NO_CHANGES, undefined);

    const draft = new Draft(state, context.counts);
    const done = performOrUndo(place.context, admitted, call, draft, nowMs);
    if (done.kind === 'refused') return refuseRequest(place, head, body, done.problem, admitted);
    const { response, fault } = done;
    if (recalled.kind === 'new') {
      const replay = { payload: payloadDigest(call.body), response, storedAt: nowMs };
      state.remember(recalled.key, replay);
    }
    if (recalled.kind === 'new' || draft.hasChanged) sandboxes.keep(place.sandbox);
    return send(response, draft.changes, fault);
  }

  async function answerStateless(
    place: Place,
    head: RequestHead,
    admitted: Admitted,
    body: Uint8Array,
    call: Call,
    wish: Wish | undefined,
  ): Promise<HttpResponse> {
    const { operation } = admitted;
    try {
      const { above } = admitted.plan;
      // An item that is named on the way may come to be with that.
      const draft = new Draft(place.sandbox.live, context.counts);
      const missing = wish?.isForcing === true ? undefined : above?.missing(call, draft);
      if (missing !== undefined) draft.undo();
      if (missing !== undefined) return refuseRequest(place, head, body, missing, admitted);
      const answer = await describedAnswer(place.context, head, admitted, wish, call, draft);
      if (draft.hasChanged) sandboxes.keep(place.sandbox);
      if ('code' in answer) return refuseRequest(place, head, body, answer, admitted);
      const broken = context.outgoing.check(admitted.plan, answer, false);
      if (broken !== undefined && context.options.strict) return refuseRequest(place, head, body, broken, admitted);
      return note(place, head, body, complete(answer, admitted, head), admitted, draft.changes, broken);
    } catch (error) {
      return defect(place, error, head, operation);
    }
  }

  function complete(response: HttpResponse, target: Target, head: RequestHead): HttpResponse {
    return completeResponse(response, target, head);
  }

  function refuseRequest(
    place: Place,
    head: RequestHead,
    body: Uint8Array | undefined,
    refusal: Problem,
    about: About,
  ): HttpResponse {
    const { operation, match, extraHeaders } = about;
    const fault = operation === undefined ? refusal : fitStatus(refusal, operation, place.context.api);
    const plan = operation === undefined ? undefined : context.plans.get(operation);
    const written = context.errors.write(fault, operation, { head, nowMs: place.context.clock.now() });
    const isKnown = plan !== undefined && match !== undefined;
    const response = isKnown
      ? complete(written, { plan, match, extraHeaders }, head)
      : head.method === 'HEAD'
        ? withoutBody(written)
        : written;
    return note(place, head, body, response, about, NO_CHANGES, fault);
  }

  function defect(place: Place, error: unknown, head: RequestHead, operation: Operation | undefined): HttpResponse {
    try {
      reportDefect(error, head);
    } catch {
      // Whoever asked gets an answer even where the report fails.
    }
    const fault = faultOf(error);
    const written = context.errors.write(fault, operation, { head, nowMs: place.context.clock.now() });
    return note(place, head, undefined, written, { operation, warnings: undefined }, NO_CHANGES, fault);
  }

  function note(
    place: Place,
    head: RequestHead,
    body: Uint8Array | undefined,
    response: HttpResponse,
    { operation, warnings }: Pick<About, 'operation' | 'warnings'>,
    changes = NO_CHANGES,
    fault?: Problem,
  ): HttpResponse {
    return noteAnswer(sandboxes, place, { head, body, response, operation, changes, fault, warnings });
  }
}

/** Where a refusal happened, as far as that was known. */
interface About {
  readonly operation?: Operation | undefined;
  readonly match: RouteMatch | undefined;
  readonly extraHeaders: RawHeaders;
  readonly warnings: Warnings | undefined;
}

const NOWHERE: About = { match: undefined, extraHeaders: [], warnings: undefined };
const NOTHING_RECALLED: Recall = { kind: 'none' };
