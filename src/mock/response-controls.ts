import { ConfigError } from '../core/errors/standin-error';
import { headerValue } from '../core/http/headers';
import type { Mock } from './create-mock';
import { AnswerReader } from './faults/forced-response-checks';
import {
  type ForcedResponse,
  type ForcedResponses,
  type RespondOptions,
  responseText,
  showResponse,
  timesLeft,
} from './faults/forced-response-queue';
import { operationNamed, readForcedResponse } from './faults/read-forced-response';
import { responseReference, sampleResponse } from './pipeline/forced-response-rendering';

/** What names all sandboxes that force nothing of their own on an operation. */
const ALL = '*';

/** A response that was forced, as the library gives it: `timesLeft`, `happened` and `text` are those of the moment. */
export interface SetResponse extends ForcedResponse {
  /** The operation answers by itself again; nothing happens where it does already. */
  remove(): void;
}

/** What operations answer in place of their natural responses, in the main state or in a sandbox. */
export interface ResponseControls {
  /**
   * What an operation answers next: `respond('getBook', { status: 503, times: 2 })`. Nothing is done for such a request, and
   * the state stays as it is. Responses with `times` come in the order in which they were set, then the last one without.
   *
   * @param operation - an `operationId`, or `GET /books/{bookId}`
   * @throws ConfigError `CONFIG_INVALID` for what the operation cannot answer: an unknown operation, a status or an example
   *   that is not documented, a body that breaks its schema, unless it is to (`violates`); findings have JSON pointers
   */
  respond(operation: string, response: RespondOptions): SetResponse;
  /** Those that are not over, with those for all sandboxes (`*`). */
  responses(): readonly ForcedResponse[];
  /**
   * Operations answer by themselves again. On the app those for all sandboxes (`*`) are removed too.
   *
   * @param operation - the only one that is meant
   * @throws ConfigError `CONFIG_INVALID` for an operation that there is not
   */
  clearResponses(operation?: string): void;
}

/**
 * @param current - the mock as it is now; another one after a reload
 * @param id - `undefined` for the main state, `*` for those of all sandboxes alone
 */
export function responseControls(current: () => Mock, id: string | undefined): ResponseControls {
  /** Those that are there; a look makes no sandbox be there. */
  const books = (): ForcedResponses[] => {
    const { sandboxes } = current().engine;
    const sandbox = id === undefined ? sandboxes.main : sandboxes.find(id);
    return sandbox === undefined ? [] : [sandbox.faults.responses];
  };
  const forAll = (): ForcedResponses => current().engine.sandboxes.forcedOnAll;
  return {
    respond(operation, response) {
      const { engine, context } = current();
      if (context.options.faults.isOff)
        throw new ConfigError('CONFIG_INVALID', 'Faults are off, and forced responses with them', {
          hint: 'Start the mock without --faults off.',
        });
      const fault = readForcedResponse(responseReference(context), operation, response);
      const { sandboxes } = engine;
      const isForAll = id === ALL || fault.action.options.sandbox === ALL;
      if (isForAll && id !== undefined && id !== ALL)
        throw new ConfigError(
          'CONFIG_INVALID',
          `The response is for the sandbox ${id} already; expected no "sandbox"`,
          {
            hint: 'For all sandboxes call app.respond(operation, { sandbox: "*", … }).',
          },
        );
      const sandbox = id === undefined || isForAll ? sandboxes.main : sandboxes.obtain(id);
      const book = isForAll ? forAll() : sandbox.faults.responses;
      const active = book.add(fault, sandbox.clock.now());
      if (active === undefined)
        throw new ConfigError('CONFIG_INVALID', `Too many responses of ${fault.operation} wait for their turn`, {
          hint: `Remove them: app.clearResponses("${fault.operation}").`,
        });
      return {
        ...showResponse(active, book.sandbox),
        get timesLeft() {
          return timesLeft(active);
        },
        get happened() {
          return active.happened;
        },
        get text() {
          return responseText(active);
        },
        remove() {
          book.remove(active);
        },
      };
    },
    responses: () => [...books(), forAll()].flatMap(shownIn),
    clearResponses(name) {
      const operation = name === undefined ? undefined : operationNamed(current().context.api, name).id;
      for (const book of books()) book.clear(operation);
      if (id === undefined || id === ALL) forAll().clear(operation);
    },
  };
}

function shownIn(book: ForcedResponses): ForcedResponse[] {
  return book.list().map((active) => showResponse(active, book.sandbox));
}

/** What an operation would answer; `null` stands for what there is not. */
export interface SampledResponse {
  readonly operation: string;
  readonly status: number;
  readonly example: string | null;
  readonly contentType: string | null;
  /** Of a body that is text. */
  readonly text: string | null;
}

/**
 * The body that an operation would answer, to begin an edit with.
 *
 * @param chosen - left out: that of a success
 * @throws ConfigError `CONFIG_INVALID` for an operation, a status or an example that is not documented
 */
export function sampleOf(
  { context }: Mock,
  name: string,
  chosen: Pick<RespondOptions, 'status' | 'example'>,
): SampledResponse {
  const reference = responseReference(context);
  const operation = operationNamed(context.api, name);
  const { status, example } = chosen;
  const asked =
    status === undefined && example === undefined ? { status: reference.successStatusOf(operation) } : chosen;
  const { answer } = new AnswerReader(reference, operation, asked).read([]);
  if (answer === undefined) throw new Error(`${operation.id} has no response to show`);
  const { headers, body } = sampleResponse(context, operation, answer);
  return {
    operation: operation.id,
    status: answer.status,
    example: answer.example ?? null,
    contentType: body === undefined ? null : (headerValue(headers, 'content-type') ?? null),
    text: typeof body === 'string' ? body : null,
  };
}
