import type { HttpResponse } from '../../core/http/message';
import type { Problem } from '../../core/http/problem';
import type { MockContext } from '../context/context';
import { internalErrorProblem } from '../context/error-response';
import type { Sandboxes } from '../sandbox/sandboxes';
import { admit } from './admission';
import { bodyTooLarge, maxBodyBytes } from './body-admission';
import { injectFaults } from './fault-injection';
import type { MockEngine, Opening, ReportDefect } from './mock-engine';
import { perform } from './perform';
import { record } from './recording';
import { type AdmittedRequest, type PreparedRequest, RequestContext, type Result } from './request-context';
import { prepare } from './request-preparation';
import { checkMessage } from './request-routing';
import { render } from './rendering';
import { SandboxContexts } from './sandbox-context';

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
      const request = new RequestContext(main, head, options, head.body.length);
      return begin(request) ?? finish(request as AdmittedRequest, head.body);
    },
    open(head, options) {
      const request = new RequestContext(main, head, options);
      const response = begin(request);
      return response === undefined ? awaitBody(request as AdmittedRequest) : { kind: 'answered', response };
    },
  };

  /** The stages that need no body. @returns the response where one of them ends the request */
  function begin(request: RequestContext): HttpResponse | undefined {
    try {
      const sandboxProblem = contexts.select(request);
      if (sandboxProblem !== undefined) return respond(request, sandboxProblem);
      const early = admit(request);
      // Faults apply to rejected requests too, and replace their response.
      const result = injectFaults(request) ?? early;
      return result === undefined ? undefined : respond(request, result);
    } catch (error) {
      return defect(request, error);
    }
  }

  function awaitBody(request: AdmittedRequest): Opening {
    return {
      kind: 'wants-body',
      maxBytes: maxBodyBytes(context, request.content),
      tooLarge: () => respond(request, bodyTooLarge(context, request.content)),
      // The sandbox may have been created, reset or evicted while the body was on its way.
      finish(body) {
        request.startedMs = performance.now();
        return finish(request, body, contexts.reselect(request));
      },
    };
  }

  /** The stages that need the body. @param sandboxProblem - why its sandbox cannot be used any more */
  function finish(
    request: AdmittedRequest,
    body: Uint8Array,
    sandboxProblem?: Problem,
  ): HttpResponse | Promise<HttpResponse> {
    request.body = body;
    try {
      const rejection = sandboxProblem ?? prepare(request);
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
    rejection: Problem | undefined,
  ): HttpResponse | Promise<HttpResponse> {
    const result = rejection ?? perform(request as PreparedRequest);
    if (!(result instanceof Promise)) return respond(request, result);
    return result.then((settled) => respond(request, settled)).catch((error: unknown) => defect(request, error));
  }

  function respond(request: RequestContext, result: Result): HttpResponse {
    return record(request, render(request, result));
  }

  /** Responds 500 after an error in the mock or its rules, without faults and warnings: this must not fail too. */
  function defect(request: RequestContext, error: unknown): HttpResponse {
    try {
      reportDefect(error, request.head);
    } catch {
      // The client gets a response even where the report fails.
    }
    request.faults = request.warnings = undefined;
    return respond(request, internalErrorProblem(error));
  }
}
