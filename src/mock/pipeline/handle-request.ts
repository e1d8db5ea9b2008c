import type { HttpRequest, HttpResponse, RequestHead } from '../../core/http/message';
import { problem } from '../../core/http/problem';
import type { MockContext } from '../context/context';
import { internalErrorProblem, storeProblem } from '../context/error-response';
import type { Rounds } from '../sandbox/sandbox-store';
import { sandboxOf } from '../sandbox/sandbox-selection';
import type { Sandboxes } from '../sandbox/sandboxes';
import { StoreError } from '../state/state-log';
import { admit } from './admission';
import { bodyTooLarge, maxBodyBytes } from './body-admission';
import { injectFaults } from './fault-injection';
import type { MockEngine, Opening, OpenOptions, ReportDefect } from './mock-engine';
import { perform } from './perform';
import { record } from './recording';
import { type AdmittedRequest, type PreparedRequest, RequestContext, type Result } from './request-context';
import { prepare } from './request-preparation';
import { checkMessage } from './request-routing';
import { render } from './rendering';
import { SandboxContexts } from './sandbox-context';

const GONE = 'The client went away before its whole body was sent: nobody got this response, and nothing was done';

/**
 * Makes the engine. Each request goes through these stages, top to bottom: select the sandbox, admit, inject faults,
 * prepare, perform, render, record. Each stage is one function of one file, and fills in what it finds in the one
 * {@link RequestContext}.
 *
 * @param sandboxes - the stored state; it is kept when the description is reloaded
 */
export function createMockEngine(context: MockContext, sandboxes: Sandboxes, reportDefect: ReportDefect): MockEngine {
  const contexts = new SandboxContexts(context, sandboxes);
  const { main } = contexts;

  return {
    sandboxes,
    refuse: (problem) => context.errors.write(problem, undefined, { nowMs: main.context.clock.now() }),
    refuseMessage(head) {
      const checked = checkMessage(context, head);
      return 'code' in checked ? respond(new RequestContext(main, head), checked) : undefined;
    },
    handle(head, options) {
      const rounds = sandboxes.store?.rounds;
      return rounds === undefined ? handle(head, options) : handleInRound(rounds, head, options);
    },
    open(head, options) {
      const rounds = sandboxes.store?.rounds;
      return rounds === undefined ? open(head, options) : openForRound(rounds, head, options);
    },
  };

  function handle(head: HttpRequest, options?: OpenOptions): HttpResponse | Promise<HttpResponse> {
    const request = new RequestContext(main, head, options, head.body.length);
    try {
      const result = begin(request);
      request.body = head.body;
      return result === undefined ? finish(request as AdmittedRequest, head.body) : respond(request, result);
    } catch (error) {
      return defect(request, error);
    }
  }

  function open(head: RequestHead, options?: OpenOptions): Opening {
    const request = new RequestContext(main, head, options);
    try {
      const result = begin(request);
      // Where a response is forced, who looks at the request wants to see its body all the same.
      return result === undefined || request.faults?.forced !== undefined
        ? awaitBody(request as AdmittedRequest, result)
        : { kind: 'answered', response: respond(request, result) };
    } catch (error) {
      return { kind: 'answered', response: defect(request, error) };
    }
  }

  /** Everything that the request is held against is the same in every process: it is looked at in the round. */
  function handleInRound(rounds: Rounds, request: HttpRequest, options?: OpenOptions): Promise<HttpResponse> {
    const id = sandboxOf(context.options.sandboxes, request);
    return rounds
      .run(id, () => handle(request, options))
      .catch((error: unknown) => defect(new RequestContext(main, request, options), error));
  }

  function openForRound(rounds: Rounds, head: RequestHead, options?: OpenOptions): Opening {
    return {
      kind: 'wants-body',
      maxBytes: Math.max(context.options.limits.uploadBytes, context.options.limits.bodyBytes),
      tooLarge: () => respond(new RequestContext(main, head, options), bodyTooLarge(context, undefined)),
      // Nothing of it was looked at.
      abandon: () => undefined,
      finish: (body) => handleInRound(rounds, { ...head, body }, options),
    };
  }

  /** The stages that need no body. @returns what ends the request where one of them does */
  function begin(request: RequestContext): Result | undefined {
    const sandboxProblem = contexts.select(request);
    if (sandboxProblem !== undefined) return sandboxProblem;
    const early = admit(request);
    // Faults apply to rejected requests too, and replace their response.
    return injectFaults(request) ?? early;
  }

  /** @param forced - what the response is whatever the body is */
  function awaitBody(request: AdmittedRequest, forced: Result | undefined): Opening {
    return {
      kind: 'wants-body',
      maxBytes: maxBodyBytes(context, request.content),
      tooLarge: () => respond(request, forced ?? bodyTooLarge(context, request.content)),
      abandon() {
        abandon(request, forced);
      },
      // The sandbox may have been created, reset or evicted while the body was on its way.
      finish(body) {
        request.startedMs = performance.now();
        return finish(request, body, contexts.reselect(request) ?? forced);
      },
    };
  }

  /** A fault that met the request is used up by it, so that its journal has to tell of it. */
  function abandon(request: AdmittedRequest, forced: Result | undefined): void {
    if (request.faults === undefined) return;
    request.warnings.add('body_incomplete', GONE);
    respond(request, contexts.reselect(request) ?? forced ?? problem('bad_request', GONE));
  }

  /** The stages that need the body. @param settled - what the result is whatever the body is */
  function finish(request: AdmittedRequest, body: Uint8Array, settled?: Result): HttpResponse | Promise<HttpResponse> {
    request.body = body;
    try {
      const rejection = settled ?? prepare(request);
      if (!(rejection instanceof Promise)) return performAndRespond(request, rejection);
      return rejection
        .then((problem) => performAndRespond(request, contexts.reselect(request) ?? problem))
        .catch((error: unknown) => defect(request, error));
    } catch (error) {
      return defect(request, error);
    }
  }

  function performAndRespond(
    request: AdmittedRequest,
    rejection: Result | undefined,
  ): HttpResponse | Promise<HttpResponse> {
    const result = rejection ?? perform(request as PreparedRequest);
    if (!(result instanceof Promise)) return whenStored(request, respond(request, result));
    return result
      .then((settled) => whenStored(request, respond(request, settled)))
      .catch((error: unknown) => defect(request, error));
  }

  /** A response tells nothing that the end of the machine would undo, as far as the store promises that. */
  function whenStored(request: RequestContext, response: HttpResponse): HttpResponse | Promise<HttpResponse> {
    const stored = sandboxes.store?.settled(request.sandbox);
    if (stored === undefined) return response;
    return stored.then(
      () => response,
      (error: unknown) => defect(request, error),
    );
  }

  function respond(request: RequestContext, result: Result): HttpResponse {
    return record(request, render(request, result));
  }

  /** Responds 500 after an error in the mock or its rules, without faults and warnings: this must not fail too. */
  function defect(request: RequestContext, error: unknown): HttpResponse {
    if (error instanceof StoreError) return respond(request, storeProblem(error));
    try {
      reportDefect(error, request.head);
    } catch {
      // The client gets a response even where the report fails.
    }
    request.faults = request.warnings = undefined;
    return respond(request, internalErrorProblem(error));
  }
}
